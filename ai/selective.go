package ai

import (
	"math"

	"github.com/lascabot/lascabot/engine"
)

// These decide which moves are searched deeper, less deep or not at all. Depths
// are in plies, margins in points for each ply of depth.
const (
	staticDepth    = 5  // up to this depth, static values can cut
	staticMargin   = 45 // by which the static value must exceed beta for that
	futilityDepth  = 3  // up to this depth, futile moves are skipped
	futilityMargin = 90 // that a quiet move may gain
	singularDepth  = 7  // from this depth on, singular moves are extended
	singularMargin = 3  // by which they must be better than all other moves
	reductionDepth = 3  // from this depth on, late moves are reduced
	unknownDepth   = 4  // from this depth on, nodes without a table move are reduced
)

// prunable reports whether the static value of a node without captures can
// replace a search: the other side has no capture either, and the window does not
// touch proven scores.
func (w *worker) prunable(n *node, alpha, beta int) bool {
	return !w.exhaustive && alpha < provenFrom && alpha > -provenFrom && beta < provenFrom && beta > -provenFrom &&
		!n.pos.CanCapture(n.pos.Turn().Other())
}

// futilityLimit returns how many quiet moves are worth searching. When the static
// value is hopelessly below alpha, that is only the first.
func futilityLimit(static, alpha, depth int) int {
	if static+futilityMargin*(1+depth) <= alpha {
		return 1
	}
	return 4 + depth*depth
}

// extension returns by how many plies all moves of a node are extended. A single
// move is, and at nodes of the principal variation, one of two captures.
func (w *worker) extension(n *node, ply int, captures, pvNode bool) int {
	switch {
	case w.exhaustive:
		return 0
	case n.count == 1 && ply < 3*w.targetPly:
		return 1
	case captures && n.count == 2 && pvNode && ply < 2*w.targetPly:
		return 1
	}
	return 0
}

// singular reports whether the move from the table is much better than all other
// moves of the node. To find out, it searches the others to half the depth. That
// search uses the node's list of moves, so the list is generated again.
func (w *worker) singular(n *node, e *entry, depth, ply int, prev engine.Move) bool {
	if w.exhaustive || depth < singularDepth || e.depth < depth-3 || e.bound != lower && e.bound != exact ||
		e.score >= provenFrom || e.score <= -provenFrom || ply >= 2*w.targetPly {
		return false
	}
	target := e.score - singularMargin*depth
	v := w.search(target-1, target, (depth-1)/2, ply, prev, n.moves[e.move])
	n.pvLen = 0
	w.generate(n)
	w.order(n, n.pos.MustCapture(), after(prev), e.move)
	return v.score < target
}

// reduction returns by how many plies the move at index i is reduced. The move
// has been made already; depth is what it would be searched to without reduction.
func (w *worker) reduction(n *node, t *tries, i int, m engine.Move, depth int) int {
	if i < 2 || t.depth < reductionDepth || t.extension > 0 || w.exhaustive {
		return 0
	}
	r := 0
	switch {
	case !t.captures:
		r = int(reductions[min(t.depth, 63)][min(i, 63)]+40) / 100
		if t.pvNode {
			r--
		}
		r -= max(-1, min(w.history.worth(after(t.prev), group(&n.pos, m), step(m))/goodHistory, 1))
		if r > 0 && w.nodes[t.ply+1].pos.MustCapture() {
			r--
		}
	case !t.pvNode:
		r = 1
	}
	return max(0, min(r, depth-1))
}

// reductions holds the reduction of quiet moves by depth and index of the move,
// in hundredths of a ply.
var reductions = func() (t [64][64]int32) {
	for d := 1; d < 64; d++ {
		for m := 1; m < 64; m++ {
			t[d][m] = int32(100 * math.Log(float64(d)) * math.Log(float64(m)) / 1.6)
		}
	}
	return t
}()
