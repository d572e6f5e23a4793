package boltstore

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// Create implements [storage.Store].
func (s *Store) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	if err := r.Check(); err != nil {
		return err
	}
	return s.update(ctx, func(tx *bolt.Tx) error {
		if err := s.hold(tx, on); err != nil {
			return err
		}
		if tx.Bucket(gamesBucket).Get([]byte(r.Match.ID)) != nil {
			return fmt.Errorf("match %s: %w", r.Match.ID, storage.ErrExists)
		}
		return create(tx, r)
	})
}

// Load implements [storage.Store].
func (s *Store) Load(ctx context.Context, id match.ID) (storage.Record, error) {
	var value []byte
	err := s.view(ctx, func(tx *bolt.Tx) error {
		value = clone(tx.Bucket(gamesBucket).Get([]byte(id)))
		return nil
	})
	switch {
	case err != nil:
		return storage.Record{}, fmt.Errorf("match %s: %w", id, err)
	case value == nil:
		return storage.Record{}, fmt.Errorf("match %s: %w", id, storage.ErrNotFound)
	}
	return decodeRecord(s.schema, id, value)
}

// Save implements [storage.Store].
func (s *Store) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	return s.update(ctx, func(tx *bolt.Tx) error {
		if err := s.hold(tx, on); err != nil {
			return err
		}
		return s.changeIn(tx, m.ID, func(r *storage.Record) (bool, error) {
			if err := storage.CheckSuccessor(&r.Match, &m, prev); err != nil {
				return false, err
			}
			r.Replace(m)
			return true, nil
		})
	})
}

// SaveClock implements [storage.Store].
func (s *Store) SaveClock(ctx context.Context, id match.ID, turn time.Time, c storage.Clock) error {
	return s.change(ctx, id, func(r *storage.Record) (bool, error) { return r.SetClock(turn, c), nil })
}

// SaveLines implements [storage.Store].
func (s *Store) SaveLines(ctx context.Context, id match.ID, version uint64, side engine.Color, lines []storage.Line) error {
	return s.change(ctx, id, func(r *storage.Record) (bool, error) { return true, r.SetLines(version, side, lines) })
}

// Move implements [storage.Store].
func (s *Store) Move(ctx context.Context, id match.ID, from, to storage.Place) error {
	return s.change(ctx, id, func(r *storage.Record) (bool, error) { return r.Move(from, to) })
}

// Shown implements [storage.Store].
func (s *Store) Shown(ctx context.Context, id match.ID, screen storage.Screen) error {
	return s.change(ctx, id, func(r *storage.Record) (bool, error) {
		if screen.Version < r.Screen.Version || screen == r.Screen {
			return false, nil
		}
		r.Screen = screen
		return true, nil
	})
}

// change lets f change a record. If f returns true, it stores the record and its
// index keys.
func (s *Store) change(ctx context.Context, id match.ID, f func(*storage.Record) (bool, error)) error {
	return s.update(ctx, func(tx *bolt.Tx) error { return s.changeIn(tx, id, f) })
}

// changeIn is change in a transaction.
func (s *Store) changeIn(tx *bolt.Tx, id match.ID, f func(*storage.Record) (bool, error)) error {
	games := tx.Bucket(gamesBucket)
	value := games.Get([]byte(id))
	if value == nil {
		return fmt.Errorf("match %s: %w", id, storage.ErrNotFound)
	}
	old, err := decodeRecord(s.schema, id, value)
	if err != nil {
		return err
	}
	next := old
	if changed, err := f(&next); err != nil || !changed {
		return err
	}
	if err := next.Check(); err != nil {
		return err
	}
	next = next.Normal()
	if value, err = stored.EncodeRecord(&next); err != nil {
		return err
	}
	if err := games.Put([]byte(id), value); err != nil {
		return err
	}
	return reindex(tx, &old, &next)
}

// ListDue implements [storage.Store].
func (s *Store) ListDue(ctx context.Context, kind storage.Due, before time.Time, limit int) ([]match.ID, error) {
	if !slices.Contains(storage.Dues(), kind) {
		return nil, fmt.Errorf("unknown kind of work %q", kind)
	}
	end := stored.AppendTime(nil, before)
	var ids []match.ID
	err := s.view(ctx, func(tx *bolt.Tx) error {
		c := tx.Bucket(dueBucket(kind)).Cursor()
		for k, _ := c.First(); k != nil && len(ids) < limit; k, _ = c.Next() {
			if kind.Timed() && bytes.Compare(k[:stored.TimeLen], end) >= 0 {
				break
			}
			ids = append(ids, idOf(k, 0))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// ListByUser implements [storage.Store].
func (s *Store) ListByUser(ctx context.Context, u match.UserID, limit int) ([]storage.Record, error) {
	if u == "" {
		return s.list(ctx, nil, nil, 0)
	}
	return s.list(ctx, userBucket, stored.NamePrefix(string(u)), limit)
}

// ListByChannel implements [storage.Store].
func (s *Store) ListByChannel(ctx context.Context, channel string, limit int) ([]storage.Record, error) {
	return s.list(ctx, channelBucket, stored.NamePrefix(channel), limit)
}

// list returns the records whose index keys have a prefix, from the last to the
// first.
func (s *Store) list(ctx context.Context, bucket, prefix []byte, limit int) ([]storage.Record, error) {
	type found struct {
		id    match.ID
		value []byte
	}
	var all []found
	err := s.view(ctx, func(tx *bolt.Tx) error {
		if limit <= 0 {
			return nil
		}
		games, c := tx.Bucket(gamesBucket), tx.Bucket(bucket).Cursor()
		k, _ := lastOf(c, prefix)
		for ; bytes.HasPrefix(k, prefix) && len(all) < limit; k, _ = c.Prev() {
			id := idOf(k, len(prefix))
			all = append(all, found{id, clone(games.Get([]byte(id)))})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var list []storage.Record
	for _, f := range all {
		r, err := decodeRecord(s.schema, f.id, f.value)
		if err != nil {
			s.log.WarnContext(ctx, "left a damaged game out of a list", "match", f.id, "file", s.path, "err", err)
			continue
		}
		list = append(list, r)
	}
	return list, nil
}

// lastOf moves a cursor to the last key that begins with a prefix and a time, if there
// is one.
func lastOf(c *bolt.Cursor, prefix []byte) (k, v []byte) {
	// 0xff sorts after every real time: a count of seconds that begins so is a year in
	// the hundreds of billions.
	if k, _ = c.Seek(append(slices.Clip(prefix), 0xff)); k == nil {
		return c.Last()
	}
	return c.Prev()
}

// Settings implements [storage.Store].
func (s *Store) Settings(ctx context.Context, key string) (storage.Settings, error) {
	var value []byte
	err := s.view(ctx, func(tx *bolt.Tx) error {
		value = clone(tx.Bucket(settingsBucket).Get([]byte(key)))
		return nil
	})
	if err != nil {
		return storage.Settings{}, err
	}
	return decodeSettings(s.schema, key, value)
}

// SaveSettings implements [storage.Store].
func (s *Store) SaveSettings(ctx context.Context, key string, v storage.Settings, on ...storage.Basis) error {
	if err := storage.CheckKey(key); err != nil {
		return fmt.Errorf("the key of settings: %w", err)
	}
	if err := v.Check(); err != nil {
		return err
	}
	value, err := stored.Encode(settingsBucket, []byte(key), v.Normal())
	if err != nil {
		return err
	}
	return s.update(ctx, func(tx *bolt.Tx) error {
		if err := s.hold(tx, on); err != nil {
			return err
		}
		if v.IsZero() {
			return tx.Bucket(settingsBucket).Delete([]byte(key))
		}
		return tx.Bucket(settingsBucket).Put([]byte(key), value)
	})
}

// Delete implements [storage.Store].
func (s *Store) Delete(ctx context.Context, id match.ID, version uint64) error {
	return s.update(ctx, func(tx *bolt.Tx) error {
		games := tx.Bucket(gamesBucket)
		value := games.Get([]byte(id))
		if value == nil {
			return fmt.Errorf("match %s: %w", id, storage.ErrNotFound)
		}
		r, err := decodeRecord(s.schema, id, value)
		if err != nil {
			return err
		}
		if err := storage.CheckVersion(&r.Match, version); err != nil {
			return err
		}
		if err := games.Delete([]byte(id)); err != nil {
			return err
		}
		return reindex(tx, &r, nil)
	})
}

// State implements [storage.Store].
func (s *Store) State(ctx context.Context, key string) ([]byte, error) {
	var value []byte
	err := s.view(ctx, func(tx *bolt.Tx) error {
		value = clone(tx.Bucket(stateBucket).Get([]byte(key)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return decodeState(s.schema, key, value)
}

// SaveState implements [storage.Store].
func (s *Store) SaveState(ctx context.Context, key string, value []byte, on ...storage.Basis) error {
	if err := storage.CheckState(key, value); err != nil {
		return err
	}
	return s.update(ctx, func(tx *bolt.Tx) error {
		if err := s.hold(tx, on); err != nil {
			return err
		}
		if len(value) == 0 {
			return tx.Bucket(stateBucket).Delete([]byte(key))
		}
		return tx.Bucket(stateBucket).Put([]byte(key), stored.Seal(stateBucket, []byte(key), value))
	})
}
