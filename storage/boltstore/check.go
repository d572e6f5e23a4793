package boltstore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine/match"
)

// maxFaults is the largest number of faults that Check reports.
const maxFaults = 20

// Check reads the whole file: it checks bbolt's pages and every record, and compares
// the indexes with the records. When it finds faults, it returns an error that
// wraps storage.ErrDamaged and names up to 20 of them. Writes wait until it has
// finished.
func (s *Store) Check(ctx context.Context) error {
	s.write.Lock()
	defer s.write.Unlock()
	return s.view(ctx, func(tx *bolt.Tx) error {
		if err := s.readAll(tx); err != nil {
			return err
		}
		return checkRecords(ctx, tx)
	})
}

// readAll reads every page and lets bbolt check that each belongs to exactly one
// place. No write may be running.
//
// bbolt's check runs in a goroutine of its own, where a memory fault ends the
// program, and loops forever on pages that point in a circle. So our own scan comes
// first.
func (s *Store) readAll(tx *bolt.Tx) error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < tx.Size() {
		return damaged(fmt.Errorf("the file has only %d of its %d bytes; restore a copy", info.Size(), tx.Size()))
	}
	size := s.db.Info().PageSize
	pages := scan{file: s.file, pageSize: size, pages: uint64(tx.Size()) / uint64(size), seen: map[uint64]bool{}}
	if err := pages.all(uint64(tx.ID()), uint64(tx.Cursor().Bucket().Root())); err != nil {
		return damaged(fmt.Errorf("%w; restore a copy", err))
	}
	var faults []error
	for err := range tx.Check() { // to the end, or its goroutine would never end
		if len(faults) < maxFaults {
			faults = append(faults, err)
		}
	}
	if faults != nil {
		return damaged(errors.Join(faults...))
	}
	return nil
}

// checkRecords decodes every record and compares the indexes with them.
func checkRecords(ctx context.Context, tx *bolt.Tx) error {
	var faults []error
	fault := func(err error) error {
		if faults = append(faults, err); len(faults) == maxFaults {
			return errors.Join(faults...)
		}
		return nil
	}
	wanted := map[indexKey]bool{}
	var unread []match.ID // damaged records, whose index keys are unknown
	err := tx.Bucket(gamesBucket).ForEach(func(k, v []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := decodeRecord(match.ID(k), v)
		if err != nil {
			unread = append(unread, match.ID(k))
			return fault(err)
		}
		for _, key := range indexKeys(&r) {
			wanted[key] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = tx.Bucket(settingsBucket).ForEach(func(k, v []byte) error {
		if _, err := decodeSettings(string(k), v); err != nil {
			return fault(err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range indexBuckets() {
		err := tx.Bucket(name).ForEach(func(k, _ []byte) error {
			key := indexKey{string(name), string(k)}
			isUnread := func(id match.ID) bool { return bytes.HasSuffix(k, []byte(id)) }
			if !wanted[key] && !slices.ContainsFunc(unread, isUnread) {
				return fault(damaged(fmt.Errorf("index %s: %q belongs to no record", name, k)))
			}
			delete(wanted, key)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for key := range wanted {
		if err := fault(damaged(fmt.Errorf("index %s: %q is missing", key.bucket, key.key))); err != nil {
			return err
		}
	}
	return errors.Join(faults...)
}

// Backup writes a copy of the file in its present state to w. The copy can be opened
// as it is. Games go on while it is written, but a slow writer can hold up saves when
// the file has to grow, so w should be a local file. When ctx ends, Backup stops
// with its error and the copy is useless.
func (s *Store) Backup(ctx context.Context, w io.Writer) error {
	return s.view(ctx, func(tx *bolt.Tx) error {
		out := &contextWriter{ctx: ctx, w: w}
		_, err := tx.WriteTo(out)
		return cmp.Or(out.err, err) // bbolt does not always wrap the writer's error
	})
}

// contextWriter stops writing when its context ends, and keeps the first error.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
	err error
}

func (c *contextWriter) Write(b []byte) (n int, err error) {
	if err = c.ctx.Err(); err == nil {
		n, err = c.w.Write(b)
	}
	c.err = cmp.Or(c.err, err)
	return n, err
}
