package play

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/lascabot/lascabot/bot/pace"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// making is a try to make a game, or to join one. What it has read is what its
// decision depends on.
type making struct {
	*Service
	departures
	games map[match.UserID][]storage.Record // unfinished ones of the people
	paid  map[*pace.Limit]bool              // by this or an earlier try
}

// make decides on a game until what is decided is stored, or is that nothing is to be:
// when somebody else was faster, in whatever process, it is decided again. The people
// are locked, which spares most of the tries.
func (s *Service) make(ctx context.Context, people []match.UserID, decide func(*making) (storage.Record, error)) (storage.Record, error) {
	unlock, err := s.lockPeople(ctx, people...)
	if err != nil {
		return storage.Record{}, err
	}
	defer unlock()
	m := &making{Service: s, paid: map[*pace.Limit]bool{}}
	for {
		m.games = map[match.UserID][]storage.Record{}
		// Before anything else is read: only that is sure to come after a deletion.
		if m.departures, err = s.departures(ctx); err != nil {
			return storage.Record{}, err
		}
		r, err := decide(m)
		if !errors.Is(err, storage.ErrConflict) && !errors.Is(err, storage.ErrExists) {
			return r, err
		}
	}
}

// basis is what the decision depends on: the deletions, and the people's games.
func (m *making) basis() storage.Basis {
	on := m.departures.basis()
	for u, list := range m.games {
		on.People = append(on.People, u)
		for i := range list {
			on.Games = append(on.Games, list[i].Match.ID)
		}
	}
	return on
}

// unfinished is [Service.Games] without a limit: a game that was left out would be new to
// the store.
func (m *making) unfinished(ctx context.Context, who match.UserID) ([]storage.Record, error) {
	if list, ok := m.games[who]; ok {
		return list, nil
	}
	list, err := m.gamesUpTo(ctx, who, allGames)
	if err == nil {
		m.games[who] = list
	}
	return list, err
}

// take is [pace.Limit.Take], once for all tries.
func (m *making) take(l *pace.Limit, who match.UserID) (wait time.Duration) {
	if !m.paid[l] {
		wait = l.Take(who, m.opt.Now())
		m.paid[l] = wait == 0
	}
	return wait
}

// begin makes and stores a match that was asked for at a time. The error wraps
// storage.ErrExists or storage.ErrConflict when it is to be decided again.
func (m *making) begin(ctx context.Context, n match.New, at storage.Place, asked time.Time) (storage.Record, error) {
	by := n.Seats[n.By].User
	if err := m.mayJoin(ctx, by); err != nil {
		return storage.Record{}, err
	}
	if err := m.refuse(asked, n.Seats[0].User, n.Seats[1].User); err != nil {
		return storage.Record{}, err
	}
	made, err := match.Start(n, m.opt.Now())
	if err != nil {
		return storage.Record{}, err
	}
	if wait := m.take(m.begins, by); wait > 0 {
		return storage.Record{}, &TooOftenError{Until: m.opt.Now().Add(wait)}
	}
	r := storage.Record{Match: made, Place: at}
	if err := m.opt.Store.Create(ctx, r, m.basis()); err != nil {
		return storage.Record{}, err
	}
	m.queue(ctx, &r)
	return r, nil
}

// mayJoin returns [ErrTooManyGames] when a person has enough games.
func (m *making) mayJoin(ctx context.Context, who match.UserID) error {
	list, err := m.unfinished(ctx, who)
	if err != nil {
		return err
	}
	return enough(list, who)
}

// mayJoin is [making.mayJoin] for somebody who accepts a challenge.
func (s *Service) mayJoin(ctx context.Context, who match.UserID) error {
	list, err := s.Games(ctx, who)
	if err != nil {
		return err
	}
	return enough(list, who)
}

// enough returns [ErrTooManyGames] when a person's unfinished games are all that one
// may have.
func enough(list []storage.Record, who match.UserID) error {
	others := func(r storage.Record) bool { return offered(&r.Match, who) }
	if len(slices.DeleteFunc(slices.Clone(list), others)) >= MaxGames {
		return ErrTooManyGames
	}
	return nil
}

// mayOffer counts a challenge that a person makes. The error is [ErrTooManyChallenges].
func (m *making) mayOffer(by match.UserID) error {
	if m.take(m.challenges, by) > 0 || m.take(m.sent, by) > 0 {
		return ErrTooManyChallenges
	}
	return nil
}

// offeredTo counts the challenges that wait for a person's answer.
func (m *making) offeredTo(ctx context.Context, who match.UserID) (n int, err error) {
	list, err := m.unfinished(ctx, who)
	for i := range list {
		if offered(&list[i].Match, who) && !m.lapsed(&list[i].Match) {
			n++
		}
	}
	return n, err
}
