package ai

import (
	"fmt"
	"math"
)

// Score is what a position is worth to the side to move: an estimate in points,
// or a proven win or loss. Higher is better, and a quick win is higher than a
// slow one.
//
// 0 points are even, and 150 points multiply the odds of winning by e. Draws by
// repetition and by 60 plies without progress are 0 points.
type Score int32

const (
	maxPly     = 200
	infinite   = 32000
	win        = 31000 // minus the plies to the end
	provenFrom = 30000 // scores at least as far from 0 are proven
	oddsUnit   = 150   // points that multiply the odds of winning by e
)

// Points returns the score in points. A proven win is 30000 points or more, a
// proven loss -30000 or less.
func (s Score) Points() int { return int(s) }

// Win reports whether the side to move has a proven win, and within how many
// plies the game ends: 1 when the next move ends it.
func (s Score) Win() (plies int, ok bool) {
	if s < provenFrom {
		return 0, false
	}
	return win - int(s), true
}

// Loss reports whether the side to move has a proven loss, and how many plies it
// can hold out: 0 when the game is over.
func (s Score) Loss() (plies int, ok bool) {
	if s > -provenFrom {
		return 0, false
	}
	return win + int(s), true
}

// WinChance returns the chance of winning, 0 to 1. A draw counts as half a win.
func (s Score) WinChance() float64 {
	switch {
	case s >= provenFrom:
		return 1
	case s <= -provenFrom:
		return 0
	}
	return 1 / (1 + math.Exp(-float64(s)/oddsUnit))
}

// String returns the points with a sign, or the proven result with its plies,
// such as "+120", "win in 7" or "loss in 6".
func (s Score) String() string {
	if n, ok := s.Win(); ok {
		return fmt.Sprintf("win in %d", n)
	}
	if n, ok := s.Loss(); ok {
		return fmt.Sprintf("loss in %d", n)
	}
	return fmt.Sprintf("%+d", int(s))
}

// WinIn returns the score of a proven win in a number of plies.
func WinIn(plies int) Score { return Score(win - plies) }

// LossIn returns the score of a proven loss in a number of plies.
func LossIn(plies int) Score { return Score(plies - win) }
