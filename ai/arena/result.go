package arena

import (
	"fmt"
	"math"
)

// Result is the result of a match, counted for the first player.
type Result struct {
	First  string `json:"first"`
	Second string `json:"second"`
	Wins   int    `json:"wins"`
	Draws  int    `json:"draws"`
	Losses int    `json:"losses"`
	// Pairs counts the finished pairs of games by the first player's points:
	// 0, 1/2, 1, 1 1/2 and 2.
	Pairs [5]int       `json:"pairs"`
	Test  Verdict      `json:"test,omitzero"`
	Games []GameResult `json:"games,omitempty"`
}

func (r *Result) add(g GameResult, half int) {
	r.Games = append(r.Games, g)
	switch half {
	case 2:
		r.Wins++
	case 1:
		r.Draws++
	default:
		r.Losses++
	}
}

// Score returns the first player's share of the points, 0 to 1, and its standard
// error, both from the finished pairs. Without any, both are 0.
func (r *Result) Score() (share, deviation float64) { return meanOf(r.Pairs) }

// meanOf returns the mean share of pairs and its standard error. A tenth of a pair
// of each kind is added to the variance, so that a match without a loss does not
// look certain.
func meanOf(pairs [5]int) (mean, deviation float64) {
	n := 0.0
	for i, c := range pairs {
		n += float64(c)
		mean += float64(c) * float64(i) / 4
	}
	if n == 0 {
		return 0, 0
	}
	mean /= n
	v, m := 0.0, 0.0
	for i, c := range pairs {
		w := float64(c) + 0.1
		d := float64(i)/4 - mean
		v += w * d * d
		m += w
	}
	return mean, math.Sqrt(v / m / n)
}

// elo returns the difference in Elo and the bounds of its 95% range. A share of 0
// or 1, or beyond, makes them infinite.
func (r *Result) elo() (elo, low, high float64) {
	mean, dev := r.Score()
	return eloOf(mean), eloOf(mean - 1.96*dev), eloOf(mean + 1.96*dev)
}

// eloOf converts a share of the points to a difference in Elo.
func eloOf(share float64) float64 {
	switch {
	case share <= 0:
		return math.Inf(-1)
	case share >= 1:
		return math.Inf(1)
	}
	return -400 * math.Log10(1/share-1)
}

// shareOf converts a difference in Elo to a share of the points.
func shareOf(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// String returns the result as one line, without the games.
func (r *Result) String() string {
	share, dev := r.Score()
	elo, low, high := r.elo()
	s := fmt.Sprintf("%s - %s: +%d =%d -%d, %.1f %% (±%.1f), Elo %+.0f (%+.0f..%+.0f), pairs %v",
		r.First, r.Second, r.Wins, r.Draws, r.Losses, 100*share, 196*dev, elo, low, high, r.Pairs)
	if r.Test.Decision != "" {
		s += ", " + r.Test.String()
	}
	return s
}
