package ai

import (
	"fmt"
	"math"
)

// Score is what a position is worth for the side to move in it: points, or a
// win or loss that is proven. Higher is better, and a quicker win is higher
// than a slower one.
//
// Points are an estimate: 0 is even, and 150 of them are a factor e in the odds
// of winning. Draws by repetition and by 60 plies without progress are 0
// points.
type Score int32

const (
	maxPly     = 200
	infinite   = 32000
	win        = 31000 // less the plies to the end
	provenFrom = 30000 // scores at least as far from 0 are proven
	oddsUnit   = 150
)

// Points returns the estimate, which is far from zero (more than 30000) when
// the score is proven.
func (s Score) Points() int { return int(s) }

// Win reports whether the side to move is proven to win, and in how many plies
// the game is over at the latest: 1 when the next move ends it.
func (s Score) Win() (plies int, ok bool) {
	if s < provenFrom {
		return 0, false
	}
	return win - int(s), true
}

// Loss reports whether the side to move is proven to lose, and how many plies
// it can hold out: 0 when the game is over.
func (s Score) Loss() (plies int, ok bool) {
	if s > -provenFrom {
		return 0, false
	}
	return win + int(s), true
}

// WinChance returns the chance to win, 0 to 1, with draws counted half.
func (s Score) WinChance() float64 {
	switch {
	case s >= provenFrom:
		return 1
	case s <= -provenFrom:
		return 0
	}
	return 1 / (1 + math.Exp(-float64(s)/oddsUnit))
}

// String returns the points with a sign, or the win or loss with its plies:
// "+120", "win in 7", "loss in 6".
func (s Score) String() string {
	if n, ok := s.Win(); ok {
		return fmt.Sprintf("win in %d", n)
	}
	if n, ok := s.Loss(); ok {
		return fmt.Sprintf("loss in %d", n)
	}
	return fmt.Sprintf("%+d", int(s))
}

// WinIn returns the score of a win in a number of plies.
func WinIn(plies int) Score { return Score(win - plies) }

// LossIn returns the score of a loss in a number of plies.
func LossIn(plies int) Score { return Score(plies - win) }
