package boltstore

import (
	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// indexKey is a key in an index, with the index's bucket.
type indexKey struct{ bucket, key string }

// indexBuckets returns the names of the index buckets.
func indexBuckets() [][]byte {
	names := [][]byte{userBucket, channelBucket, rankingBucket}
	for _, kind := range storage.Dues() {
		names = append(names, dueBucket(kind))
	}
	return names
}

// indexKeys returns the index keys of a record.
func indexKeys(r *storage.Record) []indexKey {
	var keys []indexKey
	for _, kind := range storage.Dues() {
		if at, ok := r.Due(kind); ok {
			keys = append(keys, indexKey{string(dueBucket(kind)), stored.OrderKey(nil, at, r.Match.ID)})
		}
	}
	if r.Match.Phase == match.Finished {
		return keys
	}
	changed := r.Match.Changed
	for _, seat := range r.Match.Seats {
		if seat.User != "" {
			keys = append(keys, indexKey{string(userBucket), stored.OrderKey(stored.NamePrefix(string(seat.User)), changed, r.Match.ID)})
		}
	}
	return append(keys, indexKey{string(channelBucket), stored.OrderKey(stored.NamePrefix(r.Place.Channel), changed, r.Match.ID)})
}

// idOf returns the ID of the match in a key with a prefix of n bytes.
func idOf(key []byte, n int) match.ID { return match.ID(key[n+stored.TimeLen:]) }

// reindex replaces the keys of the old record with those of the new one. old is nil
// for a new match, new for a deleted one.
func reindex(tx *bolt.Tx, old, new *storage.Record) error {
	keep := map[indexKey]bool{}
	if new != nil {
		for _, k := range indexKeys(new) {
			keep[k] = true
		}
	}
	if old != nil {
		for _, k := range indexKeys(old) {
			if keep[k] {
				delete(keep, k) // it is there already
			} else if err := tx.Bucket([]byte(k.bucket)).Delete([]byte(k.key)); err != nil {
				return err
			}
		}
	}
	for k := range keep {
		if err := tx.Bucket([]byte(k.bucket)).Put([]byte(k.key), nil); err != nil {
			return err
		}
	}
	return nil
}
