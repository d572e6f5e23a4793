package engine

import (
	"iter"
	"math/bits"
)

// Piece is a soldier or an officer of one side.
type Piece uint8

// The four kinds of piece. Bit 0 is the colour, bit 1 the officer's rank.
const (
	WhiteSoldier Piece = iota
	BlackSoldier
	WhiteOfficer
	BlackOfficer
)

const officerBit = 2

// Soldier returns the soldier of a colour.
func Soldier(c Color) Piece { return Piece(c) }

// Officer returns the officer of a colour.
func Officer(c Color) Piece { return Piece(c) | officerBit }

// Color returns the side of the piece.
func (p Piece) Color() Color { return Color(p & 1) }

// IsOfficer reports whether the piece is an officer.
func (p Piece) IsOfficer() bool { return p&officerBit != 0 }

// Letter returns the letter of the piece in position text: w, b, W or B.
func (p Piece) Letter() byte { return "wbWB"[p&3] }

// String returns the letter of the piece.
func (p Piece) String() string { return string(p.Letter()) }

// PieceOf returns the piece of a letter of position text, false for any other
// letter.
func PieceOf(letter byte) (Piece, bool) {
	switch letter {
	case 'w':
		return WhiteSoldier, true
	case 'b':
		return BlackSoldier, true
	case 'W':
		return WhiteOfficer, true
	case 'B':
		return BlackOfficer, true
	}
	return 0, false
}

// MaxHeight is the most pieces that one column can hold: all those of a game.
const MaxHeight = 22

// MaxPieces is the most pieces of one colour in a position.
const MaxPieces = 11

// Stack is a column, or an empty square when it is zero. It has two bits per piece
// from the commander down and a sentinel bit above the lowest piece, so that 22
// pieces take 45 bits. Two stacks are equal when they hold the same pieces in the
// same order.
type Stack uint64

// StackOf builds a stack from its pieces, the commander first. Pieces beyond the
// first [MaxHeight] are dropped.
func StackOf(pieces ...Piece) Stack {
	if len(pieces) == 0 {
		return 0
	}
	s := Stack(1)
	for i := min(len(pieces), MaxHeight) - 1; i >= 0; i-- {
		s = s<<2 | Stack(pieces[i])
	}
	return s
}

// Height returns the number of pieces, 0 for an empty square.
func (s Stack) Height() int {
	if s == 0 {
		return 0
	}
	return (bits.Len64(uint64(s)) - 1) / 2
}

// Valid reports whether the stack is empty or a column of 1 to [MaxHeight]
// pieces, which is all that [StackOf] makes.
func (s Stack) Valid() bool {
	return s == 0 || s > 3 && bits.Len64(uint64(s))%2 == 1 && s.Height() <= MaxHeight
}

// Top returns the commander, and false when the square is empty.
func (s Stack) Top() (Piece, bool) { return Piece(s & 3), s != 0 }

// All yields the pieces from the commander down.
func (s Stack) All() iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		for ; s > 1; s >>= 2 {
			if !yield(Piece(s & 3)) {
				return
			}
		}
	}
}

// Lives returns the number of the owner's pieces above the first prisoner: after
// that many captures the column is gone or the other side's. It is 0 for an empty
// square.
func (s Stack) Lives() int {
	if s == 0 {
		return 0
	}
	n, owner := 0, Piece(s&3).Color()
	for p := range s.All() {
		if p.Color() != owner {
			break
		}
		n++
	}
	return n
}

// String returns the letters of the pieces from the commander down, as in
// position text.
func (s Stack) String() string {
	b := make([]byte, 0, MaxHeight)
	for p := range s.All() {
		b = append(b, p.Letter())
	}
	return string(b)
}

// Rest returns what a capture leaves of the column: all but its commander, 0
// when that was all. The rest may belong to the other side.
func (s Stack) Rest() Stack {
	s >>= 2
	if s == 1 {
		return 0
	}
	return s
}

// with returns the stack with one prisoner added at the bottom. The stack must not
// be empty.
func (s Stack) with(p Piece) Stack {
	return s + Stack(p+3)<<(bits.Len64(uint64(s))-1)
}
