package match

import (
	"math/rand/v2"
	"testing"

	"github.com/lascabot/lascabot/engine"
)

func TestARefusedUndoPauses(t *testing.T) {
	asked := func() Match { return do(t, running(t, 3), RequestUndo{white, 2}) }
	t.Run("the side that was refused waits, the other does not", func(t *testing.T) {
		m := do(t, asked(), DeclineUndo{black})
		for range UndoPause {
			to, _ := m.UndoPly(white)
			refuse(t, m, RequestUndo{white, to}, t0, ErrRequestTooSoon)
			to, _ = m.UndoPly(black)
			do(t, m, RequestUndo{black, to})
			m = advance(t, m, 1)
		}
		to, _ := m.UndoPly(white)
		do(t, m, RequestUndo{white, to})
	})
	t.Run("a move in place of an answer refuses", func(t *testing.T) {
		m := advance(t, asked(), 1) // Black's
		refuse(t, m, RequestUndo{white, 2}, t0, ErrRequestTooSoon)
	})
	t.Run("a request that one's own move withdraws was not refused", func(t *testing.T) {
		m := do(t, running(t, 3), RequestUndo{black, 1})
		m = advance(t, m, 1) // Black moves instead of waiting
		do(t, m, RequestUndo{black, 3})
	})
	t.Run("taking back does not lengthen the pause", func(t *testing.T) {
		m := do(t, running(t, 5), RequestUndo{white, 4}, DeclineUndo{black}, RequestUndo{black, 1}, AcceptUndo{white})
		m = advance(t, m, UndoPause-1)
		refuse(t, m, RequestUndo{white, 4}, t0, ErrRequestTooSoon)
		do(t, advance(t, m, 1), RequestUndo{white, 4})
	})
	t.Run("an undo that was granted may be asked for again", func(t *testing.T) {
		m := advance(t, do(t, asked(), AcceptUndo{black}), 1)
		do(t, m, RequestUndo{white, 2})
	})
}

func TestUndoAgainstTheMachineGoesBackToTheLastRealChoice(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 32))
	skipped := 0
	for range 30 {
		m := against(t, 0)
		var choices []int // Ann's plies with a choice
		for m.Phase == Playing && len(m.Moves) < 60 {
			moves := legal(m)
			if m.Turn() == white && len(moves) > 1 {
				choices = append(choices, len(m.Moves))
			}
			m = do(t, m, Play{m.Turn(), moves[rng.IntN(len(moves))]})
			if m.Phase != Playing {
				break
			}
			to, ok := m.UndoPly(white)
			if want := choices[len(choices)-1]; !ok || to != want {
				t.Fatalf("after %v Ann goes back to ply %d (%t), want %d", m.Moves, to, ok, want)
			}
			if to < len(m.Moves)-2 {
				skipped++
			}
			back := do(t, m, RequestUndo{white, to})
			if len(legal(back)) < 2 {
				t.Fatal("there is nothing to choose")
			}
		}
	}
	if skipped == 0 {
		t.Error("no game had a forced move to skip")
	}
	t.Run("who never had a choice takes back the latest move", func(t *testing.T) {
		// Ann's only column has one way to go.
		s := engine.StartSetup(engine.Kawu)
		clear(s.Stacks[:])
		s.Stacks[square(t, "a1")] = engine.StackOf(engine.WhiteSoldier)
		s.Stacks[square(t, "f6")] = engine.StackOf(engine.BlackSoldier)
		m, err := Start(New{ID: "m", Seats: [2]Seat{ann, machine}, By: white, Start: &s}, t0)
		if err != nil {
			t.Fatal(err)
		}
		m = advance(t, m, 2)
		if to, ok := m.UndoPly(white); !ok || to != 0 {
			t.Errorf("ply %d, %t", to, ok)
		}
	})
}

func square(t *testing.T, name string) engine.Square {
	t.Helper()
	sq, err := engine.ParseSquare(name)
	if err != nil {
		t.Fatal(err)
	}
	return sq
}
