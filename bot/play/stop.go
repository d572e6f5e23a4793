package play

import (
	"context"
	"errors"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// listStops is how many games of a channel a moderator can choose from.
const listStops = 25

// Stoppable returns the games in the channel that a moderator may end: the one that
// changed last first, and only the named one where a game is named. The error wraps
// [ErrNotModerator]; for a named game also match.ErrFinished, [ErrOwnGame],
// [ErrElsewhere] or storage.ErrNotFound.
func (s *Service) Stoppable(ctx context.Context, who Caller, ref intent.Ref) ([]storage.Record, error) {
	if ref.Game != "" {
		r, err := s.mayStop(ctx, who, ref)
		return []storage.Record{r}, err
	}
	if !who.Moderates {
		return nil, ErrNotModerator
	}
	all, err := s.opt.Store.ListByChannel(ctx, who.Place.Channel, listStops)
	var list []storage.Record
	for _, r := range all {
		if _, err := r.Match.SeatOf(who.ID); err != nil {
			list = append(list, r)
		}
	}
	return list, err
}

// mayStop returns a game that a moderator may end.
func (s *Service) mayStop(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, error) {
	if !who.Moderates {
		return storage.Record{}, ErrNotModerator
	}
	r, err := s.opt.Store.Load(ctx, ref.Game)
	if err != nil {
		return r, err
	}
	_, notThere := r.Match.SeatOf(who.ID)
	switch {
	case r.Place.Channel != who.Place.Channel:
		return storage.Record{}, ErrElsewhere // whose game it is is not told here
	case notThere == nil:
		return r, ErrOwnGame
	case r.Match.Phase == match.Finished:
		return r, match.ErrFinished
	}
	return r, nil
}

// Stop ends a game without a result, for a moderator of its channel. Whatever has
// happened in it since the moderator was asked does not matter. The error is as for
// [Service.Stoppable] with a named game.
func (s *Service) Stop(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, error) {
	for {
		r, err := s.mayStop(ctx, who, ref)
		if err != nil {
			return r, err
		}
		saved, err := s.save(ctx, r, match.Stop{})
		if errors.Is(err, storage.ErrConflict) {
			continue
		}
		if err == nil {
			s.opt.Log.InfoContext(ctx, "a moderator has ended a game", "game", ref.Game, "moderator", who.ID)
		}
		return saved, err
	}
}
