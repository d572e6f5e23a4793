package metrics

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Store is a store whose calls are measured, that lets nobody wait long for one, and
// that knows whether the store has failed to write, or does not answer (hang.go).
type Store struct {
	store    storage.Store
	measures *Measures
	// failing is set when a call fails because of the disk or the file, until a
	// write succeeds.
	failing atomic.Bool

	mu      sync.Mutex
	calls   map[int]underway // short ones
	last    int              // the number of the last one
	probing chan struct{}    // closed when the probe that is under way has ended
	probed  error            // how the last probe ended
}

// NewStore wraps a store.
func NewStore(s storage.Store, m *Measures) *Store {
	return &Store{store: s, measures: m, calls: map[int]underway{}}
}

// probePatience is how long [Store.Probe] waits for the store. What it has begun goes
// on, and the next probe waits for that.
const probePatience = 2 * time.Second

// probeKey is where [Store.Probe] writes, and probeSize how much: more than a
// game takes, since a file on a full disk has some room left for small things.
const (
	probeKey  = "probe"
	probeSize = 32 << 10
)

// Probe returns why nothing can be written, nil when something can. It writes
// only when a call has failed before, and takes two seconds at most, whatever the
// store does. The error is the store's or wraps [storage.ErrHangs].
func (s *Store) Probe(ctx context.Context) error {
	if err := s.hangs(write); err != nil {
		return err
	}
	if !s.failing.Load() {
		return nil
	}
	s.mu.Lock()
	done := s.probing
	if done == nil {
		done = make(chan struct{})
		s.probing = done
		go func() {
			err := s.tryToWrite(context.WithoutCancel(ctx))
			s.mu.Lock()
			defer s.mu.Unlock()
			s.probed, s.probing = err, nil
			close(done)
		}()
	}
	s.mu.Unlock()
	patience := time.NewTimer(probePatience)
	defer patience.Stop()
	select {
	case <-done:
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.probed
	case <-patience.C:
		return fmt.Errorf("%w within %v", storage.ErrHangs, probePatience)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Store) tryToWrite(ctx context.Context) error {
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
		{nil, "ok"}, {storage.ErrUnsure, "unsure"}, {storage.ErrHangs, "hangs"}, {storage.ErrExists, "exists"}, {storage.ErrNotFound, "not found"}, {storage.ErrConflict, "conflict"},
		{storage.ErrDamaged, "damaged"}, {storage.ErrBroken, "broken"}, {storage.ErrReplaced, "replaced"}, {storage.ErrNotWritten, "not written"}, {storage.ErrClosed, "closed"},
		{context.Canceled, "stopped"}, {context.DeadlineExceeded, "stopped"},
	} {
		if errors.Is(err, known.err) {
			return known.name
		}
	}
	return "failed"
}

// Create implements [storage.Store], as do the methods below.
func (s *Store) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	return change(ctx, s, "create", func(ctx context.Context) error { return s.store.Create(ctx, r, on...) })
}

func (s *Store) Load(ctx context.Context, id match.ID) (storage.Record, error) {
	return call(ctx, s, "load", read, func(ctx context.Context) (storage.Record, error) { return s.store.Load(ctx, id) })
}

func (s *Store) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	return change(ctx, s, "save", func(ctx context.Context) error { return s.store.Save(ctx, m, prev, on...) })
}

func (s *Store) Shown(ctx context.Context, id match.ID, screen storage.Screen) error {
	return change(ctx, s, "shown", func(ctx context.Context) error { return s.store.Shown(ctx, id, screen) })
}

func (s *Store) ListDue(ctx context.Context, kind storage.Due, before time.Time, limit int) ([]match.ID, error) {
	return call(ctx, s, "list due", read, func(ctx context.Context) ([]match.ID, error) { return s.store.ListDue(ctx, kind, before, limit) })
}

func (s *Store) ListByUser(ctx context.Context, u match.UserID, limit int) ([]storage.Record, error) {
	return call(ctx, s, "list by user", read, func(ctx context.Context) ([]storage.Record, error) { return s.store.ListByUser(ctx, u, limit) })
}

func (s *Store) ListByChannel(ctx context.Context, channel string, limit int) ([]storage.Record, error) {
	return call(ctx, s, "list by channel", read, func(ctx context.Context) ([]storage.Record, error) { return s.store.ListByChannel(ctx, channel, limit) })
}

func (s *Store) ListOf(ctx context.Context, of storage.Of, after match.ID, limit int) ([]storage.Record, error) {
	return call(ctx, s, "list of", scan, func(ctx context.Context) ([]storage.Record, error) { return s.store.ListOf(ctx, of, after, limit) })
}

func (s *Store) Guilds(ctx context.Context) ([]string, error) {
	return call(ctx, s, "guilds", scan, func(ctx context.Context) ([]string, error) { return s.store.Guilds(ctx) })
}

func (s *Store) Forget(ctx context.Context, id match.ID, u match.UserID) error {
	return change(ctx, s, "forget", func(ctx context.Context) error { return s.store.Forget(ctx, id, u) })
}

func (s *Store) SettingsKeys(ctx context.Context, prefix string) ([]string, error) {
	return call(ctx, s, "settings keys", scan, func(ctx context.Context) ([]string, error) { return s.store.SettingsKeys(ctx, prefix) })
}

func (s *Store) Settings(ctx context.Context, key string) (storage.Settings, error) {
	return call(ctx, s, "settings", read, func(ctx context.Context) (storage.Settings, error) { return s.store.Settings(ctx, key) })
}

func (s *Store) SaveSettings(ctx context.Context, key string, v storage.Settings, on ...storage.Basis) error {
	return change(ctx, s, "save settings", func(ctx context.Context) error { return s.store.SaveSettings(ctx, key, v, on...) })
}

func (s *Store) Delete(ctx context.Context, id match.ID, version uint64) error {
	return change(ctx, s, "delete", func(ctx context.Context) error { return s.store.Delete(ctx, id, version) })
}

func (s *Store) State(ctx context.Context, key string) ([]byte, error) {
	return call(ctx, s, "state", read, func(ctx context.Context) ([]byte, error) { return s.store.State(ctx, key) })
}

func (s *Store) SaveState(ctx context.Context, key string, value []byte, on ...storage.Basis) error {
	return change(ctx, s, "save state", func(ctx context.Context) error { return s.store.SaveState(ctx, key, value, on...) })
}

func (s *Store) Rename(ctx context.Context, id match.ID, u match.UserID, name string) error {
	return change(ctx, s, "rename", func(ctx context.Context) error { return s.store.Rename(ctx, id, u, name) })
}

func (s *Store) SaveClock(ctx context.Context, id match.ID, turn time.Time, c storage.Clock) error {
	return change(ctx, s, "save clock", func(ctx context.Context) error { return s.store.SaveClock(ctx, id, turn, c) })
}

func (s *Store) SaveLines(ctx context.Context, id match.ID, version uint64, side engine.Color, lines []storage.Line) error {
	return change(ctx, s, "save lines", func(ctx context.Context) error { return s.store.SaveLines(ctx, id, version, side, lines) })
}

func (s *Store) Move(ctx context.Context, id match.ID, from, to storage.Place) error {
	return change(ctx, s, "move", func(ctx context.Context) error { return s.store.Move(ctx, id, from, to) })
}

func (s *Store) Rate(ctx context.Context, id match.ID, changes []storage.RatingChange, outcomes map[match.UserID]storage.Outcome) error {
	return change(ctx, s, "rate", func(ctx context.Context) error { return s.store.Rate(ctx, id, changes, outcomes) })
}

func (s *Store) Rating(ctx context.Context, scope string, u match.UserID) (storage.Rating, error) {
	return call(ctx, s, "rating", read, func(ctx context.Context) (storage.Rating, error) { return s.store.Rating(ctx, scope, u) })
}

func (s *Store) Ranking(ctx context.Context, scope string, offset, limit int) ([]storage.Ranked, int, error) {
	type page struct {
		list  []storage.Ranked
		total int
	}
	p, err := call(ctx, s, "ranking", read, func(ctx context.Context) (p page, err error) {
		p.list, p.total, err = s.store.Ranking(ctx, scope, offset, limit)
		return p, err
	})
	return p.list, p.total, err
}

func (s *Store) Outcomes(ctx context.Context, u match.UserID, limit int) ([]storage.Outcome, error) {
	return call(ctx, s, "outcomes", read, func(ctx context.Context) ([]storage.Outcome, error) { return s.store.Outcomes(ctx, u, limit) })
}

func (s *Store) ForgetRatings(ctx context.Context, u match.UserID) error {
	return change(ctx, s, "forget ratings", func(ctx context.Context) error { return s.store.ForgetRatings(ctx, u) })
}

func (s *Store) ForgetScope(ctx context.Context, scope string) error {
	return change(ctx, s, "forget scope", func(ctx context.Context) error { return s.store.ForgetScope(ctx, scope) })
}

// Count implements [storage.Counter]. The error wraps errors.ErrUnsupported when the store
// does not count its games.
func (s *Store) Count(ctx context.Context) (storage.Counts, error) {
	counter, ok := s.store.(storage.Counter)
	if !ok {
		return storage.Counts{}, fmt.Errorf("counting games: %w", errors.ErrUnsupported)
	}
	return call(ctx, s, "count", scan, counter.Count)
}

// Close closes the store; see [storage.Store].
func (s *Store) Close() error { return s.store.Close() }
