package engine_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

func TestMasksAgreeWithSquares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := enginetest.Positions().Draw(t, "position")
		var own [2]uint32
		var officers uint32
		for sq := range engine.Square(engine.NumSquares) {
			bit := uint32(1) << sq.Bit()
			if p.StackAt(sq.Bit()) != p.Stack(sq) {
				t.Fatalf("bit %d is not %v", sq.Bit(), sq)
			}
			if opposite := engine.NumSquares - 1 - sq; opposite.Bit() != engine.NumBits-1-sq.Bit() {
				t.Fatalf("half a turn maps %v to bit %d", sq, engine.NumBits-1-sq.Bit())
			}
			top, ok := p.Stack(sq).Top()
			if ok {
				own[top.Color()] |= bit
			}
			if ok && top.IsOfficer() {
				officers |= bit
			}
		}
		if p.Commanded(engine.White) != own[engine.White] || p.Commanded(engine.Black) != own[engine.Black] || p.Officers() != officers {
			t.Fatalf("commanded %x and %x, officers %x, want %x and %x, %x",
				p.Commanded(engine.White), p.Commanded(engine.Black), p.Officers(), own[0], own[1], officers)
		}
		for _, m := range p.Moves() {
			for i, sq := range m.Path() {
				if m.Bit(i) != sq.Bit() {
					t.Fatalf("%v: bit %d of square %d", m, m.Bit(i), i)
				}
			}
		}
	})
}

func TestHashAfterAStepIsTheHashOfThePositionAfterIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := enginetest.Positions().Draw(t, "position")
		for _, m := range p.Moves() {
			if m.IsCapture() {
				continue
			}
			next := p
			next.MakeUnchecked(m)
			if got := p.HashAfter(m); got != next.Hash() {
				t.Fatalf("%v: %x, want %x", m, got, next.Hash())
			}
		}
	})
}
