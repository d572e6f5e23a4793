package pgstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/storage"
)

// Settings implements [storage.Store].
func (s *Store) Settings(ctx context.Context, key string) (v storage.Settings, err error) {
	var body string
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) error {
		return c.QueryRow(ctx, "select body from settings where key = $1", []byte(key)).Scan(&body)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return v, nil
	}
	if err == nil {
		v, err = decodeSettings(key, body)
	}
	return v, err
}

// decodeSettings reads stored settings.
func decodeSettings(key, body string) (v storage.Settings, err error) {
	if err = decode(body, &v); err == nil {
		err = v.Check()
	}
	if err != nil {
		return storage.Settings{}, fmt.Errorf("settings under %s: %w", key, damaged(err))
	}
	return v.Normal(), nil
}

// SaveSettings implements [storage.Store].
func (s *Store) SaveSettings(ctx context.Context, key string, v storage.Settings, on ...storage.Basis) error {
	if err := storage.CheckKey(key); err != nil {
		return fmt.Errorf("the key of settings: %w", err)
	}
	if err := v.Check(); err != nil {
		return err
	}
	body, err := text(v.Normal())
	if err != nil {
		return err
	}
	return s.update(ctx, patience, locksOf(on), func(ctx context.Context, c *change) error {
		if err := hold(ctx, c.tx, on); err != nil {
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
func (s *Store) SettingsKeys(ctx context.Context, prefix string) (list []string, err error) {
	err = s.read(ctx, long, func(ctx context.Context, c *pgxpool.Conn) error {
		found, err := c.Query(ctx, "select key from settings where key >= $1 and substring(key from 1 for $2) = $1 order by key", []byte(prefix), len(prefix))
		keys, err := rows(found, err, pgx.RowTo[[]byte])
		list = nil
		for _, key := range keys {
			list = append(list, string(key))
		}
		return err
	})
	return list, err
}

// State implements [storage.Store].
func (s *Store) State(ctx context.Context, key string) (value []byte, err error) {
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) (err error) {
		value, err = note(ctx, c, key)
		return err
	})
	return value, err
}

// SaveState implements [storage.Store].
func (s *Store) SaveState(ctx context.Context, key string, value []byte, on ...storage.Basis) error {
	if err := storage.CheckState(key, value); err != nil {
		return err
	}
	locks := append(locksOf(on), lockOf(noteLock, key))
	return s.update(ctx, patience, locks, func(ctx context.Context, c *change) error {
		if err := hold(ctx, c.tx, on); err != nil {
			return err
		}
		if len(value) == 0 {
			c.add("delete from notes where key = $1", []byte(key))
		} else {
			c.add("insert into notes (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value", []byte(key), value)
		}
		return nil
	})
}
