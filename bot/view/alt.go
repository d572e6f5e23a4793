package view

import (
	"strings"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/render"
)

// Alt puts a scene into words that are complete enough to play from: first who is
// to move and what the picture marks, which is what is new, then every column with
// all its pieces. It has at most [MaxAlt] characters; tests check for each language
// that every position fits.
func Alt(l i18n.Lang, s render.Scene) string {
	s = drawn(s)
	parts := []string{l.T(i18n.AltBoard)}
	if s.Bottom == engine.Black {
		parts = append(parts, l.T(i18n.AltBottomBlack))
	} else {
		parts = append(parts, l.T(i18n.AltBottomWhite))
	}
	switch {
	case s.Last != 0 && s.Previous != 0:
		parts = append(parts, l.T(i18n.AltPrevious, "Previous", s.Previous, "Move", s.Last))
	case s.Last != 0:
		parts = append(parts, l.T(i18n.AltLast, "Move", s.Last))
	}
	switch s.Result {
	case engine.Ongoing:
		parts = append(parts, l.T(i18n.AltTurn, "Side", colorName(l, s.Board.Turn)))
	case engine.Draw:
		parts = append(parts, l.T(i18n.AltResultDrawn))
	case engine.WhiteWins:
		parts = append(parts, l.T(i18n.AltResult, "Side", colorName(l, engine.White)))
	case engine.BlackWins:
		parts = append(parts, l.T(i18n.AltResult, "Side", colorName(l, engine.Black)))
	}
	add := func(key i18n.Key, set render.SquareSet) {
		if list := squaresOf(set); len(list) > 0 {
			parts = append(parts, l.T(key, "Squares", alternatives(l, names(list))))
		}
	}
	add(i18n.AltMust, s.Must)
	if s.Partial != 0 {
		parts = append(parts, l.T(i18n.AltPartial, "Move", s.Partial))
	}
	add(i18n.AltPicked, s.Picked)
	add(i18n.AltTargets, s.Targets)
	if s.Hint != 0 {
		parts = append(parts, l.T(i18n.AltHint, "Move", s.Hint))
	}
	for _, c := range []engine.Color{engine.White, engine.Black} {
		var columns []string
		for i, st := range s.Board.Stacks {
			if top, ok := st.Top(); ok && top.Color() == c {
				columns = append(columns, engine.Square(i).String()+" "+columnWords(l, st))
			}
		}
		if len(columns) == 0 {
			parts = append(parts, l.T(i18n.AltNone, "Side", colorName(l, c)))
			continue
		}
		parts = append(parts, l.T(i18n.AltSide, "Side", colorName(l, c), "Columns", strings.Join(columns, "; ")))
	}
	return clip(strings.Join(parts, " "), MaxAlt)
}

// drawn returns a scene as its picture shows it: with the jumps made that have been
// chosen so far, and the column marked where it then stands.
func drawn(s render.Scene) render.Scene {
	if s.Partial != 0 {
		s.Board.Jump(s.Partial)
		s.Picked = render.Squares(s.Partial.To())
	}
	return s
}

// columnWords says what a column holds, from the commander down: "officer over
// 2 black soldiers". The owner's pieces come without their colour.
func columnWords(l i18n.Lang, st engine.Stack) string {
	var runs []string
	top, _ := st.Top()
	var run []engine.Piece
	flush := func() {
		if len(run) > 0 {
			runs = append(runs, runWords(l, run[0], len(run), run[0].Color() == top.Color()))
			run = run[:0]
		}
	}
	for p := range st.All() {
		if len(run) > 0 && run[0] != p {
			flush()
		}
		run = append(run, p)
	}
	flush()
	text := runs[len(runs)-1]
	for i := len(runs) - 2; i >= 0; i-- {
		text = l.T(i18n.AltOver, "Top", runs[i], "Below", text)
	}
	return text
}

// runWords names n equal pieces, with their colour unless they are their column's
// own.
func runWords(l i18n.Lang, p engine.Piece, n int, own bool) string {
	key := map[engine.Piece]i18n.Key{
		engine.WhiteSoldier: i18n.PieceWhiteSold, engine.WhiteOfficer: i18n.PieceWhiteOff,
		engine.BlackSoldier: i18n.PieceBlackSold, engine.BlackOfficer: i18n.PieceBlackOff,
	}[p]
	if own {
		key = i18n.PieceSoldier
		if p.IsOfficer() {
			key = i18n.PieceOfficer
		}
	}
	return l.N(key, n)
}

// squaresOf returns the squares of a set in board order.
func squaresOf(set render.SquareSet) []engine.Square {
	var list []engine.Square
	for s := range engine.Square(engine.NumSquares) {
		if set.Has(s) {
			list = append(list, s)
		}
	}
	return list
}

// names returns the names of squares.
func names(squares []engine.Square) []string {
	words := make([]string, len(squares))
	for i, s := range squares {
		words[i] = s.String()
	}
	return words
}
