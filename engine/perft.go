package engine

// MaxPerft is the largest number of depths that [PerftByPly] counts at once. No
// machine gets that far.
const MaxPerft = 64

// Perft returns the number of sequences of depth moves from a position, 1 when
// depth is 0 or less. Moves with different paths are different moves, and draws
// are ignored. It is the usual check and speed measure of a rules engine.
//
// It has its own code, which is several times as fast as [Position.AppendMoves]
// with [Position.MakeUnchecked]. It counts the last ply without playing it, keeps
// no table and does not allocate.
func Perft(p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	var w walker
	return w.walk(&p, depth)
}

// PerftByPly sets every counts[i] to what [Perft] returns for depth i+1. counts
// has at most [MaxPerft] elements. This takes hardly longer than the deepest count
// alone, since the shorter sequences are the beginnings of the longer ones.
func PerftByPly(p Position, counts []uint64) {
	depth := len(counts)
	if depth == 0 {
		return
	}
	var w walker
	counts[depth-1] = w.walk(&p, depth)
	for i := range depth - 1 {
		counts[i] = w.nodes[depth-1-i]
	}
}

// walker counts moves without move lists, hashes or copies of positions.
//
// The masks are passed by value, so only the columns have to be restored after a
// move. The column of an empty square is never looked at, so a square that was
// empty before a move may keep what the move left there, and a square that the
// column leaves need not be cleared, only restored.
type walker struct {
	stacks [32]Stack
	forbid uint32 // all ones when the next jump may not be over the column just jumped
	keep   uint32 // all ones when no later jump of the move may be either
	// nodes counts the positions met, by the number of moves still to follow: up to
	// MaxPerft for [PerftByPly]. The rest of the array saves a bounds check.
	nodes [2 * MaxPerft]uint64
}

// walk returns the sequences of depth moves, depth >= 1.
func (w *walker) walk(p *Position, depth int) uint64 {
	copy(w.stacks[:], p.stacks[:])
	if p.rules != Kawu {
		w.forbid = ^uint32(0)
	}
	if p.rules == Lasker {
		w.keep = ^uint32(0)
	}
	if depth == 1 {
		return w.leaves(p.side())
	}
	return w.count(p.side(), depth)
}

// count returns the sequences of depth moves, depth >= 2.
func (w *walker) count(s side, depth int) (n uint64) {
	w.nodes[depth&(len(w.nodes)-1)]++
	up, down := s.jumpsUp(s.goUp()), s.jumpsDown(s.goDown())
	if up|down != 0 {
		for ; up != 0; up &= up - 1 {
			b, d := up.first()
			n += w.capture(s, b, d, depth)
		}
		for ; down != 0; down &= down - 1 {
			b, d := down.first()
			n += w.capture(s, b, -d, depth)
		}
		return n
	}
	for m := s.stepsUp(); m != 0; m &= m - 1 {
		b, d := m.first()
		n += w.step(s, b, b+d, depth)
	}
	for m := s.stepsDown(); m != 0; m &= m - 1 {
		b, d := m.first()
		n += w.step(s, b, b-d, depth)
	}
	return n
}

// step plays a quiet move from bit b to bit t and counts what follows. It does not
// branch on the kind of column, which processors could only guess.
func (w *walker) step(s side, b, t, depth int) uint64 {
	from, to := uint32(1)<<(b&31), uint32(1)<<(t&31)
	column := w.stacks[b&31]
	crown := to & s.far() // officers have theirs already
	w.stacks[t&31] = column | Stack(crown>>(t&31))*officerBit
	officer := s.officers >> (b & 31) & 1 << (t & 31)
	next := side{own: s.opp, opp: s.own ^ from ^ to, officers: s.officers&^from | officer | crown, up: ^s.up}
	if depth == 2 {
		return w.leaves(next)
	}
	n := w.count(next, depth-1)
	w.stacks[b&31] = column
	return n
}

// capture plays the captures of one column whose first jump goes d bits per step,
// and counts what follows.
func (w *walker) capture(s side, b, d, depth int) uint64 {
	bit := uint32(1) << (b & 31)
	column := w.stacks[b&31]
	n := w.jump(s.own&^bit, s.opp, s.officers&^bit, column, b, d, 0, depth)
	w.stacks[b&31] = column
	return n
}

// jump makes one jump of d bits per step with a column that stands on bit b and is
// not in the masks, goes on while it can, and counts what follows. blocked holds
// the squares that the rules forbid to jump. Go passes at most nine words in
// registers, so the direction of the soldiers is taken from the column's colour
// rather than passed.
func (w *walker) jump(own, opp, officers uint32, column Stack, b, d int, blocked uint32, depth int) (n uint64) {
	over, land := b+d, b+2*d
	overBit, bit := uint32(1)<<(over&31), uint32(1)<<(land&31)
	taken := w.stacks[over&31]
	rest := taken >> 2
	// The rest of the column, if any (1 is the bare sentinel), may belong to either
	// side.
	remains := overBit &^ -uint32((rest-2)>>63)
	theirs := remains & -uint32((rest^column)&1)
	own |= remains &^ theirs
	opp = opp&^overBit | theirs
	officers = officers&^overBit | remains&-uint32(rest>>1&1)
	w.stacks[over&31] = rest
	column = column.with(Piece(taken & 3))
	blocked = blocked&w.keep | overBit&w.forbid
	up, down := mayGo(column, bit)
	empty, target := valid&^(own|opp), opp&^blocked
	switch {
	case up&(target>>4&(empty>>8)|target>>5&(empty>>10))|down&(target<<4&(empty<<8)|target<<5&(empty<<10)) != 0:
		n = w.chain(own, opp, officers, column, land, blocked, depth)
	case depth == 1:
		n = 1
	default:
		if bit&(rank1|rank7) != 0 {
			// The only edge rank that a soldier reaches is its far rank, where it is
			// promoted and could not have jumped on.
			column |= officerBit
		}
		w.stacks[land&31] = column
		next := side{own: opp, opp: own | bit, officers: officers | bit&-uint32(column>>1&1), up: -uint32(column & 1)}
		if depth == 2 {
			n = w.leaves(next)
		} else {
			n = w.count(next, depth-1)
		}
	}
	w.stacks[over&31] = taken
	return n
}

// mayGo returns the column's bit as up when the column may go up the board, and as
// down when it may go down; 0 otherwise.
func mayGo(column Stack, bit uint32) (up, down uint32) {
	white, officer := uint32(column&1)-1, -uint32(column>>1&1)
	return bit & (officer | white), bit & (officer | ^white)
}

// chain makes every possible next jump of a capture and counts what follows. Its
// arguments are those of jump.
func (w *walker) chain(own, opp, officers uint32, column Stack, b int, blocked uint32, depth int) (n uint64) {
	up, down := mayGo(column, 1<<(b&31))
	empty, target := valid&^(own|opp), opp&^blocked
	if up&(target>>4)&(empty>>8) != 0 {
		n += w.jump(own, opp, officers, column, b, 4, blocked, depth)
	}
	if up&(target>>5)&(empty>>10) != 0 {
		n += w.jump(own, opp, officers, column, b, 5, blocked, depth)
	}
	if down&(target<<4)&(empty<<8) != 0 {
		n += w.jump(own, opp, officers, column, b, -4, blocked, depth)
	}
	if down&(target<<5)&(empty<<10) != 0 {
		n += w.jump(own, opp, officers, column, b, -5, blocked, depth)
	}
	return n
}

// leaves returns the number of legal moves.
func (w *walker) leaves(s side) uint64 {
	w.nodes[1]++
	up, down := s.jumpsUp(s.goUp()), s.jumpsDown(s.goDown())
	if up|down == 0 {
		return uint64(s.stepsUp().count() + s.stepsDown().count())
	}
	n := uint64(s.countSoldiers(up, down))
	for from := (up | down).from() & s.officers; from != 0; from &= from - 1 {
		bit := from & -from
		b := bitIndex(bit) & 31
		n += w.chain(s.own&^bit, s.opp, s.officers&^bit, w.stacks[b], b, 0, 1)
	}
	return n
}
