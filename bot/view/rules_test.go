package view

import (
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/render"
)

// position returns the position that a page of the rules shows, counted from 0.
func position(t *testing.T, page int) engine.Position {
	t.Helper()
	p, err := rulesPages[page].scene.Board.Position()
	if err != nil {
		t.Fatalf("page %d: %v", page+1, err)
	}
	return p
}

func TestRulesPagesShowWhatTheySay(t *testing.T) {
	t.Run("page 1 is the start", func(t *testing.T) {
		if position(t, 0) != engine.Start(engine.Kawu) {
			t.Error("it is not")
		}
	})
	t.Run("page 2 marks where the officer may go", func(t *testing.T) {
		s := rulesPages[1].scene
		p := position(t, 1)
		next, _ := p.Continue(squaresOf(s.Picked))
		if render.Squares(next...) != s.Targets {
			t.Errorf("it may go to %v", next)
		}
	})
	t.Run("page 3 shows a legal capture", func(t *testing.T) {
		s := rulesPages[2].scene
		p := position(t, 2)
		if _, err := p.Play(s.Hint); err != nil {
			t.Error(err)
		}
		columns, _ := p.Continue(nil)
		if !p.MustCapture() || render.Squares(columns...) != s.Must {
			t.Errorf("the columns that can are %v", columns)
		}
	})
	t.Run("page 4 follows from page 3", func(t *testing.T) {
		p := position(t, 2)
		next, err := p.Play(rulesPages[2].scene.Hint)
		if err != nil {
			t.Fatal(err)
		}
		s := rulesPages[3].scene
		if next.Setup().Stacks != s.Board.Stacks || next.Turn() != s.Board.Turn || s.Last != rulesPages[2].scene.Hint {
			t.Errorf("after %v the board is another", s.Last)
		}
	})
	t.Run("page 5 is lost for White", func(t *testing.T) {
		p := position(t, 4)
		if p.Turn() != engine.White || p.CountMoves() != 0 || rulesPages[4].scene.Result != engine.BlackWins {
			t.Errorf("%v is to move and has %d moves", p.Turn(), p.CountMoves())
		}
	})
}
