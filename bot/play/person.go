package play

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// listPage is how many games of a person are read at a time.
	listPage = 100
	// listTime is how long a person waits while others have theirs read.
	listTime = 10 * time.Second
	// confirmTime is how long the answer counts to the question whether everything
	// is to be deleted.
	confirmTime = 15 * time.Minute
	// deletionTime is how long a person waits for a deletion before they hear
	// that it finishes by itself.
	deletionTime = time.Minute
)

// Stored is what is stored about a person.
type Stored struct {
	Settings                storage.Settings
	Blocked                 int // people whom this person blocks
	Running, Open, Finished int // games; Open counts challenges
	Rated                   int // results in ratings
	// Since is when the oldest of the games was made, the zero time without any.
	Since time.Time
}

// Nothing reports whether nothing is stored.
func (d Stored) Nothing() bool {
	return d.Settings.IsZero() && d.Blocked+d.Running+d.Open+d.Finished+d.Rated == 0
}

// Stored counts what is stored about a person. It reads every stored game, for
// one person at a time; the error wraps [ErrBusy] when others take too long.
func (s *Service) Stored(ctx context.Context, who match.UserID) (Stored, error) {
	var d Stored
	var err error
	if d.Settings, err = s.opt.Store.Settings(ctx, personKey(who)); err != nil {
		return d, err
	}
	blocked, err := s.blockList(ctx, who)
	if err != nil {
		return d, err
	}
	d.Blocked = len(blocked)
	outcomes, err := s.opt.Store.Outcomes(ctx, who, math.MaxInt)
	if err != nil {
		return d, err
	}
	d.Rated = len(outcomes)
	for r, err := range s.gamesOf(ctx, who) {
		if err != nil {
			return d, err
		}
		switch r.Match.Phase {
		case match.Proposed:
			d.Open++
		case match.Playing:
			d.Running++
		default:
			d.Finished++
		}
		if d.Since.IsZero() || r.Match.Created.Before(d.Since) {
			d.Since = r.Match.Created
		}
	}
	return d, nil
}

// gamesOf returns all games of a person, finished ones included, in the order of
// their IDs. It ends with the first error, which is as for [Service.Stored].
func (s *Service) gamesOf(ctx context.Context, who match.UserID) iter.Seq2[storage.Record, error] {
	return func(yield func(storage.Record, error) bool) {
		done, err := s.read(ctx)
		if err != nil {
			yield(storage.Record{}, err)
			return
		}
		defer done()
		for r, err := range s.listOf(ctx, storage.Of{User: who}) {
			if !yield(r, err) {
				return
			}
		}
	}
}

// read lets one person at a time read every stored game, so that a few people
// who ask again and again cannot keep the disk from the others. The error wraps
// [ErrBusy].
func (s *Service) read(ctx context.Context) (done func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	select {
	case s.listing <- struct{}{}:
		return func() { <-s.listing }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrBusy, ctx.Err())
	}
}

// listOf reads a list page by page.
func (s *Service) listOf(ctx context.Context, of storage.Of) iter.Seq2[storage.Record, error] {
	return func(yield func(storage.Record, error) bool) {
		var after match.ID
		for {
			list, err := s.opt.Store.ListOf(ctx, of, after, listPage)
			if err != nil {
				yield(storage.Record{}, err)
				return
			}
			for _, r := range list {
				if !yield(r, nil) {
					return
				}
				after = r.Match.ID
			}
			if len(list) < listPage {
				return
			}
		}
	}
}

// DeleteData removes what is stored about a person: settings, challenges, games
// against the machine, and the person out of all other games, after resigning
// those that are running. asked is when the person was asked for the
// confirmation in.
//
// Nothing is deleted with an error that wraps [ErrNotAsked] or [ErrAskedLongAgo].
// With one that wraps [ErrUnfinished] the deletion was cut short, by ctx, by the
// end of the program or because it takes long, and [Service.Run] does the rest.
// any reports whether there was something to delete.
func (s *Service) DeleteData(ctx context.Context, who match.UserID, in intent.DeleteData, asked time.Time) (any bool, err error) {
	switch {
	case in.Of != who:
		return false, ErrNotAsked
	case s.opt.Now().Sub(asked) > confirmTime:
		return false, ErrAskedLongAgo
	}
	ctx, cancel := context.WithTimeout(ctx, deletionTime)
	defer cancel()
	if err := s.noteDeletion(ctx, who, true); err != nil {
		return false, err
	}
	any, err = s.deleteData(ctx, who)
	if err != nil {
		return any, fmt.Errorf("%w: %w", ErrUnfinished, err)
	}
	return any, nil
}

// deleteData deletes what is stored about a person, and the note that this is
// to be done.
func (s *Service) deleteData(ctx context.Context, who match.UserID) (any bool, err error) {
	done, err := s.read(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	// Another deletion of the same data may have taken the note back meanwhile.
	if err := s.noteDeletion(ctx, who, true); err != nil {
		return false, err
	}
	for r, err := range s.listOf(ctx, storage.Of{User: who}) {
		if err == nil {
			any = true
			err = s.leave(ctx, r.Match.ID, who)
		}
		if err != nil {
			return any, err
		}
	}
	// Settings that cannot be read are removed too.
	if set, err := s.opt.Store.Settings(ctx, personKey(who)); err != nil || !set.IsZero() {
		any = true
		if err := s.opt.Store.SaveSettings(ctx, personKey(who), storage.Settings{}); err != nil {
			return any, err
		}
	}
	// What others have to do with it reads as if it had been with nobody.
	if outcomes, err := s.opt.Store.Outcomes(ctx, who, 1); err != nil || len(outcomes) > 0 {
		any = any || err == nil
	}
	if err := s.opt.Store.ForgetRatings(ctx, who); err != nil {
		return any, err
	}
	if list, err := s.blockList(ctx, who); err != nil || len(list) > 0 {
		any = true
		if err := s.SaveNote(ctx, blocksKey(who), nil); err != nil {
			return any, err
		}
	}
	return any, s.noteDeletion(ctx, who, false)
}

// leave takes a person out of one game.
func (s *Service) leave(ctx context.Context, id match.ID, who match.UserID) error {
	ended := false
	for {
		r, err := s.opt.Store.Load(ctx, id)
		m := &r.Match
		seat, notThere := m.SeatOf(who)
		switch {
		case errors.Is(err, storage.ErrNotFound):
			return nil
		case errors.Is(err, storage.ErrDamaged):
			s.opt.Log.WarnContext(ctx, "could not read a game that a person is to be taken out of", "game", id, "err", err)
			return nil
		case err != nil:
			return err
		case notThere != nil:
			if ended || r.Behind() { // perhaps ended by a try that was cut short
				s.opt.Screen.Refresh(id)
			}
			return nil
		}
		switch other := m.Seats[seat.Other()]; {
		case other.Machine() || other.User == storage.Deleted || other.User == "":
			// Nobody else plays in it.
			if err = s.opt.Store.Delete(ctx, id, m.Version); err == nil {
				s.opt.Screen.Retire(id, r.Place.Locale, r.Screen)
				return nil
			}
		case m.Phase == match.Finished:
			if _, due := r.Due(storage.DueRating); due {
				s.count(ctx) // while it is known against whom the other has played
			}
			err = s.opt.Store.Forget(ctx, id, who)
		default:
			var c match.Command = match.Resign{By: seat}
			if m.Phase == match.Proposed && m.By == seat {
				c = match.Withdraw{By: seat}
			} else if m.Phase == match.Proposed {
				c = match.Decline{By: seat}
			}
			_, err = s.save(ctx, r, c)
			ended = ended || err == nil
		}
		if err != nil && !errors.Is(err, storage.ErrConflict) && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
	}
}
