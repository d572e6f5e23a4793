package play

import (
	"context"
	"errors"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// How often Run reads everything that is due from the store, and how much of
// each kind at a time.
const (
	sweepEvery = 30 * time.Second
	sweepLimit = 1000
)

// wake makes Run look at a game.
func (s *Service) wake(id match.ID) {
	s.mu.Lock()
	s.dirty[id] = struct{}{}
	s.mu.Unlock()
	select {
	case s.poke <- struct{}{}:
	default:
	}
}

// Run brings the world in line with the store until ctx ends: the machine thinks
// where it has something to do, screens that are behind are refreshed,
// challenges that have lapsed are closed. It may be stopped at any point.
func (s *Service) Run(ctx context.Context) error {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	s.sweep(ctx)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			s.sweep(ctx)
		case <-s.poke:
			s.mu.Lock()
			dirty := s.dirty
			s.dirty = map[match.ID]struct{}{}
			s.mu.Unlock()
			for id := range dirty {
				s.settle(ctx, id)
			}
		}
	}
}

// sweep settles every game that has something due.
func (s *Service) sweep(ctx context.Context) {
	now := s.opt.Now()
	seen := map[match.ID]bool{} // a game may be due in several ways
	for _, kind := range []storage.Due{storage.DueMachine, storage.DueScreen, storage.DueExpiry} {
		ids, err := s.opt.Store.ListDue(ctx, kind, now, sweepLimit)
		if err != nil {
			if ctx.Err() == nil {
				s.opt.Log.ErrorContext(ctx, "what is due cannot be read", "kind", kind, "err", err)
			}
			return
		}
		for _, id := range ids {
			if !seen[id] {
				seen[id] = true
				s.settle(ctx, id)
			}
		}
	}
}

// settle does what is due in one game, or hands it on.
func (s *Service) settle(ctx context.Context, id match.ID) {
	r, err := s.opt.Store.Load(ctx, id)
	if err != nil {
		if ctx.Err() == nil && !errors.Is(err, storage.ErrNotFound) {
			s.opt.Log.ErrorContext(ctx, "a game that is due cannot be read", "game", id, "err", err)
		}
		return
	}
	if m := &r.Match; m.Phase == match.Proposed && s.opt.Now().After(m.Expires) {
		// Somebody may answer it at this moment; then there is nothing to close.
		if saved, err := s.save(ctx, r, match.Expire{}); err == nil {
			r = saved
		}
	}
	if r.Match.MachineDue() {
		s.think(ctx, r)
	}
	if r.Screen.Version < r.Match.Version {
		s.opt.Screen.Refresh(id)
	}
}
