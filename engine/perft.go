package engine

// MaxPerft is the greatest number of counts that [PerftByPly] makes at once. No
// machine gets there.
const MaxPerft = 64

// Perft returns the number of sequences of depth moves from a position, 1 for
// depth 0 or less. Moves count by their path; draws are ignored. It is the usual
// check and speed measure of rules.
//
// It plays with code of its own, which is several times as fast as
// [Position.AppendMoves] with [Position.MakeUnchecked], counts the last ply without
// playing it, keeps no table and does not allocate.
func Perft(p Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	var w walker
	return w.walk(&p, depth)
}

// PerftByPly sets counts[i] to what [Perft] returns for depth i+1, for all of
// counts, at most [MaxPerft]. It takes hardly longer than the last of them takes
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

// walker counts moves without lists of moves, hashes and copies of positions.
//
// The masks travel by value, so that only the columns have to be put back after
// a move. A column of an empty square is never looked at; hence a square that
// was empty before a move may keep what the move left there, and a square that
// was left needs no clearing, only putting back.
type walker struct {
	stacks [32]Stack
	forbid uint32 // all ones when the column just jumped may not be jumped next
	keep   uint32 // all ones when that stays so until the move ends
	// nodes counts the positions met, by how many moves were still to follow them:
	// up to MaxPerft for [PerftByPly], with room that makes an index need no check.
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

// step plays a quiet move from bit b to bit t and counts what follows. It has no
// branches on what the column is, which processors could only guess.
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

// capture plays the captures of one column whose first jump has d bits a step
// and counts what follows.
func (w *walker) capture(s side, b, d, depth int) uint64 {
	bit := uint32(1) << (b & 31)
	column := w.stacks[b&31]
	n := w.jump(s.own&^bit, s.opp, s.officers&^bit, column, b, d, 0, depth)
	w.stacks[b&31] = column
	return n
}

// jump makes one jump of d bits a step with a column that stands above bit b and
// is not in the masks, goes on while it can, and counts what follows. blocked
// holds the squares that the rules forbid to jump. Nine words of arguments are
// what Go passes in registers, so the way of the soldiers is taken from the
// column's colour.
func (w *walker) jump(own, opp, officers uint32, column Stack, b, d int, blocked uint32, depth int) (n uint64) {
	over, land := b+d, b+2*d
	overBit, bit := uint32(1)<<(over&31), uint32(1)<<(land&31)
	taken := w.stacks[over&31]
	rest := taken >> 2
	// What remains of the column, if anything (1 is the bare sentinel), may
	// belong to either side.
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
			// A soldier gets to no edge but its far rank, where it is promoted
			// and could not have jumped on, forward.
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

// mayGo returns the column's bit in up when the column may go up the board, and
// in down when it may go down.
func mayGo(column Stack, bit uint32) (up, down uint32) {
	white, officer := uint32(column&1)-1, -uint32(column>>1&1)
	return bit & (officer | white), bit & (officer | ^white)
}

// chain makes every next jump of a capture that can go on, and counts what
// follows. The arguments are those of jump.
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
