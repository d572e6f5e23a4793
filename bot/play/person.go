package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// PersonKey and GuildKey are where the settings of a person and of a server are
// stored.
func PersonKey(u match.UserID) string { return personPrefix + string(u) }
func GuildKey(guild string) string    { return guildPrefix + guild }

const (
	personPrefix = "person "
	guildPrefix  = "guild "
)

// deletionsKey is the note of those whose data is being deleted: a deletion that
// was cut short is finished by whoever reads it.
const deletionsKey = "deletions"

// listPage is how many games are read of a person or a server at a time, and
// listTime how long somebody waits until others have read theirs.
const (
	listPage = 100
	listTime = 10 * time.Second
)

// Stored is what is stored of a person.
type Stored struct {
	Settings                storage.Settings
	Running, Open, Finished int // games, Open being challenges
	// Since is when the oldest of the games was made, the zero time without any.
	Since time.Time
}

// Nothing reports whether nothing is stored.
func (d Stored) Nothing() bool {
	return d.Settings == storage.Settings{} && d.Running+d.Open+d.Finished == 0
}

// Stored counts what is stored of a person. It reads every game there is; only
// one such question is worked at, and the error is [ErrBusy] after a while.
func (s *Service) Stored(ctx context.Context, who match.UserID) (Stored, error) {
	var d Stored
	var err error
	if d.Settings, err = s.opt.Store.Settings(ctx, PersonKey(who)); err != nil {
		return d, err
	}
	for r, err := range s.GamesOf(ctx, who) {
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

// GamesOf returns all games of a person, also finished ones, in the order of
// their IDs. An error is the last; it is as for [Service.Stored].
func (s *Service) GamesOf(ctx context.Context, who match.UserID) iter.Seq2[storage.Record, error] {
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

// read lets one at a time read every game that is stored, so that a few people
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

// DeleteData removes what is stored of a person: settings, challenges, games
// against the machine, and the person out of all other games, those that are on
// being resigned first. It can be done again at any time. When it is cut short,
// by ctx or by the end of the program, [Service.Run] does the rest; the error
// then wraps [ErrUnfinished]. any reports whether there was something.
func (s *Service) DeleteData(ctx context.Context, who match.UserID) (any bool, err error) {
	if err := s.noteDeletion(ctx, who, true); err != nil {
		return false, err
	}
	any, err = s.deleteData(ctx, who)
	if err != nil {
		return any, fmt.Errorf("%w: %w", ErrUnfinished, err)
	}
	return any, nil
}

// deleteData deletes what is stored of a person, and the note that this is to be
// done.
func (s *Service) deleteData(ctx context.Context, who match.UserID) (any bool, err error) {
	done, err := s.read(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	for r, err := range s.listOf(ctx, storage.Of{User: who}) {
		if err == nil {
			any = true
			err = s.leave(ctx, r.Match.ID, who)
		}
		if err != nil {
			return any, err
		}
	}
	// What cannot be read is removed all the same.
	if set, err := s.opt.Store.Settings(ctx, PersonKey(who)); err != nil || set != (storage.Settings{}) {
		any = true
		if err := s.opt.Store.SaveSettings(ctx, PersonKey(who), storage.Settings{}); err != nil {
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
			s.opt.Log.WarnContext(ctx, "a game that somebody is to be taken out of cannot be read", "game", id, "err", err)
			return nil
		case err != nil:
			return err
		case notThere != nil:
			if ended {
				s.opt.Screen.Refresh(id)
			}
			return nil
		}
		switch other := m.Seats[seat.Other()]; {
		case other.Machine() || other.User == storage.Deleted:
			// Nobody else has part in it.
			if err = s.opt.Store.Delete(ctx, id, m.Version); err == nil {
				s.opt.Screen.Retire(r.Screen)
				return nil
			}
		case m.Phase == match.Finished:
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

// noteDeletion adds a person to the note of those whose data is being deleted,
// or strikes them off.
func (s *Service) noteDeletion(ctx context.Context, who match.UserID, on bool) error {
	s.notes.Lock()
	defer s.notes.Unlock()
	list, err := s.deletions(ctx)
	if err != nil {
		return err
	}
	if slices.Contains(list, who) == on {
		return nil
	}
	if on {
		list = append(list, who)
	} else {
		list = slices.DeleteFunc(list, func(u match.UserID) bool { return u == who })
	}
	return s.saveNote(ctx, deletionsKey, list, len(list) == 0)
}

// deletions returns whose data is being deleted. A note that cannot be read is
// an error: it is not known who waits.
func (s *Service) deletions(ctx context.Context) (list []match.UserID, err error) {
	text, err := s.opt.Store.State(ctx, deletionsKey)
	if err == nil && text != nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		return nil, fmt.Errorf("the note of deletions: %w", err)
	}
	return list, nil
}

// saveNote stores a note as JSON, or removes it.
func (s *Service) saveNote(ctx context.Context, key string, v any, empty bool) error {
	if empty {
		return s.opt.Store.SaveState(ctx, key, nil)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.opt.Store.SaveState(ctx, key, text)
}

// finishDeletions does the rest of deletions that were cut short.
func (s *Service) finishDeletions(ctx context.Context) {
	list, err := s.deletions(ctx)
	for _, who := range list {
		if _, err = s.deleteData(ctx, who); err != nil {
			break
		}
		s.opt.Log.InfoContext(ctx, "a deletion that was cut short is finished")
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.ErrorContext(ctx, "data that somebody wants deleted is not deleted yet", "err", err)
	}
}
