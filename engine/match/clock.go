package match

import (
	"time"

	"github.com/lascabot/lascabot/engine"
)

// MoveTime is how long a side may think in a match whose [Terms] say nothing else.
const MoveTime = 3 * 24 * time.Hour

// MaxExtra is the most time that the opponent may give for one turn.
const MaxExtra = 7 * 24 * time.Hour

// Limit returns how long a side may think before the other may claim the game. It
// returns false where nobody has to move within a certain time: by agreement, and
// against the machine.
func (m *Match) Limit() (time.Duration, bool) {
	switch {
	case m.Seats[0].Machine() || m.Seats[1].Machine() || m.Terms.Days == NoLimit:
		return 0, false
	case m.Terms.Days == 0:
		return MoveTime, true
	}
	return time.Duration(m.Terms.Days) * 24 * time.Hour, true
}

// Deadline returns when the side to move may lose the game for not moving: its time
// counts from the later of the beginning of the turn and told, and grows by what the
// opponent has given and by extra, for [Claim]. It returns false where there is no
// limit, and while nobody has been told, which is when told is zero.
func (m *Match) Deadline(told time.Time, extra time.Duration) (time.Time, bool) {
	limit, timed := m.Limit()
	if !timed || told.IsZero() {
		return time.Time{}, false
	}
	from := m.Moved
	if told.After(from) {
		from = told
	}
	return from.Add(limit + m.Extra + extra), true
}

// GiveTime gives the opponent, who is to move, more time for this turn, at most
// [MaxExtra] in all.
type GiveTime struct {
	By  engine.Color
	For time.Duration
}

func (c GiveTime) apply(m *Match, _ time.Time) error {
	if err := m.playing(); err != nil {
		return err
	}
	switch _, timed := m.Limit(); {
	case !timed:
		return ErrNoClock
	case m.Turn() == c.By:
		return ErrOwnTime
	case c.For <= 0 || c.For > MaxExtra-m.Extra:
		return ErrMuchTime
	}
	m.Extra += c.For
	return nil
}

func (c GiveTime) by() (engine.Color, bool) { return c.By, true }

// Claim wins the game when the opponent has not moved in time ([Match.Deadline]). As
// long as one side has not moved at all, it calls the match off instead.
//
// What the match cannot know is given: Told is when the opponent was told that it is
// their turn, zero if nobody told them, since nobody loses a game over a turn that they
// could not know of; Extra is by how much the time is longer for other reasons, such as
// a time in which nobody could play.
type Claim struct {
	By    engine.Color
	Told  time.Time
	Extra time.Duration
}

func (c Claim) apply(m *Match, now time.Time) error {
	if err := m.playing(); err != nil {
		return err
	}
	if m.Turn() == c.By {
		return ErrNotYourTurn
	}
	if _, timed := m.Limit(); !timed {
		return ErrNoClock
	}
	due, told := m.Deadline(c.Told, max(c.Extra, 0))
	switch {
	case !told:
		return ErrNotTold
	case now.Before(due):
		return ErrTooEarly
	case len(m.Moves) < 2:
		m.finish(engine.Ongoing, Aborted)
	default:
		m.finish(engine.Wins(c.By), Abandonment)
	}
	return nil
}

func (c Claim) by() (engine.Color, bool) { return c.By, true }
