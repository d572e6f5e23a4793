package ai

import (
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

// gameFrom plays moves from a position.
func gameFrom(t *testing.T, text string, moves ...string) *engine.Game {
	t.Helper()
	g := engine.NewGame(enginetest.Position(t, text, engine.Kawu))
	for _, text := range moves {
		m, err := engine.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// Three white officers against one black: won for White, unless it goes back and
// forth to a third repetition.
const threeAgainstOne = ",,,B/,,/,,,/,,/,,,/W,,/W,W,, w 0 1"

func TestWinningSideAvoidsTheThirdRepetition(t *testing.T) {
	g := gameFrom(t, threeAgainstOne,
		"b2-c3", "g7-f6", "c3-b2", "f6-g7", "b2-c3", "g7-f6", "c3-b2", "f6-g7")
	if result, _ := g.Result(); result != engine.Draw {
		t.Fatalf("result %v, but the last move repeats the position for the third time", result)
	}
	// Two plies earlier, one move of White's lets Black draw at once.
	g = gameFrom(t, threeAgainstOne,
		"b2-c3", "g7-f6", "c3-b2", "f6-g7", "b2-c3", "g7-f6")
	s := NewSearcher(smallTable)
	task := TaskFor(g)
	task.Limits.Nodes = 200_000
	r := want(t, s, task)
	if r.Best.String() == "c3-b2" {
		t.Errorf("plays %v into a draw, score %v", r.Best, r.Score)
	}
	if _, ok := r.Score.Win(); !ok && r.Score < 200 {
		t.Errorf("score %v, the position is won", r.Score)
	}
}

func TestLosingSideSeeksTheThirdRepetition(t *testing.T) {
	g := gameFrom(t, threeAgainstOne,
		"b2-c3", "g7-f6", "c3-b2", "f6-g7", "b2-c3", "g7-f6", "c3-b2")
	s := NewSearcher(smallTable)
	task := TaskFor(g)
	task.Limits.Nodes = 20_000
	r := want(t, s, task)
	if r.Best.String() != "f6-g7" || r.Score != 0 {
		t.Errorf("plays %v, score %v; f6-g7 draws", r.Best, r.Score)
	}
	task.Seen = nil // without its history, the same position is lost
	if r := want(t, s, task); r.Score > -100 {
		t.Errorf("score %v without the history", r.Score)
	}
}

func TestRepetitionIsSeenAcrossCaptures(t *testing.T) {
	games, err := enginetest.Games()
	if err != nil {
		t.Fatal(err)
	}
	s := NewSearcher(smallTable)
	tested := 0
	for _, known := range games {
		if known.Reason != "threefold" {
			continue
		}
		tested++
		g := engine.NewGame(enginetest.Position(t, known.Start, known.Rules))
		for _, text := range known.Moves[:known.Plies-1] {
			m, err := engine.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		task := TaskFor(g)
		last, _ := engine.ParseMove(known.Moves[known.Plies-1])
		p := g.Position()
		task.Lines = p.CountMoves()
		task.Limits.Depth = 2
		r := want(t, s, task)
		for _, l := range r.Lines {
			if l.Move == last && l.Score != 0 {
				t.Errorf("%s: %v repeats for the third time but scores %v", known.ID, l.Move, l.Score)
			}
		}
	}
	if tested == 0 {
		t.Error("no game with a repetition")
	}
}

func TestSixtyPliesWithoutProgressAreADraw(t *testing.T) {
	p := enginetest.Position(t, ",,,B/,,/,,,/,,/,,,/W,,/W,W,, w 59 40", engine.Kawu)
	s := NewSearcher(smallTable)
	r := want(t, s, Task{Position: p, Limits: Limits{Depth: 6}})
	if r.Score != 0 {
		t.Errorf("score %v one ply before the draw", r.Score)
	}
}

// A side without moves has lost, even after the last of the 60 plies.
func TestLastOfTheSixtyPliesMayWin(t *testing.T) {
	p := enginetest.Position(t, ",,,b/,,W/,,,/,,w/,,,/,,/,,, w 59 40", engine.Kawu)
	s := NewSearcher(smallTable)
	r := want(t, s, Task{Position: p, Limits: Limits{Depth: 6}})
	if r.Best.String() != "f4-e5" || r.Score != WinIn(1) {
		t.Errorf("plays %v, score %v; f4-e5 takes the last move from Black", r.Best, r.Score)
	}
}
