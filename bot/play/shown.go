package play

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Shown records which message shows a game, and retires the message that no
// longer does: the one that showed it before, or this one when another shows a
// newer version already. A message that shows less than what is stored is
// refreshed. What is not certain is recorded as such. r is the game as it was when
// the message was made; the caller holds the game's screen. by.Quiet is set if the
// message has not notified everybody who may not know of what it shows.
func (s *Service) Shown(ctx context.Context, r storage.Record, by storage.Screen) {
	if s.opt.Settling != nil && s.opt.Settling(home(&r)) {
		s.opt.Screen.Unclear(r.Match.ID)
	}
	by.Counted = r.Counted
	by.Again = s.opt.Screen.UnclearUntil(r.Match.ID).UTC()
	if r.Match.Phase == match.Finished && r.Screen.Version < r.Match.Version {
		s.over(&r)
	}
	s.waits(&r, false)
	s.told(&r, &by)
	before, pending := s.behind.take(r.Match.ID)
	if by == r.Screen && !pending {
		return // squares were chosen on a screen that showed this version already
	}
	if pending && before.Message != by.Message {
		s.opt.Screen.Retire(r.Match.ID, r.Place.Locale, before)
	}
	if err := s.record(ctx, r, by); err != nil {
		s.opt.Log.WarnContext(ctx, "could not record what the screen shows; will retry", "game", r.Match.ID, "err", err)
	}
}

// record is the part of [Service.Shown] that has to do with the store. What it cannot
// record, it remembers for [Service.Held].
func (s *Service) record(ctx context.Context, r storage.Record, by storage.Screen) error {
	id := r.Match.ID
	err := s.opt.Store.Shown(ctx, id, by)
	if err == nil {
		var now storage.Record
		if now, err = s.opt.Store.Load(ctx, id); err == nil {
			old := r.Screen
			if now.Screen.Message != by.Message {
				old = by
			}
			if old.Message != "" && old.Message != now.Screen.Message {
				s.opt.Screen.Retire(id, r.Place.Locale, old)
			}
			switch {
			case now.Behind():
				s.opt.Screen.Refresh(id)
			case now.Match.Version > by.Version && now.Screen.Message == by.Message:
				// Another process has shown more in it meanwhile, and nobody knows which of
				// the two came last.
				s.opt.Screen.Rewrite(id)
			}
		}
	}
	switch {
	case errors.Is(err, storage.ErrNotFound): // deleted while it was shown
		s.retireDeleted(&r, by)
		return nil
	case err != nil:
		s.behind.put(id, by)
	}
	return err
}

// retireDeleted retires the message of a game that is stored no longer. Where the bot
// is not, the channel is left out: nothing reaches the message by it.
func (s *Service) retireDeleted(r *storage.Record, old storage.Screen) {
	if r.Place.Outside != "" {
		old.Channel = ""
	}
	s.opt.Screen.Retire(r.Match.ID, r.Place.Locale, old)
}

// Held is [Service.Load] for whoever holds the game's screen. What the store could
// not be told of that screen before is recorded first.
func (s *Service) Held(ctx context.Context, id match.ID) (storage.Record, error) {
	r, err := s.Load(ctx, id)
	by, pending := s.behind.take(id)
	switch {
	case !pending || errors.Is(err, storage.ErrNotFound):
		return r, err
	case err != nil:
		s.behind.put(id, by)
		return r, err
	}
	if err := s.record(ctx, r, by); err != nil {
		return r, err
	}
	return s.Load(ctx, id)
}

// unrecorded is what screens show that the store could not be told. It is forgotten
// with the program; the next run looks for such a message in the channel (package
// screen). The zero value is ready.
type unrecorded struct {
	mu sync.Mutex
	by map[match.ID]storage.Screen
}

func (u *unrecorded) put(id match.ID, by storage.Screen) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.by == nil {
		u.by = map[match.ID]storage.Screen{}
	}
	u.by[id] = by
}

func (u *unrecorded) take(id match.ID) (by storage.Screen, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	by, ok = u.by[id]
	delete(u.by, id)
	return by, ok
}

// told adds to what shows a game since when it tells the person to move so, and since
// when somebody may not know of what it shows ([storage.Record.Unaware]). The first
// message that shows a turn counts, as long as it was in the game's place.
func (s *Service) told(r *storage.Record, by *storage.Screen) {
	before := r.Screen
	by.Film, by.Review = before.Film, before.Review
	known := !r.Told().IsZero()
	switch {
	case by.Channel != r.Place.Channel:
		by.Turn, by.Told, by.Teller, by.Quiet = before.Turn, before.Told, before.Teller, time.Time{}
		return
	case known:
		by.Turn, by.Told, by.Teller = before.Turn, before.Told, before.Teller
		if before.Channel != by.Channel { // it goes on in its thread, where this message tells of the turn
			by.Teller = by.Message
		}
	default:
		by.Turn, by.Told, by.Teller = r.Match.Moved.UTC(), s.opt.Now().UTC(), by.Message
	}
	switch {
	case by.Quiet.IsZero():
	case known && by.Version == before.Version:
		by.Quiet = before.Quiet
	case len(r.Unaware()) == 0:
		by.Quiet = time.Time{}
	}
	by.Quiet = by.Quiet.UTC()
}

// Noticed takes the reminder back that waits for a person who has just been seen at
// the game. The caller holds the game's screen.
func (s *Service) Noticed(ctx context.Context, id match.ID, who match.UserID) {
	r, err := s.opt.Store.Load(ctx, id)
	if err != nil || r.Screen.Quiet.IsZero() {
		return
	}
	seat, err := r.Match.SeatOf(who)
	if err != nil || !r.Match.Unaware(seat) || r.Match.Unaware(seat.Other()) {
		return
	}
	r.Screen.Quiet = time.Time{}
	if err := s.opt.Store.Shown(ctx, id, r.Screen); err != nil {
		s.opt.Log.WarnContext(ctx, "could not take back a reminder", "game", id, "err", err)
	}
}
