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
// [ErrTooManyGames], [ErrUnfinished], [ErrOvertaken] or a *[TooOftenError].
func (s *Service) Play(ctx context.Context, who Caller, in intent.Play) (storage.Record, error) {
	me, random := sideOf(in.Side)
	n := s.newMatch(who, me, match.Seat{Level: in.Level}, in.Rules)
	n.Lots, n.Terms.Rated = random, in.Rated
	unlock, err := s.lockPeople(ctx, who.ID)
	if err != nil {
		return storage.Record{}, err
	}
	defer unlock()
	if r, err := s.opt.Store.Load(ctx, n.ID); err == nil {
		return r, nil // delivered twice: it counts once
	}
	list, err := s.Games(ctx, who.ID)
	if err != nil {
		return storage.Record{}, err
	}
	for _, r := range list {
		if s.sameGame(&r, n, who.Place) {
			return r, ErrMade
		}
	}
	return s.begin(ctx, n, s.placeFor(ctx, who, who.Place), who.Asked)
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
// The error wraps [ErrUs], [ErrRobot], match.ErrSelf, [ErrTooManyChallenges],
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
	case who.Place.Guild == "":
		return storage.Record{}, ErrNotShared
	}
	me, random := sideOf(in.Side)
	n := s.newMatch(who, me, match.Seat{User: in.User, Name: in.Name}, in.Rules)
	n.Lots, n.Terms = random, s.terms(ctx, in.Terms, who.Place)
	unlock, err := s.lockPeople(ctx, who.ID, in.User)
	if err != nil {
		return storage.Record{}, err
	}
	defer unlock()
	if r, err := s.opt.Store.Load(ctx, n.ID); err == nil {
		return r, nil // delivered twice: it counts once
	}
	return s.challenge(ctx, n, s.placeFor(ctx, who, who.Place), who.Asked)
}

// terms returns what a challenge proposes: what the challenger says and, where nothing is
// said, what the server has chosen.
func (s *Service) terms(ctx context.Context, ask intent.Terms, at storage.Place) match.Terms {
	days := cmp.Or(ask.Days, s.settings(ctx, guildKey(at.Guild)).Days, usualDays)
	stakes := ask.Stakes
	if ask.Hints && stakes == intent.Usual {
		stakes = intent.Casual
	}
	return match.Terms{Days: days, Rated: s.rates(ctx, stakes, at), Hints: ask.Hints}
}

// usualDays is the time for a move where nobody has chosen one.
const usualDays = int(match.MoveTime / (24 * time.Hour))

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
// there; both people are locked.
func (s *Service) challenge(ctx context.Context, n match.New, at storage.Place, asked time.Time) (storage.Record, error) {
	by, other := n.Seats[n.By].User, n.Seats[n.By.Other()].User
	list, err := s.Games(ctx, by)
	if err != nil {
		return storage.Record{}, err
	}
	for _, r := range list {
		m := &r.Match
		if _, err := m.SeatOf(other); err != nil || m.Phase != match.Proposed || s.opt.Now().After(m.Expires) {
			continue
		}
		switch {
		case m.Seats[m.By].User == by:
			return r, ErrMade
		case r.Place.Channel != at.Channel || !agree(m, n):
			return r, ErrWaits
		}
		if err := s.mayJoin(ctx, by); err != nil {
			return r, err
		}
		return s.save(ctx, r, match.Accept{By: m.By.Other()})
	}
	blocked, err := s.blocks(ctx, other, by)
	switch {
	case err != nil:
		return storage.Record{}, err
	case blocked:
		return storage.Record{}, ErrBlocked
	case s.settings(ctx, personKey(other)).NoChallenges:
		return storage.Record{}, ErrNoChallenges
	}
	waiting, err := s.offeredTo(ctx, other)
	switch {
	case err != nil:
		return storage.Record{}, err
	case waiting >= MaxWaiting:
		return storage.Record{}, ErrTooManyWaiting
	}
	if err := s.mayOffer(by); err != nil {
		return storage.Record{}, err
	}
	if s.received.Take(other, s.opt.Now()) > 0 {
		return storage.Record{}, ErrAskedOften
	}
	return s.begin(ctx, n, at, asked)
}

// mayOffer counts a challenge that a person makes. The error is [ErrTooManyChallenges].
func (s *Service) mayOffer(by match.UserID) error {
	if s.challenges.Take(by, s.opt.Now()) > 0 || s.sent.Take(by, s.opt.Now()) > 0 {
		return ErrTooManyChallenges
	}
	return nil
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

// begin makes and stores a match that was asked for at a time; its people are locked.
func (s *Service) begin(ctx context.Context, n match.New, at storage.Place, asked time.Time) (storage.Record, error) {
	by := n.Seats[n.By].User
	if err := s.mayJoin(ctx, by); err != nil {
		return storage.Record{}, err
	}
	for _, seat := range n.Seats {
		if err := s.notLeaving(ctx, seat.User, asked); err != nil {
			return storage.Record{}, err
		}
	}
	m, err := match.Start(n, s.opt.Now())
	if err != nil {
		return storage.Record{}, err
	}
	if wait := s.begins.Take(by, s.opt.Now()); wait > 0 {
		return storage.Record{}, &TooOftenError{Until: s.opt.Now().Add(wait)}
	}
	r := storage.Record{Match: m, Place: at}
	err = s.opt.Store.Create(ctx, r)
	if errors.Is(err, storage.ErrExists) { // another process was faster
		r, err := s.opt.Store.Load(ctx, n.ID)
		if err == nil && offered(&r.Match, by) {
			err = ErrWaits
		}
		return r, err
	}
	if err != nil {
		return storage.Record{}, err
	}
	s.wake(m.ID)
	return r, nil
}

// mayJoin returns [ErrTooManyGames] when a person has enough games.
func (s *Service) mayJoin(ctx context.Context, who match.UserID) error {
	list, err := s.Games(ctx, who)
	if err != nil {
		return err
	}
	own := 0
	for i := range list {
		if !offered(&list[i].Match, who) {
			own++
		}
	}
	if own >= MaxGames {
		return ErrTooManyGames
	}
	return nil
}

// offeredTo counts the challenges that wait for a person's answer.
func (s *Service) offeredTo(ctx context.Context, who match.UserID) (n int, err error) {
	list, err := s.Games(ctx, who)
	for i := range list {
		if offered(&list[i].Match, who) && !s.opt.Now().After(list[i].Match.Expires) {
			n++
		}
	}
	return n, err
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
