package play

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// How often Run reads everything that is due from the store, and how much of
// each kind at a time.
const (
	sweepEvery = 30 * time.Second
	sweepLimit = 1000
	// waitingLimit is how many screens are looked at when the program starts, to
	// know which ones wait.
	waitingLimit = 100_000
	// removeLimit is smaller: each removal is a write of its own, and nobody
	// waits for it.
	removeLimit = 100
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

// Run brings the world in line with the store until ctx ends. The machine thinks
// where it has something to do; screens that are behind are refreshed; challenges
// that have lapsed are closed; deletions that were cut short are finished. If the
// options say so, games that ended long ago and data of servers that removed the
// application are deleted. Run may be stopped at any point.
func (s *Service) Run(ctx context.Context) error {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	s.finishDeletions(ctx) // before the screens show names that are to go
	s.Sweep(ctx)
	s.remove(ctx)
	var learned sync.WaitGroup
	defer learned.Wait()
	learned.Go(func() { s.learnWaiting(ctx) })
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			s.finishDeletions(ctx)
			s.Sweep(ctx)
			s.remove(ctx)
			s.tidyGuilds(ctx)
		case <-s.listed:
			s.tidyGuilds(ctx)
		case <-s.poke:
			s.mu.Lock()
			dirty := s.dirty
			s.dirty = map[match.ID]struct{}{}
			s.mu.Unlock()
			for id := range dirty {
				s.settle(ctx, id, false)
			}
		}
	}
}

// Sweep settles every game that has something due.
func (s *Service) Sweep(ctx context.Context) {
	now := s.opt.Now()
	seen := map[match.ID]bool{} // a game may be due in several ways
	reminders, err := s.opt.Store.ListDue(ctx, storage.DueReminder, now.Add(-match.Away), sweepLimit)
	if err != nil && ctx.Err() == nil {
		s.opt.Log.ErrorContext(ctx, "could not read whom to remind; will retry", "err", err)
	}
	for _, id := range reminders {
		s.opt.Screen.Refresh(id)
	}
	for _, kind := range []storage.Due{storage.DueMachine, storage.DueScreen, storage.DueExpiry} {
		ids, err := s.opt.Store.ListDue(ctx, kind, now, sweepLimit)
		if err != nil {
			if ctx.Err() == nil {
				s.opt.Log.ErrorContext(ctx, "could not read what is due; will retry", "kind", kind, "err", err)
			}
			return
		}
		for _, id := range ids {
			if !seen[id] {
				seen[id] = true
				s.settle(ctx, id, true)
			}
		}
	}
}

// learnWaiting learns which games wait for their channel to take them, beyond those
// that a sweep looks at.
func (s *Service) learnWaiting(ctx context.Context) {
	ids, err := s.opt.Store.ListDue(ctx, storage.DueScreen, s.opt.Now(), waitingLimit)
	if err == nil && len(ids) > sweepLimit {
		for _, id := range ids[sweepLimit:] {
			if r, err := s.opt.Store.Load(ctx, id); err == nil && r.Screen.Refused > 0 {
				s.waits(&r, true)
			}
		}
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.ErrorContext(ctx, "could not read which games Discord has refused to show", "err", err)
	}
}

// remove deletes some of the games that ended long ago.
func (s *Service) remove(ctx context.Context) {
	if s.opt.KeepFinished <= 0 {
		return
	}
	ids, err := s.opt.Store.ListDue(ctx, storage.DueRemoval, s.opt.Now().Add(-s.opt.KeepFinished), removeLimit)
	removed := 0
	for _, id := range ids {
		var r storage.Record
		if r, err = s.opt.Store.Load(ctx, id); err == nil {
			err = s.opt.Store.Delete(ctx, id, r.Match.Version)
		}
		switch {
		case err == nil:
			removed++
		case errors.Is(err, storage.ErrDamaged):
			s.opt.Log.WarnContext(ctx, "could not read a game that is to be removed", "game", id, "err", err)
			err = nil
			continue
		}
		if err != nil {
			break
		}
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.ErrorContext(ctx, "could not remove games that ended long ago; will retry", "err", err)
	}
	if removed > 0 {
		s.opt.Log.InfoContext(ctx, "removed games that ended long ago", "count", removed, "kept_for", s.opt.KeepFinished)
	}
}

// settle does what is due in one game, or hands it on. It looks at the screen only
// when swept: after a person's command the answer to it shows the game, and
// looking again each time would keep the machine's moves waiting.
func (s *Service) settle(ctx context.Context, id match.ID, swept bool) {
	r, err := s.opt.Store.Load(ctx, id)
	if err != nil {
		if ctx.Err() == nil && !errors.Is(err, storage.ErrNotFound) {
			s.opt.Log.ErrorContext(ctx, "could not read a game that is due; will retry", "game", id, "err", err)
		}
		return
	}
	if m := &r.Match; m.Phase == match.Proposed && s.opt.Now().After(m.Expires) {
		// Somebody may answer it at this moment; then there is nothing to close.
		if saved, err := s.save(ctx, r, match.Expire{}); err == nil {
			r, swept = saved, true
		}
	}
	if r.Match.MachineDue() {
		s.think(ctx, r)
	}
	if swept && s.screenDue(&r) {
		s.opt.Screen.Refresh(id)
	}
}
