package play

import (
	"context"
	"errors"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Open makes a challenge to whoever comes first. A request is used as in
// [Service.Play]. A person has one such challenge in a channel. The error wraps
// [ErrAlone], [ErrNotShared], [ErrNotHere], [ErrTooManyChallenges], [ErrTooManyGames],
// match.ErrTerms,
// [ErrUnfinished], [ErrOvertaken] or a *[TooOftenError]; or, with it, [ErrMade] where
// there is one.
func (s *Service) Open(ctx context.Context, who Caller, in intent.Open) (storage.Record, error) {
	switch {
	case who.Alone:
		return storage.Record{}, ErrAlone
	case !shared(who.Place):
		return storage.Record{}, ErrNotShared
	}
	if err := s.mayPlayIn(ctx, who.Place, who.Parent); err != nil {
		return storage.Record{}, err
	}
	me, random := sideOf(in.Side)
	n := s.newMatch(who, me, match.Seat{}, in.Rules)
	n.Open, n.Lots, n.Terms = true, random, s.terms(ctx, in.Terms, who.Place)
	return s.make(ctx, []match.UserID{who.ID}, func(m *making) (storage.Record, error) {
		if r, err := s.opt.Store.Load(ctx, n.ID); !errors.Is(err, storage.ErrNotFound) {
			return r, err // delivered twice: it counts once
		}
		list, err := m.unfinished(ctx, who.ID)
		if err != nil {
			return storage.Record{}, err
		}
		for _, r := range list {
			if r.Match.Open && r.Match.Phase == match.Proposed && r.Place.Channel == who.Place.Channel && !s.lapsed(&r.Match) {
				return r, ErrMade
			}
		}
		if err := m.mayOffer(who.ID); err != nil {
			return storage.Record{}, err
		}
		return m.begin(ctx, n, s.placeFor(ctx, who, who.Place), who.Asked)
	})
}

// Join takes the open seat of a challenge. A second press by the one who has joined
// changes nothing. The error wraps match.ErrSelf, match.ErrNotProposed, [ErrTaken],
// [ErrBlocked] where the challenger blocks the person, [ErrTooManyGames],
// [ErrUnfinished], [ErrOvertaken] or storage.ErrNotFound; all but the last with the game.
func (s *Service) Join(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, error) {
	r, err := s.opt.Store.Load(ctx, ref.Game)
	if err != nil {
		return r, err
	}
	people := []match.UserID{who.ID, r.Match.Seats[r.Match.By].User}
	return s.make(ctx, people, func(m *making) (storage.Record, error) {
		r, err := s.opt.Store.Load(ctx, ref.Game)
		if err != nil {
			return r, err
		}
		by := r.Match.Seats[r.Match.By].User
		switch {
		case r.Match.Phase == match.Proposed && by == who.ID:
			return r, match.ErrSelf
		case r.Match.Phase != match.Proposed:
			seat, err := r.Match.SeatOf(who.ID)
			switch {
			case err == nil && r.Match.Phase == match.Playing && seat != r.Match.By:
				return r, nil
			case r.Match.Phase == match.Playing:
				return r, ErrTaken
			}
			return r, match.ErrNotProposed
		}
		blocked, err := s.blocks(ctx, by, who.ID)
		switch {
		case err != nil:
			return r, err
		case blocked:
			return r, ErrBlocked
		}
		if err := m.refuse(who.Asked, who.ID); err != nil {
			return r, err
		}
		if err := m.mayJoin(ctx, who.ID); err != nil {
			return r, err
		}
		return s.save(ctx, r, match.Join{Seat: match.Seat{User: who.ID, Name: who.Name}}, m.basis())
	})
}

// Challenges returns the challenges that a person may answer, and those that the person
// has made, each the newest first.
func (s *Service) Challenges(ctx context.Context, who match.UserID) (received, made []storage.Record, err error) {
	list, err := s.Games(ctx, who)
	for _, r := range list {
		switch {
		case r.Match.Phase != match.Proposed || s.lapsed(&r.Match):
		case offered(&r.Match, who):
			received = append(received, r)
		default:
			made = append(made, r)
		}
	}
	return received, made, err
}
