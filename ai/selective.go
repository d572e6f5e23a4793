package ai

import (
	"math"

	"github.com/lascabot/lascabot/engine"
)

// What decides which moves are searched deeper, less deep or not at all.
// Depths are in plies, margins in points.
const (
	staticDepth    = 5  // static values cut this near the leaves
	staticMargin   = 45 // a ply: a static value this far above beta is enough
	futilityDepth  = 3  // and futile moves are left out this near
	futilityMargin = 90 // a ply: what quiet moves may gain
	singularDepth  = 7  // the least at which a singular move is looked for
	singularMargin = 3  // a ply: a move this much better than all others is singular
	reductionDepth = 3  // the least at which late moves are reduced
	unknownDepth   = 4  // the least at which a node without a table move is reduced
)

// prunable reports whether a static value may stand for the search of a quiet
// node: neither side has a capture, and the window is not about proven scores.
func (w *worker) prunable(n *node, alpha, beta int) bool {
	return !w.exhaustive && alpha < provenFrom && alpha > -provenFrom && beta < provenFrom && beta > -provenFrom &&
		!n.pos.CanCapture(n.pos.Turn().Other())
}

// futilityLimit returns how many quiet moves are worth searching: the first
// only when the static value is hopelessly below alpha.
func futilityLimit(static, alpha, depth int) int {
	if static+futilityMargin*(1+depth) <= alpha {
		return 1
	}
	return 4 + depth*depth
}

// extension returns by how many plies every move of a node is searched deeper.
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

// singular reports whether the move from the table is much better than all
// others of the node. The search that it makes uses the node's list of moves,
// which is then generated again.
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

// reduction returns by how many plies the move at index i, already made, is
// searched less deep than depth.
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

// reductions by depth and number of the move, in hundredths of a ply.
var reductions = func() (t [64][64]int32) {
	for d := 1; d < 64; d++ {
		for m := 1; m < 64; m++ {
			t[d][m] = int32(100 * math.Log(float64(d)) * math.Log(float64(m)) / 1.6)
		}
	}
	return t
}()
