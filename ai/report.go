package ai

import (
	"math/bits"
	"time"

	"github.com/lascabot/lascabot/engine"
)

// Report is what a search found.
type Report struct {
	// Best is the move to play, always a legal one.
	Best engine.Move
	// PV is the line that both sides are expected to play, Best first.
	PV []engine.Move
	// Score is from the side to move in the position asked about.
	Score   Score
	Depth   int   // plies of the last finished iteration
	Nodes   int64 // positions looked at
	Elapsed time.Duration
	// Lines are the best moves with their own scores, as many as the task
	// asked for and the position has, the best by score first. A level may play
	// another move than the first.
	Lines []Line
}

// Line is one move with what is expected to follow.
type Line struct {
	Move  engine.Move
	PV    []engine.Move // Move first
	Score Score
}

// Tally counts what happens along a line, from the side that moves first in
// it. Counts are pieces, but columns in Freed and Released.
type Tally struct {
	Taken    int // enemy pieces captured
	Lost     int // own pieces captured
	Freed    int // own columns that come back when the enemy on top is taken
	Released int // enemy columns that come back when the own man on top is lost
	Promoted int // own soldiers made officers
	Promotes int // enemy soldiers made officers
	Plies    int // length of the line that was counted
}

// TallyOf counts along a line from a position. It stops at the first move that
// is not legal.
func TallyOf(p engine.Position, line []engine.Move) Tally {
	var t Tally
	me := p.Turn()
	for _, m := range line {
		mine := p.Turn() == me
		next, err := p.Play(m)
		if err != nil {
			break
		}
		taken, freed, promoted := m.Jumps(), freed(&next, m), 0
		from, _ := p.Stack(m.From()).Top()
		to, _ := next.Stack(m.To()).Top()
		if from != to {
			promoted = 1
		}
		if mine {
			t.Taken += taken
			t.Freed += freed
			t.Promoted += promoted
		} else {
			t.Lost += taken
			t.Released += freed
			t.Promotes += promoted
		}
		t.Plies++
		p = next
	}
	return t
}

// freed returns how many columns a move has freed for the side that made it.
// next is the position after it.
func freed(next *engine.Position, m engine.Move) int {
	return bits.OnesCount32(m.Jumped() & next.Commanded(next.Turn().Other()))
}
