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
	// asked for and the position has, the best by score first. A level that
	// errs may play another move than the first.
	Lines []Line
}

// Line is one move with what is expected to follow.
type Line struct {
	Move  engine.Move
	PV    []engine.Move // Move first
	Score Score
	Tally Tally
	// Flaw is what is wrong with the move next to the best one.
	Flaw Flaw
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

// Net returns pieces won less pieces lost.
func (t Tally) Net() int { return t.Taken - t.Lost }

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

// Flaw says what is wrong with a move next to the best one: the first of these
// that applies.
type Flaw uint8

// The flaws.
const (
	NoFlaw         Flaw = iota // the best move, or as good
	LosesGame                  // the loss is proven, and the best move avoids that
	MissesWin                  // the best move wins by proof, this one does not
	LosesFaster                // lost either way, but sooner
	WinsSlower                 // won either way, but later
	LosesPieces                // loses more pieces in the exchange than the best move
	FreesPrisoners             // gives more enemy columns back than the best move
	MissesCapture              // wins fewer pieces than the best move
	MissesRescue               // frees fewer own columns than the best move
	LosesChances               // nothing to count, but clearly worse
)

// clearlyWorse is the loss of winning chances below which a move has no flaw.
const clearlyWorse = 0.03

// flawOf compares a line with the best one.
func flawOf(l, best *Line) Flaw {
	_, lost := l.Score.Loss()
	_, bestLost := best.Score.Loss()
	_, wins := l.Score.Win()
	_, bestWins := best.Score.Win()
	switch {
	case l.Score >= best.Score:
		return NoFlaw
	case lost && !bestLost:
		return LosesGame
	case bestWins && !wins:
		return MissesWin
	case lost:
		return LosesFaster
	case wins:
		return WinsSlower
	case best.Score.WinChance()-l.Score.WinChance() < clearlyWorse:
		return NoFlaw
	case l.Tally.Net() < best.Tally.Net() && l.Tally.Lost > best.Tally.Lost:
		return LosesPieces
	case l.Tally.Released > best.Tally.Released:
		return FreesPrisoners
	case l.Tally.Net() < best.Tally.Net():
		return MissesCapture
	case l.Tally.Freed < best.Tally.Freed:
		return MissesRescue
	}
	return LosesChances
}
