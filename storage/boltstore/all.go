package boltstore

import (
	"context"
	"fmt"
	"iter"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// page is the number of records that All reads in one transaction. A long
// transaction keeps the space of old versions from being reused.
const page = 100

// All yields every record, ordered by ID. For a damaged record it yields an error
// that wraps storage.ErrDamaged and names the match, and goes on; after any other
// error it stops. A game that changes in the meantime comes once, in one of its
// versions.
func (s *Store) All(ctx context.Context) iter.Seq2[storage.Record, error] {
	return func(yield func(storage.Record, error) bool) {
		type found struct {
			id    match.ID
			value []byte
		}
		var last []byte
		for {
			var list []found
			err := s.view(ctx, func(tx *bolt.Tx) error {
				c := tx.Bucket(gamesBucket).Cursor()
				k, v := c.Seek(last)
				if last != nil && string(k) == string(last) {
					k, v = c.Next()
				}
				for ; k != nil && len(list) < page; k, v = c.Next() {
					list = append(list, found{match.ID(k), clone(v)})
				}
				return nil
			})
			if err != nil {
				yield(storage.Record{}, err)
				return
			}
			for _, f := range list {
				if !yield(decodeRecord(s.schema, f.id, f.value)) {
					return
				}
				last = []byte(f.id)
			}
			if len(list) < page {
				return
			}
		}
	}
}

// CreateAll stores new records in one transaction: all of them or, on an error, no
// record. A match whose ID is already stored stays as it is. CreateAll returns the
// number of records stored. The error names the match.
func (s *Store) CreateAll(ctx context.Context, records []storage.Record) (created int, err error) {
	err = s.update(ctx, func(tx *bolt.Tx) error {
		created = 0 // update may run this again
		games := tx.Bucket(gamesBucket)
		for _, r := range records {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := r.Check(); err != nil {
				return err
			}
			if games.Get([]byte(r.Match.ID)) != nil {
				continue
			}
			if err := create(tx, r); err != nil {
				return fmt.Errorf("match %s: %w", r.Match.ID, err)
			}
			created++
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return created, nil
}

// create stores a record that is not stored yet and has passed its Check.
func create(tx *bolt.Tx, r storage.Record) error {
	r = r.Normal()
	value, err := stored.EncodeRecord(&r)
	if err != nil {
		return err
	}
	if err := tx.Bucket(gamesBucket).Put([]byte(r.Match.ID), value); err != nil {
		return err
	}
	return reindex(tx, nil, &r)
}
