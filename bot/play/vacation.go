package play

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// MaxVacation is how much vacation a person has in a calendar year (UTC).
const MaxVacation = 14 * 24 * time.Hour

const day = 24 * time.Hour

var (
	// ErrVacationSpent says that a person has less vacation left than they asked for.
	ErrVacationSpent = errors.New("not so much vacation left")
	// ErrOnVacation says that the person is on vacation already.
	ErrOnVacation = errors.New("on vacation already")
	// ErrNotOnVacation says that the person is not on vacation.
	ErrNotOnVacation = errors.New("not on vacation")
)

// Vacation is a person's vacation.
type Vacation struct {
	Until time.Time     // when the present one ends; zero if there is none
	Left  time.Duration // this year
}

// VacationOf returns a person's vacation. The error is the store's.
func (s *Service) VacationOf(ctx context.Context, u match.UserID) (Vacation, error) {
	set, err := s.opt.Store.Settings(ctx, personKey(u))
	return vacationOf(set.Vacations, s.opt.Now()), err
}

func vacationOf(spans []storage.Span, now time.Time) Vacation {
	year := time.Date(now.UTC().Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	v := Vacation{Left: MaxVacation}
	for _, span := range spans {
		from := span.From
		if from.Before(year) {
			from = year
		}
		if span.To.After(from) {
			v.Left -= span.To.Sub(from)
		}
		if !now.Before(span.From) && now.Before(span.To) {
			v.Until = span.To
		}
	}
	v.Left = max(v.Left, 0)
	return v
}

// TakeVacation stops all clocks of a person from now on for some days. The boards on
// which the person is to move say so. The error wraps [ErrVacationSpent] or
// [ErrOnVacation], or is the store's.
func (s *Service) TakeVacation(ctx context.Context, who Caller, days int) (Vacation, error) {
	return s.changeVacations(ctx, who, func(spans []storage.Span, now time.Time) ([]storage.Span, error) {
		v := vacationOf(spans, now)
		switch {
		case !v.Until.IsZero():
			return nil, ErrOnVacation
		case days < 1 || time.Duration(days)*day > v.Left:
			return nil, ErrVacationSpent
		}
		return append(spans, storage.Span{From: now, To: now.Add(time.Duration(days) * day)}), nil
	})
}

// EndVacation lets the clocks of a person run again. The error wraps
// [ErrNotOnVacation], or is the store's.
func (s *Service) EndVacation(ctx context.Context, who Caller) (Vacation, error) {
	return s.changeVacations(ctx, who, func(spans []storage.Span, now time.Time) ([]storage.Span, error) {
		for i := range spans {
			if now.Before(spans[i].To) && !now.Before(spans[i].From) {
				spans[i].To = now
				return spans, nil
			}
		}
		return nil, ErrNotOnVacation
	})
}

// keepVacations is how long a past vacation counts: it may lie in this year, or within
// the time of a move.
const keepVacations = 400 * day

func (s *Service) changeVacations(ctx context.Context, who Caller, change func([]storage.Span, time.Time) ([]storage.Span, error)) (Vacation, error) {
	unlock, err := s.lockPeople(ctx, who.ID)
	if err != nil {
		return Vacation{}, err
	}
	defer unlock()
	v, err := s.changeVacationsOnce(ctx, who, change)
	for errors.Is(err, storage.ErrConflict) { // a deletion has begun, or ended
		v, err = s.changeVacationsOnce(ctx, who, change)
	}
	if err != nil {
		return v, err
	}
	s.redraw(ctx, who.ID, true)
	if list, err := s.Games(ctx, who.ID); err == nil {
		for i := range list {
			if c, ok, _ := s.clockOf(ctx, &list[i]); ok && list[i].Match.Seats[c.Seat].User == who.ID {
				s.lookAgain(ctx, &list[i])
			}
		}
	}
	return v, nil
}

func (s *Service) changeVacationsOnce(ctx context.Context, who Caller, change func([]storage.Span, time.Time) ([]storage.Span, error)) (v Vacation, err error) {
	d, err := s.departures(ctx)
	if err == nil {
		err = d.refuse(who.Asked, who.ID)
	}
	if err != nil {
		return v, err
	}
	key := personKey(who.ID)
	set, err := s.opt.Store.Settings(ctx, key)
	if err != nil {
		return v, err
	}
	now := s.opt.Now().UTC()
	spans, err := change(slices.Clone(set.Vacations), now)
	if err != nil {
		return vacationOf(set.Vacations, now), err
	}
	set.Vacations = slices.DeleteFunc(spans, func(v storage.Span) bool { return now.Sub(v.To) > keepVacations })
	return vacationOf(set.Vacations, now), s.opt.Store.SaveSettings(ctx, key, set, d.basis())
}
