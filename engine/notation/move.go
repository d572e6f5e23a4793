package notation

import (
	"slices"
	"strings"

	"github.com/lascabot/lascabot/engine"
)

// MaxMoveText is the length of the longest move text that is read, in bytes. The
// longest move, with all squares passed and everything in full-width characters,
// fits.
const MaxMoveText = 256

// FindMove returns the one legal move that a text describes. It understands
//
//   - the standard form, c3-d4 and c3xe5xg7, in either case;
//   - spaces, commas, colons, any dash or arrow, × and x as separators, or none:
//     c3e5g7;
//   - Lasker's numbers for squares: 9-13, 17-13-9;
//   - captures with the squares passed as well: c3-d4-e5;
//   - what [TidyMove] removes: a move number in front, quotes, trailing signs,
//     full-width and invisible characters;
//   - a shortened path, with the first and last square and any between, if exactly
//     one legal move fits: c3 g7.
//
// For anything else the error is a [*MoveError] that says why. FindMove does not
// play the move.
func FindMove(pos *engine.Position, text string) (engine.Move, error) {
	squares, err := readSquares(text)
	if err != nil {
		return 0, err
	}
	f := finder{pos: pos, text: text, legal: pos.Moves(), squares: squares}
	return f.find()
}

// readSquares returns the squares that a text names, in order.
func readSquares(text string) ([]engine.Square, error) {
	if len(text) > MaxMoveText {
		return nil, &MoveError{Kind: MoveTooLong, Text: clip(text)}
	}
	tokens := strings.FieldsFunc(TidyMove(text), func(r rune) bool {
		return strings.ContainsRune(" ,:-xX", r)
	})
	if len(tokens) == 0 {
		return nil, &MoveError{Kind: MoveMissing, Text: text}
	}
	var squares []engine.Square
	for _, token := range tokens {
		for _, name := range unglue(token) {
			sq, err := engine.ParseSquare(name)
			switch {
			case err != nil && isLight(name):
				return nil, &MoveError{Kind: LightSquare, Text: strings.ToLower(name)}
			case err != nil:
				return nil, &MoveError{Kind: NotASquare, Text: clip(name)}
			}
			squares = append(squares, sq)
		}
	}
	return squares, nil
}

// unglue splits square names that have no separator, such as c3e5g7. Anything but
// alternating letters and digits stays whole.
func unglue(token string) []string {
	if len(token) < 4 || len(token)%2 != 0 {
		return []string{token}
	}
	var names []string
	for i := 0; i < len(token); i += 2 {
		letter, digit := token[i]|0x20, token[i+1]
		if letter < 'a' || letter > 'z' || digit < '0' || digit > '9' {
			return []string{token}
		}
		names = append(names, token[i:i+2])
	}
	return names
}

// isLight reports whether a name that is not a playing square is one of the
// board's light squares.
func isLight(name string) bool {
	if len(name) != 2 {
		return false
	}
	file, rank := name[0]|0x20, name[1]
	return file >= 'a' && file <= 'g' && rank >= '1' && rank <= '7'
}

// finder looks for the legal move that some squares describe.
type finder struct {
	pos     *engine.Position
	text    string
	legal   []engine.Move
	squares []engine.Square
}

func (f *finder) find() (engine.Move, error) {
	for _, m := range f.legal {
		if slices.Equal(m.Path(), f.squares) || slices.Equal(withPassed(m), f.squares) {
			return m, nil
		}
	}
	if len(f.squares) > 1 {
		fits := f.where(func(m engine.Move) bool {
			return m.From() == f.squares[0] && m.To() == f.squares[len(f.squares)-1] && embed(f.squares, withPassed(m)) > 0
		})
		switch len(fits) {
		case 0:
		case 1:
			return fits[0], nil
		default:
			return 0, f.refuse(SeveralMoves, nil, fits)
		}
	}
	return 0, f.why()
}

// why finds the most helpful reason why the squares do not describe a legal move.
func (f *finder) why() *MoveError {
	from := f.squares[0]
	mine := f.where(func(m engine.Move) bool { return m.From() == from })
	top, occupied := f.pos.Stack(from).Top()
	switch {
	case len(f.legal) == 0:
		return f.refuse(NoLegalMoves, nil, nil)
	case !occupied:
		return f.refuse(EmptySquare, starts(f.legal), nil)
	case top.Color() != f.pos.Turn():
		return f.refuse(NotYourColumn, starts(f.legal), nil)
	case len(mine) == 0 && f.pos.MustCapture():
		return f.refuse(MustCapture, starts(f.legal), f.legal)
	case len(mine) == 0:
		return f.refuse(Blocked, starts(f.legal), nil)
	}
	if len(f.squares) == 1 {
		next, _ := f.pos.Continue(f.squares)
		return f.refuse(MoveUnfinished, next, mine)
	}
	// The squares may be the beginning of captures: with or without the squares
	// passed, or shortened.
	begun := f.where(func(m engine.Move) bool { return m.From() == from && embed(f.squares, withPassed(m)) > 0 })
	if len(begun) > 0 {
		var next []engine.Square
		for _, m := range begun {
			// With the squares passed, every second square of a path is a landing square.
			next = append(next, m.At(embed(f.squares, withPassed(m))/2+1))
		}
		slices.Sort(next)
		return f.refuse(CaptureGoesOn, slices.Compact(next), begun)
	}
	ended := f.where(func(m engine.Move) bool {
		return begins(f.squares, m.Path()) || begins(f.squares, withPassed(m))
	})
	if len(ended) > 0 {
		return f.refuse(MoveEnds, ends(ended), ended)
	}
	if f.pos.MustCapture() && f.canStep(from, f.squares[1]) {
		return f.refuse(MustCapture, starts(f.legal), f.legal)
	}
	return f.refuse(CannotGoThere, ends(mine), mine)
}

func (f *finder) refuse(kind MoveKind, squares []engine.Square, moves []engine.Move) *MoveError {
	names := make([]string, len(f.squares))
	for i, sq := range f.squares {
		names[i] = sq.String()
	}
	return &MoveError{Kind: kind, Text: strings.Join(names, "-"), Named: f.squares, Squares: squares, Moves: moves}
}

func (f *finder) where(keep func(engine.Move) bool) []engine.Move {
	var kept []engine.Move
	for _, m := range f.legal {
		if keep(m) {
			kept = append(kept, m)
		}
	}
	return kept
}

// withPassed returns the path with the squares that it jumps over between the
// landing squares.
func withPassed(m engine.Move) []engine.Square {
	path := m.Path()[:1]
	for i := 1; i < m.Len(); i++ {
		if m.IsCapture() {
			path = append(path, m.Over(i-1))
		}
		path = append(path, m.At(i))
	}
	return path
}

// embed returns the first index in path by which all the squares have occurred in
// order, and 0 when they do not. Both begin with the same square.
func embed(squares, path []engine.Square) int {
	n, at := 1, 0
	for i := 1; i < len(path) && n < len(squares); i++ {
		if path[i] == squares[n] {
			n, at = n+1, i
		}
	}
	if n < len(squares) {
		return 0
	}
	return at
}

// begins reports whether squares begin with the whole path and then go on.
func begins(squares, path []engine.Square) bool {
	return len(squares) > len(path) && slices.Equal(squares[:len(path)], path)
}

// canStep reports whether the column on from could make a quiet move to another
// square if no capture were possible.
func (f *finder) canStep(from, to engine.Square) bool {
	m, err := engine.NewMove(from, to)
	if err != nil || m.IsCapture() || f.pos.Stack(to) != 0 {
		return false
	}
	top, _ := f.pos.Stack(from).Top()
	return top.IsOfficer() || (to.Rank() > from.Rank()) == (top.Color() == engine.White)
}

// starts and ends return the first and the last squares of moves, in board order
// and without repeats.
func starts(moves []engine.Move) []engine.Square { return each(moves, engine.Move.From) }
func ends(moves []engine.Move) []engine.Square   { return each(moves, engine.Move.To) }

func each(moves []engine.Move, square func(engine.Move) engine.Square) []engine.Square {
	squares := make([]engine.Square, len(moves))
	for i, m := range moves {
		squares[i] = square(m)
	}
	slices.Sort(squares)
	return slices.Compact(squares)
}
