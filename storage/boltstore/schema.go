package boltstore

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// The buckets.
var (
	metaBucket     = []byte("meta")
	gamesBucket    = stored.Games
	settingsBucket = stored.Settings
	userBucket     = []byte("user")
	channelBucket  = []byte("channel")
	stateBucket    = stored.Notes
	ratingBucket   = stored.Ratings
	rankingBucket  = []byte("ranking")
	outcomeBucket  = stored.Outcomes
)

// dueBucket returns the name of the bucket for a kind of work.
func dueBucket(kind storage.Due) []byte { return []byte("due " + kind) }

// The keys of the meta bucket: the schema number, in digits, which every version of
// this program can read, and, since sealedSchema, the same digits as a value with a
// checksum.
var (
	schemaKey = []byte("schema")
	sealKey   = []byte("seal")
)

// A migration brings a file from one schema to the next. While it returns true, what
// it has done is committed and it is called again; so a transaction is never large,
// and a migration that is killed goes on at the next start.
type migration func(*bolt.Tx) (more bool, err error)

// once is a migration that fits in one transaction.
func once(f func(*bolt.Tx) error) migration {
	return func(tx *bolt.Tx) (bool, error) { return false, f(tx) }
}

// migrations are all migrations. The schema number of a file is the number of
// migrations done. Never change a migration that has been released.
var migrations = []migration{
	once(func(tx *bolt.Tx) error {
		names := [][]byte{gamesBucket, settingsBucket, userBucket, channelBucket}
		for _, kind := range []storage.Due{"machine", "screen", "expiry"} {
			names = append(names, dueBucket(kind))
		}
		for _, name := range names {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return nil
	}),
	once(func(tx *bolt.Tx) error { // notes for the next run; finished games by age
		if _, err := tx.CreateBucket([]byte("state")); err != nil {
			return err
		}
		removal, err := tx.CreateBucket([]byte("due removal"))
		if err != nil {
			return err
		}
		return tx.Bucket(gamesBucket).ForEach(func(k, v []byte) error {
			r, err := decodeRecord(1, match.ID(k), v)
			if err != nil || r.Match.Phase != match.Finished {
				return nil // a record that cannot be read stays as it is, without index keys
			}
			return removal.Put([]byte(stored.OrderKey(nil, r.Match.Changed, r.Match.ID)), nil)
		})
	}),
	addChecksums,
	once(func(tx *bolt.Tx) error { // reminders; no record of an older program has one due
		_, err := tx.CreateBucket([]byte("due reminder"))
		return err
	}),
	once(addClocks),
}

// addClocks makes room for ratings and for the time of turns, which it lists for the
// games that are being played between people. No record of an older program counts.
func addClocks(tx *bolt.Tx) error {
	for _, name := range []string{"due clock", "due rating", "rating", "ranking", "outcome"} {
		if _, err := tx.CreateBucket([]byte(name)); err != nil {
			return err
		}
	}
	clock := tx.Bucket([]byte("due clock"))
	return tx.Bucket(gamesBucket).ForEach(func(k, v []byte) error {
		if !bytes.Contains(v, []byte(`"phase":"playing"`)) {
			return nil // most games: reading them would take long
		}
		r, err := decodeRecord(4, match.ID(k), v)
		if err != nil {
			return nil // a record that cannot be read stays as it is, without index keys
		}
		for _, seat := range r.Match.Seats {
			if r.Match.Phase != match.Playing || seat.Level > 0 {
				return nil
			}
		}
		return clock.Put([]byte(stored.OrderKey(nil, r.Match.Changed, r.Match.ID)), nil)
	})
}

// ratingSchema is the first schema with ratings.
const ratingSchema = 5

// sealedAtOnce is the number of games that addChecksums rewrites in a transaction.
const sealedAtOnce = 1000

// addChecksums gives every value its checksum: the games some at a time, then the
// rest, which is little, at once. Until that is done the schema is the old one, in
// which games may have either form. What cannot be read stays as it is; in the new
// schema it is damaged, as it was in the old.
func addChecksums(tx *bolt.Tx) (more bool, err error) {
	games := tx.Bucket(gamesBucket)
	sealed := map[string][]byte{}
	for c, k, v := cursor(games); k != nil && len(sealed) < sealedAtOnce; k, v = c.Next() {
		if len(v) == 0 || v[0] != stored.OldForm {
			continue
		}
		if r, err := decodeRecord(2, match.ID(k), v); err == nil {
			if sealed[string(k)], err = stored.EncodeRecord(&r); err != nil {
				return false, err
			}
		}
	}
	more = len(sealed) == sealedAtOnce
	if err := putAll(games, sealed); err != nil || more {
		return more, err
	}
	clear(sealed)
	settings := tx.Bucket(settingsBucket)
	for c, k, v := cursor(settings); k != nil; k, v = c.Next() {
		if set, err := decodeSettings(2, string(k), v); err == nil {
			if sealed[string(k)], err = stored.Encode(settingsBucket, k, set); err != nil {
				return false, err
			}
		}
	}
	if err := putAll(settings, sealed); err != nil {
		return false, err
	}
	clear(sealed)
	state := tx.Bucket(stateBucket)
	for c, k, v := cursor(state); k != nil; k, v = c.Next() {
		sealed[string(k)] = stored.Seal(stateBucket, k, v)
	}
	return false, putAll(state, sealed)
}

// cursor returns a cursor of a bucket and the first key and value.
func cursor(b *bolt.Bucket) (c *bolt.Cursor, k, v []byte) {
	c = b.Cursor()
	k, v = c.First()
	return c, k, v
}

func putAll(b *bolt.Bucket, values map[string][]byte) error {
	for k, v := range values {
		if err := b.Put([]byte(k), v); err != nil {
			return err
		}
	}
	return nil
}

// schemaOf returns the schema number of a file, and 0 when it has no buckets. The
// error wraps [storage.ErrBroken], or [storage.ErrSchema] when the number is above
// known.
func schemaOf(tx *bolt.Tx, known int) (int, error) {
	meta := tx.Bucket(metaBucket)
	if meta == nil {
		if name, _ := tx.Cursor().First(); name != nil {
			return 0, broken(errors.New("this file belongs to another program"))
		}
		return 0, nil
	}
	return schemaIn(meta.Get(schemaKey), meta.Get(sealKey), known)
}

// schemaIn returns the schema number that the values of the meta bucket give.
func schemaIn(number, sealed []byte, known int) (int, error) {
	n, err := strconv.Atoi(string(number))
	if err != nil || n < 1 {
		return 0, broken(errors.New("this file belongs to another program: it has no schema number"))
	}
	if sealed != nil || n >= sealedSchema {
		text, err := unseal(sealedSchema, metaBucket, sealKey, sealed)
		if err == nil && !bytes.Equal(text, number) {
			err = fmt.Errorf("once it says %q, and once %q", number, text)
		}
		if err != nil {
			return 0, broken(fmt.Errorf("the schema number cannot be read: %w", err))
		}
	}
	if n > known {
		return 0, fmt.Errorf("%w: it has schema %d and this program knows %d; install the newer version again, or restore an older copy",
			storage.ErrSchema, n, known)
	}
	return n, nil
}

// migrate takes the next steps that the file has not had, and returns true when it
// must be called again.
func migrate(tx *bolt.Tx, steps []migration) (more bool, err error) {
	n, err := schemaOf(tx, len(steps))
	if err != nil || n == len(steps) {
		return false, err
	}
	for ; n < len(steps) && !more; n++ {
		if more, err = steps[n](tx); err != nil {
			return false, fmt.Errorf("migration to schema %d: %w", n+1, err)
		}
		if more {
			break
		}
	}
	if n == 0 {
		return more, nil
	}
	meta, err := tx.CreateBucketIfNotExists(metaBucket)
	if err != nil {
		return false, err
	}
	number := []byte(strconv.Itoa(n))
	if n >= sealedSchema {
		if err := meta.Put(sealKey, stored.Seal(metaBucket, sealKey, number)); err != nil {
			return false, err
		}
	}
	return more, meta.Put(schemaKey, number)
}

// bucketsOf returns the buckets of a schema, sorted.
func bucketsOf(schema int) [][]byte {
	names := append(indexBuckets(), metaBucket, gamesBucket, settingsBucket, stateBucket, ratingBucket, outcomeBucket)
	if schema < 2 {
		names = slices.DeleteFunc(names, func(name []byte) bool {
			return bytes.Equal(name, stateBucket) || bytes.Equal(name, dueBucket(storage.DueRemoval))
		})
	}
	if schema < 4 {
		names = slices.DeleteFunc(names, func(name []byte) bool { return bytes.Equal(name, dueBucket(storage.DueReminder)) })
	}
	if schema < ratingSchema {
		later := [][]byte{dueBucket(storage.DueClock), dueBucket(storage.DueRating), ratingBucket, rankingBucket, outcomeBucket}
		names = slices.DeleteFunc(names, func(name []byte) bool {
			return slices.ContainsFunc(later, func(other []byte) bool { return bytes.Equal(name, other) })
		})
	}
	slices.SortFunc(names, bytes.Compare)
	return names
}

// hasBuckets returns an error when a bucket of a schema is missing.
func hasBuckets(tx *bolt.Tx, schema int) error {
	for _, name := range bucketsOf(schema) {
		if tx.Bucket(name) == nil {
			return broken(fmt.Errorf("the bucket %q is missing", name))
		}
	}
	return nil
}
