package play

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// MaxGames is how many unfinished games one person may have made or joined.
	// What others offer does not count.
	MaxGames = 50
	// MaxWaiting is how many challenges may wait for one person's answer.
	MaxWaiting = 10
	// ChallengeTime is how long a challenge stays open.
	ChallengeTime = 24 * time.Hour
	// challengeEvery and challengeBurst bound how often one person challenges,
	// beginEvery and beginBurst how often one person makes games of any kind.
	challengeEvery = time.Minute
	challengeBurst = 5
	// hourly is how often one person may challenge, and how often one person may be
	// challenged, at once; hourlyEvery is how long each takes to be allowed again, so
	// that there are as many in an hour.
	hourly      = 20
	hourlyEvery = time.Hour / hourly
	beginEvery  = 2 * time.Minute
	beginBurst  = 30
	// twiceTime is how soon after the first a second, equal request for a game
	// against the machine is taken for the same.
	twiceTime = 5 * time.Second
)

// Play begins a game against the machine. When this request has made a game
// already, that game is returned. The error wraps [ErrMade], with that game, where
// the person has asked for the same a moment ago and not moved yet;
// [ErrNotHere], [ErrTooManyGames], [ErrUnfinished], [ErrOvertaken] or a *[TooOftenError].
func (s *Service) Play(ctx context.Context, who Caller, in intent.Play) (storage.Record, error) {
	me, random := sideOf(in.Side)
	n := s.newMatch(who, me, match.Seat{Level: in.Level}, in.Rules)
	n.Lots, n.Terms.Rated = random, in.Rated
	if err := s.mayPlayIn(ctx, who.Place, who.Parent); err != nil {
		return storage.Record{}, err
	}
	return s.make(ctx, []match.UserID{who.ID}, func(m *making) (storage.Record, error) {
		if r, err := s.opt.Store.Load(ctx, n.ID); !errors.Is(err, storage.ErrNotFound) {
			return r, err // delivered twice: it counts once
		}
		list, err := m.unfinished(ctx, who.ID)
		if err != nil {
			return storage.Record{}, err
		}
		for _, r := range list {
			if s.sameGame(&r, n, who.Place) {
				return r, ErrMade
			}
		}
		return m.begin(ctx, n, s.placeFor(ctx, who, who.Place), who.Asked)
	})
}

// sameGame reports whether a game against the machine is what a request that came
// a moment later asks for again.
func (s *Service) sameGame(r *storage.Record, n match.New, at storage.Place) bool {
	m := &r.Match
	seat := m.Seats[m.By]
	return m.Phase == match.Playing && r.Place.Guild == at.Guild && m.Seats[m.By.Other()] == n.Seats[n.By.Other()] && m.Rules == n.Rules && m.Terms == n.Terms &&
		m.Start == "" && m.Lots == n.Lots && (n.Lots || m.By == n.By) && (r.Place.Channel == at.Channel || r.Place.Parent == at.Channel) &&
		seat.User == n.Seats[n.By].User && m.Seen[m.By].Equal(m.Created) && s.opt.Now().Sub(m.Created) < twiceTime
}

// Challenge asks another person for a game. A request is used as in
// [Service.Play]. Where the other waits for this person's answer to the same
// question, in the same channel, the game begins.
//
// The error wraps [ErrUs], [ErrRobot], match.ErrSelf, [ErrAlone], [ErrNotShared],
// [ErrNotHere], [ErrTooManyChallenges],
// [ErrTooManyGames], [ErrTooManyWaiting], [ErrAskedOften], [ErrBlocked],
// [ErrNoChallenges], match.ErrTerms, [ErrUnfinished], [ErrOvertaken] or a
// *[TooOftenError]; or, with that game, [ErrMade] where the person has challenged the
// other already and [ErrWaits] where a challenge by the other waits.
func (s *Service) Challenge(ctx context.Context, who Caller, in intent.Challenge) (storage.Record, error) {
	switch {
	case in.Us:
		return storage.Record{}, ErrUs
	case in.Robot:
		return storage.Record{}, ErrRobot
	case in.User == who.ID:
		return storage.Record{}, match.ErrSelf
	case who.Alone:
		return storage.Record{}, ErrAlone
	case !shared(who.Place):
		return storage.Record{}, ErrNotShared
	}
	if err := s.mayPlayIn(ctx, who.Place, who.Parent); err != nil {
		return storage.Record{}, err
	}
	me, random := sideOf(in.Side)
	n := s.newMatch(who, me, match.Seat{User: in.User, Name: in.Name}, in.Rules)
	n.Lots, n.Terms = random, s.terms(ctx, in.Terms, who.Place)
	return s.make(ctx, []match.UserID{who.ID, in.User}, func(m *making) (storage.Record, error) {
		if r, err := s.opt.Store.Load(ctx, n.ID); !errors.Is(err, storage.ErrNotFound) {
			return r, err // delivered twice: it counts once
		}
		return m.challenge(ctx, n, s.placeFor(ctx, who, who.Place), who.Asked)
	})
}

// shared reports whether others can read what is answered in a place: not in somebody's
// direct messages with the bot.
func shared(at storage.Place) bool { return at.Guild != "" || at.Outside != "" }

// terms returns what a challenge proposes: what the challenger says and, where nothing is
// said, what the server has chosen.
func (s *Service) terms(ctx context.Context, ask intent.Terms, at storage.Place) match.Terms {
	days := cmp.Or(ask.Days, s.settings(ctx, guildKey(at.Guild)).Days, UsualDays)
	stakes := ask.Stakes
	if ask.Hints && stakes == intent.Usual {
		stakes = intent.Casual
	}
	return match.Terms{Days: days, Rated: s.rates(ctx, stakes, at), Hints: ask.Hints}
}

// UsualDays is the time for a move where nobody has chosen one.
const UsualDays = int(match.MoveTime / (24 * time.Hour))

// rates reports whether a challenge is to a rated game: as the challenger says or, where
// nothing is said, as the server has it. Nobody is rated without having been asked: a
// challenge says so before it is accepted, and a server that has not decided rates
// nothing.
func (s *Service) rates(ctx context.Context, stakes intent.Stakes, at storage.Place) bool {
	if stakes == intent.Usual {
		return s.settings(ctx, guildKey(at.Guild)).Rated
	}
	return stakes == intent.Rated
}

// newMatch describes a match of a person, who plays me, and another seat.
func (s *Service) newMatch(who Caller, me engine.Color, other match.Seat, rules engine.Rules) match.New {
	n := match.New{ID: who.Request, Rules: rules, By: me, Expires: s.opt.Now().Add(ChallengeTime)}
	n.Seats[me] = match.Seat{User: who.ID, Name: who.Name}
	n.Seats[me.Other()] = other
	return n
}

// challenge makes a challenge that was asked for at a time, or finds the one that is
// there.
func (m *making) challenge(ctx context.Context, n match.New, at storage.Place, asked time.Time) (storage.Record, error) {
	by, other := n.Seats[n.By].User, n.Seats[n.By.Other()].User
	list, err := m.unfinished(ctx, by)
	if err != nil {
		return storage.Record{}, err
	}
	for _, r := range list {
		old := &r.Match
		if _, err := old.SeatOf(other); err != nil || old.Phase != match.Proposed || m.lapsed(old) {
			continue
		}
		switch {
		case old.Seats[old.By].User == by:
			return r, ErrMade
		case r.Place.Channel != at.Channel || !agree(old, n):
			return r, ErrWaits
		}
		if err := m.mayJoin(ctx, by); err != nil {
			return r, err
		}
		return m.save(ctx, r, match.Accept{By: old.By.Other()})
	}
	blocked, err := m.blocks(ctx, other, by)
	switch {
	case err != nil:
		return storage.Record{}, err
	case blocked:
		return storage.Record{}, ErrBlocked
	case m.settings(ctx, personKey(other)).NoChallenges:
		return storage.Record{}, ErrNoChallenges
	}
	waiting, err := m.offeredTo(ctx, other)
	switch {
	case err != nil:
		return storage.Record{}, err
	case waiting >= MaxWaiting:
		return storage.Record{}, ErrTooManyWaiting
	}
	if err := m.mayOffer(by); err != nil {
		return storage.Record{}, err
	}
	if m.take(m.received, other) > 0 {
		return storage.Record{}, ErrAskedOften
	}
	return m.begin(ctx, n, at, asked)
}

// agree reports whether an open challenge is what its other side asks for now. A
// colour drawn at random is as wanted only to those who leave the colour open:
// otherwise asking would tell which was drawn.
func agree(m *match.Match, n match.New) bool {
	start := ""
	if n.Start != nil {
		trial := n
		if made, err := match.Start(trial, time.Time{}); err == nil {
			start = made.Start
		}
	}
	return m.Rules == n.Rules && m.Terms == n.Terms && m.Start == start && (n.Lots || !m.Lots && m.By == n.By.Other())
}

// offered reports whether a match is somebody else's challenge to a person.
func offered(m *match.Match, who match.UserID) bool {
	return m.Phase == match.Proposed && m.Seats[m.By].User != who
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
