package storage

import (
	"fmt"
	"slices"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// Clock is what has been told about the time of a turn. Its zero value is no turn's.
type Clock struct {
	Turn time.Time `json:"turn,omitzero"` // when the turn began: match.Match.Moved
	// Next is when somebody is to be told something next, zero for never.
	Next time.Time `json:"next,omitzero"`
	Sent int       `json:"sent,omitempty"` // the number of things told
}

// What a side may store in one game.
const (
	MaxLines     = 32 // lines of a side
	MaxLinePlies = 64 // plies of a line
)

// Line is what a side wants to answer: Moves begin with a move of the opponent, which
// is number Ply of the game counted from 0, and then the own reply; further moves
// alternate. The moves need not be legal.
type Line struct {
	Ply   int           `json:"ply"`
	Moves []engine.Move `json:"moves"`
}

// checkLines returns an error when the lines are not those of a running game, or more
// or longer than allowed.
func (r *Record) checkLines() error {
	m := &r.Match
	for c, lines := range r.Lines {
		if len(lines) > 0 && m.Phase != match.Playing || len(lines) > MaxLines {
			return fmt.Errorf("match %s: %d lines of %v in a game that is %s", m.ID, len(lines), engine.Color(c), m.Phase)
		}
		for _, line := range lines {
			n := len(line.Moves)
			if n == 0 || n > MaxLinePlies || line.Ply < 0 || line.Ply > len(m.Moves)+MaxLinePlies {
				return fmt.Errorf("match %s: a line of %v has %d moves from ply %d", m.ID, engine.Color(c), n, line.Ply)
			}
			if m.Mover(line.Ply) == engine.Color(c) {
				return fmt.Errorf("match %s: a line of %v begins with an own move, at ply %d", m.ID, engine.Color(c), line.Ply)
			}
		}
	}
	return nil
}

// Replace puts the next version of the match into the record, as [Store.Save] does.
// Lines stay while the game goes on; both sides' go when a move is taken back, which
// makes them answers to another game, when the match was set back, since they may have
// been dropped since, and at the end. Names stay too, since Rename may
// have changed them after next was loaded; whoever has taken an empty seat brings one.
func (r *Record) Replace(next match.Match) {
	for c, seat := range r.Match.Seats {
		if next.Seats[c].User == seat.User {
			next.Seats[c].Name = seat.Name
		}
	}
	before := r.Match.Moves
	goesOn := len(next.Moves) >= len(before) && slices.Equal(before, next.Moves[:len(before)])
	lost := next.Notice != nil && next.Notice.Kind == match.ChangesLost && len(next.Moves) == len(before)
	if !goesOn || lost || next.Phase == match.Finished {
		r.Lines = [2][]Line{}
	}
	r.Match = next
}

// SetClock does to the record what [Store.SaveClock] does to the stored one. It reports
// whether that changes anything.
func (r *Record) SetClock(turn time.Time, c Clock) (changed bool) {
	if r.Match.Phase != match.Playing || !r.Match.Moved.Equal(turn) {
		return false
	}
	c.Turn = turn
	r.Clock = c
	return true
}

// SetLines does to the record what [Store.SaveLines] does to the stored one. The error
// wraps [ErrConflict].
func (r *Record) SetLines(version uint64, side engine.Color, lines []Line) error {
	if side > engine.Black {
		return fmt.Errorf("match %s: %w", r.Match.ID, match.ErrNotAPlayer)
	}
	if err := CheckVersion(&r.Match, version); err != nil {
		return err
	}
	r.Lines[side] = lines
	return nil
}
