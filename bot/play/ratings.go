package play

import (
	"context"
	"errors"
	"math/bits"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/rating"
	"github.com/lascabot/lascabot/storage"
)

// MaxRated is how many results of the same two on one day, by UTC, count in a rating:
// the first ones. Two who let each other win, and one person who plays the same
// level from morning to night, move it no further. Games on several servers
// count together in the overall rating.
const MaxRated = 5

const (
	// rateTries is how often a result is decided anew because something has changed.
	rateTries = 5
	// todayLimit is more results than a person has on one day.
	todayLimit = 1000
)

// count puts the results of rated games that are over into the ratings, in the order
// in which the games ended. Each is counted once, whenever this is cut short: the store
// marks the game in the step that changes the ratings. A result that cannot be counted
// keeps no other waiting.
func (s *Service) count(ctx context.Context) {
	s.counting.Lock()
	defer s.counting.Unlock()
	s.sweep(ctx, storage.DueRating, s.rate)
}

// countSoon makes Run count.
func (s *Service) countSoon() {
	select {
	case s.rated <- struct{}{}:
	default:
	}
}

// rate counts one result.
func (s *Service) rate(ctx context.Context, r storage.Record) error {
	id := r.Match.ID
	for range rateTries {
		if _, due := r.Due(storage.DueRating); !due {
			return nil
		}
		changes, outcomes, err := s.result(ctx, &r)
		if err == nil {
			err = s.opt.Store.Rate(ctx, id, changes, outcomes)
		}
		switch {
		case err == nil:
			// As in catchUp, a message does not name once more whoever is leaving.
			if going, _ := s.deletions(ctx); !among(going, &r.Match) {
				s.opt.Screen.Refresh(id)
			}
			return nil
		case errors.Is(err, storage.ErrNotFound):
			return nil // deleted meanwhile
		case errors.Is(err, storage.ErrDamaged):
			s.opt.Log.ErrorContext(ctx, "could not read what a result is to change", "game", id, "err", err)
			return nil
		case !errors.Is(err, storage.ErrConflict):
			return err
		}
		// Somebody has left the game, or it has been counted.
		if r, err = s.opt.Store.Load(ctx, id); err != nil {
			return nil
		}
	}
	s.opt.Log.WarnContext(ctx, "could not count a result; will retry", "game", id)
	return nil
}

// result decides what the result of a match changes: nothing where nobody knows any
// more how strong one of the sides is, where the store has its outcome already, as
// after an import of games, or where the two have had enough results on that day.
func (s *Service) result(ctx context.Context, r *storage.Record) ([]storage.RatingChange, map[match.UserID]storage.Outcome, error) {
	m := &r.Match
	if m.Seats[0].User == storage.Deleted || m.Seats[1].User == storage.Deleted {
		return nil, nil, nil
	}
	today, counted, err := s.sameDay(ctx, m)
	if err != nil || counted {
		return nil, nil, err
	}
	outcomes := map[match.UserID]storage.Outcome{}
	for c, seat := range m.Seats {
		if !seat.Machine() {
			outcomes[seat.User] = outcomeOf(r, engine.Color(c))
		}
	}
	scopes := []string{storage.Overall}
	if r.Place.Guild != "" {
		scopes = append(scopes, r.Place.Guild)
	}
	var changes []storage.RatingChange
	for _, scope := range scopes {
		before, err := s.ratingsIn(ctx, scope, m)
		if err != nil {
			return nil, nil, err
		}
		enough := enoughIn(scope, today)
		for c, seat := range m.Seats {
			o, person := outcomes[seat.User]
			if !person {
				continue
			}
			value := Known(before[c]).Value
			if !enough {
				next := after(m, engine.Color(c), before)
				value = next.Value
				changes = append(changes, storage.RatingChange{Scope: scope, User: seat.User, Prev: before[c], Next: next})
			}
			if o.After = value; scope != storage.Overall {
				o.After, o.AfterHere = outcomes[seat.User].After, value
			}
			outcomes[seat.User] = o
		}
	}
	if len(changes) == 0 {
		return nil, nil, nil
	}
	return changes, outcomes, nil
}

// sameDay returns the results that the two sides have had with each other on the day
// on which a match ended, and whether that of the match is among them.
func (s *Service) sameDay(ctx context.Context, m *match.Match) (list []storage.Outcome, counted bool, err error) {
	who, other := m.Seats[engine.White], m.Seats[engine.Black]
	if who.Machine() {
		who, other = other, who
	}
	all, err := s.opt.Store.Outcomes(ctx, who.User, todayLimit)
	day := m.Changed.UTC().Truncate(24 * time.Hour)
	for _, o := range all {
		switch {
		case o.Game == m.ID:
			return nil, true, nil
		case o.At.UTC().Truncate(24*time.Hour).Equal(day) && o.Opponent == other.User && o.Level == other.Level:
			list = append(list, o)
		}
	}
	return list, false, err
}

// enoughIn reports whether as many results of a day as may count do so in a scope.
func enoughIn(scope string, today []storage.Outcome) bool {
	n := 0
	for _, o := range today {
		if scope == storage.Overall || o.Scope == scope {
			n++
		}
	}
	return n >= MaxRated
}

// ratingsIn returns the ratings of a match's people in a scope, by colour.
func (s *Service) ratingsIn(ctx context.Context, scope string, m *match.Match) (list [2]storage.Rating, err error) {
	for c, seat := range m.Seats {
		if seat.Machine() {
			continue
		}
		if list[c], err = s.opt.Store.Rating(ctx, scope, seat.User); err != nil {
			return list, err
		}
	}
	return list, nil
}

// Known returns a stored rating as numbers to compute with: that of a newcomer for
// somebody without rated games.
func Known(r storage.Rating) rating.Rating {
	if r.Games == 0 {
		return rating.New()
	}
	return rating.Rating{Value: r.Value, Deviation: r.Deviation, Volatility: r.Volatility}
}

// rested returns a stored rating as it is at a later time.
func rested(r storage.Rating, now time.Time) rating.Rating {
	if r.Games == 0 {
		return rating.New()
	}
	return Known(r).After(now.Sub(r.Last))
}

// after returns a side's rating after a match, from those of both sides before it.
func after(m *match.Match, side engine.Color, before [2]storage.Rating) storage.Rating {
	own, other := before[side], m.Seats[side.Other()]
	game := rating.Game{Opponent: rested(before[side.Other()], m.Changed), Score: rating.Loss}
	if other.Machine() {
		game.Opponent = rating.Level(m.Rules, other.Level)
	}
	switch m.Result {
	case engine.Draw:
		game.Score = rating.Draw
	case engine.Wins(side):
		game.Score = rating.Win
	}
	var since time.Duration
	if own.Games > 0 {
		since = m.Changed.Sub(own.Last)
	}
	next := Known(own).Played(since, game)
	last := m.Changed.UTC()
	if own.Last.After(last) {
		last = own.Last
	}
	return storage.Rating{
		Value: next.Value, Deviation: next.Deviation, Volatility: next.Volatility,
		Games: own.Games + 1, Last: last, Name: m.Seats[side].Name,
	}
}

// outcomeOf returns a side's outcome of a match, without the ratings.
func outcomeOf(r *storage.Record, side engine.Color) storage.Outcome {
	m := &r.Match
	other := m.Seats[side.Other()]
	column, jump := feats(m, side)
	return storage.Outcome{
		Scope: r.Place.Guild, Opponent: other.User, Level: other.Level, Colour: side, Rules: m.Rules,
		Result: m.Result, Ending: m.Ending, Moves: len(m.Moves), Column: column, Jump: jump,
	}
}

// feats returns the height of a side's tallest column in a match, and the most jumps
// that it made in one move.
func feats(m *match.Match, side engine.Color) (column, jump int) {
	pos := m.StartPosition()
	for i := 0; ; i++ {
		for own := pos.Commanded(side); own != 0; own &= own - 1 {
			column = max(column, pos.StackAt(bits.TrailingZeros32(own)).Height())
		}
		if i == len(m.Moves) {
			return column, jump
		}
		if m.Mover(i) == side {
			jump = max(jump, m.Moves[i].Jumps())
		}
		pos.MakeUnchecked(m.Moves[i])
	}
}
