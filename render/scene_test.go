package render

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lascabot/lascabot/engine"
	"pgregory.net/rapid"
)

func TestScenesThatCannotBeDrawnAreRefused(t *testing.T) {
	var squares25 SquareSet = 1 << 25
	for name, c := range map[string]struct {
		scene Scene
		want  error
	}{
		"too narrow":       {Scene{Edge: MinEdge - 1}, ErrEdge},
		"too wide":         {Scene{Edge: MaxEdge + 1}, ErrEdge},
		"negative width":   {Scene{Edge: -720}, ErrEdge},
		"no theme":         {Scene{Theme: numThemes}, ErrTheme},
		"no side":          {Scene{Bottom: 2}, ErrScene},
		"no side to move":  {Scene{Board: engine.Setup{Turn: 3}}, ErrScene},
		"no result":        {Scene{Result: 9}, ErrScene},
		"square 26":        {Scene{Must: squares25}, ErrScene},
		"two picked":       {Scene{Picked: Squares(1, 2)}, ErrScene},
		"no path":          {Scene{Last: 0xdeadbeefdeadbeef}, ErrScene},
		"path of one":      {Scene{Hint: 1}, ErrScene},
		"no line":          {Scene{Line: [MaxLine]engine.Move{path("a1-b2"), 7}}, ErrScene},
		"partial is quiet": {Scene{Partial: path("a1-b2")}, ErrScene},
		"column of 23":     {Scene{Board: engine.Setup{Stacks: [engine.NumSquares]engine.Stack{1 << 46}}}, ErrScene},
		"broken column":    {Scene{Board: engine.Setup{Stacks: [engine.NumSquares]engine.Stack{2}}}, ErrScene},
	} {
		t.Run(name, func(t *testing.T) {
			r := New(Options{})
			if _, err := r.PNG(t.Context(), c.scene); !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
		})
	}
}

// TestAnySceneIsDrawnOrRefused checks that nothing panics, whatever the numbers are.
func TestAnySceneIsDrawnOrRefused(t *testing.T) {
	r := New(Options{CacheBytes: -1})
	rapid.Check(t, func(t *rapid.T) {
		s := Scene{
			Bottom: engine.Color(rapid.IntRange(0, 1).Draw(t, "bottom")),
			Theme:  Theme(rapid.IntRange(0, 2).Draw(t, "theme")),
			Result: engine.Result(rapid.IntRange(0, 3).Draw(t, "result")),
			Edge:   240,
			Must:   SquareSet(rapid.Uint32Max(uint32(allSquares)).Draw(t, "must")),
		}
		for i := range s.Board.Stacks {
			pieces := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 3), func(i int) engine.Piece { return engine.Piece(i) }), 0, engine.MaxHeight).Draw(t, "pieces")
			s.Board.Stacks[i] = engine.StackOf(pieces...)
		}
		s.Targets = SquareSet(rapid.Uint32Max(uint32(allSquares)).Draw(t, "targets"))
		s.Picked.Add(engine.Square(rapid.IntRange(0, 24).Draw(t, "picked")))
		move := rapid.Custom(func(t *rapid.T) engine.Move {
			seed := rapid.Uint64().Draw(t, "seed")
			return randomPath(rand.New(rand.NewPCG(seed, 1)))
		})
		s.Last, s.Hint, s.Line[0], s.Line[1] = move.Draw(t, "last"), move.Draw(t, "hint"), move.Draw(t, "line"), move.Draw(t, "line")
		if m := move.Draw(t, "partial"); m.IsCapture() {
			s.Partial = m
		}
		if _, err := paint(r, s); err != nil {
			t.Fatal(err)
		}
		// Any number as a move is drawn or refused.
		s.Previous = engine.Move(rapid.Uint64().Draw(t, "number"))
		if _, err := paint(r, s); err != nil && !errors.Is(err, ErrScene) {
			t.Fatal(err)
		}
	})
}

// randomPath returns a path of up to eleven jumps, or one step.
func randomPath(rng *rand.Rand) engine.Move {
	at := engine.Square(rng.IntN(engine.NumSquares))
	squares := []engine.Square{at}
	step := 2
	if rng.IntN(3) == 0 {
		step = 1
	}
	want := 2 + rng.IntN(engine.MaxPath-1)
	if step == 1 {
		want = 2
	}
	for tries := 0; len(squares) < want && tries < 100; tries++ {
		next, ok := engine.SquareAt(at.File()+step*(2*rng.IntN(2)-1), at.Rank()+step*(2*rng.IntN(2)-1))
		if ok {
			at = next
			squares = append(squares, at)
		}
	}
	m, err := engine.NewMove(squares...)
	if err != nil {
		panic(err)
	}
	return m
}

func TestPartialShowsTheJumpsMade(t *testing.T) {
	before, m := sampleCapture()
	jumps, err := engine.NewMove(m.Path()[:3]...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Scene{Board: before.Setup(), Partial: jumps, Targets: squares("c5")}.normal()
	if err != nil {
		t.Fatal(err)
	}
	want := place(engine.White, "c7:b e3:Wbbbb g7:b b6:b a5:w e5:b d4:Bwwww b4:w a3:bw b2:w a1:w c1:Bw").Stacks
	if diff := cmp.Diff(want, s.Board.Stacks); diff != "" {
		t.Error(diff)
	}
	if !s.Picked.Has(jumps.To()) || s.Picked.Len() != 1 {
		t.Errorf("picked is %b, want only the square where the column now stands", s.Picked)
	}
}

func TestSquareSet(t *testing.T) {
	var s SquareSet
	for sq := engine.Square(0); sq < 40; sq++ {
		s.Add(sq)
		if s.Has(sq) != sq.Valid() {
			t.Errorf("%v: in the set is %v", sq, s.Has(sq))
		}
	}
	if s != allSquares || s.Len() != engine.NumSquares {
		t.Errorf("all squares are %b", s)
	}
}

func TestThemesReadWhatTheyWrite(t *testing.T) {
	for _, theme := range Themes() {
		text, err := theme.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back Theme
		if err := back.UnmarshalText(text); err != nil || back != theme {
			t.Errorf("%q became %v, %v", text, back, err)
		}
	}
	if _, err := ParseTheme("plaid"); !errors.Is(err, ErrTheme) {
		t.Errorf("plaid: %v", err)
	}
	if _, err := Theme(99).MarshalText(); !errors.Is(err, ErrTheme) {
		t.Errorf("99: %v", err)
	}
}
