package view

import (
	"strconv"
	"strings"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/render"
)

// Turn is a position and what the side to move is asked there. It needs no stored
// game: a puzzle or a lesson shows its positions with it, as a game's board does.
//
// [Turn.Prompt], [Turn.Rows] and [Turn.Scene] belong in one message, together with
// the scene's words from [Alt] or [Letters].
type Turn struct {
	Position engine.Position
	Bottom   engine.Color // the side at the lower edge
	// Last is the move that led to Position, Previous the ply before it. 0 shows
	// none.
	Last, Previous engine.Move
	// Result is how the game ended, which the picture shows. The zero value is a
	// game that goes on.
	Result engine.Result

	// Who is asked to move, as markdown: a mention, or a name from [Escape].
	Who string
	// Path holds the squares of the move that have been chosen so far. A path that
	// begins no legal move, or is a whole one, counts as empty.
	Path []engine.Square
	// Intent returns what a button asks for that leads to a path, which may be
	// whole. It is nil if nobody is asked: then there is no prompt, no button and no
	// mark on what may be chosen.
	Intent func(path []engine.Square) intent.Intent
}

// choice is what a turn leaves to choose.
type choice struct {
	path  []engine.Square // chosen so far
	next  []engine.Square // what may be chosen next
	moves []engine.Move   // the legal moves that begin with path
}

func (t *Turn) choice() choice {
	if t.Intent == nil {
		return choice{}
	}
	if next, moves := t.Position.Continue(t.Path); len(next) > 0 {
		return choice{t.Path, next, moves}
	}
	next, moves := t.Position.Continue(nil)
	return choice{nil, next, moves}
}

// Prompt asks the person to move for the next square. It is "" if nobody is
// asked.
func (t *Turn) Prompt(l i18n.Lang) string {
	c := t.choice()
	switch {
	case t.Intent == nil:
		return ""
	case len(c.path) > 0:
		return l.T(i18n.BoardWhere, "Who", t.Who, "Path", pathText(c.path, t.Position.MustCapture()))
	case len(c.moves) == 1:
		return l.T(i18n.BoardOnly, "Who", t.Who, "Move", c.moves[0])
	case t.Position.MustCapture():
		return l.T(i18n.BoardCapture, "Who", t.Who, "Squares", alternatives(l, bold(c.next)))
	}
	return l.T(i18n.BoardTurn, "Who", t.Who)
}

// Rows returns a button for each square that may be chosen next, and one that
// takes the newest square back; a move that is the only one is a single button.
// There are at most three rows. There are none if nobody is asked or the side to
// move has no move.
func (t *Turn) Rows(l i18n.Lang) []Row {
	c := t.choice()
	if len(c.path) == 0 && len(c.moves) == 1 {
		only := c.moves[0]
		return []Row{{{Label: l.T(i18n.ButtonOnly, "Move", only), Style: Primary, Intent: t.Intent(only.Path())}}}
	}
	style := Secondary
	if len(c.path) > 0 || t.Position.MustCapture() {
		style = Primary
	}
	var rows []Row
	for i, sq := range c.next {
		if i%MaxButtons == 0 {
			rows = append(rows, nil)
		}
		last := &rows[len(rows)-1]
		path := append(c.path[:len(c.path):len(c.path)], sq)
		*last = append(*last, Button{Label: t.label(c, sq), Style: style, Intent: t.Intent(path)})
	}
	if n := len(c.path); n > 0 { // then one row holds the squares, at most four
		rows[0] = append(rows[0], Button{Label: l.T(i18n.ButtonBack), Intent: t.Intent(c.path[:n-1])})
	}
	return rows
}

// label names a square that may be chosen; with the first square of a capture
// stands the greatest number of jumps from there.
func (t *Turn) label(c choice, sq engine.Square) string {
	if len(c.path) > 0 || !t.Position.MustCapture() {
		return sq.String()
	}
	most := 0
	for _, mv := range c.moves {
		if mv.From() == sq {
			most = max(most, mv.Jumps())
		}
	}
	return sq.String() + " ×" + strconv.Itoa(most)
}

// Scene returns the picture: the position with the moves that led to it, and the
// marks on what is chosen and what may be chosen next.
func (t *Turn) Scene(theme render.Theme) render.Scene {
	s := render.Scene{
		Board: t.Position.Setup(), Bottom: t.Bottom, Theme: theme, Last: t.Last, Previous: t.Previous, Result: t.Result,
	}
	c := t.choice()
	switch len(c.path) {
	case 0:
		if t.Position.MustCapture() {
			s.Must = render.Squares(c.next...)
		}
		return s
	case 1:
		s.Picked = render.Squares(c.path[0])
	default:
		s.Partial, _ = engine.NewMove(c.path...) // the beginning of a legal capture is well formed
	}
	s.Targets = render.Squares(c.next...)
	return s
}

// pathText writes the squares chosen so far as the beginning of a move.
func pathText(path []engine.Square, captures bool) string {
	sep := "-"
	if captures {
		sep = "x"
	}
	return strings.Join(names(path), sep)
}
