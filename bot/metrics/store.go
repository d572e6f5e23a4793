package metrics

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Store is a store whose calls are measured, and that knows whether the store
// has failed to write.
type Store struct {
	storage.Store
	measures *Measures
	// failing is set when a write fails because of the disk or the file, until
	// another write succeeds.
	failing atomic.Bool
}

// NewStore wraps a store.
func NewStore(s storage.Store, m *Measures) *Store { return &Store{Store: s, measures: m} }

// probeKey is where [Store.Probe] writes, and probeSize how much: more than a
// game takes, since a file on a full disk has some room left for small things.
const (
	probeKey  = "probe"
	probeSize = 32 << 10
)

// Probe returns why nothing can be written, nil when something can. It writes
// only when a write has failed before. The error is the store's.
func (s *Store) Probe(ctx context.Context) error {
	if !s.failing.Load() {
		return nil
	}
	if err := s.SaveState(ctx, probeKey, make([]byte, probeSize)); err != nil {
		return err
	}
	return s.SaveState(ctx, probeKey, nil)
}

// read measures a call that returns a value, and write one that changes the
// disk.
func read[T any](s *Store, op string, call func() (T, error)) (T, error) {
	begin := time.Now()
	v, err := call()
	s.measures.stored(op, time.Since(begin), err)
	return v, err
}

func (s *Store) write(op string, call func() error) error {
	begin := time.Now()
	err := call()
	s.measures.stored(op, time.Since(begin), err)
	switch {
	case err == nil:
		s.failing.Store(false)
	case errors.Is(err, storage.ErrNotWritten), errors.Is(err, storage.ErrDamaged):
		s.failing.Store(true) // a damaged record concerns its game alone, which Probe finds out
	}
	return err
}

// storeOutcome sorts what became of a call of the store.
func storeOutcome(err error) string {
	for _, known := range []struct {
		err  error
		name string
	}{
		{nil, "ok"}, {storage.ErrExists, "exists"}, {storage.ErrNotFound, "not found"}, {storage.ErrConflict, "conflict"},
		{storage.ErrDamaged, "damaged"}, {storage.ErrNotWritten, "not written"}, {storage.ErrClosed, "closed"},
		{context.Canceled, "stopped"}, {context.DeadlineExceeded, "stopped"},
	} {
		if errors.Is(err, known.err) {
			return known.name
		}
	}
	return "failed"
}

// Create implements [storage.Store], as do the methods below.
func (s *Store) Create(ctx context.Context, r storage.Record) error {
	return s.write("create", func() error { return s.Store.Create(ctx, r) })
}

func (s *Store) Load(ctx context.Context, id match.ID) (storage.Record, error) {
	return read(s, "load", func() (storage.Record, error) { return s.Store.Load(ctx, id) })
}

func (s *Store) Save(ctx context.Context, m match.Match, prev uint64) error {
	return s.write("save", func() error { return s.Store.Save(ctx, m, prev) })
}

func (s *Store) Shown(ctx context.Context, id match.ID, screen storage.Screen) error {
	return s.write("shown", func() error { return s.Store.Shown(ctx, id, screen) })
}

func (s *Store) ListDue(ctx context.Context, kind storage.Due, before time.Time, limit int) ([]match.ID, error) {
	return read(s, "list due", func() ([]match.ID, error) { return s.Store.ListDue(ctx, kind, before, limit) })
}

func (s *Store) ListByUser(ctx context.Context, u match.UserID, limit int) ([]storage.Record, error) {
	return read(s, "list by user", func() ([]storage.Record, error) { return s.Store.ListByUser(ctx, u, limit) })
}

func (s *Store) ListByChannel(ctx context.Context, channel string, limit int) ([]storage.Record, error) {
	return read(s, "list by channel", func() ([]storage.Record, error) { return s.Store.ListByChannel(ctx, channel, limit) })
}

func (s *Store) ListOf(ctx context.Context, of storage.Of, after match.ID, limit int) ([]storage.Record, error) {
	return read(s, "list of", func() ([]storage.Record, error) { return s.Store.ListOf(ctx, of, after, limit) })
}

func (s *Store) Guilds(ctx context.Context) ([]string, error) {
	return read(s, "guilds", func() ([]string, error) { return s.Store.Guilds(ctx) })
}

func (s *Store) Forget(ctx context.Context, id match.ID, u match.UserID) error {
	return s.write("forget", func() error { return s.Store.Forget(ctx, id, u) })
}

func (s *Store) SettingsKeys(ctx context.Context, prefix string) ([]string, error) {
	return read(s, "settings keys", func() ([]string, error) { return s.Store.SettingsKeys(ctx, prefix) })
}

func (s *Store) Settings(ctx context.Context, key string) (storage.Settings, error) {
	return read(s, "settings", func() (storage.Settings, error) { return s.Store.Settings(ctx, key) })
}

func (s *Store) SaveSettings(ctx context.Context, key string, v storage.Settings) error {
	return s.write("save settings", func() error { return s.Store.SaveSettings(ctx, key, v) })
}

func (s *Store) Delete(ctx context.Context, id match.ID, version uint64) error {
	return s.write("delete", func() error { return s.Store.Delete(ctx, id, version) })
}

func (s *Store) State(ctx context.Context, key string) ([]byte, error) {
	return read(s, "state", func() ([]byte, error) { return s.Store.State(ctx, key) })
}

func (s *Store) SaveState(ctx context.Context, key string, value []byte) error {
	return s.write("save state", func() error { return s.Store.SaveState(ctx, key, value) })
}
