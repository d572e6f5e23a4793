package ai

import "github.com/lascabot/lascabot/engine"

// value is what the search says a position is worth to the side to move.
type value struct {
	score int
	// byPath says that the score comes from a repetition or from the 60 plies,
	// so that it holds only for the path that led to the position.
	byPath bool
}

// negated returns the value for the other side.
func (v value) negated() value { return value{-v.score, v.byPath} }

// search is the principal variation search below the root. prev is the move that
// led to the node. If excluded is not 0, it searches all other moves, to find out
// whether that move is singular, and does not use the table.
func (w *worker) search(alpha, beta, depth, ply int, prev, excluded engine.Move) value {
	if depth <= 0 {
		return w.quiescence(alpha, beta, ply)
	}
	n := &w.nodes[ply]
	w.count++
	n.pvLen = 0
	if w.over() {
		return value{}
	}
	if ply >= maxPly {
		return value{score: w.evaluate(ply)}
	}

	pvNode := beta-alpha > 1
	key, known := w.key(&n.pos), entry{move: noMove}
	if excluded == 0 {
		if v, ended := w.ended(n, ply); ended {
			return v
		}
		// No line from here wins or loses sooner than this.
		alpha, beta = max(alpha, -win+ply), min(beta, win-ply-1)
		if alpha >= beta {
			return value{score: alpha}
		}
		known = w.table.probe(key)
		known.score = fromTable(known.score, ply)
		if !pvNode && known.depth >= depth && known.cuts(alpha, beta) {
			return value{score: known.score}
		}
	}

	captures := n.pos.MustCapture()
	static, prune := 0, false
	if !captures && !pvNode && depth <= staticDepth && w.prunable(n, alpha, beta) {
		static, prune = known.refine(w.evaluate(ply)), true
		// With few moves left there may soon be none, which loses: do not cut.
		if excluded == 0 && static-staticMargin*depth >= beta && n.pos.CountMoves() >= 3 {
			return value{score: static}
		}
	}

	w.generate(n)
	if n.count == 0 {
		return value{score: -win + ply}
	}
	if n.count == 1 && excluded != 0 {
		return value{score: alpha}
	}
	if known.move >= n.count && n.count > 1 && depth >= unknownDepth && !w.exhaustive {
		depth-- // without a move from the table the order is poor: search less
	}
	w.order(n, captures, after(prev), known.move)

	t := tries{alpha: alpha, beta: beta, depth: depth, ply: ply, prev: prev, excluded: excluded,
		pvNode: pvNode, captures: captures, limit: n.count}
	if prune && depth <= futilityDepth {
		t.limit = futilityLimit(static, alpha, depth)
	}
	t.extension = w.extension(n, ply, captures, pvNode)
	if t.extension == 0 && excluded == 0 && known.move < n.count && w.singular(n, &known, depth, ply, prev) {
		t.singular = 1
	}
	best, bestMove := w.searchMoves(n, &t)
	if excluded == 0 && !w.aborted {
		w.remember(key, best, bestMove, alpha, beta, depth, ply)
	}
	return best
}

// ended returns the value of a node where the game is over or counts as drawn
// by repetition, and whether it is.
func (w *worker) ended(n *node, ply int) (value, bool) {
	if n.pos.Quiet() >= engine.QuietLimit {
		if !n.pos.HasMoves() {
			return value{score: -win + ply}, true
		}
		return value{byPath: true}, true
	}
	return value{byPath: true}, w.repeated(&n.pos)
}

// tries says how to search the moves of a node.
type tries struct {
	alpha, beta, depth, ply int
	prev, excluded          engine.Move
	pvNode, captures        bool
	limit                   int // moves from here on are futile, unless all earlier ones lose
	extension               int // of every move, in plies
	singular                int // additional extension of the first move
}

// searchMoves searches the moves of a node. It returns the value of the best one
// and its index for the table, which is noMove if it does not beat alpha.
func (w *worker) searchMoves(n *node, t *tries) (best value, bestMove int) {
	best, bestMove = value{score: -infinite}, noMove
	alpha := t.alpha
	for i := range n.count {
		if i >= t.limit && best.score > -provenFrom {
			break
		}
		m := n.pick(i)
		if m == t.excluded {
			continue
		}
		depth := t.depth - 1 + t.extension
		if i == 0 {
			depth += t.singular
		}
		w.push(t.ply, m, depth > 0)
		var v value
		if best.score == -infinite {
			v = w.search(-t.beta, -alpha, depth, t.ply+1, m, 0).negated()
		} else {
			v = w.scout(alpha, t.beta, depth, w.reduction(n, t, i, m, depth), t.ply, m)
		}
		w.pop()
		if w.aborted {
			return value{}, noMove
		}
		if v.score <= best.score {
			continue
		}
		best = v
		if v.score > alpha {
			alpha, bestMove = v.score, int(n.index[i])
			w.setPV(t.ply, m)
		}
		if alpha >= t.beta {
			if !t.captures {
				w.history.reward(n, i, t.depth, after(t.prev))
			}
			break
		}
	}
	return best, bestMove
}

// scout searches a move that is not expected to beat alpha, with a null window
// and to a reduced depth. If the move does beat alpha, scout searches it again:
// to the full depth, then with the full window.
func (w *worker) scout(alpha, beta, depth, reduction, ply int, m engine.Move) value {
	v := w.search(-alpha-1, -alpha, depth-reduction, ply+1, m, 0).negated()
	if reduction > 0 && v.score > alpha {
		v = w.search(-alpha-1, -alpha, depth, ply+1, m, 0).negated()
	}
	if v.score > alpha && v.score < beta {
		v = w.search(-beta, -alpha, depth, ply+1, m, 0).negated()
	}
	return v
}

// remember stores the result of a search with the given window in the table.
func (w *worker) remember(key uint64, v value, move, alpha, beta, depth, ply int) {
	e := entry{move: move, score: toTable(v.score, ply), depth: depth, bound: exact}
	switch {
	case v.byPath: // keep only the move
		e.bound, e.depth = noBound, 0
	case v.score >= beta:
		e.bound = lower
	case v.score <= alpha:
		e.bound = upper
	}
	if e.bound != noBound || move != noMove {
		w.table.store(key, e)
	}
}

// quiescence plays captures to their end and returns the static value of the
// position that is left. There is no standing pat, since captures are compulsory.
func (w *worker) quiescence(alpha, beta, ply int) value {
	n := &w.nodes[ply]
	w.count++
	n.pvLen = 0
	if !n.pos.MustCapture() {
		if !n.pos.HasMoves() {
			return value{score: -win + ply}
		}
		if w.repeated(&n.pos) || n.pos.Quiet() >= engine.QuietLimit {
			return value{byPath: true}
		}
		return value{score: w.evaluate(ply)}
	}
	if w.over() {
		return value{}
	}
	if ply >= maxPly {
		return value{score: w.evaluate(ply)}
	}
	if w.repeated(&n.pos) {
		return value{byPath: true}
	}
	w.generate(n)
	if n.count > 1 {
		n.orderCaptures()
	}
	best := value{score: -infinite}
	for i := range n.count {
		m := n.pick(i)
		w.push(ply, m, false)
		v := w.quiescence(-beta, -max(alpha, best.score), ply+1).negated()
		w.pop()
		if w.aborted {
			return value{}
		}
		if v.score > best.score {
			best = v
			if v.score > alpha {
				w.setPV(ply, m)
			}
			if v.score >= beta {
				break
			}
		}
	}
	return best
}
