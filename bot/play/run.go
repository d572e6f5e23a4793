package play

import (
	"context"
	"errors"
	"slices"
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
//
// Each of these has a goroutine of its own, so that none keeps another waiting.
func (s *Service) Run(ctx context.Context) error {
	var parts sync.WaitGroup
	parts.Go(func() { s.handOut(ctx) })
	parts.Go(func() { s.learnWaiting(ctx) })
	parts.Go(func() { s.rename(ctx) })
	for _, chore := range []func(context.Context){
		func(ctx context.Context) { s.sweep(ctx, storage.DueMachine, s.machine) },
		func(ctx context.Context) { s.sweep(ctx, storage.DueExpiry, s.lapse) },
		s.catchUp, s.remind, s.callTime, s.finishDeletions, s.remove,
	} {
		parts.Go(func() { repeat(ctx, nil, chore) })
	}
	parts.Go(func() { repeat(ctx, s.listed, s.tidyGuilds) })
	parts.Go(func() { repeat(ctx, s.rated, s.count) })
	parts.Wait()
	return nil
}

// repeat does a chore now, whenever it is poked, and every half minute, until ctx
// ends.
func repeat(ctx context.Context, poked <-chan struct{}, chore func(context.Context)) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		chore(ctx)
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-poked:
		}
	}
}

// handOut gives the machine what it has to do in games that have just changed.
// People wait for that: whatever may take long is done elsewhere.
func (s *Service) handOut(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.poke:
			s.mu.Lock()
			dirty := s.dirty
			s.dirty = map[match.ID]struct{}{}
			s.mu.Unlock()
			for id := range dirty {
				_ = s.visit(ctx, id, s.machine)
			}
		}
	}
}

// sweep visits the games in which something of a kind is due. It ends at the first
// error, since the next ones would most likely fail too.
func (s *Service) sweep(ctx context.Context, kind storage.Due, do func(context.Context, storage.Record) error) {
	ids, err := s.opt.Store.ListDue(ctx, kind, s.opt.Now(), sweepLimit)
	for _, id := range ids {
		if err = s.visit(ctx, id, s.ours(do)); err != nil {
			break
		}
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.ErrorContext(ctx, "could not do what is due; will retry", "kind", kind, "err", err)
	}
}

// ours does something in games that are this process's to look after.
func (s *Service) ours(do func(context.Context, storage.Record) error) func(context.Context, storage.Record) error {
	return func(ctx context.Context, r storage.Record) error {
		if !s.mine(&r) {
			return nil
		}
		return do(ctx, r)
	}
}

// visit reads a game and does something in it. A game that cannot be read is left
// to the next sweep.
func (s *Service) visit(ctx context.Context, id match.ID, do func(context.Context, storage.Record) error) error {
	r, err := s.opt.Store.Load(ctx, id)
	switch {
	case err == nil:
		return do(ctx, r)
	case ctx.Err() == nil && !errors.Is(err, storage.ErrNotFound):
		s.opt.Log.ErrorContext(ctx, "could not read a game that is due; will retry", "game", id, "err", err)
	}
	return nil
}

// machine makes the machine think where it has something to do. The screen is left
// alone: after a person's command the answer to it shows the game.
func (s *Service) machine(ctx context.Context, r storage.Record) error {
	if r.Match.MachineDue() {
		s.think(ctx, r)
	}
	return nil
}

// lapse closes a challenge whose time is over.
func (s *Service) lapse(ctx context.Context, r storage.Record) error {
	if r.Match.Phase != match.Proposed || !s.opt.Now().After(r.Match.Expires) {
		return nil
	}
	_, err := s.save(ctx, r, match.Expire{})
	switch {
	case err == nil:
		s.opt.Screen.Refresh(r.Match.ID)
	case errors.Is(err, storage.ErrConflict), errors.Is(err, storage.ErrNotFound):
		return nil // somebody has just answered it
	}
	return err
}

// catchUp refreshes the screens that are behind, except those that show somebody
// whose data is being deleted: the deletion brings them up to date, without the
// name.
func (s *Service) catchUp(ctx context.Context) {
	going, _ := s.deletions(ctx) // finishDeletions says why it cannot be read
	s.sweep(ctx, storage.DueScreen, func(_ context.Context, r storage.Record) error {
		if s.screenDue(&r) && !among(going, &r.Match) {
			s.opt.Screen.Refresh(r.Match.ID)
		}
		return nil
	})
}

// among reports whether one of the people of a match is in a list.
func among(list []match.UserID, m *match.Match) bool {
	return slices.Contains(list, m.Seats[0].User) || slices.Contains(list, m.Seats[1].User)
}

// Sweep looks at once for screens that are behind and people to be reminded, as Run
// does every half minute: for programs that move the clock.
func (s *Service) Sweep(ctx context.Context) {
	s.callTime(ctx)
	s.catchUp(ctx)
	s.remind(ctx)
}

// remind has the screens looked at in which an edit alone has told somebody something
// who has not been here since: such a screen is posted again. One that Discord has
// refused waits for its time like any other.
func (s *Service) remind(ctx context.Context) {
	ids, err := s.opt.Store.ListDue(ctx, storage.DueReminder, s.opt.Now().Add(-match.Away), sweepLimit)
	if err != nil && ctx.Err() == nil {
		s.opt.Log.ErrorContext(ctx, "could not read whom to remind; will retry", "err", err)
	}
	for _, id := range ids {
		_ = s.visit(ctx, id, s.ours(func(_ context.Context, r storage.Record) error {
			if r.Screen.Refused == 0 || s.waited(&r) {
				s.opt.Screen.Refresh(id)
			}
			return nil
		}))
	}
}

// learnWaiting learns which games wait for their channel to take them. Who asks for
// such a game before waits for that.
func (s *Service) learnWaiting(ctx context.Context) {
	defer s.learn.Do(func() { close(s.learned) })
	ids, err := s.opt.Store.ListDue(ctx, storage.DueScreen, s.opt.Now(), waitingLimit)
	for _, id := range ids {
		if r, err := s.opt.Store.Load(ctx, id); err == nil && r.Screen.Refused > 0 {
			s.waits(&r, true)
		}
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.ErrorContext(ctx, "could not read which games Discord has refused to show", "err", err)
	}
}

// remove deletes some of the games that ended long ago.
func (s *Service) remove(ctx context.Context) {
	if s.opt.KeepFinished <= 0 || s.opt.Mine != nil && !s.opt.Mine("") {
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
		case errors.Is(err, storage.ErrNotFound), errors.Is(err, storage.ErrConflict):
			err = nil // a deletion of its player's data was faster
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
