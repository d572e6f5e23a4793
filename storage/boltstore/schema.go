package boltstore

import (
	"errors"
	"fmt"
	"strconv"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// The buckets.
var (
	metaBucket     = []byte("meta")
	gamesBucket    = []byte("games")
	settingsBucket = []byte("settings")
	userBucket     = []byte("user")
	channelBucket  = []byte("channel")
	stateBucket    = []byte("state")
)

// dueBucket returns the name of the bucket for a kind of work.
func dueBucket(kind storage.Due) []byte { return []byte("due " + kind) }

// schemaKey is the key of the schema number in the meta bucket.
var schemaKey = []byte("schema")

// migrations bring a file from one schema to the next. The schema number of a file is
// the number of migrations done. Never change a migration that has been released.
var migrations = []func(*bolt.Tx) error{
	func(tx *bolt.Tx) error {
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
	},
	func(tx *bolt.Tx) error { // notes for the next run; finished games by age
		if _, err := tx.CreateBucket([]byte("state")); err != nil {
			return err
		}
		removal, err := tx.CreateBucket([]byte("due removal"))
		if err != nil {
			return err
		}
		return tx.Bucket(gamesBucket).ForEach(func(k, v []byte) error {
			r, err := decodeRecord(match.ID(k), v)
			if err != nil || r.Match.Phase != match.Finished {
				return nil // a record that cannot be read stays as it is, without index keys
			}
			return removal.Put([]byte(orderKey(nil, r.Match.Changed, r.Match.ID)), nil)
		})
	},
}

// schema returns the schema number of a file, and 0 when it has no buckets.
func schema(tx *bolt.Tx) (int, error) {
	meta := tx.Bucket(metaBucket)
	if meta == nil {
		if name, _ := tx.Cursor().First(); name != nil {
			return 0, damaged(errors.New("this file belongs to another program"))
		}
		return 0, nil
	}
	n, err := strconv.Atoi(string(meta.Get(schemaKey)))
	if err != nil || n < 1 {
		return 0, damaged(errors.New("this file belongs to another program: it has no schema number"))
	}
	return n, nil
}

// migrate runs the steps that the file has not had.
func migrate(tx *bolt.Tx, steps []func(*bolt.Tx) error) error {
	n, err := schema(tx)
	switch {
	case err != nil:
		return err
	case n > len(steps):
		return fmt.Errorf("%w: it has schema %d and this program knows %d; install the newer version again, or restore an older copy",
			storage.ErrSchema, n, len(steps))
	case n == len(steps):
		return nil
	}
	for i, step := range steps[n:] {
		if err := step(tx); err != nil {
			return fmt.Errorf("migration to schema %d: %w", n+i+1, err)
		}
	}
	meta, err := tx.CreateBucketIfNotExists(metaBucket)
	if err != nil {
		return err
	}
	return meta.Put(schemaKey, []byte(strconv.Itoa(len(steps))))
}

// hasBuckets returns an error when a bucket of the current schema is missing.
func hasBuckets(tx *bolt.Tx) error {
	for _, name := range append(indexBuckets(), metaBucket, gamesBucket, settingsBucket, stateBucket) {
		if tx.Bucket(name) == nil {
			return damaged(fmt.Errorf("the bucket %q is missing", name))
		}
	}
	return nil
}
