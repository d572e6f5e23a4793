package match

import (
	"fmt"
	"slices"
	"time"

	"github.com/lascabot/lascabot/engine"
)

// NoLimit as [Terms].Days means that nobody has to move within a certain time.
const NoLimit = -1

// AllDays are the times for a move that a game can be made with, in days, the shortest
// first and [NoLimit] last.
var AllDays = []int{1, 3, 7, NoLimit}

// Terms are what the two sides have agreed on when the match was made.
type Terms struct {
	// Days is how long a side may think before the other may claim the game: one of
	// [AllDays], or 0 for [MoveTime], as in matches made before there was a choice.
	// It has no meaning against the machine.
	Days int `json:"days,omitempty"`
	// Rated says that the result is to count. A take-back or a hint ends that.
	Rated bool `json:"rated,omitempty"`
	// Hints says that both may ask the machine for hints. Then the match is not rated.
	// Against the machine a person always may.
	Hints bool `json:"hints,omitempty"`
}

// check returns an error that wraps [ErrTerms] when nobody can agree on the terms.
func (t Terms) check() error {
	if t.Days != 0 && !slices.Contains(AllDays, t.Days) {
		return fmt.Errorf("%w: %d days for a move", ErrTerms, t.Days)
	}
	if t.Rated && t.Hints {
		return fmt.Errorf("%w: a game with hints is not rated", ErrTerms)
	}
	return nil
}

// Counts reports whether the result may change ratings: the match is over with a
// result, it is rated, and both sides have moved.
func (m *Match) Counts() bool {
	return m.Phase == Finished && m.Result != engine.Ongoing && m.Terms.Rated && len(m.Moves) >= 2
}

// MayHint reports whether a side may ask the machine for a hint: in a match that is
// being played, against the machine, or if both agreed to hints.
func (m *Match) MayHint(by engine.Color) bool {
	return m.Phase == Playing && !m.Seats[by].Machine() && (m.Terms.Hints || m.Seats[by.Other()].Machine())
}

// Hinted says that a side has had a hint from the machine. Against the machine that
// makes a rated match casual. In a match that is casual already it changes nothing and
// is refused: [ErrCasual].
type Hinted struct{ By engine.Color }

func (c Hinted) apply(m *Match, _ time.Time) error {
	if err := m.playing(); err != nil {
		return err
	}
	switch {
	case !m.MayHint(c.By):
		return ErrNoHints
	case !m.Terms.Rated:
		return ErrCasual
	}
	m.Terms.Rated = false
	return nil
}

func (c Hinted) by() (engine.Color, bool) { return c.By, true }
