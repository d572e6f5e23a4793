package notation_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
	"github.com/lascabot/lascabot/engine/notation"
)

// spellings returns every documented way to write a legal move in full.
func spellings(m engine.Move) []string {
	var names, numbers, passed []string
	for i, sq := range m.Path() {
		if i > 0 && m.IsCapture() {
			passed = append(passed, m.Over(i-1).String())
		}
		names = append(names, sq.String())
		numbers = append(numbers, fmt.Sprint(int(sq)+1))
		passed = append(passed, sq.String())
	}
	texts := []string{m.String(), strings.ToUpper(m.String()), " " + m.String() + "\n", strings.Join(names, "")}
	for _, sep := range []string{"-", " ", ",", ", ", ":", "x", "X", "×", "–", " x ", " - ", " – "} {
		texts = append(texts, strings.Join(names, sep), strings.Join(numbers, sep), strings.Join(passed, sep))
	}
	texts = append(texts, strings.Join(passed, ""), strings.ToUpper(strings.Join(names, "")))
	for _, sep := range []string{"－", "−", "‐", "—", "→", "⟶", "➡\ufe0f", "↗", "->", "=>", "ー", "~", "✕", "ｘ", "、", "\u3000", "\u00a0"} {
		texts = append(texts, strings.Join(names, sep), strings.Join(numbers, sep), strings.Join(passed, sep))
	}
	texts = append(texts, strings.Map(wide, m.String()), strings.Map(wide, strings.ToUpper(m.String())), strings.Map(wide, strings.Join(passed, "")))
	for _, hidden := range []string{"\u200b", "\ufeff", "\u00ad", "\u200e", "\u202e", "\u2060", "\ufe0f"} {
		texts = append(texts, hidden+strings.Join(strings.Split(m.String(), ""), hidden)+hidden)
	}
	for _, text := range slices.Clone(texts) {
		texts = append(texts, text+"*", text+"+", text+" *", text+"++")
	}
	for _, text := range []string{m.String(), strings.Join(numbers, "-"), strings.Map(wide, m.String())} {
		for _, sign := range []string{".", "!", "?", "!?", "！", "？", "。", "…", " !"} {
			texts = append(texts, text+sign)
		}
		for _, number := range []string{"12.", "12. ", "12…", "12. …", "12... ", "3 . ", "１２．"} {
			texts = append(texts, number+text, "`"+number+text+"!`")
		}
		for _, quotes := range []string{"``", `""`, "''", "“”", "„“", "«»", "「」", "＂＂"} {
			q := []rune(quotes)
			texts = append(texts, string(q[0])+text+string(q[1]), string(q[0])+text+"!"+string(q[1])+".")
		}
		texts = append(texts, "```\n"+text+"\n```", "**"+text+"**")
	}
	return texts
}

// wide returns the full-width form of an ASCII character.
func wide(r rune) rune { return r - '!' + '！' }

func TestEveryLegalMoveIsFoundFromEverySpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := enginetest.Positions().Draw(t, "position")
		moves := p.Moves()
		for _, m := range moves[:min(len(moves), 30)] {
			for _, text := range spellings(m) {
				if got, err := notation.FindMove(&p, text); err != nil || got != m {
					t.Fatalf("%s: %q reads as %v, %v, want %v", notation.FormatPosition(p.Setup()), text, got, err, m)
				}
			}
		}
	})
}

func TestShortenedPathIsTakenWhereExactlyOneMoveFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := enginetest.Positions().Draw(t, "position")
		moves := p.Moves()
		for _, m := range moves {
			var same []engine.Move
			exact := false // the ends alone are another move's path, or its squares passed
			for _, o := range moves {
				if o.From() == m.From() && o.To() == m.To() {
					same = append(same, o)
					exact = exact || o.Len() == 2
				}
			}
			text := fmt.Sprintf("%v %v", m.From(), m.To())
			got, err := notation.FindMove(&p, text)
			var why *notation.MoveError
			switch {
			case exact:
				if err != nil || got.Len() != 2 || got.From() != m.From() || got.To() != m.To() {
					t.Fatalf("%q reads as %v, %v", text, got, err)
				}
			case len(same) == 1:
				if err != nil || got != m {
					t.Fatalf("%q reads as %v, %v, want %v", text, got, err, m)
				}
			case !errors.As(err, &why) || why.Kind != notation.SeveralMoves || !errors.Is(err, notation.ErrAmbiguous):
				t.Fatalf("%q: error %v", text, err)
			case !slices.Equal(why.Moves, same):
				t.Fatalf("%q fits %v, want %v", text, why.Moves, same)
			}
		}
	})
}

func TestRefusedMoveSaysWhy(t *testing.T) {
	const (
		start    = startText
		attacked = "b,b,b,b/b,b,b/b,b,b,b/,w,/w,,,w/w,w,w/w,w,w,w b 1 1"
		fork     = ",,,/,b,b/,,,/,b,/,w,,/,,/,,, w"
	)
	for _, c := range []struct {
		name, position, text string
		kind                 notation.MoveKind
		sentence             string
		is                   error
	}{
		{"nothing", start, " - ", notation.MoveMissing, "no move given; write one such as c3-d4", engine.ErrMoveSyntax},
		{"too_long", start, strings.Repeat("c3 ", 100), notation.MoveTooLong, `"c3 c3 c3 c3 c3 c3 c3 c3 c3 c3 c3 c3 c3 c…" is too long for a move`, engine.ErrMoveSyntax},
		{"light_square", start, "c3-c4", notation.LightSquare, "c4 is a light square; Lasca is played on the dark ones", engine.ErrSquareSyntax},
		{"light_square_in_glued_text", start, "c3c4d5", notation.LightSquare, "c4 is a light square; Lasca is played on the dark ones", engine.ErrMoveSyntax},
		{"light_square_in_capitals", start, "G2", notation.LightSquare, "g2 is a light square; Lasca is played on the dark ones", engine.ErrSquareSyntax},
		{"square_beside_the_board", start, "c3-h4", notation.NotASquare, `"h4" is not a square of the board; write squares such as c3, or Lasker's numbers 1 to 25`, engine.ErrSquareSyntax},
		{"move_number_alone", start, "12. …", notation.MoveMissing, "no move given; write one such as c3-d4", engine.ErrMoveSyntax},
		{"two_moves", start, "1. c3-d4 2. e3-f4", notation.NotASquare, `"2." is not a square of the board; write squares such as c3, or Lasker's numbers 1 to 25`, engine.ErrSquareSyntax},
		{"word", start, "resign", notation.NotASquare, `"resign" is not a square of the board; write squares such as c3, or Lasker's numbers 1 to 25`, engine.ErrMoveSyntax},
		{"number", start, "9-31", notation.NotASquare, `"31" is not a square of the board; write squares such as c3, or Lasker's numbers 1 to 25`, engine.ErrMoveSyntax},
		{"empty_square", start, "d4-e5", notation.EmptySquare, "d4 is empty; you can move a3, c3, e3, g3", engine.ErrIllegalMove},
		{"opponents_column", start, "c5-d4", notation.NotYourColumn, "the column on c5 is not yours; you can move a3, c3, e3, g3", engine.ErrIllegalMove},
		{"blocked", start, "a1-b2", notation.Blocked, "the column on a1 cannot move; you can move a3, c3, e3, g3", engine.ErrIllegalMove},
		{"cannot_go_there", start, "c3-d2", notation.CannotGoThere, "c3-d2 is not possible; from c3 there is c3-b4, c3-d4", engine.ErrIllegalMove},
		{"beginning", start, "c3", notation.MoveUnfinished, "c3 is only the beginning of a move; go on to b4, d4", engine.ErrIllegalMove},
		{"too_far", start, "c3-d4-e5", notation.MoveEnds, "c3-d4-e5 goes too far; the move ends on d4", engine.ErrIllegalMove},
		{"must_capture_with_another_column", attacked, "a5-b4", notation.MustCapture, "you must capture; the columns that can are c5, e5", engine.ErrIllegalMove},
		{"must_capture_with_this_column", attacked, "e5-f4", notation.MustCapture, "you must capture; the columns that can are c5, e5", engine.ErrIllegalMove},
		{"must_capture_where_the_steps_go_on", attacked, "e5-f4-e3", notation.MustCapture, "you must capture; the columns that can are c5, e5", engine.ErrIllegalMove},
		{"must_capture_where_another_column_is_named", attacked, "a5", notation.MustCapture, "you must capture; the columns that can are c5, e5", engine.ErrIllegalMove},
		{"must_capture_where_the_steps_of_another_column_go_on", attacked, "a5-b4-a3", notation.MustCapture, "you must capture; the columns that can are c5, e5", engine.ErrIllegalMove},
		{"step_that_no_soldier_makes_under_compulsion", ",,,/,,/,,,/,b,/,w,,/,,/,,, w", "c3-b2", notation.CannotGoThere, "c3-b2 is not possible; from c3 there is c3xe5", engine.ErrIllegalMove},
		{"capture_goes_on", fork, "c3xe5", notation.CaptureGoesOn, "the capture goes on after c3-e5; go on to c7, g7", engine.ErrIllegalMove},
		{"capture_goes_on_after_squares_passed", fork, "c3d4e5", notation.CaptureGoesOn, "the capture goes on after c3-d4-e5; go on to c7, g7", engine.ErrIllegalMove},
		{"capture_begun_by_the_square_passed", fork, "c3-d4", notation.CaptureGoesOn, "the capture goes on after c3-d4; go on to e5", engine.ErrIllegalMove},
		{"promotion_ends_the_move", ",,,/b,b,/w,,,/,,/,,,/,,/,,, w", "a5xc7xe5", notation.MoveEnds, "a5-c7-e5 goes too far; the move ends on c7", engine.ErrIllegalMove},
		{"promotion_ends_the_move_with_squares_passed", ",,,/b,b,/w,,,/,,/,,,/,,/,,, w", "a5b6c7d6e5", notation.MoveEnds, "a5-b6-c7-d6-e5 goes too far; the move ends on c7", engine.ErrIllegalMove},
		{"step_to_a_taken_square", attacked, "e5-d6", notation.CannotGoThere, "e5-d6 is not possible; from e5 there is e5xc3", engine.ErrIllegalMove},
		{"several_fit", ",,,/,,/,,,/,b,b/,W,,/,b,b/,,, w", "c3 c3", notation.SeveralMoves, "c3-c3 fits several moves: c3xe5xg3xe1xc3, c3xe1xg3xe5xc3", notation.ErrAmbiguous},
		{"no_legal_moves", ",,,/,,/b,,,/w,,/,w,,/,,/,,, b", "a5-b4", notation.NoLegalMoves, "there is no legal move", engine.ErrIllegalMove},
	} {
		t.Run(c.name, func(t *testing.T) {
			setup, err := notation.ParsePosition(c.position, engine.Lasker)
			if err != nil {
				t.Fatal(err)
			}
			p, err := setup.Position()
			if err != nil {
				t.Fatal(err)
			}
			m, err := notation.FindMove(&p, c.text)
			var why *notation.MoveError
			if !errors.As(err, &why) || m != 0 {
				t.Fatalf("%v, error %v", m, err)
			}
			if diff := cmp.Diff(c.sentence, err.Error()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if why.Kind != c.kind || !errors.Is(err, c.is) {
				t.Errorf("kind %d, want %d; is %v: %v", why.Kind, c.kind, c.is, errors.Is(err, c.is))
			}
			syntax := c.kind == notation.MoveMissing || c.kind == notation.MoveTooLong || c.kind == notation.NotASquare || c.kind == notation.LightSquare
			if errors.Is(err, engine.ErrMoveSyntax) != syntax || errors.Is(err, engine.ErrIllegalMove) == syntax {
				t.Errorf("wraps ErrMoveSyntax: %v", !syntax)
			}
		})
	}
}

func TestQuietMoveUnderCompulsionIsRefusedForTheCapture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := enginetest.Positions().Filter(func(p engine.Position) bool { return p.MustCapture() }).Draw(t, "position")
		captures := p.Moves()
		refused := func(text string) {
			var why *notation.MoveError
			if _, err := notation.FindMove(&p, text); !errors.As(err, &why) || why.Kind != notation.MustCapture {
				t.Fatalf("%s: %q: error %v", notation.FormatPosition(p.Setup()), text, err)
			}
		}
		for from := range engine.Square(engine.NumSquares) {
			top, occupied := p.Stack(from).Top()
			if !occupied || top.Color() != p.Turn() {
				continue
			}
			if !slices.ContainsFunc(captures, func(m engine.Move) bool { return m.From() == from }) {
				refused(from.String())
			}
			ahead := 1
			if top.Color() == engine.Black {
				ahead = -1
			}
			for _, d := range [][2]int{{-1, ahead}, {1, ahead}, {-1, -ahead}, {1, -ahead}} {
				to, ok := engine.SquareAt(from.File()+d[0], from.Rank()+d[1])
				if ok && p.Stack(to) == 0 && (d[1] == ahead || top.IsOfficer()) {
					refused(fmt.Sprintf("%v-%v", from, to))
					refused(fmt.Sprintf("%v-%v-%v", from, to, from))
				}
			}
		}
	})
}

func TestOffersOfARefusalLeadToMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := enginetest.Positions().Draw(t, "position")
		path := rapid.SliceOfN(rapid.IntRange(0, 24), 1, 4).Draw(t, "path")
		var text string
		for _, sq := range path {
			text += engine.Square(sq).String()
		}
		m, err := notation.FindMove(&p, text)
		legal := p.Moves()
		if err == nil {
			if !slices.Contains(legal, m) || m.From() != engine.Square(path[0]) {
				t.Fatalf("%q reads as %v", text, m)
			}
			return
		}
		var why *notation.MoveError
		if !errors.As(err, &why) {
			t.Fatalf("%q: error %v", text, err)
		}
		for _, offer := range why.Moves {
			if !slices.Contains(legal, offer) {
				t.Fatalf("%q: %v is offered: %v", text, offer, err)
			}
		}
		if !slices.IsSorted(why.Squares) {
			t.Fatalf("%q: squares not in board order: %v", text, why.Squares)
		}
		switch why.Kind {
		case notation.EmptySquare, notation.NotYourColumn, notation.Blocked, notation.MustCapture:
			for _, sq := range why.Squares {
				if !slices.ContainsFunc(legal, func(m engine.Move) bool { return m.From() == sq }) {
					t.Fatalf("%q: %v is offered to move: %v", text, sq, err)
				}
			}
		case notation.MoveUnfinished, notation.CaptureGoesOn:
			for _, sq := range why.Squares {
				if !slices.ContainsFunc(why.Moves, func(m engine.Move) bool { return slices.Contains(m.Path()[1:], sq) }) {
					t.Fatalf("%q: no move offered goes to %v: %v", text, sq, err)
				}
			}
		}
	})
}

func FuzzFindMove(f *testing.F) {
	for _, text := range []string{"c3-d4", "C3 D4", "9:13", "c3xe5xg7", "c3d4e5", "c3 g7*", "×–—", "\xff", "12. …c3→d4!", "ｃ３－ｄ４", "9.13", "c4", "1-1", "c3c3c3c3", strings.Repeat("\xb3", notation.MaxMoveText)} {
		f.Add([]byte("\x00\x04\x09\x31\x11\x52\x61"), text)
	}
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		p, err := enginetest.SetupFromBytes(data).Position()
		if err != nil {
			t.Fatal(err)
		}
		m, err := notation.FindMove(&p, text)
		if err != nil {
			var why *notation.MoveError
			if !errors.As(err, &why) || len(err.Error()) > 1000 {
				t.Fatalf("%q: error %v", text, err)
			}
			return
		}
		if _, err := p.Play(m); err != nil {
			t.Fatalf("%q reads as %v: %v", text, m, err)
		}
		if again, err := notation.FindMove(&p, m.String()); err != nil || again != m {
			t.Fatalf("%v reads as %v, %v", m, again, err)
		}
	})
}
