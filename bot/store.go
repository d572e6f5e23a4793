package bot

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// measuredStore is a store whose calls are measured, and that knows whether the
// store has failed to write.
type measuredStore struct {
	storage.Store
	measures *measures
	// failing is set when a write has failed for the disk's or the file's sake,
	// until another has not.
	failing atomic.Bool
}

// done takes note of a call. writes says that it was to change the disk.
func (s *measuredStore) done(op string, begin time.Time, writes bool, err error) {
	s.measures.stored(op, time.Since(begin), err)
	switch {
	case !writes:
	case err == nil:
		s.failing.Store(false)
	case errors.Is(err, storage.ErrNotWritten), errors.Is(err, storage.ErrDamaged):
		s.failing.Store(true) // a damaged record is only its game's matter, which probe finds out
	}
}

// probeKey is where probe writes, and probeSize how much: more than a game takes,
// since a file on a full disk has some room left in it for small things.
const (
	probeKey  = "probe"
	probeSize = 32 << 10
)

// probe returns why nothing can be written, nil when something can. It writes
// only when a write has failed.
func (s *measuredStore) probe(ctx context.Context) error {
	if !s.failing.Load() {
		return nil
	}
	if err := s.SaveState(ctx, probeKey, make([]byte, probeSize)); err != nil {
		return err
	}
	return s.SaveState(ctx, probeKey, nil)
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

func (s *measuredStore) Create(ctx context.Context, r storage.Record) error {
	begin := time.Now()
	err := s.Store.Create(ctx, r)
	s.done("create", begin, true, err)
	return err
}

func (s *measuredStore) Load(ctx context.Context, id match.ID) (storage.Record, error) {
	begin := time.Now()
	r, err := s.Store.Load(ctx, id)
	s.done("load", begin, false, err)
	return r, err
}

func (s *measuredStore) Save(ctx context.Context, m match.Match, prev uint64) error {
	begin := time.Now()
	err := s.Store.Save(ctx, m, prev)
	s.done("save", begin, true, err)
	return err
}

func (s *measuredStore) Shown(ctx context.Context, id match.ID, screen storage.Screen) error {
	begin := time.Now()
	err := s.Store.Shown(ctx, id, screen)
	s.done("shown", begin, true, err)
	return err
}

func (s *measuredStore) ListDue(ctx context.Context, kind storage.Due, before time.Time, limit int) ([]match.ID, error) {
	begin := time.Now()
	list, err := s.Store.ListDue(ctx, kind, before, limit)
	s.done("list due", begin, false, err)
	return list, err
}

func (s *measuredStore) ListByUser(ctx context.Context, u match.UserID, limit int) ([]storage.Record, error) {
	begin := time.Now()
	list, err := s.Store.ListByUser(ctx, u, limit)
	s.done("list by user", begin, false, err)
	return list, err
}

func (s *measuredStore) ListByChannel(ctx context.Context, channel string, limit int) ([]storage.Record, error) {
	begin := time.Now()
	list, err := s.Store.ListByChannel(ctx, channel, limit)
	s.done("list by channel", begin, false, err)
	return list, err
}

func (s *measuredStore) ListOf(ctx context.Context, of storage.Of, after match.ID, limit int) ([]storage.Record, error) {
	begin := time.Now()
	list, err := s.Store.ListOf(ctx, of, after, limit)
	s.done("list of", begin, false, err)
	return list, err
}

func (s *measuredStore) Guilds(ctx context.Context) ([]string, error) {
	begin := time.Now()
	list, err := s.Store.Guilds(ctx)
	s.done("guilds", begin, false, err)
	return list, err
}

func (s *measuredStore) Forget(ctx context.Context, id match.ID, u match.UserID) error {
	begin := time.Now()
	err := s.Store.Forget(ctx, id, u)
	s.done("forget", begin, true, err)
	return err
}

func (s *measuredStore) SettingsKeys(ctx context.Context, prefix string) ([]string, error) {
	begin := time.Now()
	list, err := s.Store.SettingsKeys(ctx, prefix)
	s.done("settings keys", begin, false, err)
	return list, err
}

func (s *measuredStore) Settings(ctx context.Context, key string) (storage.Settings, error) {
	begin := time.Now()
	v, err := s.Store.Settings(ctx, key)
	s.done("settings", begin, false, err)
	return v, err
}

func (s *measuredStore) SaveSettings(ctx context.Context, key string, v storage.Settings) error {
	begin := time.Now()
	err := s.Store.SaveSettings(ctx, key, v)
	s.done("save settings", begin, true, err)
	return err
}

func (s *measuredStore) Delete(ctx context.Context, id match.ID, version uint64) error {
	begin := time.Now()
	err := s.Store.Delete(ctx, id, version)
	s.done("delete", begin, true, err)
	return err
}

func (s *measuredStore) State(ctx context.Context, key string) ([]byte, error) {
	begin := time.Now()
	v, err := s.Store.State(ctx, key)
	s.done("state", begin, false, err)
	return v, err
}

func (s *measuredStore) SaveState(ctx context.Context, key string, value []byte) error {
	begin := time.Now()
	err := s.Store.SaveState(ctx, key, value)
	s.done("save state", begin, true, err)
	return err
}
