package play

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"golang.org/x/time/rate"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// MaxGames is how many unfinished games one person may have made or joined.
	MaxGames = 50
	// ChallengeTime is how long a challenge stays open.
	ChallengeTime = 24 * time.Hour
	// challengeEvery and challengeBurst bound how often one person challenges.
	challengeEvery = time.Minute
	challengeBurst = 5
)

// Play begins a game against the machine. When this request has made a game
// already, that game is returned. The error wraps [ErrTooManyGames].
func (s *Service) Play(ctx context.Context, who Caller, in intent.Play) (storage.Record, error) {
	me, _ := sideOf(in.Side)
	return s.begin(ctx, s.newMatch(who, me, match.Seat{Level: in.Level}, in.Rules), who.Place)
}

// Challenge asks another person for a game. A request is used as in
// [Service.Play]. The error wraps [ErrUs], [ErrRobot], match.ErrSelf,
// [ErrTooManyChallenges] or [ErrTooManyGames].
func (s *Service) Challenge(ctx context.Context, who Caller, in intent.Challenge) (storage.Record, error) {
	switch {
	case in.Us:
		return storage.Record{}, ErrUs
	case in.Robot:
		return storage.Record{}, ErrRobot
	case in.User == who.ID:
		return storage.Record{}, match.ErrSelf
	}
	me, random := sideOf(in.Side)
	n := s.newMatch(who, me, match.Seat{User: in.User, Name: in.Name}, in.Rules)
	n.Lots = random
	return s.challenge(ctx, n, who.Place)
}

// Rematch begins the game of a finished one's players again, with the colours
// exchanged: at once against the machine, as a challenge between people. The
// error wraps [ErrDeleted] besides those of [Service.Challenge].
func (s *Service) Rematch(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, error) {
	old, seat, err := s.Find(ctx, who, ref)
	if err != nil {
		return old, err
	}
	other := old.Match.Seats[seat.Other()]
	n := s.newMatch(who, seat.Other(), other, old.Match.Rules)
	if old.Match.Start != "" {
		position := old.Match.StartPosition()
		setup := position.Setup()
		n.Start = &setup
	}
	switch {
	case other.Machine():
		return s.begin(ctx, n, old.Place)
	case other.User == storage.Deleted:
		return old, ErrDeleted
	}
	return s.challenge(ctx, n, old.Place)
}

// newMatch describes a match of a person, who plays me, and another seat.
func (s *Service) newMatch(who Caller, me engine.Color, other match.Seat, rules engine.Rules) match.New {
	n := match.New{ID: who.Request, Rules: rules, By: me, Expires: s.opt.Now().Add(ChallengeTime)}
	n.Seats[me] = match.Seat{User: who.ID, Name: who.Name}
	n.Seats[me.Other()] = other
	return n
}

func (s *Service) challenge(ctx context.Context, n match.New, at storage.Place) (storage.Record, error) {
	if r, err := s.opt.Store.Load(ctx, n.ID); err == nil {
		return r, nil // delivered twice: it counts once
	}
	if !s.mayChallenge(n.Seats[n.By].User) {
		return storage.Record{}, ErrTooManyChallenges
	}
	return s.begin(ctx, n, at)
}

// begin makes and stores a match.
func (s *Service) begin(ctx context.Context, n match.New, at storage.Place) (storage.Record, error) {
	list, err := s.Games(ctx, n.Seats[n.By].User)
	if err != nil {
		return storage.Record{}, err
	}
	if len(list) >= MaxGames {
		return storage.Record{}, ErrTooManyGames
	}
	m, err := match.Start(n, s.opt.Now())
	if err != nil {
		return storage.Record{}, err
	}
	r := storage.Record{Match: m, Place: at}
	err = s.opt.Store.Create(ctx, r)
	if errors.Is(err, storage.ErrExists) {
		return s.opt.Store.Load(ctx, n.ID)
	}
	if err != nil {
		return storage.Record{}, err
	}
	s.wake(m.ID)
	return r, nil
}

// sideOf turns the wish for a colour into a colour, a random one where the
// person leaves it open.
func sideOf(side intent.Side) (c engine.Color, random bool) {
	switch side {
	case intent.White:
		return engine.White, false
	case intent.Black:
		return engine.Black, false
	}
	return engine.Color(rand.IntN(2)), true
}

// mayChallenge takes one of a person's challenges.
func (s *Service) mayChallenge(u match.UserID) bool {
	now := s.opt.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.limiters[u]
	if l == nil {
		for id, old := range s.limiters { // those who may challenge freely again need no entry
			if old.TokensAt(now) >= challengeBurst {
				delete(s.limiters, id)
			}
		}
		l = rate.NewLimiter(rate.Every(challengeEvery), challengeBurst)
		s.limiters[u] = l
	}
	return l.AllowN(now, 1)
}
