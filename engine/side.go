package engine

import "math/bits"

// side holds the masks of a position from the point of view of one side: the side
// to move, except in [Position.CanCapture]. up is all ones when that side's
// soldiers go up the board and zero when they go down; as a mask it replaces
// branches on the colour.
type side struct{ own, opp, officers, up uint32 }

func (p *Position) side() side { return p.sideOf(p.turn) }

func (p *Position) sideOf(c Color) side {
	return side{p.own[c&1], p.own[c&1^1], p.officers, uint32(c&1) - 1}
}

func (s side) empty() uint32 { return valid &^ (s.own | s.opp) }

// goUp and goDown return the columns that may go up the board, and down.
func (s side) goUp() uint32   { return s.own & (s.officers | s.up) }
func (s side) goDown() uint32 { return s.own & (s.officers | ^s.up) }

// far returns the rank on which the side's soldiers are promoted.
func (s side) far() uint32 { return rank7&s.up | rank1&^s.up }

// ways is a set of moves that all go up the board, or all go down: the low half has
// the bits of the squares that may go by 4 bits per step, the high half those that
// may go by 5. One loop over both has one exit where two loops have two, and exits
// are what processors mispredict.
type ways uint64

func both(by4, by5 uint32) ways { return ways(by4) | ways(by5)<<32 }

// from returns the squares that may go at least one way.
func (w ways) from() uint32 { return uint32(w) | uint32(w>>32) }

// first returns the square of the set's lowest bit and its bits per step.
func (w ways) first() (b, d int) {
	i := bits.TrailingZeros64(uint64(w))
	return i & 31, 4 + i>>5
}

func (w ways) count() int { return bits.OnesCount64(uint64(w)) }

// stepsUp and stepsDown return the moves of a single step.
func (s side) stepsUp() ways {
	empty, up := s.empty(), s.goUp()
	return both(up&(empty>>4), up&(empty>>5))
}

func (s side) stepsDown() ways {
	empty, down := s.empty(), s.goDown()
	return both(down&(empty<<4), down&(empty<<5))
}

// jumpsUp and jumpsDown return the jumps that the given squares would have if each
// held one of the side's columns that may go that way.
func (s side) jumpsUp(from uint32) ways {
	empty := s.empty()
	return both(from&(s.opp>>4)&(empty>>8), from&(s.opp>>5)&(empty>>10))
}

func (s side) jumpsDown(from uint32) ways {
	empty := s.empty()
	return both(from&(s.opp<<4)&(empty<<8), from&(s.opp<<5)&(empty<<10))
}

const everywhere = ^uint32(0)

// countSoldiers returns the number of captures by soldiers. up and down hold the
// first jumps of all columns.
//
// Every jump takes a soldier two ranks on, where its earlier jumps have changed
// nothing. So the masks from before the move serve for whole paths, of all
// soldiers at once, and the columns need not be looked at.
func (s side) countSoldiers(up, down ways) int {
	soldiers := both(^s.officers, ^s.officers)
	if s.up != 0 {
		return soldiersUp(up&soldiers, s.jumpsUp(everywhere))
	}
	return soldiersDown(down&soldiers, s.jumpsDown(everywhere))
}

// soldiersUp counts the paths that begin with the given jumps and go on wherever
// can allows it.
func soldiersUp(jumps, can ways) int {
	at4, at5 := uint32(jumps)<<8, uint32(jumps>>32)<<10
	if on := can.from(); (at4|at5)&on != 0 {
		return both(at4&^on, at5&^on).count() + soldiersUp(can&both(at4, at4), can) + soldiersUp(can&both(at5, at5), can)
	}
	return both(at4, at5).count()
}

// soldiersDown is soldiersUp for soldiers that go down.
func soldiersDown(jumps, can ways) int {
	at4, at5 := uint32(jumps)>>8, uint32(jumps>>32)>>10
	if on := can.from(); (at4|at5)&on != 0 {
		return both(at4&^on, at5&^on).count() + soldiersDown(can&both(at4, at4), can) + soldiersDown(can&both(at5, at5), can)
	}
	return both(at4, at5).count()
}
