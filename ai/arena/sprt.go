package arena

import (
	"fmt"
	"math"
)

// SPRT is a sequential probability ratio test between two hypotheses on the
// difference in Elo, on pairs of games (generalised, with the variance as
// observed).
type SPRT struct {
	Elo0 float64 `json:"elo0"` // the difference if the change is not worth it
	Elo1 float64 `json:"elo1"` // the difference if it is
	// Alpha and Beta are the chances to accept the wrong one, 0 for 0.05.
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
}

// Decision is where a test stands.
type Decision string

// The decisions.
const (
	Undecided Decision = "undecided"
	AcceptH0  Decision = "elo0 accepted"
	AcceptH1  Decision = "elo1 accepted"
)

// Verdict is a decision with its reasons.
type Verdict struct {
	Decision Decision `json:"decision"`
	LLR      float64  `json:"llr"` // logarithm of the likelihood ratio
	Lower    float64  `json:"lower"`
	Upper    float64  `json:"upper"`
	SPRT     SPRT     `json:"sprt"`
}

// Decide judges the pairs so far.
func (t SPRT) Decide(pairs [5]int) Verdict {
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

// String returns the verdict with its bounds.
func (v Verdict) String() string {
	return fmt.Sprintf("SPRT(%g, %g): %s, LLR %.2f in (%.2f, %.2f)", v.SPRT.Elo0, v.SPRT.Elo1, v.Decision, v.LLR, v.Lower, v.Upper)
}
