package eval

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

func value(e *Evaluator, p engine.Position) int {
	var st State
	e.Reset(&st, &p)
	return e.Value(&st, &p)
}

// turned gives every piece to the other side and turns the board by half a
// turn. That does not change what a position is worth to the side to move.
func turned(s engine.Setup) engine.Setup {
	out := s
	out.Turn = s.Turn.Other()
	for i, stack := range s.Stacks {
		var pieces []engine.Piece
		for p := range stack.All() {
			pieces = append(pieces, p^1)
		}
		out.Stacks[engine.NumSquares-1-i] = engine.StackOf(pieces...)
	}
	return out
}

func TestValueIsTheSameFromTheOtherSideOfTheBoard(t *testing.T) {
	e := New(Default()[engine.Kawu])
	rapid.Check(t, func(t *rapid.T) {
		p := enginetest.Positions().Draw(t, "position")
		q, err := turned(p.Setup()).Position()
		if err != nil {
			t.Fatal(err)
		}
		if a, b := value(e, p), value(e, q); a-b > 1 || b-a > 1 { // rounding
			t.Fatalf("%d, turned round %d", a, b)
		}
	})
}

// The pinned values change only with the weights.
func TestPinnedValues(t *testing.T) {
	for _, c := range pinned {
		var got [engine.NumRules]int
		for _, r := range engine.AllRules() {
			got[r] = value(New(Default()[r]), enginetest.Position(t, c.position, r))
		}
		if got != c.values {
			t.Errorf("%s: %v, want %v", c.position, got, c.values)
		}
	}
}

func TestValueFadesAsTheDrawComesNearer(t *testing.T) {
	e := New(Default()[engine.Kawu])
	near := value(e, enginetest.Position(t, ",,,B/,,/,,,/,,/,,,/W,,/W,W,, w 58 60", engine.Kawu))
	far := value(e, enginetest.Position(t, ",,,B/,,/,,,/,,/,,,/W,,/W,W,, w 0 60", engine.Kawu))
	if near <= 0 || near >= far {
		t.Errorf("%d two plies before the draw, %d with all of them to go", near, far)
	}
}

func FuzzValueStaysInBounds(f *testing.F) {
	f.Add([]byte("lasca"))
	e := New(Default()[engine.Kawu])
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := enginetest.SetupFromBytes(data).Position()
		if err != nil {
			return // nothing to value
		}
		if v := value(e, p); v > 30000 || v < -30000 {
			t.Errorf("%d points", v)
		}
	})
}
