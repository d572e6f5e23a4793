package engine

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
)

// Color is a side. White moves first in the usual start and up the board, from
// rank 1 towards rank 7; Black moves down.
type Color uint8

// The two sides.
const (
	White Color = iota
	Black
)

// Other returns the opponent's colour.
func (c Color) Other() Color { return c ^ 1 }

// String returns "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// NumSquares is the number of squares that Lasca is played on.
const NumSquares = 25

// Square is one of the 25 playing squares, from 0 for a1 to 24 for g7, row by row
// from White's left. Lasker's number for a square is one higher.
type Square uint8

// ErrSquareSyntax means that a text does not name a square.
var ErrSquareSyntax = errors.New("not a square")

// The padded board: bit numbers in place of squares.
const (
	numBits = 31
	valid   = uint32(0x7bbddeef) // the 25 playing squares
	rank1   = uint32(0x0000000f)
	rank7   = uint32(0x78000000)
)

// bitOf maps a Square to its bit on the padded board.
var bitOf = [NumSquares]uint8{
	0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 18, 19, 20, 21, 23, 24, 25, 27, 28, 29, 30,
}

// squareOf maps a bit of the padded board to its Square; ghosts map to 255.
var squareOf = func() (t [32]uint8) {
	for i := range t {
		t[i] = 255
	}
	for s, b := range bitOf {
		t[b] = uint8(s)
	}
	return t
}()

// bitIndex returns the number of the lowest set bit.
func bitIndex(mask uint32) int { return bits.TrailingZeros32(mask) }

// File returns 0 for file a to 6 for file g.
func (s Square) File() int {
	r := int(s) % 7
	if r < 4 {
		return 2 * r
	}
	return 2*(r-4) + 1
}

// Rank returns 0 for rank 1 to 6 for rank 7.
func (s Square) Rank() int {
	r := 2 * (int(s) / 7)
	if int(s)%7 >= 4 {
		r++
	}
	return r
}

// Valid reports whether s is one of the 25 squares.
func (s Square) Valid() bool { return s < NumSquares }

// String returns the name of the square, such as "c3".
func (s Square) String() string {
	if !s.Valid() {
		return "Square(" + strconv.Itoa(int(s)) + ")"
	}
	return string([]byte{'a' + byte(s.File()), '1' + byte(s.Rank())})
}

// SquareAt returns the playing square at a file and a rank, both counted from 0,
// and false where there is none.
func SquareAt(file, rank int) (Square, bool) {
	if file < 0 || file > 6 || rank < 0 || rank > 6 || (file+rank)%2 != 0 {
		return 0, false
	}
	s := rank/2*7 + file/2
	if rank%2 == 1 {
		s += 4
	}
	return Square(s), true
}

// ParseSquare reads a square's name in either case ("c3", "C3") or its number in
// Lasker's booklet ("1" for a1 to "25" for g7). For anything else the error wraps
// [ErrSquareSyntax].
func ParseSquare(text string) (Square, error) {
	if len(text) == 2 && text[1] >= '1' && text[1] <= '7' {
		file := text[0] | 0x20
		if file >= 'a' && file <= 'g' {
			if s, ok := SquareAt(int(file-'a'), int(text[1]-'1')); ok {
				return s, nil
			}
			return 0, fmt.Errorf("%q: %w: it is one of the unused squares", text, ErrSquareSyntax)
		}
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= NumSquares && text[0] != '+' && text[0] != '0' {
		return Square(n - 1), nil
	}
	return 0, fmt.Errorf("%q: %w", clip(text), ErrSquareSyntax)
}

// clip shortens text from outside before it goes into an error.
func clip(text string) string {
	const most = 24
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}
