package boltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// maxFaults is the largest number of faults that Check reports.
const maxFaults = 20

// Check reads the whole file: every page, every value with its checksum, and it
// compares the indexes with the records. When it finds faults, it returns an error
// that wraps storage.ErrBroken or storage.ErrDamaged and names up to 20 of them. It
// changes nothing. Writes wait until it has finished.
//
// No byte of a page in use can change without a fault. Pages that are not in use, and
// those behind the last one, hold whatever was there before, and nobody reads them;
// in a copy that has not been opened since it was made they are empty, and Check
// looks at them too.
func (s *Store) Check(ctx context.Context) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return storage.ErrClosed
	}
	if err := s.write.lock(ctx); err != nil {
		return err
	}
	defer s.write.unlock()
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	return inspect(ctx, s.file, info.Size())
}

// readPages scans the pages of a file.
func readPages(s *scan, file io.ReaderAt, size int64) (roots, error) {
	r, err := readRoots(file)
	if err != nil {
		return r, broken(fmt.Errorf("%w; restore a copy", err))
	}
	m := r.latest()
	s.file, s.pageSize, s.pages = file, int(m.pageSize), m.pages
	if need := m.pages * uint64(m.pageSize); uint64(size) < need || m.pages > uint64(size) {
		return r, broken(fmt.Errorf("the file has only %d of its %d bytes; restore a copy", size, need))
	}
	if s.strict {
		err = r.strict(file)
	}
	if err == nil {
		err = s.all(m)
	}
	var own *itemError
	switch {
	case errors.As(err, &own):
		return r, own.err
	case err != nil:
		return r, broken(fmt.Errorf("%w; restore a copy", err))
	}
	return r, nil
}

// itemError is an error about what a page holds rather than about the page.
type itemError struct{ err error }

func (e *itemError) Error() string { return e.err.Error() }

// inspect checks a file that nobody writes to, as [Store.Check] says.
func inspect(ctx context.Context, file io.ReaderAt, size int64) error {
	i := inspection{ctx: ctx, wanted: map[indexKey]bool{}, found: map[indexKey]bool{}}
	s := scan{strict: true, first: metaBucket, item: func(bucket, key, value []byte) error {
		if err := i.item(bucket, key, value); err != nil {
			return &itemError{err}
		}
		return nil
	}}
	r, err := readPages(&s, file, size)
	if err != nil {
		return err
	}
	if err := i.readSchema(); err != nil {
		return err
	}
	var have [][]byte
	for _, b := range s.buckets {
		have = append(have, b.name)
	}
	if want := bucketsOf(i.schema); !slices.EqualFunc(have, want, bytes.Equal) {
		return broken(fmt.Errorf("it should have the buckets %q, but has %q; restore a copy", want, have))
	}
	if r.copied() && i.schema >= sealedSchema {
		if err := checkUnused(&s, size); err != nil {
			return broken(err)
		}
	}
	return i.compare()
}

// checkUnused checks that the pages of a copy that are not in use are empty, and that
// nothing follows the last one.
func checkUnused(s *scan, size int64) error {
	if want := int64(s.pages) * int64(s.pageSize); size != want {
		return fmt.Errorf("the copy has %d bytes instead of %d", size, want)
	}
	page := make([]byte, s.pageSize)
	for _, id := range s.free {
		if _, err := s.file.ReadAt(page, int64(id)*int64(s.pageSize)); err != nil {
			return err
		}
		if !empty(page) {
			return fmt.Errorf("page %d of the copy is not in use, but not empty", id)
		}
	}
	return nil
}

// inspection collects what is wrong with the values of a file.
type inspection struct {
	ctx           context.Context
	schema        int // 0 until it is known
	number, seal  []byte
	wanted, found map[indexKey]bool
	unread        []match.ID // damaged records, whose index keys are unknown
	unowned       []owned    // whose ratings are damaged, likewise
	faults        []error
}

// fault notes a fault. It returns an error when there are enough.
func (i *inspection) fault(err error) error {
	if i.faults = append(i.faults, err); len(i.faults) == maxFaults {
		return errors.Join(i.faults...)
	}
	return nil
}

// readSchema reads the schema number, once the meta bucket has been read.
func (i *inspection) readSchema() (err error) {
	if i.schema == 0 {
		i.schema, err = schemaIn(i.number, i.seal, len(migrations))
	}
	return err
}

// item looks at a key and its value.
func (i *inspection) item(bucket, key, value []byte) error {
	name := string(bucket)
	if name == string(metaBucket) {
		switch {
		case bytes.Equal(key, schemaKey):
			i.number = value
		case bytes.Equal(key, sealKey):
			i.seal = value
		default:
			return i.fault(damaged(fmt.Errorf("%q is unknown in the bucket %q", key, bucket)))
		}
		return nil
	}
	if err := i.ctx.Err(); err != nil {
		return err
	}
	if err := i.readSchema(); err != nil {
		return err
	}
	var err error
	switch name {
	case string(gamesBucket):
		var r storage.Record
		if r, err = decodeRecord(i.schema, match.ID(key), value); err != nil {
			i.unread = append(i.unread, match.ID(key))
		} else {
			for _, k := range indexKeys(&r) {
				i.wanted[k] = true
			}
		}
	case string(settingsBucket):
		_, err = decodeSettings(i.schema, string(key), value)
	case string(stateBucket):
		_, err = decodeState(i.schema, string(key), value)
	case string(ratingBucket):
		var o owned
		var rating storage.Rating
		if o.scope, o.user, rating, err = stored.DecodeRating(key, value); err == nil {
			i.wanted[indexKey{string(rankingBucket), string(rankingKey(o, rating))}] = true
		} else {
			i.unowned = append(i.unowned, o)
		}
	case string(outcomeBucket):
		_, err = stored.DecodeOutcome(key, value)
	default:
		i.found[indexKey{name, string(key)}] = true
		if len(value) > 0 {
			err = damaged(fmt.Errorf("index %s: %q has a value", name, key))
		}
	}
	if err != nil {
		return i.fault(err)
	}
	return nil
}

// compare compares the indexes with the records and returns all faults.
func (i *inspection) compare() error {
	for key := range i.found {
		isUnread := func(id match.ID) bool { return bytes.HasSuffix([]byte(key.key), []byte(id)) }
		if !i.wanted[key] && !slices.ContainsFunc(i.unread, isUnread) && !i.unownedHas(key) {
			if err := i.fault(damaged(fmt.Errorf("index %s: %q belongs to no record", key.bucket, key.key))); err != nil {
				return err
			}
		}
	}
	buckets := bucketsOf(i.schema)
	for key := range i.wanted {
		has := slices.ContainsFunc(buckets, func(name []byte) bool { return string(name) == key.bucket })
		if has && !i.found[key] {
			if err := i.fault(damaged(fmt.Errorf("index %s: %q is missing", key.bucket, key.key))); err != nil {
				return err
			}
		}
	}
	return errors.Join(i.faults...)
}

// unownedHas reports whether a key of the ranking belongs to a rating that is damaged.
func (i *inspection) unownedHas(key indexKey) bool {
	return key.bucket == string(rankingBucket) && slices.ContainsFunc(i.unowned, func(o owned) bool {
		return strings.HasPrefix(key.key, string(stored.NamePrefix(o.scope))) && strings.HasSuffix(key.key, string(o.user))
	})
}
