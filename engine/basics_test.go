package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine"
)

// squareNames lists the squares in Lasker's order.
const squareNames = "a1 c1 e1 g1 b2 d2 f2 a3 c3 e3 g3 b4 d4 f4 a5 c5 e5 g5 b6 d6 f6 a7 c7 e7 g7"

func TestSquareNames(t *testing.T) {
	for i, name := range strings.Fields(squareNames) {
		want := engine.Square(i)
		if want.String() != name {
			t.Errorf("square %d is %v, want %s", i, want, name)
		}
		if sq, ok := engine.SquareAt(want.File(), want.Rank()); !ok || sq != want {
			t.Errorf("SquareAt(%d, %d) is %v, want %s", want.File(), want.Rank(), sq, name)
		}
		for _, text := range []string{name, strings.ToUpper(name), engine.Square(i).String()} {
			if sq, err := engine.ParseSquare(text); err != nil || sq != want {
				t.Errorf("%q reads as %v, %v", text, sq, err)
			}
		}
	}
}

func TestSquaresByLaskersNumbers(t *testing.T) {
	for text, want := range map[string]string{"1": "a1", "4": "g1", "5": "b2", "9": "c3", "13": "d4", "25": "g7"} {
		if sq, err := engine.ParseSquare(text); err != nil || sq.String() != want {
			t.Errorf("%q reads as %v, %v, want %s", text, sq, err, want)
		}
	}
}

func TestWhatIsNotASquare(t *testing.T) {
	for _, text := range []string{"", "a2", "b1", "h8", "a8", "a0", "0", "26", "-1", "+9", "09", "c3 ", " c3", "c33", "cc", "³", strings.Repeat("9", 1000)} {
		_, err := engine.ParseSquare(text)
		if !errors.Is(err, engine.ErrSquareSyntax) {
			t.Errorf("%q: error %v", text, err)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("the error quotes %d bytes", len(err.Error()))
		}
	}
	for _, at := range [][2]int{{-2, 0}, {0, -2}, {8, 0}, {0, 8}, {1, 0}, {0, 1}} {
		if sq, ok := engine.SquareAt(at[0], at[1]); ok {
			t.Errorf("SquareAt(%d, %d) is %v", at[0], at[1], sq)
		}
	}
	if engine.Square(25).Valid() || engine.Square(25).String() != "Square(25)" {
		t.Error("square 25 is valid")
	}
}

func TestStackHoldsItsPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 3), func(i int) engine.Piece { return engine.Piece(i) }), 0, 30).Draw(t, "pieces")
		s := engine.StackOf(pieces...)
		kept := pieces[:min(len(pieces), engine.MaxHeight)]
		got := append([]engine.Piece{}, slices.Collect(s.All())...)
		if diff := cmp.Diff(append([]engine.Piece{}, kept...), got); diff != "" {
			t.Fatal(diff)
		}
		if s.Height() != len(kept) {
			t.Fatalf("height %d of %d pieces", s.Height(), len(kept))
		}
		top, ok := s.Top()
		if ok != (len(kept) > 0) || ok && top != kept[0] {
			t.Fatalf("commander %v, %v of %v", top, ok, kept)
		}
		lives := 0
		for lives < len(kept) && kept[lives].Color() == kept[0].Color() {
			lives++
		}
		if s.Lives() != lives {
			t.Fatalf("%v has %d lives, want %d", s, s.Lives(), lives)
		}
		var letters string
		for _, p := range kept {
			letters += p.String()
		}
		if s.String() != letters {
			t.Fatalf("%q, want %q", s, letters)
		}
	})
}

func TestPieces(t *testing.T) {
	for _, c := range []struct {
		piece   engine.Piece
		letter  byte
		color   engine.Color
		officer bool
	}{
		{engine.WhiteSoldier, 'w', engine.White, false},
		{engine.BlackSoldier, 'b', engine.Black, false},
		{engine.WhiteOfficer, 'W', engine.White, true},
		{engine.BlackOfficer, 'B', engine.Black, true},
	} {
		p, ok := engine.PieceOf(c.letter)
		if !ok || p != c.piece || p.Letter() != c.letter || p.Color() != c.color || p.IsOfficer() != c.officer {
			t.Errorf("%c: %v, colour %v, officer %v", c.letter, p, p.Color(), p.IsOfficer())
		}
	}
	if _, ok := engine.PieceOf('x'); ok {
		t.Error("x is a piece")
	}
	if engine.Officer(engine.Black) != engine.BlackOfficer || engine.Soldier(engine.White) != engine.WhiteSoldier {
		t.Error("Officer and Soldier mix up the pieces")
	}
	if engine.White.Other() != engine.Black || engine.Black.String() != "black" || engine.White.String() != "white" {
		t.Error("colours are mixed up")
	}
}

func TestAStackIsValidWhenStackOfMakesIt(t *testing.T) {
	pieces := slices.Repeat([]engine.Piece{engine.WhiteOfficer, engine.BlackSoldier}, engine.MaxHeight)
	for n := range engine.MaxHeight + 1 {
		s := engine.StackOf(pieces[:n]...)
		if !s.Valid() || s.Height() != n {
			t.Errorf("%d pieces: %b, height %d", n, s, s.Height())
		}
		if s<<1 != 0 && (s << 1).Valid() {
			t.Errorf("%b is a column", s<<1)
		}
	}
	for _, s := range []engine.Stack{
		1, // a sentinel without pieces
		engine.StackOf(pieces[:engine.MaxHeight]...) << 2,
		1 << 63,
	} {
		if s.Valid() {
			t.Errorf("%b is a column", s)
		}
		setup := engine.Setup{Number: 1}
		setup.Stacks[12] = s
		if found := setup.Check(); len(found) != 1 || found[0].Kind != engine.BadColumn {
			t.Errorf("%b on d4: %v", s, found)
		}
	}
}

func TestWhatIsNotAPath(t *testing.T) {
	squares := func(names string) []engine.Square {
		var path []engine.Square
		for name := range strings.FieldsSeq(names) {
			sq, err := engine.ParseSquare(name)
			if err != nil {
				t.Fatal(err)
			}
			path = append(path, sq)
		}
		return path
	}
	for _, path := range [][]engine.Square{
		nil,
		squares("c3"),
		squares("c3 c3"),
		squares("c3 c5"),
		squares("c3 g7"),
		squares("c3 d4 e5"),
		squares("c3 e5 f6"),
		squares("c3 e5 c3 e5 c3 e5 c3 e5 c3 e5 c3 e5 c3"),
		{0, 25},
		{255, 0},
	} {
		if m, err := engine.NewMove(path...); !errors.Is(err, engine.ErrMoveSyntax) || m != 0 {
			t.Errorf("%v makes %v, %v", path, m, err)
		}
	}
	var none engine.Move
	if none.String() != "" || none.Len() != 0 {
		t.Errorf("no move is %q of %d squares", none, none.Len())
	}
}

func TestRulesText(t *testing.T) {
	for _, r := range engine.AllRules() {
		text, err := r.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back engine.Rules
		if err := back.UnmarshalText(text); err != nil || back != r {
			t.Errorf("%s reads as %v, %v", text, back, err)
		}
	}
	if _, err := engine.ParseRules("Kawu"); !errors.Is(err, engine.ErrRules) || !strings.Contains(err.Error(), "mindsports") {
		t.Errorf("error %v", err)
	}
	if _, err := engine.Rules(3).MarshalText(); !errors.Is(err, engine.ErrRules) {
		t.Errorf("error %v", err)
	}
}

func TestSetupIsRefusedNamingEveryReason(t *testing.T) {
	s := engine.StartSetup(engine.Kawu)
	s.Stacks[24] = engine.StackOf(engine.WhiteSoldier, engine.BlackSoldier) // g7
	s.Stacks[0] = engine.StackOf(engine.BlackSoldier)                       // a1
	s.Stacks[12] = 2                                                        // the sentinel is not above whole pieces
	s.Stacks[1] = engine.StackOf(engine.BlackOfficer, engine.WhiteSoldier, engine.WhiteSoldier)
	s.Turn, s.Quiet, s.Number, s.Rules = 2, -1, 0, 3
	_, err := s.Position()
	var refused *engine.SetupError
	if !errors.As(err, &refused) || !errors.Is(err, engine.ErrSetup) {
		t.Fatalf("error %v", err)
	}
	want := []string{
		"a1 has a black soldier in command on its far rank",
		"d4 does not hold a column",
		"g7 has a white soldier in command on its far rank",
		"12 white pieces; at most 11 are allowed",
		"13 black pieces; at most 11 are allowed",
		"the side to move is neither white nor black",
		"the number of plies without capture or promotion is -1, not 0 to 999",
		"the move number is 0, not 1 to 9999",
		"unknown rules",
	}
	if diff := cmp.Diff(want, refused.Reasons); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestCountersStayInRange(t *testing.T) {
	s := engine.Setup{Turn: engine.Black, Quiet: engine.MaxQuiet, Number: engine.MaxNumber}
	s.Stacks[0] = engine.StackOf(engine.BlackOfficer)
	s.Stacks[24] = engine.StackOf(engine.WhiteOfficer)
	p, err := s.Position()
	if err != nil {
		t.Fatal(err)
	}
	p.MakeUnchecked(p.Moves()[0])
	if p.Quiet() != engine.MaxQuiet || p.Number() != engine.MaxNumber {
		t.Errorf("%d and %d", p.Quiet(), p.Number())
	}
	if _, err := p.Setup().Position(); err != nil {
		t.Error(err)
	}
}

func TestIllegalMoveIsRefused(t *testing.T) {
	p := engine.Start(engine.Kawu)
	before := p
	for _, text := range []string{"c3-d2", "a1-b2", "c5-d4", "c3xe5", "c3-b2"} {
		m, err := engine.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		next, err := p.Play(m)
		if !errors.Is(err, engine.ErrIllegalMove) || next != before {
			t.Errorf("%s: error %v", text, err)
		}
	}
	if _, err := p.Play(0); !errors.Is(err, engine.ErrIllegalMove) {
		t.Errorf("no move: error %v", err)
	}
}

func TestContinueWithAnImpossiblePrefix(t *testing.T) {
	p := engine.Start(engine.Kawu)
	for _, prefix := range [][]engine.Square{{0}, {24}, {8, 0}, {8, 12, 16}, {200}} {
		if next, moves := p.Continue(prefix); len(next) != 0 || len(moves) != 0 {
			t.Errorf("%v goes on to %v by %v", prefix, next, moves)
		}
	}
}
