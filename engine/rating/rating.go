package rating

import (
	"math"
	"time"
)

// Rating is what is known of a player's strength.
type Rating struct {
	// Value is the most likely strength, in points of Elo, [MinValue] to [MaxValue].
	Value float64
	// Deviation is the standard deviation of Value in points, [MinDeviation] to
	// [MaxDeviation]: the strength is within twice the deviation with 95% probability.
	Deviation float64
	// Volatility is how erratic the results are: by how much, on Glicko-2's own scale,
	// the strength is expected to change in a [Period]. At most [MaxVolatility].
	Volatility float64
}

// The limits of a [Rating].
const (
	MinValue = 100
	MaxValue = 4000
	// MinDeviation keeps the numbers of a person who plays much from standing still:
	// every game is a period, so the deviation would fall without end.
	MinDeviation = 45
	// MaxDeviation is that of a player of whom nothing is known.
	MaxDeviation = 350
	// MaxVolatility keeps a strange series of results from making a rating useless
	// for months.
	MaxVolatility = 0.1
)

// Provisional is the deviation above which a rating is called provisional. A new
// player comes below it after about ten games.
const Provisional = 110

// Period is how long a player of the usual volatility must rest for the uncertainty
// that one of Glicko-2's rating periods adds. A player who was certain to 60 points is
// provisional again after a year: √(60² + 78·(173.7·0.06)²) = 110, and a year has 78
// times 112 hours.
const Period = 112 * time.Hour

const (
	scale      = 173.7178 // points in a unit of Glicko-2's own scale
	tau        = 0.5      // how much the volatility may change: Glickman's 0.3 to 1.2
	convergent = 1e-6
)

// New returns the rating of a player of whom nothing is known: Glickman's numbers.
func New() Rating { return Rating{Value: newcomer, Deviation: MaxDeviation, Volatility: 0.06} }

const newcomer = 1500

// IsProvisional reports whether too little is known of a player for comparisons with
// others.
func (r Rating) IsProvisional() bool { return r.Deviation > Provisional }

// After returns the rating of a player who has not played for some time: the deviation
// is larger. A time below 0, by a clock that was set back, counts as 0.
func (r Rating) After(idle time.Duration) Rating {
	if idle <= 0 {
		return r
	}
	phi := r.Deviation / scale
	r.Deviation = scale * math.Sqrt(phi*phi+periods(idle)*r.Volatility*r.Volatility)
	return r.within()
}

func periods(idle time.Duration) float64 { return max(0, idle.Hours()/Period.Hours()) }

// Game is a result against an opponent.
type Game struct {
	Opponent Rating // at the time of the game
	Score    float64
}

// The scores of a [Game].
const (
	Win  = 1.0
	Draw = 0.5
	Loss = 0.0
)

// Expected returns the share of the points that a player can expect against an
// opponent, 0 to 1.
func (r Rating) Expected(opponent Rating) float64 {
	return 1 / (1 + math.Exp(-g(opponent.Deviation/scale)*(r.Value-opponent.Value)/scale))
}

// g lessens what a result says by how little is known of the opponent.
func g(phi float64) float64 { return 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi)) }

// Played returns the rating after games that count as one period, which began with r
// and lasted for some time: usually one game, and the time since the one before. The
// names and the order of the steps are those of Glickman's paper.
func (r Rating) Played(lasted time.Duration, games ...Game) Rating {
	return r.played(periods(lasted), games).within()
}

func (r Rating) played(periods float64, games []Game) Rating {
	phi, sigma := r.Deviation/scale, r.Volatility
	var information, surprise float64 // 1/v and the sum in Δ
	for _, game := range games {
		g, e := g(game.Opponent.Deviation/scale), r.Expected(game.Opponent)
		information += g * g * e * (1 - e)
		surprise += g * (game.Score - e)
	}
	if information > 0 {
		sigma = volatility(phi, sigma, 1/information, surprise/information)
	}
	start := phi*phi + periods*sigma*sigma
	after := 1 / (1/start + information)
	return Rating{Value: r.Value + scale*after*surprise, Deviation: scale * math.Sqrt(after), Volatility: sigma}
}

// volatility is step 5 of the paper: the volatility that explains the results best, by
// the Illinois algorithm.
func volatility(phi, sigma, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		ex := math.Exp(x)
		d := phi*phi + v + ex
		return ex*(delta*delta-phi*phi-v-ex)/(2*d*d) - (x-a)/(tau*tau)
	}
	low, high := a, 0.0
	if rest := delta*delta - phi*phi - v; rest > 0 {
		high = math.Log(rest)
	} else {
		high = a - tau
		for f(high) < 0 {
			high -= tau
		}
	}
	fLow, fHigh := f(low), f(high)
	for math.Abs(high-low) > convergent {
		x := low + (low-high)*fLow/(fHigh-fLow)
		fx := f(x)
		if fx*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = x, fx
	}
	return math.Exp(low / 2)
}

// within returns the rating within its limits.
func (r Rating) within() Rating {
	return Rating{
		Value:      min(max(r.Value, MinValue), MaxValue),
		Deviation:  min(max(r.Deviation, MinDeviation), MaxDeviation),
		Volatility: min(r.Volatility, MaxVolatility),
	}
}
