package engine

import (
	"errors"
	"fmt"
	"strings"
)

// Move is the path of a move: the squares on which the moving column stands, 2 to
// 12 of them (no move has more than eleven jumps). Moves are equal when their
// paths are. The zero Move stands for "no move". Whether a Move is legal depends
// on the position.
type Move uint64

// MaxPath is the largest number of squares in a path.
const MaxPath = 12

var (
	// ErrMoveSyntax means that a text or a list of squares is not a path.
	ErrMoveSyntax = errors.New("not a move")
	// ErrIllegalMove means that a path is not a legal move in the position.
	ErrIllegalMove = errors.New("illegal move")
)

// Layout: the four low bits hold the number of squares; above them are five bits
// per square, its bit number on the padded board.
const (
	moveLenBits = 4
	moveSqBits  = 5
)

// stepMove is the path of two squares, given as bits of the padded board.
func stepMove(from, to int) Move { return Move(2 | from<<moveLenBits | to<<(moveLenBits+moveSqBits)) }

// then returns the path with one more square.
func (m Move) then(bit int) Move {
	n := uint(m & 15)
	return m + 1 + Move(bit)<<(moveLenBits+moveSqBits*n)
}

// size returns the number of squares of the path.
func (m Move) size() int { return int(m & 15) }

// bit returns square i of the path as a bit number of the padded board.
func (m Move) bit(i int) int { return int(m>>(moveLenBits+moveSqBits*uint(i))) & 31 }

// NewMove makes a move from a path. The path must have 2 to 12 squares and be
// either one diagonal step or all jumps; otherwise the error wraps
// [ErrMoveSyntax]. NewMove does not know whether the move is legal anywhere.
func NewMove(path ...Square) (Move, error) {
	if len(path) < 2 || len(path) > MaxPath {
		return 0, fmt.Errorf("%w: a path has 2 to %d squares, not %d", ErrMoveSyntax, MaxPath, len(path))
	}
	var m Move
	for i, s := range path {
		if !s.Valid() {
			return 0, fmt.Errorf("%w: %v", ErrMoveSyntax, s)
		}
		if i > 0 && !follows(path[i-1], s, len(path)) {
			return 0, fmt.Errorf("%w: %v to %v is neither a step nor a jump", ErrMoveSyntax, path[i-1], s)
		}
		m = m.then(int(bitOf[s]))
	}
	return m, nil
}

// Valid reports whether [NewMove] could have made the move. A Move is a number, so
// one that comes from elsewhere may hold anything. Valid does not allocate.
func (m Move) Valid() bool {
	n := m.size()
	if n < 2 || n > MaxPath || m>>(moveLenBits+moveSqBits*uint(n)) != 0 {
		return false
	}
	for i := range n {
		if !m.At(i).Valid() || i > 0 && !follows(m.At(i-1), m.At(i), n) {
			return false
		}
	}
	return true
}

// follows reports whether square b may come after a in a path of n squares: by a
// jump, or by a step when they are all there is.
func follows(a, b Square, n int) bool {
	d := distance(a, b)
	return d == 2 || d == 1 && n == 2
}

// distance returns 1 for diagonal neighbours, 2 for a jump, 0 for anything else.
func distance(a, b Square) int {
	df, dr := a.File()-b.File(), a.Rank()-b.Rank()
	if df < 0 {
		df = -df
	}
	if dr < 0 {
		dr = -dr
	}
	if df != dr || df == 0 || df > 2 {
		return 0
	}
	return df
}

// Len returns the number of squares of the path, 0 for the zero Move.
func (m Move) Len() int { return m.size() }

// At returns square i of the path, 0 <= i < m.Len().
func (m Move) At(i int) Square { return Square(squareOf[m.bit(i)]) }

// From returns the square that the column leaves.
func (m Move) From() Square { return m.At(0) }

// To returns the square that the column ends on.
func (m Move) To() Square { return m.At(m.size() - 1) }

// Path returns the squares of the path as a new slice.
func (m Move) Path() []Square {
	path := make([]Square, m.size())
	for i := range path {
		path[i] = m.At(i)
	}
	return path
}

// IsCapture reports whether the path consists of jumps.
func (m Move) IsCapture() bool {
	d := m.bit(0) - m.bit(1)
	return d > 5 || d < -5
}

// Jumps returns the number of jumps, 0 for a quiet move.
func (m Move) Jumps() int {
	if !m.IsCapture() {
		return 0
	}
	return m.size() - 1
}

// Over returns the square that jump i passes over, 0 <= i < m.Jumps().
func (m Move) Over(i int) Square { return Square(squareOf[(m.bit(i)+m.bit(i+1))/2]) }

// String returns the standard form: every square of the path, joined by "-" in a
// quiet move and by "x" in a capture. The zero Move gives "".
func (m Move) String() string {
	if m.size() == 0 {
		return ""
	}
	sep := byte('-')
	if m.IsCapture() {
		sep = 'x'
	}
	b := make([]byte, 0, 3*MaxPath)
	for i := range m.size() {
		if i > 0 {
			b = append(b, sep)
		}
		s := m.At(i)
		b = append(b, 'a'+byte(s.File()), '1'+byte(s.Rank()))
	}
	return string(b)
}

// ParseMove reads the standard form that [Move.String] writes and nothing else.
// For what people type, use package notation, which is forgiving. The error wraps
// [ErrMoveSyntax].
func ParseMove(text string) (Move, error) {
	if len(text) > 3*MaxPath {
		return 0, fmt.Errorf("%w: %q is too long", ErrMoveSyntax, clip(text))
	}
	names := strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == 'x' })
	path := make([]Square, 0, MaxPath)
	for _, name := range names {
		s, err := ParseSquare(name)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", ErrMoveSyntax, err)
		}
		path = append(path, s)
	}
	m, err := NewMove(path...)
	if err != nil {
		return 0, err
	}
	if m.String() != text {
		return 0, fmt.Errorf("%w: %q is written %q", ErrMoveSyntax, clip(text), m.String())
	}
	return m, nil
}

// MarshalText returns the standard form.
func (m Move) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the standard form, as [ParseMove] does.
func (m *Move) UnmarshalText(text []byte) error {
	v, err := ParseMove(string(text))
	if err == nil {
		*m = v
	}
	return err
}
