package ai

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

const smallTable = 1 << 20

// want searches and fails the test on an error.
func want(t testing.TB, s *Searcher, task Task) Report {
	t.Helper()
	r, err := s.Search(context.Background(), task)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// playable reports whether a line is legal from a position.
func playable(p engine.Position, line []engine.Move) error {
	for _, m := range line {
		next, err := p.Play(m)
		if err != nil {
			return err
		}
		p = next
	}
	return nil
}

func TestEveryBestMoveIsLegal(t *testing.T) {
	positions, err := enginetest.MovesOfPositions()
	if file := os.Getenv("LASCA_POSITIONS"); file != "" { // more positions, in the same format
		var data []byte
		if data, err = os.ReadFile(file); err == nil {
			positions, err = enginetest.ReadMovesOfPositions(string(data))
		}
	}
	if err != nil || len(positions) == 0 {
		t.Fatalf("%d positions: %v", len(positions), err)
	}
	s := NewSearcher(smallTable)
	for i, known := range positions {
		for _, rules := range engine.AllRules() {
			p := enginetest.Position(t, known.Position, rules)
			legal := known.Moves[rules]
			r, err := s.Search(context.Background(), Task{Position: p, Limits: Limits{Nodes: 200}, Level: Level(i % 9), Lines: i % 4})
			if len(legal) == 0 {
				if !errors.Is(err, ErrNoMoves) {
					t.Errorf("%s: error %v, want ErrNoMoves", known.ID, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", known.ID, err)
			}
			if !slices.ContainsFunc(legal, func(m [2]string) bool { return m[0] == r.Best.String() }) {
				t.Errorf("%s %v: %v is not among %v", known.ID, rules, r.Best, legal)
			}
			if r.PV[0] != r.Best {
				t.Errorf("%s: line %v does not begin with %v", known.ID, r.PV, r.Best)
			}
			if err := playable(p, r.PV); err != nil {
				t.Errorf("%s: line %v: %v", known.ID, r.PV, err)
			}
			for _, l := range r.Lines {
				if err := playable(p, l.PV); err != nil || len(l.PV) == 0 || l.PV[0] != l.Move {
					t.Errorf("%s: line %v: %v", known.ID, l.PV, err)
				}
			}
		}
	}
}

func TestBestMoveIsLegalInAnySetup(t *testing.T) {
	s := NewSearcher(smallTable)
	rapid.Check(t, func(t *rapid.T) {
		p := enginetest.Positions().Draw(t, "position")
		task := Task{Position: p, Limits: Limits{Nodes: 300}, Level: Level(rapid.IntRange(0, len(profiles)).Draw(t, "level"))}
		r, err := s.Search(context.Background(), task)
		if !p.HasMoves() {
			if !errors.Is(err, ErrNoMoves) {
				t.Fatalf("error %v, want ErrNoMoves", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := playable(p, r.PV); err != nil || r.PV[0] != r.Best {
			t.Fatalf("best %v, line %v: %v", r.Best, r.PV, err)
		}
	})
}

func TestTaskWithoutALimitIsRefused(t *testing.T) {
	s := NewSearcher(smallTable)
	start := engine.Start(engine.Kawu)
	for name, c := range map[string]struct {
		task Task
		want error
	}{
		"no limit":      {Task{Position: start}, ErrNoLimits},
		"level limits":  {Task{Position: start, Level: 1}, nil},
		"unknown level": {Task{Position: start, Level: Level(len(profiles) + 1), Limits: Limits{Depth: 1}}, ErrLevel},
		"below 0":       {Task{Position: start, Level: -1, Limits: Limits{Depth: 1}}, ErrLevel},
		"empty board":   {Task{Limits: Limits{Depth: 1}}, ErrNoMoves},
	} {
		if _, err := s.Search(context.Background(), c.task); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}

// midgames returns positions from random games, with their history.
func midgames(t testing.TB, n int) []Task {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 12))
	var out []Task
	for len(out) < n {
		g := engine.NewGame(engine.Start(engine.AllRules()[len(out)%3]))
		for range 10 + rng.IntN(40) {
			p := g.Position()
			moves := p.Moves()
			if len(moves) == 0 || g.Play(moves[rng.IntN(len(moves))]) != nil {
				break
			}
		}
		if result, _ := g.Result(); result == engine.Ongoing {
			out = append(out, TaskFor(g))
		}
	}
	return out
}

func TestSameTaskGivesTheSameReport(t *testing.T) {
	a, b := NewSearcher(smallTable), NewSearcher(smallTable)
	ignore := cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Elapsed" }, cmp.Ignore())
	for i, task := range midgames(t, 30) {
		task.Level = Level(i % (len(profiles) - 1))
		task.Seed = uint64(i)
		task.Lines = i % 3
		if i%2 == 0 {
			task.Limits.Nodes = 5000
		} else {
			task.Limits.Depth = 5
		}
		first := want(t, a, task)
		want(t, a, Task{Position: engine.Start(engine.Lasker), Limits: Limits{Nodes: 3000}}) // something else in between
		for name, s := range map[string]*Searcher{"same searcher": a, "another": b} {
			if d := cmp.Diff(first, want(t, s, task), ignore); d != "" {
				t.Fatalf("task %d, %s:\n%s", i, name, d)
			}
		}
	}
}

func TestNodeLimitIsKept(t *testing.T) {
	s := NewSearcher(smallTable)
	for _, task := range midgames(t, 20) {
		task.Limits.Nodes = 2000
		if r := want(t, s, task); r.Nodes > 2000+2*checkEvery {
			t.Errorf("%d nodes, limit 2,000", r.Nodes)
		}
	}
}

func TestDepthLimitIsKept(t *testing.T) {
	s := NewSearcher(smallTable)
	deepest := 0
	for _, task := range midgames(t, 20) {
		task.Limits.Depth = 4
		r := want(t, s, task)
		deepest = max(deepest, r.Depth)
		if r.Depth > 4 {
			t.Errorf("depth %d, limit 4", r.Depth)
		}
	}
	if deepest != 4 {
		t.Errorf("the deepest search reached depth %d, want 4", deepest)
	}
}

func TestCancelledSearchReturnsALegalMoveAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSearcher(smallTable)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		p := engine.Start(engine.Kawu)
		r, err := s.Search(ctx, Task{Position: p, Limits: Limits{Depth: 100}})
		if err != nil {
			t.Fatal(err)
		}
		if err := playable(p, []engine.Move{r.Best}); err != nil {
			t.Error(err)
		}
		if _, lost := r.Score.Loss(); lost {
			t.Errorf("score %v without a search", r.Score)
		}
		// In the bubble, the callback of ctx runs as soon as it can. A few
		// thousand positions take some milliseconds.
		if r.Nodes > 1_000_000 {
			t.Errorf("%d nodes after ctx ended", r.Nodes)
		}
	})
}

func TestSearchStopsWhenItsContextEnds(t *testing.T) {
	for _, threads := range []int{1, 3} {
		s := NewSearcher(smallTable)
		s.SetThreads(threads)
		ctx, cancel := context.WithCancel(context.Background())
		p := engine.Start(engine.Kawu)
		task := Task{Position: p, Limits: Limits{Depth: 90}}
		task.Progress = func(r Report) {
			if r.Depth == 5 {
				cancel()
			}
		}
		r, err := s.Search(ctx, task)
		if err != nil {
			t.Fatal(err)
		}
		if err := playable(p, r.PV); err != nil || r.Depth < 5 {
			t.Errorf("%d threads: depth %d, line %v: %v", threads, r.Depth, r.PV, err)
		}
	}
}

func TestTimeLimitEndsTheSearch(t *testing.T) {
	s := NewSearcher(smallTable)
	r := want(t, s, Task{Position: engine.Start(engine.Kawu), Limits: Limits{Time: 30 * time.Millisecond}})
	if r.Best == 0 || r.Depth >= maxPly/2 {
		t.Errorf("best %v at depth %d", r.Best, r.Depth)
	}
}

func TestSeveralThreadsFindALegalMove(t *testing.T) {
	s := NewSearcher(smallTable)
	s.SetThreads(3)
	for _, task := range midgames(t, 6) {
		task.Limits.Depth = 7
		r := want(t, s, task)
		if err := playable(task.Position, r.PV); err != nil {
			t.Error(err)
		}
	}
}

func TestPositionAllocatesNothing(t *testing.T) {
	s := NewSearcher(smallTable)
	w := s.workers[0]
	task := midgames(t, 5)[4]
	allocations := func(nodes int64) float64 {
		task.Limits.Nodes = nodes
		return testing.AllocsPerRun(5, func() { want(t, s, task) })
	}
	few, many := allocations(3000), allocations(60_000)
	// Both searches allocate their report and the lines at the root.
	if many > few+60 {
		t.Errorf("%v allocations in 3,000 nodes, %v in 60,000: nodes allocate", few, many)
	}
	if n := testing.AllocsPerRun(100, func() {
		w.push(0, w.rootMoves[0].move, true)
		w.generate(&w.nodes[1])
		w.evaluate(1)
		w.pop()
	}); n != 0 {
		t.Errorf("%v allocations for one position", n)
	}
}
