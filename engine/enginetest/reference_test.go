package enginetest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine/enginetest"
)

func TestReferenceAgreesWithKnownMoves(t *testing.T) {
	known, err := enginetest.MovesOfPositions()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range known {
		for rules, moves := range k.Moves {
			r := enginetest.ParseReference(k.Position, rules.String())
			want, got := map[string]string{}, map[string]string{}
			for _, m := range moves {
				want[m[0]] = m[1]
			}
			for m, after := range r.Successors() {
				got[m] = after.String()
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s under %v (-want +got)\n%s", k.ID, rules, diff)
			}
		}
	}
}

func TestReferenceAgreesWithPerftOfDifficultPositions(t *testing.T) {
	cases, err := enginetest.Cases()
	if err != nil {
		t.Fatal(err)
	}
	var count func(r enginetest.Reference, depth int) uint64
	count = func(r enginetest.Reference, depth int) uint64 {
		if depth == 0 {
			return 1
		}
		var n uint64
		for _, after := range r.Successors() {
			n += count(after, depth-1)
		}
		return n
	}
	for _, c := range cases {
		for rules, counts := range c.Perft {
			for i, want := range counts {
				if want > 150 {
					break
				}
				if got := count(enginetest.ParseReference(c.Position, rules.String()), i+1); got != want {
					t.Errorf("%s under %v: perft %d is %d, want %d", c.ID, rules, i+1, got, want)
				}
			}
		}
	}
}

func TestReferenceAgreesWithKnownGames(t *testing.T) {
	games, err := enginetest.Games()
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{"": "", "no-moves": "no moves", "threefold": "repetition", "no-progress": "no progress"}
	for _, g := range games {
		r := enginetest.ParseReference(g.Start, g.Rules.String())
		history := []enginetest.Reference{r}
		for i, m := range g.Moves[:g.Plies] {
			if result, _ := enginetest.Outcome(history); result != "" {
				t.Errorf("%s has ended after %d plies", g.ID, i)
			}
			r = r.Successors()[m]
			if r.String() != g.After[i] {
				t.Fatalf("%s after ply %d: %s, want %s", g.ID, i+1, r, g.After[i])
			}
			history = append(history, r)
		}
		result, reason := enginetest.Outcome(history)
		if result == "" {
			result = "*"
		}
		if result != g.Result || reason != reasons[g.Reason] {
			t.Errorf("%s: %s by %q, want %s by %q", g.ID, result, reason, g.Result, g.Reason)
		}
	}
}

func TestGeneratorsMakeLegalPositions(t *testing.T) {
	setups, mixed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := enginetest.Setups().Draw(t, "setup")
		if problems := s.Problems(); problems != nil {
			t.Fatal(problems)
		}
		setups++
		for _, stack := range s.Stacks {
			blocks, last := 0, ""
			for _, letter := range stack.String() {
				if side := string(letter | 0x20); side != last {
					blocks, last = blocks+1, side
				}
			}
			if blocks > 2 {
				mixed++
			}
		}
		positions, moves := enginetest.PlayoutFromBytes(enginetest.Playouts().Draw(t, "game"))
		if len(positions) != len(moves)+1 {
			t.Fatalf("%d positions, %d moves", len(positions), len(moves))
		}
	})
	if mixed == 0 && setups >= 100 { // a short run may well have none
		t.Error("no set-up has a column that cannot arise in play")
	}
}
