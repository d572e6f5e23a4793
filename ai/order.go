package ai

import (
	"math/bits"

	"github.com/lascabot/lascabot/engine"
)

// history remembers which quiet moves were good, by side, rank of the commander
// and step. plain has one table, follow has one for each kind of previous move.
type history struct {
	plain  [4][1024]int16
	follow [64][4][1024]int16
}

const noPrevious = 4 // a bit that is not a square, so that no move ends there

// group returns the row of history for the column that moves.
func group(p *engine.Position, m engine.Move) int {
	return int(p.Turn())<<1 | int(p.Officers()>>uint(m.Bit(0))&1)
}

func step(m engine.Move) int { return m.Bit(0)<<5 | m.Bit(1) }

// after returns the row of follow for a previous move.
func after(m engine.Move) int {
	if m == 0 {
		return noPrevious << 1
	}
	k := m.Bit(m.Len()-1) << 1
	if m.IsCapture() {
		k |= 1
	}
	return k
}

const (
	historyMax  = 16384 // bound of the numbers in either table
	goodHistory = 6000  // a quiet move with this history is reduced one ply less
)

func bump(x *int16, bonus int) {
	d := bonus
	if d < 0 {
		d = -d
	}
	*x += int16(bonus - int(*x)*d/historyMax)
}

// worth returns the history of one quiet move.
func (h *history) worth(prev, group, step int) int {
	return int(h.plain[group][step]) + int(h.follow[prev][group][step])
}

// reward records that the quiet move at index good caused a cutoff, and that
// those tried before it did not.
func (h *history) reward(n *node, good, depth, prev int) {
	m := n.moves[good]
	if n.killers[0] != m {
		n.killers[1] = n.killers[0]
		n.killers[0] = m
	}
	bonus := min(32*depth*depth, 2000)
	for i := 0; i <= good; i++ {
		g, s, b := group(&n.pos, n.moves[i]), step(n.moves[i]), -bonus
		if i == good {
			b = bonus
		}
		bump(&h.plain[g][s], b)
		bump(&h.follow[prev][g][s], b)
	}
}

// age halves the history, so that the next search can override it.
func (h *history) age() {
	for g := range h.plain {
		for i := range h.plain[g] {
			h.plain[g][i] /= 2
		}
	}
}

// loot returns the order of a capture, by what it takes and what it frees.
func loot(p *engine.Position, m engine.Move) int32 {
	g := 4 * int32(m.Jumps())
	for over := m.Jumped(); over != 0; over &= over - 1 {
		s := p.StackAt(bits.TrailingZeros32(over))
		g += int32(s & 2)
		if rest := s.Rest(); rest != 0 && engine.Color(rest&1) == p.Turn() {
			g += 5 + int32(rest&2)
		}
	}
	return g
}

const (
	tableFirst   = 1 << 30
	firstKiller  = 1 << 20
	secondKiller = 1 << 19
)

// order sets the order of a node's moves. The move at index first, if there is
// one, comes before all others.
func (w *worker) order(n *node, captures bool, prev, first int) {
	switch {
	case n.count == 1:
	case captures:
		n.orderCaptures()
	default:
		w.history.orderQuiet(n, prev)
	}
	if first < n.count {
		n.order[first] = tableFirst
	}
}

// orderCaptures sets the order of a node's captures.
func (n *node) orderCaptures() {
	for i := range n.count {
		n.order[i] = loot(&n.pos, n.moves[i]) * 16
	}
}

// orderQuiet sets the order of a node's quiet moves: killers, then by history.
func (h *history) orderQuiet(n *node, prev int) {
	for i := range n.count {
		m := n.moves[i]
		v := int32(h.worth(prev, group(&n.pos, m), step(m)))
		switch m {
		case n.killers[0]:
			v += firstKiller
		case n.killers[1]:
			v += secondKiller
		}
		n.order[i] = v
	}
}

// pick moves the best of the moves from index i on to index i and returns it.
func (n *node) pick(i int) engine.Move {
	best := i
	for k := i + 1; k < n.count; k++ {
		if n.order[k] > n.order[best] {
			best = k
		}
	}
	if best != i {
		n.moves[i], n.moves[best] = n.moves[best], n.moves[i]
		n.order[i], n.order[best] = n.order[best], n.order[i]
		n.index[i], n.index[best] = n.index[best], n.index[i]
	}
	return n.moves[i]
}
