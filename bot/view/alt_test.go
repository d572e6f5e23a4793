package view_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
	"github.com/lascabot/lascabot/render"
)

// tower puts one column of a height on c3, with all kinds of pieces.
func tower(height int) engine.Setup {
	s := engine.Setup{Number: 1}
	var pieces []engine.Piece
	for i := range height {
		pieces = append(pieces, engine.Piece(i%4))
	}
	s.Stacks[8] = engine.StackOf(pieces...)
	return s
}

// boards draws set-ups of every kind, among them columns of all heights.
func boards() *rapid.Generator[engine.Setup] {
	return rapid.OneOf(enginetest.Setups(), rapid.Map(rapid.IntRange(1, engine.MaxHeight), tower))
}

func TestAltNamesEveryColumn(t *testing.T) {
	check := func(t tb, s engine.Setup) {
		for _, l := range languages() {
			text := view.Alt(l, render.Scene{Board: s})
			readable(t, "alt text", text, view.MaxAlt)
			if strings.HasSuffix(text, "…") {
				t.Errorf("cut: %s", text)
			}
			for i, st := range s.Stacks {
				if has := strings.Contains(text, engine.Square(i).String()+" "); has != (st != 0) {
					t.Errorf("%v, %v, is named: %t: %s", engine.Square(i), st, has, text)
				}
			}
		}
	}
	for h := 1; h <= engine.MaxHeight; h++ {
		check(t, tower(h))
	}
	rapid.Check(t, func(t *rapid.T) { check(t, boards().Draw(t, "board")) })
}

// TestAltFitsWithEveryMarkAtOnce fills in everything that a scene can show.
func TestAltFitsWithEveryMarkAtOnce(t *testing.T) {
	check := func(t tb, board engine.Setup) {
		columns := render.SquareSet(1<<engine.MaxPieces - 1)
		long := move("a1xc3xe1xg3xe5xc7xa5xc3xe1xg3xe5xc7")
		s := render.Scene{
			Board: board, Bottom: engine.Black, Last: long, Previous: long, Hint: long,
			Partial: long, Must: columns, Targets: 15, Picked: 1,
		}
		for _, l := range languages() {
			text := view.Alt(l, s)
			readable(t, "alt text", text, view.MaxAlt)
			if strings.HasSuffix(text, "…") {
				t.Errorf("cut: %s", text)
			}
		}
	}
	// No two pieces of a kind lie next to each other, in one column and in eleven.
	one, eleven := engine.Setup{Number: 1}, engine.Setup{Number: 1}
	var pieces []engine.Piece
	for i := range engine.MaxPieces {
		pieces = append(pieces, engine.WhiteOfficer, engine.BlackOfficer)
		eleven.Stacks[i+5] = engine.StackOf(engine.BlackOfficer, engine.WhiteOfficer)
	}
	one.Stacks[8] = engine.StackOf(pieces...)
	check(t, one)
	check(t, eleven)
	rapid.Check(t, func(t *rapid.T) { check(t, boards().Draw(t, "board")) })
}

func TestAlt(t *testing.T) {
	column := func(pieces ...engine.Piece) engine.Setup {
		s := engine.Setup{Number: 1, Turn: engine.Black}
		s.Stacks[8] = engine.StackOf(pieces...)
		return s
	}
	const w, b, W, B = engine.WhiteSoldier, engine.BlackSoldier, engine.WhiteOfficer, engine.BlackOfficer
	base := render.Scene{Board: column(w)}
	with := func(change func(*render.Scene)) render.Scene {
		s := base
		change(&s)
		return s
	}
	sq := func(names ...string) render.SquareSet {
		var set render.SquareSet
		for _, n := range names {
			s, err := engine.ParseSquare(n)
			if err != nil {
				t.Fatal(err)
			}
			set.Add(s)
		}
		return set
	}
	for _, c := range []struct {
		name  string
		scene render.Scene
		want  []string
	}{
		{"one soldier", base, []string{"White: c3 soldier.", "Black has no columns.", "Black to move.", "White is at the bottom."}},
		{"own pieces without their colour, prisoners with it", render.Scene{Board: column(W, W, w, b, b, B, w)},
			[]string{"c3 2 officers over soldier over 2 black soldiers over black officer over soldier"}},
		{"the other side", render.Scene{Board: column(B, w), Bottom: engine.Black},
			[]string{"White has no columns.", "Black: c3 officer over white soldier.", "Black is at the bottom."}},
		{"last move", with(func(s *render.Scene) { s.Last = move("b2-c3") }), []string{"Last move b2-c3."}},
		{"last moves", with(func(s *render.Scene) { s.Last, s.Previous = move("b2-c3"), move("a5-b4") }), []string{"Last moves a5-b4, then b2-c3."}},
		{"columns that must capture", with(func(s *render.Scene) { s.Must = sq("c3", "e3", "g3") }), []string{"Must capture: c3, e3 or g3."}},
		{"selection", with(func(s *render.Scene) { s.Picked, s.Targets = sq("c3"), sq("d4", "b4") }),
			[]string{"Selected: c3.", "It can go to b4 or d4."}},
		{"jumps so far", with(func(s *render.Scene) { s.Partial, s.Targets = move("c3xe5"), sq("g7") }),
			[]string{"Jumps so far: c3xe5; the columns are shown after them.", "Selected: e5.", "White: e5 soldier.", "It can go to g7."}},
		{"hint", with(func(s *render.Scene) { s.Hint = move("c3-d4") }), []string{"An arrow shows c3-d4."}},
		{"won", with(func(s *render.Scene) { s.Result = engine.WhiteWins }), []string{"White has won."}},
		{"lost", with(func(s *render.Scene) { s.Result = engine.BlackWins }), []string{"Black has won."}},
		{"drawn", with(func(s *render.Scene) { s.Result = engine.Draw }), []string{"The game is drawn."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := view.Alt(i18n.For("en"), c.scene)
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in %q", want, text)
				}
			}
			if over := c.scene.Result != engine.Ongoing; over == strings.Contains(text, "to move") {
				t.Errorf("the game is over: %t: %s", over, text)
			}
		})
	}
}
