package render

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/lascabot/lascabot/engine"
)

// Widths of a picture in pixels.
const (
	// DefaultEdge is the width of a scene that sets none. It is twice the width
	// at which a phone shows a picture.
	DefaultEdge = 720
	// MinEdge and MaxEdge are the smallest and the largest width.
	MinEdge = 240
	MaxEdge = 1920
)

// MaxLine is the largest number of plies of a forced line in one picture.
const MaxLine = 6

var (
	// ErrEdge says that a width is not between MinEdge and MaxEdge.
	ErrEdge = errors.New("width of the picture out of range")
	// ErrTheme says that a theme does not exist; see [Themes].
	ErrTheme = errors.New("unknown theme")
	// ErrScene says that a scene contains something that a board cannot show,
	// such as a column of 23 pieces or a path that leaves the board.
	ErrScene = errors.New("scene cannot be drawn")
)

// SquareSet is a set of playing squares. Bit i stands for engine.Square(i).
type SquareSet uint32

const allSquares SquareSet = 1<<engine.NumSquares - 1

// Squares returns the set of the given squares. It ignores squares that do not
// exist.
func Squares(squares ...engine.Square) SquareSet {
	var s SquareSet
	for _, sq := range squares {
		s.Add(sq)
	}
	return s
}

// Add adds a square to the set. It ignores a square that does not exist.
func (s *SquareSet) Add(sq engine.Square) {
	if sq.Valid() {
		*s |= 1 << sq
	}
}

// Has reports whether the square is in the set.
func (s SquareSet) Has(sq engine.Square) bool { return sq.Valid() && s>>sq&1 != 0 }

// Len returns the number of squares in the set.
func (s SquareSet) Len() int { return bits.OnesCount32(uint32(s)) }

// Scene is everything that a picture of a board shows. Equal scenes give equal
// pictures, so a Scene is the key of the cache. The zero Scene is an empty wooden
// board. Moves are drawn as they are, not checked against the rules.
type Scene struct {
	// Board holds the columns, and the side to move, which is lit. The picture
	// does not depend on its counters and rules.
	Board engine.Setup
	// Bottom is the side that sits at the lower edge.
	Bottom engine.Color
	// Last is the move that led to Board. Its path is drawn, and its captures
	// are crossed out. 0 draws nothing.
	Last engine.Move
	// Previous is the ply before Last, drawn weaker. Where it shares a line with
	// Last, as in a recapture, only its squares are tinted. 0 draws nothing.
	Previous engine.Move
	// Picked marks the selected column. It may have at most one square.
	Picked SquareSet
	// Partial is the beginning of the capture that is being entered: the jumps
	// chosen so far. Board is still the position before the move. The picture
	// shows it with these jumps made, and marks the column where it then stands,
	// so Picked may stay empty. 0 means that no jump has been chosen yet.
	Partial engine.Move
	// Targets marks where the selected column may land, with the squares' names.
	Targets SquareSet
	// Must marks the columns that must capture.
	Must SquareSet
	// Hint draws an arrow. 0 draws nothing.
	Hint engine.Move
	// Line draws a forced line, the plies that follow Board. It ends at the
	// first 0. If it has one ply, its jumps are numbered; if it has more, its
	// plies are.
	Line [MaxLine]engine.Move
	// Result shows the end of a game on a plate. No side is lit then.
	Result engine.Result
	// Theme is Wood unless set.
	Theme Theme
	// Edge is the width in pixels, MinEdge to MaxEdge. 0 stands for DefaultEdge.
	Edge int
}

// normal returns the scene with fixed values for everything that the picture does
// not depend on, so that it can be a key of the cache. It returns an error if the
// scene cannot be drawn.
func (s Scene) normal() (Scene, error) {
	if s.Edge == 0 {
		s.Edge = DefaultEdge
	}
	if s.Edge < MinEdge || s.Edge > MaxEdge {
		return s, fmt.Errorf("%w: %d pixels; it must be %d to %d", ErrEdge, s.Edge, MinEdge, MaxEdge)
	}
	if !s.Theme.valid() {
		return s, fmt.Errorf("%w: %v", ErrTheme, s.Theme)
	}
	s.Board.Quiet, s.Board.Number, s.Board.Rules = 0, 0, 0
	if s.Result != engine.Ongoing {
		s.Board.Turn = engine.White
	}
	if s.Board.Turn > engine.Black || s.Bottom > engine.Black || s.Result > engine.Draw {
		return s, fmt.Errorf("%w: a side or the result does not exist", ErrScene)
	}
	for i, st := range s.Board.Stacks {
		if !st.Valid() {
			return s, fmt.Errorf("%w: the column on %v must have at most %d pieces", ErrScene, engine.Square(i), engine.MaxHeight)
		}
	}
	if (s.Picked|s.Targets|s.Must)&^allSquares != 0 {
		return s, fmt.Errorf("%w: a marked square is not on the board", ErrScene)
	}
	if s.Picked.Len() > 1 {
		return s, fmt.Errorf("%w: %d columns are picked; at most one may be", ErrScene, s.Picked.Len())
	}
	for i := range s.Line {
		if s.Line[i] == 0 {
			clear(s.Line[i:])
			break
		}
	}
	if err := checkPaths(s.Last, s.Previous, s.Partial, s.Hint); err != nil {
		return s, err
	}
	if err := checkPaths(s.Line[:]...); err != nil {
		return s, err
	}
	if s.Partial != 0 {
		if !s.Partial.IsCapture() {
			return s, fmt.Errorf("%w: the partial move %v is not a capture", ErrScene, s.Partial)
		}
		s.Board.Jump(s.Partial)
		s.Picked = Squares(s.Partial.To())
	}
	return s, nil
}

// checkPaths returns an error unless every move is a step or jumps on the board.
func checkPaths(moves ...engine.Move) error {
	for _, m := range moves {
		if m != 0 && !m.Valid() {
			return fmt.Errorf("%w: the path of a move leaves the board or is neither a step nor jumps", ErrScene)
		}
	}
	return nil
}
