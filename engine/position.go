package engine

import "fmt"

// Position is a legal position: the columns, the side to move, the two counters
// and the rules. It is a value; copies are independent. Positions are equal (==)
// when all of that is equal, counters included; for repetition compare
// [Position.Key]. The zero Position is an empty board.
type Position struct {
	stacks   [numBits]Stack // by bit of the padded board
	own      [2]uint32      // squares commanded, by colour
	officers uint32         // squares commanded by an officer of either colour
	quiet    uint16
	number   uint16
	hash     uint64
	turn     Color
	rules    Rules
}

// hashTurn is mixed into the hash when Black is to move.
const hashTurn = 0x9e3779b97f4a7c15

// mix gives the hash of one column on one square.
func mix(bit int, s Stack) uint64 {
	h := (uint64(s) + uint64(bit+1)*0xd6e8feb86659fd93) * 0xff51afd7ed558ccd
	h ^= h >> 32
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>29
}

// Turn returns the side to move.
func (p *Position) Turn() Color { return p.turn }

// Rules returns the ruleset.
func (p *Position) Rules() Rules { return p.rules }

// Quiet returns the number of plies since the last capture or promotion. It stays
// at [MaxQuiet] once there.
func (p *Position) Quiet() int { return int(p.quiet) }

// Number returns the move number, which rises after Black's moves and stays at
// [MaxNumber] once there.
func (p *Position) Number() int { return int(p.number) }

// Stack returns the column on a square, and 0 when the square is empty or not on
// the board.
func (p *Position) Stack(s Square) Stack {
	if !s.Valid() {
		return 0
	}
	return p.stacks[bitOf[s]]
}

// Hash returns a 64-bit hash of the columns and the side to move. Equal positions
// have equal hashes; the reverse is likely, but not certain.
func (p *Position) Hash() uint64 { return p.hash }

// Setup returns the position as a set-up.
func (p *Position) Setup() Setup {
	s := Setup{Turn: p.turn, Quiet: int(p.quiet), Number: int(p.number), Rules: p.rules}
	for i := range s.Stacks {
		s.Stacks[i] = p.stacks[bitOf[i]]
	}
	return s
}

// Key identifies all columns and the side to move exactly: two positions repeat
// each other when their keys are equal. It does not include the counters or the
// rules. It holds the heights in unary, two bits per piece, and the side to move:
// at most 92 bits.
type Key [12]byte

// Key returns the position's key.
func (p *Position) Key() Key {
	var k Key
	n := 0
	put := func(bit uint64) {
		k[n>>3] |= byte(bit) << (n & 7)
		n++
	}
	put(uint64(p.turn))
	for _, b := range bitOf {
		for s := p.stacks[b]; s > 1; s >>= 2 {
			put(1)
			put(uint64(s) & 1)
			put(uint64(s) >> 1 & 1)
		}
		put(0)
	}
	return k
}

// Play returns the position after a move, or an error that wraps [ErrIllegalMove]
// when the move is not legal. The receiver never changes.
func (p *Position) Play(m Move) (Position, error) {
	var buf [64]Move
	for _, legal := range p.AppendMoves(buf[:0]) {
		if legal == m {
			next := *p
			next.MakeUnchecked(m)
			return next, nil
		}
	}
	return *p, fmt.Errorf("%w: %v", ErrIllegalMove, m)
}

// MakeUnchecked plays a move without checking it. The move must be one of those
// that [Position.AppendMoves] lists; any other corrupts the position. Use
// [Position.Play] for moves from outside.
func (p *Position) MakeUnchecked(m Move) {
	me := p.turn
	from, to := m.bit(0), m.bit(1)
	s := p.stacks[from]
	p.stacks[from] = 0
	p.own[me] &^= 1 << from
	hash := p.hash ^ hashTurn ^ mix(from, s)
	quiet := p.quiet + 1

	if d := to - from; d > 5 || d < -5 {
		quiet = 0
		n := m.size()
		at := from
		for i := 1; i < n; i++ {
			to = m.bit(i)
			over := (at + to) >> 1
			taken := p.stacks[over]
			rest := taken.Rest()
			p.stacks[over] = rest
			s = s.with(Piece(taken & 3))
			hash ^= mix(over, taken)
			bit := uint32(1) << over
			p.own[me^1] &^= bit
			p.officers &^= bit
			if rest != 0 {
				hash ^= mix(over, rest)
				p.own[rest&1] |= bit
				p.officers |= uint32(rest>>1&1) << over
			}
			at = to
		}
	}

	p.officers &^= 1 << from
	if s&officerBit == 0 {
		if far := rank7 | rank1; far&(1<<to) != 0 && isFar(me, to) {
			s |= officerBit
			quiet = 0
		}
	}
	p.stacks[to] = s
	p.own[me] |= 1 << to
	p.officers |= uint32(s>>1&1) << to
	p.hash = hash ^ mix(to, s)
	p.quiet = min(quiet, MaxQuiet)
	p.turn = me ^ 1
	if me == Black && p.number < MaxNumber {
		p.number++
	}
}

// isFar reports whether a bit lies on the far rank of a colour.
func isFar(c Color, bit int) bool {
	if c == White {
		return bit >= 27
	}
	return bit < 4
}
