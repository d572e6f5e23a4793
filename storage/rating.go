package storage

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// Overall is the scope of ratings that count all servers and direct messages. Every
// other scope is the ID of a server.
const Overall = "overall"

// Rating is how strong a person is estimated to be in a scope. The zero value is that
// of somebody without rated games.
type Rating struct {
	Value      float64   `json:"value"`
	Deviation  float64   `json:"deviation"`
	Volatility float64   `json:"volatility"`
	Games      int       `json:"games"` // rated games
	Last       time.Time `json:"last"`  // when the latest of them ended
	// Name is how the person was called then.
	Name string `json:"name,omitempty"`
}

// Shift is what a game has made of one rating: its values before and after. From is 0
// for a person's first game.
type Shift struct {
	From float64 `json:"from,omitempty"`
	To   float64 `json:"to"`
}

// Equal reports whether two ratings are the same. Times are compared as moments.
func (r Rating) Equal(other Rating) bool {
	at, otherAt := r.Last, other.Last
	r.Last, other.Last = time.Time{}, time.Time{}
	return r == other && at.Equal(otherAt)
}

// Normal returns the rating in the form that every store returns, as [Record.Normal].
func (r Rating) Normal() Rating {
	r.Last = r.Last.UTC()
	return r
}

// RatingChange is what a game makes of one rating.
type RatingChange struct {
	Scope string
	User  match.UserID
	Prev  Rating // what is stored
	Next  Rating
}

// Ranked is a rating with its owner.
type Ranked struct {
	User   match.UserID
	Rating Rating
}

// Outcome is a rated game that a person has finished, as it is kept when the game
// itself has been removed.
type Outcome struct {
	Game  match.ID  `json:"game"`
	At    time.Time `json:"at"`              // when it ended
	Scope string    `json:"scope,omitempty"` // the server's; "" in direct messages
	// Opponent is who played against the person: [Deleted] if that person asked to be
	// forgotten, "" for the machine, which had Level.
	Opponent match.UserID  `json:"opponent,omitempty"`
	Level    int           `json:"level,omitempty"`
	Colour   engine.Color  `json:"colour"` // the person's
	Rules    engine.Rules  `json:"rules"`
	Result   engine.Result `json:"result"`
	Ending   match.Ending  `json:"ending"`
	Moves    int           `json:"moves"`  // the number of plies
	Column   int           `json:"column"` // the height of the person's tallest column
	Jump     int           `json:"jump"`   // the most pieces that the person took in one move
	// After and AfterHere are the person's rating after the game, overall and on the
	// server.
	After     float64 `json:"after"`
	AfterHere float64 `json:"after_here,omitempty"`
}

// Normal returns the outcome in the form that every store returns, as [Record.Normal].
func (o Outcome) Normal() Outcome {
	o.At = o.At.UTC()
	return o
}

// Check returns an error when the outcome is one that stores refuse.
func (o *Outcome) Check() error {
	for _, key := range []string{string(o.Game), string(o.Opponent), o.Scope} {
		if key != "" && CheckKey(key) != nil || o.Game == "" {
			return fmt.Errorf("an outcome with the game %q, the opponent %q and the scope %q", o.Game, o.Opponent, o.Scope)
		}
	}
	if o.Colour > engine.Black || !o.Rules.Valid() || !finite(o.After) || !finite(o.AfterHere) {
		return fmt.Errorf("an outcome of game %s with the colour %d, the rules %d and the ratings %v and %v", o.Game, o.Colour, o.Rules, o.After, o.AfterHere)
	}
	return nil
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// Check returns an error when the rating is one that stores refuse.
func (r *Rating) Check() error {
	if !finite(r.Value) || !finite(r.Deviation) || !finite(r.Volatility) || r.Games < 0 {
		return fmt.Errorf("a rating of %v ± %v (%v) after %d games", r.Value, r.Deviation, r.Volatility, r.Games)
	}
	return nil
}

// Count marks the record of a finished match as counted, and completes and checks what
// [Store.Rate] is to store. The error wraps [ErrConflict] when the match is not
// finished or counted already.
func (r *Record) Count(changes []RatingChange, outcomes map[match.UserID]Outcome) (map[match.UserID]Outcome, error) {
	m := &r.Match
	if m.Phase != match.Finished || r.Counted {
		return nil, fmt.Errorf("match %s: %w: it is %s, counted: %t", m.ID, ErrConflict, m.Phase, r.Counted)
	}
	for _, c := range changes {
		if err := errors.Join(checkScope(c.Scope), checkRated(c.User), c.Next.Check()); err != nil {
			return nil, fmt.Errorf("match %s: %w", m.ID, err)
		}
	}
	// Whoever is deleted now had a seat when this was decided.
	if m.Seats[0].User == Deleted || m.Seats[1].User == Deleted {
		for _, c := range changes {
			if _, err := m.SeatOf(c.User); err != nil {
				return nil, fmt.Errorf("match %s: %w: somebody left it", m.ID, ErrConflict)
			}
		}
	}
	whole := map[match.UserID]Outcome{}
	for u, o := range outcomes {
		o.Game, o.At = m.ID, m.Changed
		if err := errors.Join(checkRated(u), o.Check()); err != nil {
			return nil, fmt.Errorf("match %s: %w", m.ID, err)
		}
		if _, has := outcomes[o.Opponent]; o.Opponent != "" && o.Opponent != Deleted && !has {
			return nil, fmt.Errorf("match %s: an outcome names an opponent who has none", m.ID)
		}
		whole[u] = o.Normal()
	}
	r.Counted = true
	r.shift(changes)
	return whole, nil
}

// shift keeps what has changed where the match was played: on its server, or overall in
// direct messages.
func (r *Record) shift(changes []RatingChange) {
	r.Ratings = [2]Shift{}
	for _, c := range changes {
		if seat, err := r.Match.SeatOf(c.User); err == nil && c.Scope == cmp.Or(r.Place.Guild, Overall) {
			r.Ratings[seat] = Shift{c.Prev.Value, c.Next.Value}
		}
	}
}

func checkScope(scope string) error {
	if err := CheckKey(scope); err != nil {
		return fmt.Errorf("the scope of a rating: %w", err)
	}
	return nil
}

// checkRated returns an error unless somebody can have a rating.
func checkRated(u match.UserID) error {
	if err := CheckKey(string(u)); err != nil {
		return fmt.Errorf("the owner of a rating: %w", err)
	}
	if u == Deleted {
		return errors.New("somebody who is deleted has no rating")
	}
	return nil
}

// CheckPrev returns an error that wraps [ErrConflict] unless a change follows the
// stored rating.
func (c *RatingChange) CheckPrev(stored Rating) error {
	if !stored.Equal(c.Prev) {
		return fmt.Errorf("the rating of %s in %s: %w", c.User, c.Scope, ErrConflict)
	}
	return nil
}
