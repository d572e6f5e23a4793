package pgstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// Settings implements [storage.Store].
func (s *Store) Settings(ctx context.Context, key string) (v storage.Settings, err error) {
	var value []byte
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) (err error) {
		value, err = body(ctx, c, "select body from settings where key = $1", []byte(key))
		return err
	})
	if err != nil {
		return v, err
	}
	return stored.DecodeSettings(key, value, false)
}

// SaveSettings implements [storage.Store].
func (s *Store) SaveSettings(ctx context.Context, key string, v storage.Settings, on ...storage.Basis) error {
	if err := storage.CheckKey(key); err != nil {
		return fmt.Errorf("the key of settings: %w", err)
	}
	if err := v.Check(); err != nil {
		return err
	}
	body, err := stored.Encode(stored.Settings, []byte(key), v.Normal())
	if err != nil {
		return err
	}
	return s.update(ctx, order{limit: patience, locks: locksOf(on)}, func(ctx context.Context, c *change) error {
		if err := hold(ctx, c.conn, on); err != nil {
			return err
		}
		if v.IsZero() {
			c.add("delete from settings where key = $1", []byte(key))
		} else {
			c.add("insert into settings (key, body) values ($1, $2) on conflict (key) do update set body = excluded.body", []byte(key), body)
		}
		return nil
	})
}

// SettingsKeys implements [storage.Store].
func (s *Store) SettingsKeys(ctx context.Context, prefix string) ([]string, error) {
	return read(ctx, s, long, texts[string], "select key from settings where key >= $1 and substring(key from 1 for $2) = $1 order by key", []byte(prefix), len(prefix))
}

// State implements [storage.Store].
func (s *Store) State(ctx context.Context, key string) (value []byte, err error) {
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) (err error) {
		value, err = note(ctx, c, key)
		return err
	})
	return value, err
}

// note reads a note, nil if there is none.
func note(ctx context.Context, c querier, key string) ([]byte, error) {
	value, err := body(ctx, c, "select body from notes where key = $1", []byte(key))
	if err != nil {
		return nil, err
	}
	return stored.DecodeNote(key, value)
}

// SaveState implements [storage.Store].
func (s *Store) SaveState(ctx context.Context, key string, value []byte, on ...storage.Basis) error {
	if err := storage.CheckState(key, value); err != nil {
		return err
	}
	locks := append(locksOf(on), lockOf(noteLock, key))
	return s.update(ctx, order{limit: patience, locks: locks}, func(ctx context.Context, c *change) error {
		if err := hold(ctx, c.conn, on); err != nil {
			return err
		}
		if len(value) == 0 {
			c.add("delete from notes where key = $1", []byte(key))
		} else {
			c.add("insert into notes (key, body) values ($1, $2) on conflict (key) do update set body = excluded.body",
				[]byte(key), stored.Seal(stored.Notes, []byte(key), value))
		}
		return nil
	})
}
