package match

import (
	"fmt"
	"time"

	"github.com/lascabot/lascabot/engine"
)

// Join takes the empty seat of an open challenge and starts the game. From then on
// nothing tells the match from one whose challenge was addressed to this person.
type Join struct{ Seat Seat }

func (c Join) apply(m *Match, now time.Time) error {
	if err := m.proposed(); err != nil {
		return err
	}
	switch {
	case !m.Open:
		return ErrNotChallenged
	case c.Seat.User == "" || c.Seat.Level != 0:
		return fmt.Errorf("%w: %+v joins", ErrSeats, c.Seat)
	case c.Seat.User == m.Seats[m.By].User:
		return ErrSelf
	}
	if err := m.begin(now); err != nil {
		return err
	}
	side := m.By.Other()
	m.Seats[side], m.Seen[side], m.Open = c.Seat, now, false
	return nil
}

// Who joins has no seat before.
func (c Join) by() (engine.Color, bool) { return 0, false }

// begin starts the game of a challenge that is accepted.
func (m *Match) begin(now time.Time) error {
	if now.After(m.Expires) {
		return fmt.Errorf("%w: it has expired", ErrNotProposed)
	}
	m.Phase, m.Moved, m.Expires = Playing, now, time.Time{}
	return nil
}

// Stop ends a match that is not over without a result, for a moderator of the place:
// neither side has done it.
type Stop struct{}

func (Stop) apply(m *Match, _ time.Time) error {
	if m.Phase == Finished {
		return ErrFinished
	}
	m.finish(engine.Ongoing, Stopped)
	return nil
}

func (Stop) by() (engine.Color, bool) { return 0, false }
