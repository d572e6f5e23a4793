package play

import (
	"context"
	"slices"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Meant is what a command that names no game turns out to mean.
type Meant struct {
	// Game is the game in the channel that is meant; "" where there is none, or where
	// the person has to say which.
	Game match.ID
	// Fits reports whether the command is possible in Game.
	Fits bool
	// Others reports whether the person has other games in the channel.
	Others bool
	// Several are games in the channel in which the command is possible: at least two,
	// or none. Those last acted in come first.
	Several []Candidate
	// Elsewhere are games in other channels. They are given when the command is
	// possible in no game here: those in which it is or, where the person has no game
	// here at all, all.
	Elsewhere []storage.Record
}

// Candidate is a game that somebody may mean, with what they ask for in it.
type Candidate struct {
	Record storage.Record
	// Intent names the game and its version, and can stand behind a button.
	Intent intent.Intent
}

// option is a game of the person who gives a command.
type option struct {
	storage.Record
	seat engine.Color
	does intent.Intent // the command in this game; nil where it is not possible
}

// Mean finds out which game a command means that names none: the only one in the channel
// in which it is possible. Of several, it is the person's to say; nothing is guessed.
// Running games come before challenges. Where named is not empty, the games in it
// are in the place of those in the channel, and there are none elsewhere: the person
// has named them all alike. The error is the store's.
func (s *Service) Mean(ctx context.Context, who Caller, in intent.Intent, named []match.ID) (Meant, error) {
	list, err := s.Games(ctx, who.ID)
	if err != nil {
		return Meant{}, err
	}
	var here, fit []option
	var all, possible []storage.Record // elsewhere
	now := s.opt.Now()
	for _, r := range list {
		seat, err := r.Match.SeatOf(who.ID)
		if err != nil {
			continue
		}
		o := option{r, seat, possibleIn(in, &r.Match, seat, now)}
		switch {
		case len(named) > 0:
			if slices.Contains(named, r.Match.ID) {
				here = append(here, o)
			}
			continue
		case r.Place.Channel == who.Place.Channel:
			here = append(here, o)
			continue
		}
		all = append(all, r)
		if o.does != nil {
			possible = append(possible, r)
		}
	}
	slices.SortStableFunc(here, func(a, b option) int { return likelier(in, a, b) })
	for _, o := range here {
		// Challenges are sorted last: they count where nothing is running.
		if o.does != nil && (len(fit) == 0 || o.Match.Phase == fit[0].Match.Phase) {
			fit = append(fit, o)
		}
	}
	switch {
	case len(here) == 0:
		if len(possible) > 0 {
			all = possible
		}
		return Meant{Elsewhere: all}, nil
	case len(fit) == 0:
		return Meant{Game: here[0].Match.ID, Others: len(here) > 1, Elsewhere: possible}, nil
	case len(fit) == 1:
		return Meant{Game: fit[0].Match.ID, Fits: true, Others: len(here) > 1}, nil
	}
	m := Meant{Others: true}
	for _, o := range fit {
		m.Several = append(m.Several, Candidate{o.Record, o.does})
	}
	return m, nil
}

// likelier sorts a person's games: running ones before challenges, for a move
// those in which the person is to move first, then those last acted in.
func likelier(in intent.Intent, a, b option) int {
	key := func(o option) int {
		_, move := in.(intent.Move)
		switch m := &o.Match; {
		case m.Phase != match.Playing:
			return 2
		case move && m.Turn() != o.seat:
			return 1
		}
		return 0
	}
	if ka, kb := key(a), key(b); ka != kb {
		return ka - kb
	}
	return later(a, b)
}

// later sorts games by when their person acted in them, the latest first. Where a
// clock does not tell, a move that has not been answered is the later one.
func later(a, b option) int {
	if d := b.Match.Seen[b.seat].Compare(a.Match.Seen[a.seat]); d != 0 {
		return d
	}
	answered := func(o option) int {
		if o.Match.Turn() == o.seat {
			return 1
		}
		return 0
	}
	return answered(a) - answered(b)
}

// possibleIn returns what a command does in one game, nil where it is not possible.
func possibleIn(in intent.Intent, m *match.Match, by engine.Color, now time.Time) intent.Intent {
	ref := intent.Ref{Game: m.ID, Version: m.Version}
	var err error
	switch in.(type) {
	case intent.Hint:
		err = mayHint(m, by)
	case intent.Plan:
		err = mayPlan(m, by)
	case intent.AskResign:
		_, err = m.Apply(match.Resign{By: by}, now)
	case intent.Move, intent.Undo, intent.Draw, intent.Abort:
		var c match.Command
		if c, err = commandOf(in, m, by); err == nil {
			_, err = m.Apply(c, now)
		}
		if p, ok := c.(match.Play); ok && err == nil {
			return intent.Step{Ref: ref, Path: p.Move.Path(), Sure: true} // as text, it could not stand behind a button
		}
	}
	if err != nil {
		return nil
	}
	return intent.InGame(in, ref)
}

// mayHint returns why a side may not ask for a hint, nil where it may.
func mayHint(m *match.Match, by engine.Color) error {
	switch {
	case m.Phase == match.Proposed:
		return match.ErrNotAccepted
	case m.Phase == match.Finished:
		return match.ErrFinished
	case !m.MayHint(by):
		return ErrNoHints
	case m.Turn() != by:
		return match.ErrNotYourTurn
	}
	return nil
}

// Typing returns the games in which a person may be typing a move: the one that is
// named or, where none is, those in the channel; of these, those in which the person
// is to move, the one last acted in first. The error is as for [Service.Find].
func (s *Service) Typing(ctx context.Context, who Caller, game match.ID) ([]storage.Record, error) {
	var list []storage.Record
	var err error
	if game == "" {
		list, err = s.Games(ctx, who.ID)
		list = slices.DeleteFunc(list, func(r storage.Record) bool { return r.Place.Channel != who.Place.Channel })
	} else {
		list = make([]storage.Record, 1)
		list[0], _, err = s.Find(ctx, who, intent.Ref{Game: game})
	}
	if err != nil {
		return nil, err
	}
	seat := func(r storage.Record) engine.Color { c, _ := r.Match.SeatOf(who.ID); return c }
	list = slices.DeleteFunc(list, func(r storage.Record) bool {
		return r.Match.Phase != match.Playing || r.Match.Turn() != seat(r)
	})
	slices.SortStableFunc(list, func(a, b storage.Record) int {
		return b.Match.Seen[seat(b)].Compare(a.Match.Seen[seat(a)])
	})
	return list, nil
}
