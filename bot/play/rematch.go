package play

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// maxAgain is how often a rematch of one game may be asked for again after it was
// not played.
const maxAgain = 50

// Rematch begins the game of a finished one's players again, with the colours
// exchanged: at once against the machine, as a challenge between people. There is
// one rematch of a game, whoever asks and however often: when the other has asked
// for it, the game begins.
//
// The error wraps [ErrDeleted] or [ErrOutside] besides those of [Service.Challenge], or
// match.ErrNotProposed where nobody has joined; it is [ErrMade], with the rematch, when
// there is one.
func (s *Service) Rematch(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, error) {
	old, seat, err := s.Find(ctx, who, ref)
	if err != nil {
		return old, err
	}
	if old.Match.Open { // nobody has come: there is no other player
		return old, match.ErrNotProposed
	}
	people := []match.UserID{who.ID, old.Match.Seats[seat.Other()].User}
	return s.make(ctx, people, func(m *making) (storage.Record, error) {
		old, seat, err := s.Find(ctx, who, intent.Ref{Game: old.Match.ID}) // as it is after a deletion that was under way
		if err != nil {
			return old, err
		}
		other := old.Match.Seats[seat.Other()]
		if other.User == storage.Deleted {
			return old, ErrDeleted
		}
		id, again, err := s.rematchOf(ctx, &old)
		switch {
		case err != nil:
			return old, err
		case again.Match.ID == "":
		case again.Match.Phase == match.Proposed && offered(&again.Match, who.ID) && again.Place.Channel == who.Place.Channel:
			if err := m.mayJoin(ctx, who.ID); err != nil {
				return again, err
			}
			return s.save(ctx, again, match.Accept{By: again.Match.By.Other()})
		case again.Match.Phase == match.Proposed && offered(&again.Match, who.ID):
			return again, ErrWaits
		default:
			return again, ErrMade
		}
		parent := ""
		if old.Place.Channel == who.Place.Channel {
			parent = who.Parent
		}
		if err := s.mayPlayIn(ctx, old.Place, parent); err != nil {
			return old, err
		}
		n := s.newMatch(who, seat.Other(), other, old.Match.Rules)
		n.ID, n.Terms = id, old.Match.Terms
		if old.Match.Start != "" {
			position := old.Match.StartPosition()
			setup := position.Setup()
			n.Start = &setup
		}
		begin := m.challenge
		switch {
		case other.Machine():
			begin = m.begin
		case who.Alone:
			return old, ErrAlone
		case old.Place.Outside != "" && old.Place.Channel != who.Place.Channel:
			return old, ErrOutside
		}
		r, err := begin(ctx, n, s.placeFor(ctx, who, old.Place), who.Asked)
		if err == nil && r.Place.Thread == storage.ThreadOpen && r.Place.Channel == old.Place.Channel {
			s.passOn(ctx, &old)
		}
		return r, err
	})
}

// RematchID returns the ID that the rematch of a game has or would get, "" where
// it is not known.
func (s *Service) RematchID(ctx context.Context, who Caller, ref intent.Ref) match.ID {
	old, _, err := s.Find(ctx, who, ref)
	if err != nil {
		return ""
	}
	id, _, err := s.rematchOf(ctx, &old)
	if err != nil {
		return ""
	}
	return id
}

// rematchOf returns the rematch of a game, or a record without an ID where there
// is none, and its ID. The ID follows from the game, so that the store refuses a
// second rematch even from another process. One that was not played makes room
// for the next.
func (s *Service) rematchOf(ctx context.Context, old *storage.Record) (match.ID, storage.Record, error) {
	for i := range maxAgain {
		id := rematchID(&old.Match, i)
		r, err := s.opt.Store.Load(ctx, id)
		switch {
		case errors.Is(err, storage.ErrNotFound):
			return id, storage.Record{}, nil
		case err != nil:
			return "", r, err
		}
		if !samePlayers(&old.Match, &r.Match) || unplayed(&r.Match) || s.lapsed(&r.Match) {
			continue
		}
		return id, r, nil
	}
	return "", storage.Record{}, fmt.Errorf("%w: of game %s", ErrTooManyChallenges, old.Match.ID)
}

// lapsed reports whether a challenge has expired and is only not marked yet.
func (s *Service) lapsed(m *match.Match) bool {
	return m.Phase == match.Proposed && s.opt.Now().After(m.Expires)
}

// unplayed reports whether a match ended without having been played.
func unplayed(m *match.Match) bool {
	switch m.Ending {
	case match.Declined, match.Withdrawn, match.Expired, match.Aborted:
		return true
	}
	return false
}

// samePlayers reports whether the same two played two games, the machine at any
// level.
func samePlayers(a, b *match.Match) bool {
	for _, seat := range a.Seats {
		if !seat.Machine() && b.Seats[0].User != seat.User && b.Seats[1].User != seat.User {
			return false
		}
	}
	return true
}

// discordEpoch is the beginning of 2015 in Unix milliseconds, from which Discord's IDs
// count.
const discordEpoch = 1420070400000

// rematchID returns the ID of the i-th attempt at a rematch of a finished game. It
// looks like an ID that Discord gave when the game ended, so that IDs stay in the
// order in which games were made.
func rematchID(old *match.Match, i int) match.ID {
	sum := sha256.Sum256(fmt.Appendf(nil, "rematch %d of %s", i, old.ID))
	low := binary.BigEndian.Uint64(sum[:]) & (1<<22 - 1)
	ms := max(old.Changed.UnixMilli()-discordEpoch, 1)
	return match.ID(strconv.FormatUint(uint64(ms)<<22|low, 10))
}
