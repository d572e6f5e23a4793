package boltstore

import (
	"bytes"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// hold returns an error unless what a change was decided on still holds. It reads keys
// of an index, and a game only where it is not one that was known.
func (s *Store) hold(tx *bolt.Tx, on []storage.Basis) error {
	for _, b := range on {
		for key := range b.Notes {
			stored, err := decodeState(s.schema, key, tx.Bucket(stateBucket).Get([]byte(key)))
			if err == nil {
				err = b.CheckNote(key, stored)
			}
			if err != nil {
				return err
			}
		}
		games, c := tx.Bucket(gamesBucket), tx.Bucket(userBucket).Cursor()
		for _, u := range b.People {
			prefix := stored.NamePrefix(string(u))
			for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
				id := idOf(k, len(prefix))
				err := b.CheckGame(id)
				if err == nil {
					continue
				}
				// Whoever decided could not know of a damaged game.
				if _, damaged := decodeRecord(s.schema, id, games.Get([]byte(id))); damaged == nil {
					return err
				}
			}
		}
	}
	return nil
}
