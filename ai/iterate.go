package ai

import (
	"slices"
	"time"

	"github.com/lascabot/lascabot/ai/eval"
	"github.com/lascabot/lascabot/engine"
)

// prepare sets up a worker for a task. A repeatable search must not depend on
// earlier ones.
func (w *worker) prepare(t *Task, l Limits, began time.Time, repeatable bool) {
	w.count, w.nextCheck, w.nodeLimit = 0, 0, l.Nodes
	w.published.Store(0)
	w.deadline = time.Time{}
	if l.Time > 0 {
		w.deadline = began.Add(l.Time)
	}
	w.aborted = false
	w.rules = uint64(t.Position.Rules()) * 0x5851f42d4c957f2d
	if repeatable {
		w.history = history{}
	} else {
		w.history.age()
	}
	w.exhaustive = countPieces(&t.Position) <= fullPieces
	w.sight = nil
	if t.Level > 0 {
		w.sight = t.Level.sight(t.Seed)
		w.rules ^= w.sight.salt
	}
	clear(w.filter[:])
	w.path = append(w.path[:0], t.Seen...)
	w.path = slices.Grow(w.path, maxPly+2)
	for _, h := range w.path {
		w.filter[h%filterSize]++
	}
	w.root = len(w.path)
	for i := range w.nodes {
		w.nodes[i].killers = [2]engine.Move{}
		w.nodes[i].pvLen = 0
	}
	rules := t.Position.Rules()
	if w.evals[rules] == nil {
		w.evals[rules] = eval.New(w.weights[rules])
	}
	w.eval = w.evals[rules]
	n := &w.nodes[0]
	n.pos = t.Position
	w.eval.Reset(&n.state, &n.pos)
	n.valued = true
	w.generate(n)
	w.order(n, n.moves[0].IsCapture(), after(0), noMove)
	w.rootMoves = w.rootMoves[:0]
	static := w.evaluate(0) // the score of moves that are never searched
	for i := range n.count {
		w.rootMoves = append(w.rootMoves, rootMove{move: n.pick(i), score: static})
	}
	if t.Level > 0 && t.Level.listed() {
		if m, ok := t.opening(); ok {
			w.rootMoves = append(w.rootMoves[:0], rootMove{move: m, score: static})
		}
	}
}

// fullPieces is the most pieces, prisoners included, with which every move is
// searched to the full depth and none deeper. A game never changes the number of
// pieces, so this is for set-ups only. The search then finds exactly what wins
// or loses within its depth. It also needs fewer positions than with pruning,
// which is tuned for boards full of columns.
const fullPieces = 3

func countPieces(p *engine.Position) int {
	n := 0
	for sq := range engine.Square(engine.NumSquares) {
		n += p.Stack(sq).Height()
	}
	return n
}

// iterate searches deeper and deeper until it reaches a limit. It returns the
// last depth that it finished. rootMoves is then sorted, the best first.
func (w *worker) iterate(l Limits, lines, ahead int, progress func(depth int)) int {
	finished := 0
	last := maxPly / 2
	if l.Depth > 0 {
		last = min(last, l.Depth)
	}
	for depth := 1; depth <= last; depth++ {
		w.targetPly = depth
		for k := range lines {
			w.aspirationSearch(depth+ahead, k)
			if w.aborted {
				break
			}
		}
		w.publish()
		if w.aborted {
			break
		}
		finished = depth
		slices.SortStableFunc(w.rootMoves[:lines], func(a, b rootMove) int { return b.score - a.score })
		if progress != nil {
			progress(depth)
		}
		if w.settled(depth, lines) {
			break
		}
		if !w.deadline.IsZero() && w.late(l.Time) {
			break
		}
	}
	return finished
}

// settled reports whether a deeper search cannot change the choice, because the
// result is proven within the depth searched.
func (w *worker) settled(depth, lines int) bool {
	for i := range lines {
		v := w.rootMoves[i].score
		if v < win-depth && v > -win+depth {
			return false
		}
	}
	return true
}

// late reports whether to stop before the deadline: because the time left is too
// short for another iteration, or because there is only one move to play.
func (w *worker) late(limit time.Duration) bool {
	left := time.Until(w.deadline)
	if len(w.rootMoves) == 1 {
		return left < limit*9/10
	}
	return left < limit/20
}

// publish makes the node count visible to other goroutines.
func (w *worker) publish() { w.published.Store(w.count) }

// aspiration is how far, in points, the first window reaches on either side of
// the last score.
const aspiration = 24

// aspirationSearch searches the root for the best of the moves from index first
// on. It starts with a narrow window around the last score and widens it as
// needed.
func (w *worker) aspirationSearch(depth, first int) {
	alpha, beta, delta := -infinite, infinite, aspiration
	if guess := w.rootMoves[first].score; depth >= 5 && guess < provenFrom && guess > -provenFrom {
		alpha, beta = guess-delta, guess+delta
	}
	for {
		v := w.searchRoot(alpha, beta, depth, first)
		if w.aborted {
			return
		}
		switch {
		case v <= alpha && alpha > -infinite:
			beta = (alpha + beta) / 2
			if alpha = v - delta; delta > 400 {
				alpha = -infinite
			}
		case v >= beta && beta < infinite:
			if beta = v + delta; delta > 400 {
				beta = infinite
			}
		default:
			return
		}
		delta *= 3
	}
}

// searchRoot searches the moves from index first on and moves the best of them
// to index first. When it is aborted, that is the best of the moves searched to
// the end; if there is none, the order stays as it was.
func (w *worker) searchRoot(alpha, beta, depth, first int) int {
	n := &w.nodes[0]
	w.count++
	best := -infinite
	only := len(w.rootMoves) == 1
	captures := w.rootMoves[0].move.IsCapture()
	calm := !captures && !n.pos.CanCapture(n.pos.Turn().Other())
	for i := first; i < len(w.rootMoves); i++ {
		r := &w.rootMoves[i]
		next := depth - 1
		if only {
			next++
		}
		c := w.push(0, r.move, next > 0)
		var v int
		if i == first {
			v = -w.search(-beta, -alpha, next, 1, r.move, 0).score
		} else {
			reduction := 0
			if calm && depth >= reductionDepth && i >= first+3 && !w.exhaustive && !c.pos.MustCapture() &&
				w.history.worth(after(0), group(&n.pos, r.move), step(r.move)) < goodHistory {
				reduction = 1
			}
			v = w.scout(alpha, beta, next, reduction, 0, r.move).score
		}
		w.pop()
		if w.aborted {
			return best
		}
		if v > best {
			best = v
			if i == first || v > alpha {
				r.score = v
				r.line = append(append(r.line[:0], r.move), c.pv[:c.pvLen]...)
				alpha = max(alpha, v)
				// The best so far moves to the front, the others keep their order.
				m := w.rootMoves[i]
				copy(w.rootMoves[first+1:i+1], w.rootMoves[first:i])
				w.rootMoves[first] = m
			}
		}
		if v >= beta {
			break
		}
	}
	return best
}
