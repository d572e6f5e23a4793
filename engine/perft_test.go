package engine_test

import (
	"slices"
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

// slowPerft counts by playing the moves of AppendMoves.
func slowPerft(p engine.Position, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	var n uint64
	for _, m := range p.Moves() {
		next := p
		next.MakeUnchecked(m)
		n += slowPerft(next, depth-1)
	}
	return n
}

func TestPerftEqualsPlayingTheMoves(t *testing.T) {
	cases, err := enginetest.Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		for rules, counts := range c.Perft {
			p := enginetest.Position(t, c.Position, rules)
			for i, want := range counts {
				if want > perftBudget(t)/1000 {
					break
				}
				if got := slowPerft(p, i+1); got != want {
					t.Errorf("%s under %v: %d sequences of %d moves, want %d", c.ID, rules, got, i+1, want)
				}
			}
		}
	}
}

func TestPerftOfDepthZeroIsOne(t *testing.T) {
	for _, depth := range []int{0, -3} {
		if n := engine.Perft(engine.Start(engine.Kawu), depth); n != 1 {
			t.Errorf("depth %d: %d", depth, n)
		}
	}
}

func TestPerftByPlyEqualsPerft(t *testing.T) {
	cases, err := enginetest.Cases()
	if err != nil {
		t.Fatal(err)
	}
	engine.PerftByPly(engine.Start(engine.Kawu), nil) // nothing to count
	for _, c := range cases {
		for _, rules := range engine.AllRules() {
			p := enginetest.Position(t, c.Position, rules)
			for n := 1; n <= 6; n++ {
				got, want := make([]uint64, n), make([]uint64, n)
				for i := range want {
					got[i] = 7 // the old content does not matter
					want[i] = engine.Perft(p, i+1)
				}
				if engine.PerftByPly(p, got); !slices.Equal(got, want) {
					t.Errorf("%s under %v: %d, want %d", c.ID, rules, got, want)
				}
			}
		}
	}
}

func TestHotPathsDoNotAllocate(t *testing.T) {
	cases, err := enginetest.Cases()
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]engine.Move, 0, engine.MaxMoves)
	counts := make([]uint64, 3)
	for _, c := range cases {
		for _, rules := range engine.AllRules() {
			p := enginetest.Position(t, c.Position, rules)
			moves := p.Moves()
			for name, f := range map[string]func(){
				"AppendMoves": func() { buf = p.AppendMoves(buf[:0]) },
				"CountMoves":  func() { p.CountMoves() },
				"CanCapture":  func() { p.CanCapture(engine.White) },
				"Move.Valid":  func() { _ = slices.ContainsFunc(moves, engine.Move.Valid) },
				"MakeUnchecked": func() {
					for _, m := range moves {
						next := p
						next.MakeUnchecked(m)
					}
				},
				"Key":        func() { p.Key() },
				"Perft":      func() { engine.Perft(p, 3) },
				"PerftByPly": func() { engine.PerftByPly(p, counts) },
			} {
				if n := testing.AllocsPerRun(1, f); n != 0 {
					t.Errorf("%s under %v: %s allocates %v times", c.ID, rules, name, n)
				}
			}
		}
	}
}
