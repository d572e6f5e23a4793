package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

func play(t *testing.T, g *engine.Game, moves string) {
	t.Helper()
	for text := range strings.FieldsSeq(moves) {
		m, err := engine.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Play(m); err != nil {
			t.Fatal(err)
		}
	}
}

func expect(t *testing.T, g *engine.Game, result engine.Result, reason engine.Reason) {
	t.Helper()
	if r, why := g.Result(); r != result || why != reason {
		t.Errorf("%v by %q, want %v by %q", r, why, result, reason)
	}
}

func TestGameEnds(t *testing.T) {
	t.Run("side_without_a_column_loses", func(t *testing.T) {
		g := engine.NewGame(enginetest.Position(t, ",,,/,,/,,,/,b,/,w,,/,,/,,, w 0 1", engine.Kawu))
		play(t, g, "c3xe5")
		expect(t, g, engine.WhiteWins, engine.NoMoves)
	})
	t.Run("side_whose_columns_are_all_blocked_loses", func(t *testing.T) {
		g := engine.NewGame(enginetest.Position(t, ",,,/,,/b,,,/,,/w,w,,/,,/,,, w 0 1", engine.Kawu))
		play(t, g, "a3-b4")
		expect(t, g, engine.WhiteWins, engine.NoMoves)
	})
	t.Run("third_occurrence_draws", func(t *testing.T) {
		g := engine.NewGame(enginetest.Position(t, "B,,,/,,/,,,/,,/,,,/,,/,,,W w 0 1", engine.Kawu))
		shuffle := "g1-f2 a7-b6 f2-g1 b6-a7 "
		play(t, g, shuffle)
		if n := g.Occurrences(); n != 2 {
			t.Errorf("the start has occurred %d times, want 2", n)
		}
		expect(t, g, engine.Ongoing, engine.NotOver)
		play(t, g, shuffle)
		expect(t, g, engine.Draw, engine.Repetition)
	})
	t.Run("sixtieth_ply_without_progress_draws", func(t *testing.T) {
		g := engine.NewGame(enginetest.Position(t, "B,,,/,,/,,,/,,/,,,/,,/,,,W w 58 40", engine.Kawu))
		play(t, g, "g1-f2")
		expect(t, g, engine.Ongoing, engine.NotOver)
		play(t, g, "a7-b6")
		expect(t, g, engine.Draw, engine.NoProgress)
	})
	t.Run("loss_comes_before_the_draws", func(t *testing.T) {
		g := engine.NewGame(enginetest.Position(t, ",,,/,,/,,,/,,/b,W,,/,,/,W,, w 59 100", engine.Kawu))
		play(t, g, "c3-b2")
		expect(t, g, engine.WhiteWins, engine.NoMoves)
	})
	t.Run("no_move_is_taken_after_the_end", func(t *testing.T) {
		g := engine.NewGame(enginetest.Position(t, "B,,,/,,/,,,/,,/,,,/,,/,,,W w 60 40", engine.Kawu))
		expect(t, g, engine.Draw, engine.NoProgress)
		m, _ := engine.ParseMove("g1-f2")
		if err := g.Play(m); !errors.Is(err, engine.ErrIllegalMove) {
			t.Errorf("error %v", err)
		}
	})
}

func TestIllegalMoveLeavesTheGameAlone(t *testing.T) {
	g := engine.NewGame(engine.Start(engine.Kawu))
	play(t, g, "c3-d4")
	before := g.Position()
	m, _ := engine.ParseMove("c5-b4")
	if err := g.Play(m); !errors.Is(err, engine.ErrIllegalMove) {
		t.Errorf("error %v", err)
	}
	if g.Position() != before || len(g.Moves()) != 1 {
		t.Error("the game has changed")
	}
}

func TestReplayNamesThePly(t *testing.T) {
	a, _ := engine.ParseMove("c3-d4")
	g, err := engine.Replay(engine.Start(engine.Kawu), []engine.Move{a, a})
	if !errors.Is(err, engine.ErrIllegalMove) || !strings.Contains(err.Error(), "ply 2") {
		t.Errorf("error %v", err)
	}
	if len(g.Moves()) != 1 {
		t.Errorf("%d moves", len(g.Moves()))
	}
}

func TestCloneIsIndependent(t *testing.T) {
	g := engine.NewGame(enginetest.Position(t, "B,,,/,,/,,,/,,/,,,/,,/,,,W w 0 1", engine.Kawu))
	shuffle := "g1-f2 a7-b6 f2-g1 b6-a7 "
	play(t, g, shuffle)
	c := g.Clone()
	play(t, c, shuffle)
	expect(t, c, engine.Draw, engine.Repetition)
	expect(t, g, engine.Ongoing, engine.NotOver)
	play(t, g, "g1-f2 a7-b6 f2-e1 b6-a7")
	expect(t, g, engine.Ongoing, engine.NotOver)
	if start := c.Start(); start.Number() != 1 || len(c.Moves()) != 8 {
		t.Errorf("start %d, %d moves", start.Number(), len(c.Moves()))
	}
}

func TestResultText(t *testing.T) {
	for _, text := range []string{"*", "1-0", "0-1", "1/2-1/2"} {
		r, ok := engine.ParseResult(text)
		if !ok || r.String() != text {
			t.Errorf("%q reads as %v, %v", text, r, ok)
		}
	}
	if _, ok := engine.ParseResult("1–0"); ok {
		t.Error("a dash reads as a result")
	}
	if engine.Wins(engine.Black) != engine.BlackWins || engine.Wins(engine.White) != engine.WhiteWins {
		t.Error("Wins mixes up the sides")
	}
}
