package engine

// This file is what a search needs of the inside of a position: the padded
// board that the package comment describes, as masks and bit numbers. Nothing
// else should use it; squares are the interface for everybody else.

// NumBits is the number of bits of the padded board.
const NumBits = numBits

// Bit returns the square's bit number on the padded board. White's steps ahead
// are +4 and +5, Black's -4 and -5, and a jump is two steps; turning the board
// by half a turn maps bit b to NumBits-1-b.
func (s Square) Bit() int { return int(bitOf[s]) }

// Bit returns square i of the path as a bit number, 0 <= i < m.Len().
func (m Move) Bit(i int) int { return m.bit(i) }

// Jumped returns the mask of the squares that the path jumps over, however
// often; 0 for a quiet move.
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

// Officers returns the mask of the columns, of either side, that an officer
// commands.
func (p *Position) Officers() uint32 { return p.officers }

// StackAt returns the column on a bit of the padded board, 0 when it is empty
// or no square.
func (p *Position) StackAt(bit int) Stack { return p.stacks[bit] }

// HashAfter returns the hash of the position after a legal move that captures
// nothing, for a fraction of the work of making it.
func (p *Position) HashAfter(m Move) uint64 {
	from, to := m.bit(0), m.bit(1)
	s := p.stacks[from]
	h := p.hash ^ hashTurn ^ mix(from, s)
	if isFar(p.turn, to) {
		s |= officerBit
	}
	return h ^ mix(to, s)
}
