package engine

// This file opens the inside of a position to a search: the padded board that the
// package comment describes, as masks and bit numbers. Everything else should use
// squares.

// NumBits is the number of bits of the padded board.
const NumBits = numBits

// Bit returns the square's bit number on the padded board. White's steps forward
// are +4 and +5, Black's -4 and -5, and a jump is two steps; turning the board
// through 180 degrees maps bit b to NumBits-1-b.
func (s Square) Bit() int { return int(bitOf[s]) }

// Bit returns square i of the path as a bit number, 0 <= i < m.Len().
func (m Move) Bit(i int) int { return m.bit(i) }

// Jumped returns the mask of the squares that the path jumps over once or more; 0
// for a quiet move.
func (m Move) Jumped() uint32 {
	if !m.IsCapture() {
		return 0
	}
	var mask uint32
	at := m.bit(0)
	for i := 1; i < m.size(); i++ {
		to := m.bit(i)
		mask |= 1 << ((at + to) >> 1)
		at = to
	}
	return mask
}

// Commanded returns the mask of the columns that a side commands.
func (p *Position) Commanded(c Color) uint32 { return p.own[c&1] }

// Officers returns the mask of the columns of either side that an officer
// commands.
func (p *Position) Officers() uint32 { return p.officers }

// StackAt returns the column on a bit of the padded board, and 0 when the square is
// empty or the bit a ghost. The bit must be 0 to NumBits-1.
func (p *Position) StackAt(bit int) Stack { return p.stacks[bit] }

// HashAfter returns the hash of the position after a legal quiet move, for a
// fraction of the cost of making the move. Nothing is checked.
func (p *Position) HashAfter(m Move) uint64 {
	from, to := m.bit(0), m.bit(1)
	s := p.stacks[from]
	h := p.hash ^ hashTurn ^ mix(from, s)
	if isFar(p.turn, to) {
		s |= officerBit
	}
	return h ^ mix(to, s)
}
