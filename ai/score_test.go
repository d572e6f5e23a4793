package ai

import (
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

func TestScoreTellsProvenResultsApart(t *testing.T) {
	if n, ok := WinIn(7).Win(); !ok || n != 7 {
		t.Errorf("win in 7: %d %v", n, ok)
	}
	if n, ok := LossIn(6).Loss(); !ok || n != 6 {
		t.Errorf("loss in 6: %d %v", n, ok)
	}
	if WinIn(3) <= WinIn(5) || LossIn(3) >= LossIn(5) || LossIn(0) >= -provenFrom {
		t.Error("a quick win is better than a slow one, a slow loss better than a quick one")
	}
	for s, text := range map[Score]string{0: "+0", -12: "-12", WinIn(1): "win in 1", LossIn(2): "loss in 2"} {
		if s.String() != text {
			t.Errorf("%q, want %q", s.String(), text)
		}
	}
}

func TestWinChanceRisesWithTheScore(t *testing.T) {
	if Score(0).WinChance() != 0.5 || WinIn(9).WinChance() != 1 || LossIn(8).WinChance() != 0 {
		t.Error("even is one half, proven is certain")
	}
	last := 0.0
	for s := Score(-2000); s <= 2000; s += 50 {
		if c := s.WinChance(); c <= last {
			t.Errorf("chance %v at %v", c, s)
		} else {
			last = c
		}
		if d := s.WinChance() + (-s).WinChance() - 1; d > 1e-9 || d < -1e-9 {
			t.Errorf("chances of both sides differ from 1 by %v", d)
		}
	}
}

// The line of a proven result is as long as the score says, and ends where the
// loser has no moves.
func TestProvenDistanceIsTheLengthOfTheLine(t *testing.T) {
	s := NewSearcher(smallTable)
	proven := 0
	for _, task := range midgames(t, 60) {
		task.Seen = nil
		task.Limits.Nodes = 50_000
		r := want(t, s, task)
		plies, ok := r.Score.Win()
		if !ok {
			plies, ok = r.Score.Loss()
		}
		if !ok || len(r.PV) < plies {
			continue // not proven, or the line was cut short by the table
		}
		proven++
		p := task.Position
		for _, m := range r.PV[:plies] {
			next, err := p.Play(m)
			if err != nil {
				t.Fatal(err)
			}
			p = next
		}
		if p.HasMoves() {
			t.Errorf("%v, but the game goes on after %v", r.Score, r.PV)
		}
		if _, win := r.Score.Win(); win != (p.Turn() != task.Position.Turn()) {
			t.Errorf("%v, but the other side has no moves", r.Score)
		}
	}
	if proven < 3 {
		t.Errorf("%d proven results, too few to tell", proven)
	}
}

// Along the best moves of a won ending, the announced distance falls with every
// ply.
func TestWonEndingIsWonInTheAnnouncedTime(t *testing.T) {
	s := NewSearcher(smallTable)
	p := enginetest.Position(t, ",,,B/,,/,,,/,,/,,,/W,,/W,W,, w 0 1", engine.Kawu)
	g := engine.NewGame(p)
	left := -1
	for ply := 0; ; ply++ {
		if result, _ := g.Result(); result != engine.Ongoing {
			if result != engine.WhiteWins {
				t.Errorf("result %v", result)
			}
			break
		}
		task := TaskFor(g)
		task.Limits.Depth = 24
		r := want(t, s, task)
		n, win := r.Score.Win()
		if !win {
			n, win = r.Score.Loss()
		}
		if !win {
			t.Fatalf("ply %d: %v is not proven", ply, r.Score)
		}
		if left >= 0 && n > left-1 {
			t.Errorf("ply %d: %d plies left after %d", ply, n, left)
		}
		left = n
		if err := g.Play(r.Best); err != nil {
			t.Fatal(err)
		}
	}
}
