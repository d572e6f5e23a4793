package play

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Waits reports whether an unfinished game waits for a person: to move, or to answer a
// challenge, a draw offer or a request.
func Waits(m *match.Match, who match.UserID) bool {
	seat, err := m.SeatOf(who)
	return err == nil && (m.Awaits(seat) || m.Phase == match.Playing && m.Turn() == seat)
}

// Waiting returns a person's running games that wait for the person ([Waits]), the
// one that has waited longest first. The error is the store's.
func (s *Service) Waiting(ctx context.Context, who match.UserID) ([]storage.Record, error) {
	list, err := s.Games(ctx, who)
	list = slices.DeleteFunc(list, func(r storage.Record) bool {
		return r.Match.Phase != match.Playing || !Waits(&r.Match, who)
	})
	slices.SortStableFunc(list, func(a, b storage.Record) int {
		return waitsSince(&a.Match, who).Compare(waitsSince(&b.Match, who))
	})
	return list, err
}

// waitsSince returns since when a running match waits for a person.
func waitsSince(m *match.Match, who match.UserID) time.Time {
	if m.Seats[m.Turn()].User == who {
		return m.Moved
	}
	return m.Changed // a question
}

// Next returns the game that waits for a person after another one: of those that have
// waited for less long than it, the one that has waited longest, so that whoever skips
// games comes by each; and the first of all where there is none, or where the other
// does not wait. The error wraps [ErrNoneWaits] or is the store's.
func (s *Service) Next(ctx context.Context, who match.UserID, after match.ID) (storage.Record, error) {
	list, err := s.Waiting(ctx, who)
	if err != nil {
		return storage.Record{}, err
	}
	at := slices.IndexFunc(list, func(r storage.Record) bool { return r.Match.ID == after })
	switch {
	case len(list) == 0 || len(list) == 1 && at == 0:
		return storage.Record{}, ErrNoneWaits
	case at < 0:
		return list[0], nil
	}
	return list[(at+1)%len(list)], nil
}

// listWatched is how many games of a channel can be watched.
const listWatched = 100

// Watched returns the games that are being played in the person's channel, the one
// that changed last first. The error is the store's.
func (s *Service) Watched(ctx context.Context, who Caller) ([]storage.Record, error) {
	list, err := s.opt.Store.ListByChannel(ctx, who.Place.Channel, listWatched)
	return slices.DeleteFunc(list, func(r storage.Record) bool {
		_, err := r.Match.SeatOf(who.ID)
		return r.Match.Phase != match.Playing || err != nil && hidden(&r)
	}), err
}

// hidden reports whether Discord has shown a game to its player alone: nobody else has
// seen it in its channel.
func hidden(r *storage.Record) bool { return r.Place.Outside != "" && r.Screen.Message == "" }

// Watch is [Service.Find] for what every reader of the game's channel may see, of a
// game that has begun: the error wraps match.ErrNotAPlayer only for somebody who is
// elsewhere. The colour of somebody without a seat is that of the side at the lower
// edge of the board.
func (s *Service) Watch(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, engine.Color, error) {
	r, seat, err := s.Find(ctx, who, ref)
	m := &r.Match
	begun := m.Phase != match.Proposed && (m.Phase == match.Playing || len(m.Moves) > 0)
	if errors.Is(err, match.ErrNotAPlayer) && begun && r.Place.Channel == who.Place.Channel && !hidden(&r) {
		seat, err = engine.White, nil
		if m.Seats[engine.White].Machine() {
			seat = engine.Black
		}
	}
	return r, seat, err
}

// Share is [Service.Find] for a finished game of which a player wants to show
// everybody something, where it was played. The error wraps [ErrStale] before the end
// and elsewhere.
func (s *Service) Share(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, error) {
	r, _, err := s.Find(ctx, who, ref)
	if err == nil && (r.Match.Phase != match.Finished || r.Place.Guild == "" || r.Place.Channel != who.Place.Channel) {
		err = ErrStale
	}
	return r, err
}

// Shared records which messages show everybody a game's animation and its review. The
// caller holds the game's screen. A failure is logged: then they may be posted again.
func (s *Service) Shared(ctx context.Context, id match.ID, by storage.Screen) {
	if err := s.opt.Store.Shown(ctx, id, by); err != nil {
		s.opt.Log.WarnContext(ctx, "could not record what was shown to everybody", "game", id, "err", err)
	}
}
