package ai

import (
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

func TestLevelsAreOneToEight(t *testing.T) {
	levels := Levels()
	if len(levels) != 8 || levels[0] != 1 || levels[7] != 8 {
		t.Errorf("levels %v", levels)
	}
	last := int64(0)
	for _, l := range levels {
		if l.Nodes() <= last {
			t.Errorf("level %d looks at %d positions, the one below at %d", l, l.Nodes(), last)
		}
		last = l.Nodes()
	}
	if Level(0).Nodes() != 0 || Level(9).Nodes() != 0 {
		t.Error("a level that does not exist has nodes")
	}
}

func TestLevelKeepsToItsNodesAndDepth(t *testing.T) {
	s := NewSearcher(smallTable)
	for i, task := range midgames(t, 24) {
		task.Level = Level(i%7 + 1)
		r := want(t, s, task)
		p := task.Level.profile()
		if r.Nodes > p.nodes+200 && r.Depth > 1 || p.depth > 0 && r.Depth > p.depth {
			t.Errorf("level %d: %d nodes, depth %d", task.Level, r.Nodes, r.Depth)
		}
	}
}

func TestOpeningsOfALevelVaryWithTheSeed(t *testing.T) {
	s := NewSearcher(smallTable)
	for _, l := range Levels() {
		plies, nodes := 7, int64(0)
		if l.listed() { // what it chooses from the list does not depend on the search
			plies, nodes = openingPlies, 100
		}
		first := map[engine.Key]bool{}
		for seed := range uint64(12) {
			g := engine.NewGame(engine.Start(engine.Kawu))
			for range plies {
				task := TaskFor(g)
				task.Level, task.Seed, task.Limits.Nodes = l, seed, nodes
				if err := g.Play(want(t, s, task).Best); err != nil {
					t.Fatal(err)
				}
			}
			p := g.Position()
			first[p.Key()] = true
		}
		if len(first) < 3 {
			t.Errorf("level %d: %d different openings of 12", l, len(first))
		}
	}
}

// A set-up starts at move 1, as a game does. That must not make a level lose
// earlier or win later than it can.
func TestProvenMovesDoNotVaryWithTheSeed(t *testing.T) {
	s := NewSearcher(smallTable)
	for _, text := range []string{
		",,W,B/,,/,,,/,,/,,,/W,B,/,W,, b 0 1", // lost in 14 or in 6
		",,W,/,,/,,,/,,/,,W,W/,,/,,B,B b 0 1", // in 12 or in 4
		",,W,/B,,/W,,,/,,/,,,B/,W,/,,, b 0 1", // in 14 or in 6
	} {
		p := enginetest.Position(t, text, engine.Kawu)
		for seed := range uint64(12) {
			r := want(t, s, Task{Position: p, Level: 8, Seed: seed, Lines: 3})
			_, wins := r.Score.Win()
			_, loses := r.Score.Loss()
			if !wins && !loses {
				t.Errorf("%s, seed %d: nothing is proven", text, seed)
			}
			if best := r.Lines[0]; r.Score != best.Score {
				t.Errorf("%s, seed %d: plays %v, %v; best is %v, %v", text, seed, r.Best, r.Score, best.Move, best.Score)
			}
		}
	}
}

// With the same seed a move is overlooked again; with others it is seen.
func TestOversightDependsOnPositionAndSeed(t *testing.T) {
	p := enginetest.Position(t, "b,b,b,b/b,b,b/,,,/,,/w,,w,/w,w,/w,w,, w 0 10", engine.Kawu)
	seen, missed := 0, 0
	for seed := range uint64(200) {
		var lists [2]int
		for i := range lists {
			n := &node{pos: p}
			n.count = len(n.pos.AppendMoves(n.moves[:0]))
			Level(1).sight(seed).overlook(n, false)
			lists[i] = n.count
		}
		if lists[0] != lists[1] {
			t.Fatalf("seed %d: %d moves seen, then %d", seed, lists[0], lists[1])
		}
		if lists[0] == p.CountMoves() {
			seen++
		} else {
			missed++
		}
	}
	if seen == 0 || missed == 0 {
		t.Errorf("%d seeds see every move, %d miss some", seen, missed)
	}
}

func TestWeakLevelsOverlookLongAndBackwardJumpsMost(t *testing.T) {
	s := Level(2).sight(1)
	p := enginetest.Position(t, "b,,Wbb,b/b,bb,/,,,/,b,w/w,wb,,bw/w,,/,w,Bwww,w w 0 1", engine.Kawu)
	chance := map[string]int{}
	for _, m := range p.Moves() {
		chance[m.String()] = s.chance(&p, m)
	}
	long, back := chance["e7xc5xe7"], chance["c3xe5xc7"]
	if long <= s.other || back <= s.other {
		t.Errorf("chances %v, other moves %d", chance, s.other)
	}
}

func TestHighestLevelsSeeEverything(t *testing.T) {
	p := engine.Start(engine.Kawu)
	for _, l := range Levels()[6:] {
		for _, m := range p.Moves() {
			if c := l.sight(1).chance(&p, m); c != 0 {
				t.Errorf("level %d overlooks %v in %d of 1,000", l, m, c)
			}
		}
	}
}
