package engine_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
	"github.com/lascabot/lascabot/engine/notation"
)

// failer is a test, a fuzz target or a rapid property.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkPosition checks everything that holds in every position.
func checkPosition(t failer, p engine.Position) {
	t.Helper()
	text := notation.FormatPosition(p.Setup())
	moves := p.Moves()

	// The moves and the positions after them are those of the slow rules.
	slow := enginetest.ReferenceOf(p.Setup()).Successors()
	fast := map[string]string{}
	for _, m := range moves {
		next, err := p.Play(m)
		if err != nil {
			t.Fatalf("%s: %v is listed and refused: %v", text, m, err)
		}
		if _, twice := fast[m.String()]; twice {
			t.Fatalf("%s: %v is listed twice", text, m)
		}
		fast[m.String()] = notation.FormatPosition(next.Setup())

		checkJumps(t, p, m, next)
		scratch, err := next.Setup().Position()
		if err != nil {
			t.Fatalf("%s: %v leads to an illegal position: %v", text, m, err)
		}
		if scratch != next {
			t.Fatalf("%s: after %v the running position is not the one set up: hash %x, want %x", text, m, next.Hash(), scratch.Hash())
		}
	}
	want := map[string]string{}
	for m, r := range slow {
		r.Number = min(r.Number, engine.MaxNumber)
		want[m] = r.String()
	}
	if diff := cmp.Diff(want, fast); diff != "" {
		t.Fatalf("%s under %v: moves and positions (-slow +fast)\n%s", text, p.Rules(), diff)
	}

	// All counts and questions agree with the list of moves.
	if n := p.CountMoves(); n != len(moves) {
		t.Fatalf("%s under %v: CountMoves %d, %d moves", text, p.Rules(), n, len(moves))
	}
	if n := engine.Perft(p, 1); n != uint64(len(moves)) {
		t.Fatalf("%s under %v: Perft %d, %d moves", text, p.Rules(), n, len(moves))
	}
	if n := engine.Perft(p, 2); n != slowPerft(p, 2) {
		t.Fatalf("%s under %v: Perft 2 %d, want %d", text, p.Rules(), n, slowPerft(p, 2))
	}
	if p.HasMoves() != (len(moves) > 0) {
		t.Fatalf("%s: HasMoves %v, %d moves", text, p.HasMoves(), len(moves))
	}
	captures := slices.ContainsFunc(moves, engine.Move.IsCapture)
	if p.MustCapture() != captures {
		t.Fatalf("%s: MustCapture %v", text, p.MustCapture())
	}
	turned := p.Setup()
	turned.Turn = turned.Turn.Other()
	if other, err := turned.Position(); err != nil || p.CanCapture(p.Turn()) != captures || p.CanCapture(turned.Turn) != other.MustCapture() {
		t.Fatalf("%s: CanCapture %v and %v for the other side, %v", text, p.CanCapture(p.Turn()), p.CanCapture(turned.Turn), err)
	}
	checkContinue(t, p, moves)
}

// checkJumps checks what a move says about its jumps against the position after it.
func checkJumps(t failer, p engine.Position, m engine.Move, next engine.Position) {
	t.Helper()
	if !m.Valid() {
		t.Fatalf("%v is legal but not valid", m)
	}
	var jumped uint32
	for i := range m.Jumps() {
		jumped |= 1 << m.Over(i).Bit()
	}
	if m.Jumped() != jumped {
		t.Fatalf("%v jumps over %b, want %b", m, m.Jumped(), jumped)
	}
	if !m.IsCapture() {
		return
	}
	drawn, want := p.Setup(), next.Setup()
	drawn.Jump(m)
	if top, _ := want.Stacks[m.To()].Top(); top.IsOfficer() { // it may have been promoted
		pieces := slices.Collect(drawn.Stacks[m.To()].All())
		pieces[0] = top
		drawn.Stacks[m.To()] = engine.StackOf(pieces...)
	}
	if drawn.Stacks != want.Stacks {
		t.Fatalf("the jumps of %v give %v, the move %v", m, drawn.Stacks, want.Stacks)
	}
}

// checkContinue walks every path square by square.
func checkContinue(t failer, p engine.Position, moves []engine.Move) {
	t.Helper()
	for _, m := range moves {
		path := m.Path()
		for n := range path {
			next, fits := p.Continue(path[:n])
			if !slices.Contains(next, path[n]) || !slices.Contains(fits, m) {
				t.Fatalf("after %v of %v: next %v, moves %v", path[:n], m, next, fits)
			}
			if !slices.IsSorted(next) {
				t.Fatalf("after %v of %v: next is not in board order: %v", path[:n], m, next)
			}
		}
		if next, fits := p.Continue(path); len(next) != 0 || len(fits) != 1 || fits[0] != m {
			t.Fatalf("after all of %v: next %v, moves %v", m, next, fits)
		}
	}
	if _, fits := p.Continue(nil); len(fits) != len(moves) {
		t.Fatalf("nothing entered yet: %d of %d moves", len(fits), len(moves))
	}
}

func TestMovesAreValidWhenNewMoveMakesThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := engine.Move(rapid.Uint64().Draw(t, "any number"))
		if rapid.Bool().Draw(t, "nearly a move") {
			path := []engine.Square{12}
			for range rapid.IntRange(1, engine.MaxPath).Draw(t, "squares") {
				at := path[len(path)-1]
				by := rapid.SampledFrom([]int{-2, -1, 1, 2}).Draw(t, "by")
				if s, ok := engine.SquareAt(at.File()+by, at.Rank()+rapid.SampledFrom([]int{by, -by}).Draw(t, "up")); ok {
					path = append(path, s)
				}
			}
			made, err := engine.NewMove(path...)
			if err == nil && !made.Valid() {
				t.Fatalf("NewMove made %v, which is not valid", made)
			}
			m = made ^ 1<<rapid.IntRange(0, 63).Draw(t, "a bit of it")
		}
		path := make([]engine.Square, 0, 16)
		for i := range m.Len() {
			path = append(path, m.At(i))
		}
		made, err := engine.NewMove(path...)
		if want := err == nil && made == m; m.Valid() != want {
			t.Fatalf("%x, %v: valid is %v, want %v", uint64(m), path, m.Valid(), want)
		}
	})
}

func TestMovesAreThoseOfTheSlowRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkPosition(t, enginetest.Positions().Draw(t, "position")) })
}

func FuzzSetup(f *testing.F) {
	f.Add([]byte("\x00\x04\x09\x31\x11\x52\x61"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := enginetest.SetupFromBytes(data).Position()
		if err != nil {
			t.Fatal(err)
		}
		checkPosition(t, p)
	})
}

func FuzzPlayout(f *testing.F) {
	f.Add([]byte("\x01\x02\x03\x04\x05\x06\x07\x08\x09"))
	f.Add([]byte("\x02the quick brown fox jumps over the lazy dog"))
	f.Fuzz(func(t *testing.T, data []byte) {
		positions, moves := enginetest.PlayoutFromBytes(data[:min(len(data), 150)])
		checkPosition(t, positions[len(positions)-1])
		if _, err := positions[0].Setup().Position(); err != nil {
			t.Fatal(err)
		}
		checkGameLaws(t, positions[0], moves)
	})
}

// checkGameLaws plays moves under the draw rules of both implementations.
func checkGameLaws(t failer, start engine.Position, moves []engine.Move) {
	t.Helper()
	g := engine.NewGame(start)
	history := []enginetest.Reference{enginetest.ReferenceOf(start.Setup())}
	for i, m := range moves {
		slowResult, slowReason := enginetest.Outcome(history)
		result, reason := g.Result()
		if result == engine.Ongoing && slowResult != "" || result != engine.Ongoing && result.String() != slowResult || reason.String() != slowReason {
			t.Fatalf("after %d plies: %v by %q, want %s by %q", i, result, reason, slowResult, slowReason)
		}
		err := g.Play(m)
		if result != engine.Ongoing {
			if err == nil {
				t.Fatalf("ply %d is played after the end", i+1)
			}
			return
		}
		if err != nil {
			t.Fatalf("ply %d: %v", i+1, err)
		}
		pos := g.Position()
		history = append(history, enginetest.ReferenceOf(pos.Setup()))
	}
}

func TestGamesEndAsBySlowRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := enginetest.Playouts().Draw(t, "game")
		if rapid.Bool().Draw(t, "shuffling") {
			// Few choices make repetitions and long runs without progress.
			for i, b := range data[1:] {
				data[i+1] = b % 2
			}
		}
		positions, moves := enginetest.PlayoutFromBytes(data)
		checkGameLaws(t, positions[0], moves)
	})
}

func TestKeysAreEqualExactlyForEqualBoards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := enginetest.Positions().Draw(t, "a"), enginetest.Positions().Draw(t, "b")
		a, b := p.Setup(), q.Setup()
		if rapid.Bool().Draw(t, "alike") {
			b = a
			// One small change that a key might miss, or no change.
			i, j := rapid.IntRange(0, 24).Draw(t, "i"), rapid.IntRange(0, 24).Draw(t, "j")
			switch rapid.IntRange(0, 3).Draw(t, "change") {
			case 0:
				b.Stacks[i], b.Stacks[j] = b.Stacks[j], b.Stacks[i]
			case 1:
				b.Turn = b.Turn.Other()
			case 2:
				b.Quiet, b.Number, b.Rules = 3, 77, engine.Lasker
			}
		}
		q, err := b.Position()
		if err != nil {
			return // the change has put a soldier on its far rank
		}
		same := a.Stacks == b.Stacks && a.Turn == b.Turn
		if (p.Key() == q.Key()) != same {
			t.Fatalf("keys equal: %v, boards equal: %v", p.Key() == q.Key(), same)
		}
		if same && p.Hash() != q.Hash() {
			t.Fatalf("equal boards have hashes %x and %x", p.Hash(), q.Hash())
		}
		if !same && p.Hash() == q.Hash() {
			t.Fatalf("different boards share the hash %x", p.Hash())
		}
	})
}

func TestParseOfFormatIsTheMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := enginetest.Positions().Draw(t, "position")
		for _, m := range p.Moves() {
			if got, err := engine.ParseMove(m.String()); err != nil || got != m {
				t.Fatalf("%v reads as %v, %v", m, got, err)
			}
			if got, err := engine.NewMove(m.Path()...); err != nil || got != m {
				t.Fatalf("the path of %v makes %v, %v", m, got, err)
			}
			if m.From() != m.At(0) || m.To() != m.At(m.Len()-1) || m.IsCapture() != (m.Jumps() > 0) {
				t.Fatalf("%v: from %v to %v, capture %v, %d jumps", m, m.From(), m.To(), m.IsCapture(), m.Jumps())
			}
			for i := range m.Jumps() {
				a, over, b := m.At(i), m.Over(i), m.At(i+1)
				if over.File()*2 != a.File()+b.File() || over.Rank()*2 != a.Rank()+b.Rank() {
					t.Fatalf("%v: jump %d is over %v", m, i, over)
				}
			}
		}
	})
}

func FuzzParseMove(f *testing.F) {
	for _, seed := range []string{"c3-d4", "c3xe5xg7", "c3xe5xc3", "c3-e5", "", "x", "c3xd4", "a1-b2-c3", "c4-d5", "9-13", "c3-d4 "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := engine.ParseMove(text)
		if (err == nil) != (m != 0) {
			t.Fatalf("%q: %v, %v", text, m, err)
		}
		if err == nil && m.String() != text {
			t.Fatalf("%q reads as %v", text, m)
		}
	})
}
