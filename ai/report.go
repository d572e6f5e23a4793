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
	// PV is the principal variation: the line that both sides are expected to
	// play, Best first.
	PV []engine.Move
	// Score is for the side to move in the task's position.
	Score   Score
	Depth   int   // plies of the last finished iteration
	Nodes   int64 // positions looked at
	Elapsed time.Duration
	// Lines are the best moves with their scores, the best first: as many as
	// the task asked for, fewer when the position has fewer moves or time ran
	// out, only one when a level opens from its list. A level may choose a Best
	// that is not the first of them.
	Lines []Line
}

// Line is one move with the line that is expected to follow.
type Line struct {
	Move  engine.Move
	PV    []engine.Move // Move first
	Score Score
}

// Tally counts what happens along a line. "Own" is the side that moves first.
// Freed and Released count columns, the others pieces.
type Tally struct {
	Taken    int // enemy pieces captured
	Lost     int // own pieces captured
	Freed    int // own columns freed, because the enemy piece on top was captured
	Released int // enemy columns freed, because the own piece on top was captured
	Promoted int // own soldiers that became officers
	Promotes int // enemy soldiers that became officers
	Plies    int // moves that were counted
}

// TallyOf counts along a line from a position. It stops at the first illegal
// move.
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
