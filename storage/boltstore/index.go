package boltstore

import (
	"encoding/binary"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// timeLen is the number of bytes of a time in a key.
const timeLen = 12

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
			keys = append(keys, indexKey{string(dueBucket(kind)), orderKey(nil, at, r.Match.ID)})
		}
	}
	if r.Match.Phase == match.Finished {
		return keys
	}
	changed := r.Match.Changed
	for _, seat := range r.Match.Seats {
		if seat.User != "" {
			keys = append(keys, indexKey{string(userBucket), orderKey(namePrefix(string(seat.User)), changed, r.Match.ID)})
		}
	}
	return append(keys, indexKey{string(channelBucket), orderKey(namePrefix(r.Place.Channel), changed, r.Match.ID)})
}

// namePrefix returns the beginning of the keys of a person or a channel. The length
// of the name comes first, so that no prefix is the beginning of another.
func namePrefix(name string) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(name))), name...)
}

// orderKey returns a key that sorts by time, and then by ID, within its prefix.
func orderKey(prefix []byte, at time.Time, id match.ID) string {
	return string(append(appendTime(prefix, at), id...))
}

// appendTime appends a time so that the bytes sort as the times do, in any year.
func appendTime(b []byte, at time.Time) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(at.Unix())^1<<63)
	return binary.BigEndian.AppendUint32(b, uint32(at.Nanosecond()))
}

// idOf returns the ID of the match in a key with a prefix of n bytes.
func idOf(key []byte, n int) match.ID { return match.ID(key[n+timeLen:]) }

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
