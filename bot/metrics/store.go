package metrics

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Store is a store whose calls are measured, and that knows whether the store
// has failed to write, or does not answer.
type Store struct {
	storage.Store
	measures *Measures
	// failing is set when a call fails because of the disk or the file, until a
	// write succeeds.
	failing atomic.Bool

	mu      sync.Mutex
	calls   map[int]time.Time // when those that are under way began
	last    int               // the number of the last one
	probing chan struct{}     // closed when the probe that is under way has ended
	probed  error             // how the last probe ended
}

// NewStore wraps a store.
func NewStore(s storage.Store, m *Measures) *Store {
	return &Store{Store: s, measures: m, calls: map[int]time.Time{}}
}

// ErrHangs means that a call of the store has been under way for longer than any
// should take: the disk does not answer.
var ErrHangs = errors.New("the store does not answer")

const (
	// hangsAfter is how long a call may take before the store counts as hanging.
	hangsAfter = 5 * time.Second
	// probePatience is how long [Store.Probe] waits for the store. What it has
	// begun goes on, and the next probe waits for that.
	probePatience = 2 * time.Second
)

// probeKey is where [Store.Probe] writes, and probeSize how much: more than a
// game takes, since a file on a full disk has some room left for small things.
const (
	probeKey  = "probe"
	probeSize = 32 << 10
)

// Probe returns why nothing can be written, nil when something can. It writes
// only when a call has failed before, and takes two seconds at most, whatever the
// store does. The error is the store's or wraps [ErrHangs].
func (s *Store) Probe(ctx context.Context) error {
	if age := s.oldest(); age > hangsAfter {
		return fmt.Errorf("%w: a call has been under way for %v", ErrHangs, age.Round(time.Second))
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
		return fmt.Errorf("%w within %v", ErrHangs, probePatience)
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

// oldest returns for how long the oldest call has been under way, 0 when there is
// none.
func (s *Store) oldest() (age time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, begin := range s.calls {
		age = max(age, time.Since(begin))
	}
	return age
}

// measure measures a call, and notes that it is under way meanwhile.
func (s *Store) measure(op string, call func() error) error {
	begin := time.Now()
	s.mu.Lock()
	s.last++
	id := s.last
	s.calls[id] = begin
	s.mu.Unlock()
	defer func() { // a panic must not leave it under way for ever
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.calls, id)
	}()
	err := call()
	s.measures.stored(op, time.Since(begin), err)
	if errors.Is(err, storage.ErrBroken) || errors.Is(err, storage.ErrReplaced) {
		s.failing.Store(true)
	}
	return err
}

// read measures a call that returns a value, and write one that changes the
// disk.
func read[T any](s *Store, op string, call func() (T, error)) (v T, err error) {
	err = s.measure(op, func() error {
		v, err = call()
		return err
	})
	return v, err
}

func (s *Store) write(op string, call func() error) error {
	err := s.measure(op, call)
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

// Rename implements [storage.Store].
func (s *Store) Rename(ctx context.Context, id match.ID, u match.UserID, name string) error {
	return s.write("rename", func() error { return s.Store.Rename(ctx, id, u, name) })
}
