package view

import (
	"cmp"
	"slices"
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
	// Path holds the squares of the move that have been chosen so far. A whole one
	// waits to be confirmed: Intent then returns what plays it. A path that begins no
	// legal move counts as empty.
	Path []engine.Square
	// Intent returns what a button asks for that leads to a path, which may be
	// whole. It is nil if nobody is asked: then there is no prompt, no button and no
	// mark on what may be chosen.
	Intent func(path []engine.Square) intent.Intent
	// Whole is the most moves for which each is a button of its own. With more, and
	// with 0, columns are chosen first.
	Whole int
}

// choice is what a turn leaves to choose.
type choice struct {
	path  []engine.Square // chosen so far, or without an alternative
	next  []engine.Square // what may be chosen next, in the order of the picture
	moves []engine.Move   // the legal moves that begin with path
	back  int             // the length of the path before the latest choice, -1 without one
	whole bool            // moves are chosen, not squares
	sure  bool            // path is a whole move, which is asked for once more
}

// choice goes as far as there is no choice. Only in front of a single move it does
// not: its button plays it.
func (t *Turn) choice() choice {
	if t.Intent == nil {
		return choice{}
	}
	if next, moves := t.Position.Continue(t.Path); len(t.Path) > 0 && len(next) == 0 && len(moves) == 1 {
		return choice{path: t.Path, moves: moves, back: 0, sure: true}
	}
	path := t.forced(t.Path)
	next, moves := t.Position.Continue(path)
	if len(t.Path) == 0 || len(next) == 0 {
		next, moves = t.Position.Continue(nil)
		c := choice{next: t.seen(next), moves: moves, back: -1}
		switch {
		case len(moves) <= t.Whole:
			c.whole = true
		case len(moves) > 1:
			c.path = t.forced(nil)
			next, _ = t.Position.Continue(c.path)
			c.next = t.seen(next)
		}
		return c
	}
	c := choice{path: path, next: t.seen(next), moves: moves, back: len(path) - 1}
	for c.back >= 0 {
		if next, _ := t.Position.Continue(path[:c.back]); len(next) > 1 {
			break
		}
		c.back--
	}
	if c.back < 0 && len(moves) <= t.Whole { // one column, whose moves are buttons
		c.back = 0
	}
	return c
}

// forced goes on from a path for as long as only one square may come next.
func (t *Turn) forced(path []engine.Square) []engine.Square {
	path = path[:len(path):len(path)]
	for {
		next, _ := t.Position.Continue(path)
		if len(next) != 1 {
			return path
		}
		path = append(path, next[0])
	}
}

// seen puts squares in the order in which a reader of the picture meets them: row
// by row from the upper left.
func (t *Turn) seen(squares []engine.Square) []engine.Square {
	slices.SortFunc(squares, t.before)
	return squares
}

func (t *Turn) before(a, b engine.Square) int {
	if t.Bottom == engine.Black {
		a, b = b, a
	}
	return cmp.Or(cmp.Compare(b.Rank(), a.Rank()), cmp.Compare(a.File(), b.File()))
}

// Prompt asks the person to move for what is to be chosen next. It is "" if nobody
// is asked.
func (t *Turn) Prompt(l i18n.Lang) string {
	c := t.choice()
	capture := t.Position.MustCapture()
	switch {
	case t.Intent == nil:
		return ""
	case c.sure:
		return l.T(i18n.BoardSure, "Who", t.Who, "Move", c.moves[0])
	case c.back >= 0:
		return l.T(i18n.BoardWhere, "Who", t.Who, "Path", pathText(c.path, capture))
	case len(c.moves) == 1:
		return l.T(i18n.BoardOnly, "Who", t.Who, "Move", c.moves[0])
	case len(c.path) > 0 && capture:
		return l.T(i18n.BoardCaptureWhere, "Who", t.Who, "Path", pathText(c.path, capture))
	case len(c.path) > 0:
		return l.T(i18n.BoardTurnWhere, "Who", t.Who, "Path", pathText(c.path, capture))
	case capture:
		return l.T(i18n.BoardCapture, "Who", t.Who, "Squares", alternatives(l, bold(c.next)))
	}
	return l.T(i18n.BoardTurn, "Who", t.Who)
}

// Rows returns a button for each square that may be chosen next, or for each move
// as [Turn.Whole] says, and one that goes back to the latest choice. What leaves
// no choice is not asked for: a button leads on to the next choice or plays the
// move, which then is its label. There are at most three rows, or as many as Whole
// moves take. There are none if nobody is asked or the side to move has no move.
func (t *Turn) Rows(l i18n.Lang) []Row {
	if t.Intent == nil {
		return nil
	}
	c := t.choice()
	if c.sure {
		return []Row{{
			{Label: l.T(i18n.ButtonPlayHint, "Move", c.moves[0]), Style: Success, Intent: t.Intent(c.path)},
			{Label: l.T(i18n.ButtonBack), Intent: t.Intent(nil)},
		}}
	}
	if len(c.moves) == 1 {
		only := c.moves[0]
		return []Row{{{Label: l.T(i18n.ButtonOnly, "Move", only), Style: Primary, Intent: t.Intent(only.Path())}}}
	}
	style := Secondary
	if len(c.path) > 0 || t.Position.MustCapture() {
		style = Primary
	}
	var list []Button
	if c.whole {
		for _, mv := range t.ordered(c.moves) {
			list = append(list, Button{Label: moveLabel(mv), Style: style, Intent: t.Intent(mv.Path())})
		}
		return inRows(list)
	}
	for _, sq := range c.next {
		path := t.forced(append(c.path[:len(c.path):len(c.path)], sq))
		list = append(list, Button{Label: t.label(c, path), Style: style, Intent: t.Intent(path)})
	}
	rows := inRows(list)
	if c.back >= 0 { // then one row holds the squares, at most four
		rows[0] = append(rows[0], Button{Label: l.T(i18n.ButtonBack), Intent: t.Intent(c.path[:c.back])})
	}
	return rows
}

// ordered puts moves in the order in which a reader of the picture meets their
// squares.
func (t *Turn) ordered(moves []engine.Move) []engine.Move {
	slices.SortFunc(moves, func(a, b engine.Move) int { return slices.CompareFunc(a.Path(), b.Path(), t.before) })
	return moves
}

// inRows puts buttons into as few rows as hold them, none longer than the others
// by more than one.
func inRows(list []Button) []Row {
	var rows []Row
	for left := (len(list) + MaxButtons - 1) / MaxButtons; left > 0; left-- {
		n := (len(list) + left - 1) / left
		rows = append(rows, list[:n:n])
		list = list[n:]
	}
	return rows
}

// label names what a button adds to the path of a choice: a whole move, a column
// or the next landings. With a column that has several captures stands the
// greatest number of jumps.
func (t *Turn) label(c choice, path []engine.Square) string {
	sep := moveSign(t.Position.MustCapture())
	if len(c.path) > 0 {
		return strings.Join(names(path[len(c.path):]), sep)
	}
	next, moves := t.Position.Continue(path)
	if len(next) == 0 {
		return moveLabel(moves[0])
	}
	most := 0
	for _, mv := range moves {
		most = max(most, mv.Jumps())
	}
	if most > 0 {
		return path[0].String() + " ×" + strconv.Itoa(most)
	}
	return path[0].String()
}

// moveLabel writes a move on a button: c3→b4, e5×g3×e1.
func moveLabel(mv engine.Move) string {
	return strings.Join(names(mv.Path()), moveSign(mv.IsCapture()))
}

func moveSign(capture bool) string {
	if capture {
		return "×"
	}
	return "→"
}

// Scene returns the picture: the position with the moves that led to it, and the
// marks on what is chosen and what may be chosen next.
func (t *Turn) Scene(theme render.Theme) render.Scene {
	s := render.Scene{
		Board: t.Position.Setup(), Bottom: t.Bottom, Theme: theme, Last: t.Last, Previous: t.Previous, Result: t.Result,
	}
	c := t.choice()
	if c.sure {
		s.Hint = c.moves[0]
		return s
	}
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
