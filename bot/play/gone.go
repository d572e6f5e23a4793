package play

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// deletionsKey is the note of those whose data is being deleted: a deletion that
	// was cut short is finished by whoever reads it.
	deletionsKey = "deletions"
	// deletedKey is the note of deletions that are done.
	deletedKey = "deleted"
	// goneTime is for how long it is remembered that somebody's data was deleted:
	// longer than Discord lets an interaction be answered.
	goneTime = 20 * time.Minute
)

// deleted says how many deletions are done, so that no two states of the note are
// equal, and for a while whose, by marks, so that it keeps nobody's ID.
type deleted struct {
	Count uint64           `json:"count"`
	At    map[string]int64 `json:"at,omitempty"` // Unix milliseconds, as fine as Discord's IDs
}

// goneMark stands for somebody whose data was deleted.
func goneMark(who match.UserID) string {
	sum := sha256.Sum256([]byte("deleted " + string(who)))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// tidy removes the marks that are no longer needed. It reports whether there were any.
func (d *deleted) tidy(now time.Time) bool {
	before := len(d.At)
	maps.DeleteFunc(d.At, func(_ string, at int64) bool { return now.Sub(time.UnixMilli(at)).Abs() > goneTime })
	return len(d.At) < before
}

// departures are the deletions that were under way, or done, at one moment. What is
// decided on them is stored only while there is no other: [departures.basis].
type departures struct {
	notes   map[string][]byte
	leaving []match.UserID
	done    deleted
}

// departures reads which deletions there are. A note that cannot be read is an error:
// nobody knows who has left.
func (s *Service) departures(ctx context.Context) (d departures, err error) {
	d.notes = map[string][]byte{}
	for key, v := range map[string]any{deletionsKey: &d.leaving, deletedKey: &d.done} {
		if d.notes[key], err = s.readNote(ctx, key, v); err != nil {
			return d, err
		}
	}
	return d, nil
}

// basis is what a change that stores somebody depends on: no deletion has begun since,
// or it would not find what is stored, and none has ended.
func (d *departures) basis() storage.Basis { return storage.Basis{Notes: d.notes} }

// refuse returns [ErrUnfinished] while the data of one of the people is being deleted,
// and [ErrOvertaken] when it was after something was asked for; a zero time is now.
// What was asked for before a deletion would bring the person back.
func (d *departures) refuse(asked time.Time, people ...match.UserID) error {
	for _, who := range people {
		at, gone := d.done.At[goneMark(who)]
		switch {
		case who == "":
		case slices.Contains(d.leaving, who):
			return ErrUnfinished
		case gone && !asked.IsZero() && asked.Before(time.UnixMilli(at)):
			return ErrOvertaken
		}
	}
	return nil
}

// noteDeletion adds a person to the note of those whose data is being deleted,
// or removes them from it. Whatever is being stored about the person at this moment, by
// whatever process, is stored before and found, or refused.
func (s *Service) noteDeletion(ctx context.Context, who match.UserID, on bool) error {
	// Without the lock, people who are being decided about would be decided about again.
	unlock, err := s.lockPeople(ctx, who)
	if err != nil {
		return err
	}
	defer unlock()
	if !on {
		err := s.reviseDone(ctx, func(d *deleted) bool {
			now := s.opt.Now()
			d.tidy(now)
			if d.At == nil {
				d.At = map[string]int64{}
			}
			d.Count++
			d.At[goneMark(who)] = now.UnixMilli()
			return true
		})
		if err != nil {
			return err
		}
	}
	return revise(ctx, s, deletionsKey, func(list []match.UserID) (any, bool) {
		switch {
		case slices.Contains(list, who) == on:
			return nil, false
		case on:
			list = append(list, who)
		default:
			list = slices.DeleteFunc(list, func(u match.UserID) bool { return u == who })
		}
		if len(list) == 0 {
			return nil, true
		}
		return list, true
	})
}

// reviseDone changes the note of deletions that are done, if f says so.
func (s *Service) reviseDone(ctx context.Context, f func(*deleted) bool) error {
	return revise(ctx, s, deletedKey, func(d deleted) (any, bool) {
		changed := f(&d)
		return d, changed
	})
}

// deletions returns whose data is being deleted.
func (s *Service) deletions(ctx context.Context) (list []match.UserID, err error) {
	return list, s.Note(ctx, deletionsKey, &list)
}

// finishDeletions does the rest of deletions that were cut short, and forgets whose
// were done a while ago. One that fails does not keep the others waiting.
func (s *Service) finishDeletions(ctx context.Context) {
	if s.opt.Mine != nil && !s.opt.Mine("") {
		return
	}
	list, err := s.deletions(ctx)
	for _, who := range list {
		_, failed := s.deleteData(ctx, who)
		switch {
		case failed == nil:
			s.opt.Log.InfoContext(ctx, "finished a deletion that was cut short")
		case errors.Is(failed, ErrBusy): // perhaps with this very deletion
		default:
			err = failed
		}
	}
	err = errors.Join(err, s.reviseDone(ctx, func(d *deleted) bool { return d.tidy(s.opt.Now()) }))
	if err != nil && ctx.Err() == nil {
		s.opt.Log.ErrorContext(ctx, "could not finish a deletion; will retry", "err", err)
	}
}
