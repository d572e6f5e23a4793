package arena

import (
	"fmt"
	"math"
)

// SPRT is a sequential probability ratio test between two hypotheses about the
// difference in Elo. It is a generalised one: it uses pairs of games and their
// observed variance.
type SPRT struct {
	Elo0 float64 `json:"elo0"` // the difference if the first player is not better
	Elo1 float64 `json:"elo1"` // the difference if it is
	// Alpha is the probability of accepting Elo1 wrongly, Beta that of
	// accepting Elo0 wrongly; 0 for 0.05.
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
}

// Decision is what a test has decided.
type Decision string

// The decisions.
const (
	Undecided Decision = "undecided"
	AcceptH0  Decision = "elo0 accepted"
	AcceptH1  Decision = "elo1 accepted"
)

// Verdict is a decision with the numbers behind it.
type Verdict struct {
	Decision Decision `json:"decision"`
	LLR      float64  `json:"llr"`   // logarithm of the likelihood ratio
	Lower    float64  `json:"lower"` // Elo0 is accepted at this LLR or below
	Upper    float64  `json:"upper"` // Elo1 is accepted at this LLR or above
	SPRT     SPRT     `json:"sprt"`
}

// decide returns the verdict on the pairs so far, counted as in [Result].
func (t SPRT) decide(pairs [5]int) Verdict {
	if t.Alpha == 0 {
		t.Alpha = 0.05
	}
	if t.Beta == 0 {
		t.Beta = 0.05
	}
	v := Verdict{Decision: Undecided, Lower: math.Log(t.Beta / (1 - t.Alpha)), Upper: math.Log((1 - t.Beta) / t.Alpha), SPRT: t}
	mean, dev := meanOf(pairs)
	if dev == 0 {
		return v
	}
	s0, s1 := shareOf(t.Elo0), shareOf(t.Elo1)
	v.LLR = (s1 - s0) * (2*mean - s0 - s1) / (2 * dev * dev)
	switch {
	case v.LLR >= v.Upper:
		v.Decision = AcceptH1
	case v.LLR <= v.Lower:
		v.Decision = AcceptH0
	}
	return v
}

// String returns the verdict with its numbers as one line.
func (v Verdict) String() string {
	return fmt.Sprintf("SPRT(%g, %g): %s, LLR %.2f in (%.2f, %.2f)", v.SPRT.Elo0, v.SPRT.Elo1, v.Decision, v.LLR, v.Lower, v.Upper)
}
