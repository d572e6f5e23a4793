package bot_test

import (
	"context"
	"sync"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// slowStore is a store whose saves wait until its gate lets them through.
type slowStore struct {
	storage.Store
	gate chan struct{} // a value lets one save through, closing it lets all through
}

func (s *slowStore) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	select {
	case <-s.gate:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.Store.Save(ctx, m, prev, on...)
}

func (s *slowStore) SaveSettings(ctx context.Context, key string, v storage.Settings, on ...storage.Basis) error {
	select {
	case <-s.gate:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.Store.SaveSettings(ctx, key, v, on...)
}

// bell wakes everybody who waits for the next ring. The zero value is ready.
type bell struct {
	mu sync.Mutex
	ch chan struct{} // closed by the next ring; nil while nobody waits
}

// next returns a channel that the next ring closes. Call it before you look at
// what you wait for, or you may miss the ring.
func (s *bell) next() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch == nil {
		s.ch = make(chan struct{})
	}
	return s.ch
}

func (s *bell) ring() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch != nil {
		close(s.ch)
		s.ch = nil
	}
}

// signalling is a store that rings a bell after each of its writes.
type signalling struct {
	storage.Store
	*bell
}

func (s signalling) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	defer s.ring()
	return s.Store.Create(ctx, r, on...)
}

func (s signalling) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	defer s.ring()
	return s.Store.Save(ctx, m, prev, on...)
}

func (s signalling) Shown(ctx context.Context, id match.ID, by storage.Screen) error {
	defer s.ring()
	return s.Store.Shown(ctx, id, by)
}

func (s signalling) Move(ctx context.Context, id match.ID, from, to storage.Place) error {
	defer s.ring()
	return s.Store.Move(ctx, id, from, to)
}

func (s signalling) Forget(ctx context.Context, id match.ID, u match.UserID) error {
	defer s.ring()
	return s.Store.Forget(ctx, id, u)
}

func (s signalling) Rename(ctx context.Context, id match.ID, u match.UserID, name string) error {
	defer s.ring()
	return s.Store.Rename(ctx, id, u, name)
}

func (s signalling) Delete(ctx context.Context, id match.ID, version uint64) error {
	defer s.ring()
	return s.Store.Delete(ctx, id, version)
}

func (s signalling) SaveSettings(ctx context.Context, key string, v storage.Settings, on ...storage.Basis) error {
	defer s.ring()
	return s.Store.SaveSettings(ctx, key, v, on...)
}

func (s signalling) SaveState(ctx context.Context, key string, value []byte, on ...storage.Basis) error {
	defer s.ring()
	return s.Store.SaveState(ctx, key, value, on...)
}
