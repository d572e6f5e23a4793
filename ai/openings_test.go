package ai

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

// listLines calls do with every line of the list: the text before the colon, the
// position, and its moves, without those of the mirror image.
func listLines(t *testing.T, do func(where string, p engine.Position, moves []openingMove)) {
	t.Helper()
	for line := range strings.Lines(openingText) {
		if line[0] == '#' {
			continue
		}
		where, what, _ := strings.Cut(line, ":")
		words := strings.Fields(where)
		p := engine.Start(rulesNamed(t, words[0]))
		for _, text := range words[1:] {
			m, err := engine.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			if p, err = p.Play(m); err != nil {
				t.Fatalf("%s: %v", where, err)
			}
		}
		var moves []openingMove
		for choice := range strings.SplitSeq(what, ",") {
			var text string
			var o openingMove
			if _, err := fmt.Sscan(choice, &text, &o.score); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			var err error
			if o.move, err = engine.ParseMove(text); err != nil {
				t.Fatal(err)
			}
			moves = append(moves, o)
		}
		do(where, p, moves)
	}
}

func TestListedMovesAreLegalAndAtMost15PointsWorse(t *testing.T) {
	starts := 0
	listLines(t, func(where string, p engine.Position, moves []openingMove) {
		if p == engine.Start(p.Rules()) {
			starts++
		}
		for _, o := range moves {
			if !slices.Contains(p.Moves(), o.move) {
				t.Errorf("%s: %v is illegal", where, o.move)
			}
			if worse := moves[0].score - o.score; worse < 0 || worse > openingWithin {
				t.Errorf("%s: %v is %d points worse", where, o.move, worse)
			}
		}
	})
	if starts != engine.NumRules {
		t.Errorf("%d rulesets have a list, want %d", starts, engine.NumRules)
	}
}

// A search of its own for each move, and not the one that made the list. It is shorter,
// so it may see a larger difference.
func TestListedMovesStandASecondLook(t *testing.T) {
	s := NewSearcher(16 << 20)
	score := func(p engine.Position, m engine.Move) int {
		p.MakeUnchecked(m)
		s.Forget()
		return -want(t, s, Task{Position: p, Limits: Limits{Nodes: 300_000}}).Score.Points()
	}
	listLines(t, func(where string, p engine.Position, moves []openingMove) {
		if len(moves) == 1 {
			return
		}
		first := score(p, moves[0].move)
		for _, o := range moves[1:] {
			if worse := first - score(p, o.move); worse > 4*openingWithin {
				t.Errorf("%s: %v is %d points worse than %v", where, o.move, worse, moves[0].move)
			}
		}
	})
}

func TestListOfOpeningsCanBeMadeAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches some ten million positions")
	}
	if head := fmt.Sprintf("# lasca openings -nodes %d\n", OpeningNodes); !strings.HasPrefix(openingText, head) {
		t.Errorf("the list does not begin with %q", head)
	}
	s := NewSearcher(openingBytes)
	listLines(t, func(where string, p engine.Position, moves []openingMove) {
		if p != engine.Start(p.Rules()) {
			return
		}
		lines, err := s.openingMoves(t.Context(), p, OpeningNodes)
		if err != nil {
			t.Fatal(err)
		}
		var again []openingMove
		for _, l := range lines {
			again = append(again, openingMove{l.Move, l.Score.Points()})
		}
		if !slices.Equal(again, moves) {
			t.Errorf("%s: the list says %v, the search %v", where, moves, again)
		}
	})
}

// From the start on, at every ply: a listed move where there is a list.
func TestHighestLevelsVaryOnlyByTheList(t *testing.T) {
	s := NewSearcher(smallTable)
	for _, rules := range engine.AllRules() {
		for seed := range uint64(8) {
			g := engine.NewGame(engine.Start(rules))
			for range openingPlies {
				p := g.Position()
				task := TaskFor(g)
				task.Level, task.Seed, task.Limits.Nodes = 8, seed, 500
				best := want(t, s, task).Best
				listed := openingList()[openingKeyOf(&p)]
				if len(listed) == 0 {
					break
				}
				if !slices.ContainsFunc(listed, func(o openingMove) bool { return o.move == best }) {
					t.Errorf("%v, %v: plays %v, listed are %v", rules, g.Moves(), best, listed)
				}
				if err := g.Play(best); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// In the opening, but not listed: g1-f2 throws away a clear advantage, and what 40,000
// positions think of it says little.
func TestHighestLevelsPlayTheBestMoveInUnlistedPositions(t *testing.T) {
	p := enginetest.Position(t, "b,b,b,b/b,,b/b,,b,b/,wb,bw/w,w,w,/w,w,/w,w,w,w w 0 4", engine.Kawu)
	s := NewSearcher(smallTable)
	for _, l := range Levels()[6:] {
		for seed := range uint64(12) {
			r := want(t, s, Task{Position: p, Level: l, Seed: seed, Lines: 2})
			if r.Best != r.Lines[0].Move || r.Best.String() == "g1-f2" {
				t.Errorf("level %d, seed %d: plays %v, %v; best is %v, %v", l, seed, r.Best, r.Score, r.Lines[0].Move, r.Lines[0].Score)
			}
		}
	}
}

func TestMirroredMove(t *testing.T) {
	m, err := engine.ParseMove("c3xe5xg7")
	if err != nil {
		t.Fatal(err)
	}
	if got := mirrored(m).String(); got != "e3xc5xa7" {
		t.Errorf("%v", got)
	}
}

func rulesNamed(t *testing.T, name string) engine.Rules {
	t.Helper()
	rules, err := engine.ParseRules(name)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}
