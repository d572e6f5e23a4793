package boltstore

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// Values yields everything that is stored, by kind (stored.Kinds) and key, so that it can
// be moved to another store. It does not look whether a value is damaged. After an error
// it stops. Nobody may write meanwhile.
func (s *Store) Values(ctx context.Context) iter.Seq2[stored.Value, error] {
	return func(yield func(stored.Value, error) bool) {
		for _, kind := range stored.Kinds() {
			var last []byte
			for {
				var list []stored.Value
				err := s.view(ctx, func(tx *bolt.Tx) error {
					if tx.Bucket(kind) == nil {
						return nil // in a file of an older version
					}
					c := tx.Bucket(kind).Cursor()
					k, v := c.Seek(last)
					if last != nil && bytes.Equal(k, last) {
						k, v = c.Next()
					}
					for ; k != nil && len(list) < page; k, v = c.Next() {
						list = append(list, stored.Value{Kind: kind, Key: slices.Clone(k), Sealed: slices.Clone(v)})
					}
					return nil
				})
				if err != nil {
					yield(stored.Value{}, err)
					return
				}
				for _, v := range list {
					if !yield(v, nil) {
						return
					}
					last = v.Key
				}
				if len(list) < page {
					break
				}
			}
		}
	}
}

// Replace stores values of another store as they are, over those with the same keys, and
// removes others, in one transaction. The error wraps storage.ErrDamaged if a value
// cannot be read: then nothing is changed.
func (s *Store) Replace(ctx context.Context, put, gone []stored.Value) error {
	for _, v := range put {
		if err := v.Check(); err != nil {
			return err
		}
	}
	return s.update(ctx, func(tx *bolt.Tx) error {
		for _, v := range gone {
			if err := s.replaceIn(tx, v.Kind, v.Key, nil); err != nil {
				return err
			}
		}
		for _, v := range put {
			if err := s.replaceIn(tx, v.Kind, v.Key, v.Sealed); err != nil {
				return err
			}
		}
		return nil
	})
}

// replaceIn stores one value, or removes it if it is nil, with what follows from it.
func (s *Store) replaceIn(tx *bolt.Tx, kind, key, sealed []byte) error {
	b := tx.Bucket(kind)
	old := b.Get(key)
	switch string(kind) {
	case string(gamesBucket):
		before, err := recordOrNil(s, key, old)
		if err != nil {
			return err
		}
		after, err := recordOrNil(s, key, sealed)
		if err != nil {
			return err
		}
		if err := reindex(tx, before, after); err != nil {
			return err
		}
	case string(ratingBucket):
		for _, v := range []struct {
			value []byte
			do    func(k []byte) error
		}{
			{old, tx.Bucket(rankingBucket).Delete},
			{sealed, func(k []byte) error { return tx.Bucket(rankingBucket).Put(k, nil) }},
		} {
			if v.value == nil {
				continue
			}
			scope, u, r, err := stored.DecodeRating(key, v.value)
			if err != nil {
				return err
			}
			if err := v.do(rankingKey(owned{scope, u}, r)); err != nil {
				return err
			}
		}
	case string(outcomeBucket), string(settingsBucket), string(stateBucket):
	default:
		return fmt.Errorf("values of the unknown kind %q", kind)
	}
	if sealed == nil {
		return b.Delete(key)
	}
	return b.Put(key, sealed)
}

// recordOrNil reads a stored record, nil if there is none.
func recordOrNil(s *Store, key, value []byte) (*storage.Record, error) {
	if value == nil {
		return nil, nil
	}
	r, err := decodeRecord(s.schema, match.ID(key), value)
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// Freeze keeps everybody else from changing anything until mark or release is called,
// which nobody else can while the file is open. mark writes a note, or removes it if value
// is nil.
func (s *Store) Freeze(context.Context) (mark func(ctx context.Context, key string, value []byte) error, release func(), err error) {
	return func(ctx context.Context, key string, value []byte) error { return s.SaveState(ctx, key, value) }, func() {}, nil
}
