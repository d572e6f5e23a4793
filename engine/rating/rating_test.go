package rating

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine"
)

const year = 365 * 24 * time.Hour

func near(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if math.Abs(got-want) > by {
		t.Errorf("%s is %.5f, want %.5f", what, got, want)
	}
}

// The paper rounds on the way, so the last digit may be off by one.
func TestGlickmansExample(t *testing.T) {
	r := Rating{1500, 200, 0.06}.Played(Period,
		Game{Rating{1400, 30, 0.06}, Win},
		Game{Rating{1550, 100, 0.06}, Loss},
		Game{Rating{1700, 300, 0.06}, Loss})
	near(t, "r'", r.Value, 1464.06, 0.011)
	near(t, "RD'", r.Deviation, 151.52, 0.005)
	near(t, "σ'", r.Volatility, 0.05999, 0.00001)
}

func TestUncertainty(t *testing.T) {
	t.Run("grows while nobody plays", func(t *testing.T) {
		r := Rating{1700, 60, 0.06}
		near(t, "after a year", r.After(year).Deviation, Provisional, 0.5)
		if got := r.After(year); got.Value != r.Value || got.Volatility != r.Volatility {
			t.Errorf("%+v", got)
		}
		if got := r.After(100 * year); got.Deviation != MaxDeviation {
			t.Errorf("after a hundred years: %+v", got)
		}
		if r.After(-year) != r {
			t.Error("a clock that was set back changes something")
		}
	})
	t.Run("two games in an evening add none", func(t *testing.T) {
		r := Rating{1500, 100, 0.06}
		if at, later := r.Played(0, Game{Level(0, 3), Win}), r.Played(time.Hour, Game{Level(0, 3), Win}); later.Deviation-at.Deviation > 0.5 || at.Deviation >= 100 {
			t.Errorf("%v and %v", at, later)
		}
	})
	t.Run("never ends", func(t *testing.T) {
		r := New()
		for range 3000 {
			r = r.Played(0, Game{Level(0, 3), Draw})
		}
		near(t, "after 3,000 games", r.Deviation, MinDeviation, 0)
		if won := r.Played(0, Game{Level(0, 3), Win}); won.Value-r.Value < 3 {
			t.Errorf("a win still changes %v to %v", r.Value, won.Value)
		}
	})
	t.Run("ends to be provisional after about ten games", func(t *testing.T) {
		r, n := New(), 0
		for ; r.IsProvisional(); n++ {
			r = r.Played(0, Game{Level(0, 3), float64(n % 2)})
		}
		if n < 6 || n > 14 {
			t.Errorf("after %d games", n)
		}
	})
}

func TestRatingFindsTheStrength(t *testing.T) {
	// Level 5's share of the points against each level, from the table of levels.
	truth := Level(engine.Kawu, 5)
	r, random := New(), uint64(1)
	for i := range 200 {
		opponent := Level(engine.Kawu, 3+i%4)
		random = random*6364136223846793005 + 1442695040888963407
		score := Loss
		if float64(random>>11)/(1<<53) < truth.Expected(opponent) {
			score = Win
		}
		r = r.Played(time.Hour, Game{opponent, score})
	}
	near(t, "level 5's rating by its results", r.Value, truth.Value, 2*r.Deviation)
}

func TestLevels(t *testing.T) {
	// What README.md and package ai say of the steps.
	for rules, share := range map[engine.Rules]float64{engine.Kawu: 0.78, engine.MindSports: 0.83, engine.Lasker: 0.83} {
		var sum float64
		for l := 2; l <= 8; l++ {
			low, high := Level(rules, l-1), Level(rules, l)
			low.Deviation, high.Deviation = 0, 0
			sum += high.Expected(low)
		}
		near(t, "the mean share by "+rules.String(), sum/7, share, 0.01)
		near(t, "the level of a newcomer", Level(rules, anchor).Value, New().Value, 0)
		if Level(rules, 0) != Level(rules, 1) || Level(rules, 99) != Level(rules, 8) {
			t.Error("a level that does not exist is not the nearest one")
		}
		if l := Level(rules, 1).Value; l < MinValue+600 {
			t.Errorf("no room below level 1 at %v", l)
		}
		if l := Level(rules, 8).Value; l > MaxValue-600 {
			t.Errorf("no room above level 8 at %v", l)
		}
	}
	if Level(77, 5) != Level(engine.Kawu, 5) {
		t.Error("unknown rules")
	}
}

func TestAnyResults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rating := func(name string) Rating {
			return Rating{
				rapid.Float64Range(MinValue, MaxValue).Draw(t, name),
				rapid.Float64Range(MinDeviation, MaxDeviation).Draw(t, name+"'s deviation"),
				rapid.Float64Range(0.01, MaxVolatility).Draw(t, name+"'s volatility"),
			}
		}
		r, o := rating("player"), rating("opponent")
		idle := time.Duration(rapid.Int64Range(-int64(year), int64(50*year)).Draw(t, "idle"))
		var last Rating
		for i, score := range []float64{Loss, Draw, Win} {
			next := r.Played(idle, Game{o, score})
			if next != next.within() || next.Volatility < 0 || math.IsNaN(next.Value+next.Deviation+next.Volatility) {
				t.Fatalf("%+v", next)
			}
			if i > 0 && next.Value < last.Value {
				t.Fatalf("%v is worth less than %v points less: %+v and %+v", score, score-0.5, next, last)
			}
			last = next
		}
		if lost := r.Played(idle, Game{o, Loss}); lost.Value > r.Value || last.Value < r.Value {
			t.Fatalf("%+v becomes %+v by a loss, %+v by a win", r, lost, last)
		}
		if sum := r.Expected(Rating{o.Value, 0, 0}) + o.Expected(Rating{r.Value, 0, 0}); math.Abs(sum-1) > 1e-9 {
			t.Fatalf("the shares add up to %v", sum)
		}
	})
}

func TestNothingPlayedIsRest(t *testing.T) {
	r := Rating{1612, 77, 0.05}
	if got, want := r.Played(year), r.After(year); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
