package pgstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// people returns the locks of those who have a seat.
func people(m *match.Match) (list []lock) {
	for _, seat := range m.Seats {
		if seat.User != "" && seat.User != storage.Deleted {
			list = append(list, lockOf(personLock, string(seat.User)))
		}
	}
	return list
}

// Create implements [storage.Store].
func (s *Store) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	if err := r.Check(); err != nil {
		return err
	}
	r = r.Normal()
	list, err := values(&r)
	if err != nil {
		return err
	}
	return s.update(ctx, order{limit: patience, locks: append(locksOf(on), people(&r.Match)...)}, func(ctx context.Context, c *change) error {
		if err := hold(ctx, c.conn, on); err != nil {
			return err
		}
		tag, err := c.conn.Exec(ctx, insertGame+" on conflict do nothing", list...)
		if err == nil && tag.RowsAffected() == 0 {
			err = fmt.Errorf("match %s: %w", r.Match.ID, storage.ErrExists)
		}
		if err != nil {
			return err
		}
		return s.saved(ctx, c, &r)
	})
}

// Load implements [storage.Store].
func (s *Store) Load(ctx context.Context, id match.ID) (r storage.Record, err error) {
	g := game{id: id}
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) (err error) {
		g.body, err = body(ctx, c, "select body from games where id = $1", []byte(id))
		return err
	})
	if err == nil && g.body == nil {
		err = storage.ErrNotFound
	}
	if err != nil {
		return r, fmt.Errorf("match %s: %w", id, err)
	}
	return g.record()
}

// stored reads the record that an order named.
func (c *change) stored(id match.ID) (storage.Record, error) {
	if c.game == nil {
		return storage.Record{}, fmt.Errorf("match %s: %w", id, storage.ErrNotFound)
	}
	return game{id, c.game}.record()
}

// change lets f change a record. If f returns true, it is stored.
func (s *Store) change(ctx context.Context, id match.ID, locks []lock, f func(context.Context, *change, *storage.Record) (bool, error)) error {
	return s.update(ctx, order{patience, locks, id}, func(ctx context.Context, c *change) error {
		old, err := c.stored(id)
		if err != nil {
			return err
		}
		next := old
		if changed, err := f(ctx, c, &next); err != nil || !changed {
			c.none = true
			return err
		}
		if err := next.Check(); err != nil {
			return refuse(err)
		}
		next = next.Normal()
		list, err := values(&next)
		if err != nil {
			return err
		}
		for _, seat := range next.Match.Seats {
			// Others rely on that a person has no other games.
			if _, err := old.Match.SeatOf(seat.User); err == nil || seat.User == "" || seat.User == storage.Deleted {
				continue
			}
			if l := lockOf(personLock, string(seat.User)); !slices.Contains(locks, l) {
				if _, err := c.conn.Exec(ctx, "select pg_advisory_xact_lock($1)", l.key); err != nil {
					return err
				}
			}
		}
		c.add(updateGame, list...)
		if next.Match.Version == old.Match.Version {
			return nil
		}
		return s.saved(ctx, c, &next)
	})
}

// simply is change for what looks at the record alone. An error of f that is not one of
// package storage is a refusal.
func (s *Store) simply(ctx context.Context, id match.ID, f func(*storage.Record) (bool, error)) error {
	return s.change(ctx, id, nil, func(_ context.Context, _ *change, r *storage.Record) (bool, error) {
		changed, err := f(r)
		return changed, refuse(err)
	})
}

// Save implements [storage.Store].
func (s *Store) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	return s.change(ctx, m.ID, locksOf(on), func(ctx context.Context, c *change, r *storage.Record) (bool, error) {
		if err := hold(ctx, c.conn, on); err != nil {
			return false, err
		}
		if err := storage.CheckSuccessor(&r.Match, &m, prev); err != nil {
			return false, refuse(err)
		}
		r.Replace(m)
		return true, nil
	})
}

// Shown implements [storage.Store].
func (s *Store) Shown(ctx context.Context, id match.ID, screen storage.Screen) error {
	return s.simply(ctx, id, func(r *storage.Record) (bool, error) {
		if screen.Version < r.Screen.Version || screen == r.Screen {
			return false, nil
		}
		r.Screen = screen
		return true, nil
	})
}

// SaveClock implements [storage.Store].
func (s *Store) SaveClock(ctx context.Context, id match.ID, turn time.Time, clock storage.Clock) error {
	return s.simply(ctx, id, func(r *storage.Record) (bool, error) { return r.SetClock(turn, clock), nil })
}

// SaveLines implements [storage.Store].
func (s *Store) SaveLines(ctx context.Context, id match.ID, version uint64, side engine.Color, lines []storage.Line) error {
	return s.simply(ctx, id, func(r *storage.Record) (bool, error) { return true, r.SetLines(version, side, lines) })
}

// Move implements [storage.Store].
func (s *Store) Move(ctx context.Context, id match.ID, from, to storage.Place) error {
	return s.simply(ctx, id, func(r *storage.Record) (bool, error) { return r.Move(from, to) })
}

// Forget implements [storage.Store].
func (s *Store) Forget(ctx context.Context, id match.ID, u match.UserID) error {
	return s.simply(ctx, id, func(r *storage.Record) (bool, error) { return r.Forget(u) })
}

// Rename implements [storage.Store].
func (s *Store) Rename(ctx context.Context, id match.ID, u match.UserID, name string) error {
	return s.simply(ctx, id, func(r *storage.Record) (bool, error) { return r.Rename(u, name), nil })
}

// Delete implements [storage.Store].
func (s *Store) Delete(ctx context.Context, id match.ID, version uint64) error {
	return s.update(ctx, order{patience, nil, id}, func(ctx context.Context, c *change) error {
		r, err := c.stored(id)
		if err == nil {
			err = storage.CheckVersion(&r.Match, version)
		}
		if err != nil {
			return err
		}
		c.add("delete from games where id = $1", []byte(id))
		return nil
	})
}

// hold returns an error unless what a change was decided on still holds. The locks for
// it are held.
func hold(ctx context.Context, tx *pgxpool.Conn, on []storage.Basis) error {
	for _, b := range on {
		for key := range b.Notes {
			stored, err := note(ctx, tx, key)
			if err == nil {
				err = b.CheckNote(key, stored)
			}
			if err != nil {
				return err
			}
		}
		for _, u := range b.People {
			list, err := games(tx.Query(ctx, ofPerson, []byte(u)))
			if err != nil {
				return err
			}
			for _, g := range list {
				err := b.CheckGame(g.id)
				if err == nil {
					continue
				}
				// Whoever decided could not know of a damaged game.
				if _, damaged := g.record(); damaged == nil {
					return err
				}
			}
		}
	}
	return nil
}

// ofPerson selects the unfinished games of a person.
const ofPerson = `select id, body, changed from games where seat0 = $1 and live
	union select id, body, changed from games where seat1 = $1 and live`
