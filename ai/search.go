package ai

import "github.com/lascabot/lascabot/engine"

// settle plays captures, which are compulsory, to their end and values what
// is left.
func (w *worker) settle(alpha, beta, ply int) int {
	n := &w.nodes[ply]
	w.count++
	n.lineLen = 0
	w.byPath = false
	if !n.pos.MustCapture() {
		if !n.pos.HasMoves() {
			return -win + ply
		}
		if w.repeated(&n.pos) || n.pos.Quiet() >= engine.QuietLimit {
			w.byPath = true
			return 0
		}
		return w.value(ply)
	}
	if w.over() {
		return 0
	}
	if ply >= maxPly {
		return w.value(ply)
	}
	if w.repeated(&n.pos) {
		w.byPath = true
		return 0
	}
	w.generate(n)
	if n.n > 1 {
		n.orderCaptures()
	}
	best, bestByPath := -infinite, false
	for i := range n.n {
		m := n.pick(i)
		w.push(ply, m, false)
		v := -w.settle(-beta, -max(alpha, best), ply+1)
		w.pop()
		if w.aborted {
			return 0
		}
		if v > best {
			best, bestByPath = v, w.byPath
			if v > alpha {
				w.setLine(ply, m)
			}
			if v >= beta {
				break
			}
		}
	}
	w.byPath = bestByPath
	return best
}

// Margins of the pruning, in points.
const (
	cutDepth       = 5
	cutMargin      = 45 // a ply: static value this far above beta is enough
	futilityMargin = 90
	aspiration     = 24
)

// search is the principal variation search below the root. prev is the move
// that led here; excluded, when set, is left out (is it singular?).
func (w *worker) search(alpha, beta, depth, ply int, prev, excluded engine.Move) int {
	if depth <= 0 {
		return w.settle(alpha, beta, ply)
	}
	n := &w.nodes[ply]
	w.count++
	n.lineLen = 0
	w.byPath = false
	if w.over() {
		return 0
	}
	if ply >= maxPly {
		return w.value(ply)
	}
	pv := beta-alpha > 1
	if excluded == 0 {
		if n.pos.Quiet() >= engine.QuietLimit {
			if !n.pos.HasMoves() {
				return -win + ply
			}
			w.byPath = true
			return 0
		}
		if w.repeated(&n.pos) {
			w.byPath = true
			return 0
		}
		alpha = max(alpha, -win+ply)
		beta = min(beta, win-ply-1)
		if alpha >= beta {
			return alpha
		}
	}

	key := w.key(&n.pos)
	var e entry
	hit := false
	if excluded == 0 {
		e, hit = w.table.probe(key)
	}
	tableScore := 0
	if hit {
		tableScore = fromTable(e.score, ply)
		if !pv && e.depth >= depth && (e.bound == exact || e.bound == lower && tableScore >= beta || e.bound == upper && tableScore <= alpha) {
			return tableScore
		}
	}

	captures := n.pos.MustCapture()
	static, calm := 0, false // calm: neither side has a capture
	proven := alpha >= provenFrom || alpha <= -provenFrom || beta >= provenFrom || beta <= -provenFrom
	if !captures && !pv && !w.inFull && depth <= cutDepth {
		calm = !n.pos.CanCapture(n.pos.Turn().Other())
		static = w.value(ply)
		if hit && tableScore < provenFrom && tableScore > -provenFrom &&
			(e.bound == exact || e.bound == lower && tableScore > static || e.bound == upper && tableScore < static) {
			static = tableScore
		}
		// Few moves left may mean none soon, which loses: no cut there.
		if calm && excluded == 0 && !proven && static-cutMargin*depth >= beta && n.pos.CountMoves() >= 3 {
			return static
		}
	}

	w.generate(n)
	if n.n == 0 {
		return -win + ply
	}
	only := n.n == 1
	if only && excluded != 0 {
		return alpha
	}
	var tableMove engine.Move
	if hit && e.move < n.n {
		tableMove = n.moves[e.move]
	}
	if tableMove == 0 && depth >= 4 && !only && !w.inFull {
		depth--
	}

	previous := after(prev)
	w.order(n, captures, previous)
	if tableMove != 0 {
		n.order[e.move] = tableFirst
	}

	best, start := -infinite, alpha
	bestMove := noMove
	bestByPath := false
	for i := range n.n {
		m := n.pick(i)
		if m == excluded {
			continue
		}
		extension := 0
		switch {
		case w.inFull:
		case only && ply < 3*w.targetPly:
			extension = 1
		case captures && n.n == 2 && pv && ply < 2*w.targetPly:
			extension = 1
		case depth >= 7 && m == tableMove && excluded == 0 && (e.bound == lower || e.bound == exact) && e.depth >= depth-3 &&
			tableScore < provenFrom && tableScore > -provenFrom && ply < 2*w.targetPly:
			target := tableScore - 3*depth
			v := w.search(target-1, target, (depth-1)/2, ply, prev, m)
			if w.aborted {
				return 0
			}
			n.lineLen = 0
			if v < target {
				extension = 1
			}
			// The search just made has used this node's list.
			w.generate(n)
			w.order(n, captures, previous)
			n.order[e.move] = tableFirst
			n.pick(0)
		}
		if best > -provenFrom && calm && !pv && !proven && depth <= 3 {
			if i > 0 && static+futilityMargin*(1+depth) <= alpha || i >= 4+depth*depth {
				continue
			}
		}
		g := group(&n.pos, m)
		v, next := 0, depth-1+extension
		w.push(ply, m, next > 0)
		if best == -infinite {
			v = -w.search(-beta, -alpha, next, ply+1, m, 0)
		} else {
			r := 0
			if depth >= 3 && i >= 2 && extension == 0 && !w.inFull {
				if captures {
					if !pv {
						r = 1
					}
				} else {
					r = int(reductions[min(depth, 63)][min(i, 63)]+40) / 100
					if pv {
						r--
					}
					r -= max(-1, min(w.history.worth(previous, g, step(m))/6000, 1))
					if r > 0 && w.nodes[ply+1].pos.MustCapture() {
						r--
					}
				}
				r = max(0, min(r, next-1))
			}
			v = -w.search(-alpha-1, -alpha, next-r, ply+1, m, 0)
			if r > 0 && v > alpha {
				v = -w.search(-alpha-1, -alpha, next, ply+1, m, 0)
			}
			if v > alpha && v < beta {
				v = -w.search(-beta, -alpha, next, ply+1, m, 0)
			}
		}
		w.pop()
		if w.aborted {
			return 0
		}
		if v > best {
			best, bestByPath = v, w.byPath
			if v > alpha {
				bestMove = int(n.index[i])
				w.setLine(ply, m)
				alpha = v
			}
			if alpha >= beta {
				if !captures {
					w.history.reward(n, i, depth, previous)
				}
				break
			}
		}
	}
	w.byPath = bestByPath
	if excluded == 0 {
		b := exact
		switch {
		case best >= beta:
			b = lower
		case best <= start:
			b = upper
		}
		if bestByPath {
			b, depth = noBound, 0 // true on this path only: keep the move
		}
		if b != noBound || bestMove != noMove {
			w.table.store(key, entry{move: bestMove, score: toTable(best, ply), depth: depth, bound: b})
		}
	}
	return best
}
