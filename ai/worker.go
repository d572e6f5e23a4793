package ai

import (
	"sync/atomic"
	"time"

	"github.com/lascabot/lascabot/ai/eval"
	"github.com/lascabot/lascabot/engine"
)

// node is one position of the line that the search is looking at.
type node struct {
	pos    engine.Position
	came   engine.Move // the move that led here
	state  eval.State  // of the position, once valued is set
	valued bool
	moves  [engine.MaxMoves]engine.Move
	order  [engine.MaxMoves]int32
	index  [engine.MaxMoves]uint8 // of each move in the list as generated
	count  int                    // of moves
	// pv is the principal variation from here, pvLen its length.
	pv      [maxPly + 2]engine.Move
	pvLen   int
	killers [2]engine.Move
}

// filterSize is the size of a worker's filter, which counts the positions of the
// path by part of their hash. Most repetition checks end there.
const filterSize = 1 << 14

// worker is one goroutine's search. It allocates nothing while it searches, only
// at the start, for the history of the game, and for the lines at the root.
type worker struct {
	weights eval.Set
	evals   [len(eval.Set{})]*eval.Evaluator // by ruleset, made when first needed
	eval    *eval.Evaluator                  // of the present task
	table   *table
	nodes   [maxPly + 2]node
	history history
	sight   *sight // nil unless a level plays

	// Hashes of all positions before the present one, of the game and then of
	// the search.
	path   []uint64
	root   int // path[root:] belongs to the search
	filter [filterSize]uint16
	rules  uint64

	count      int64        // positions looked at
	published  atomic.Int64 // copy of count that other goroutines may read
	nodeLimit  int64
	nextCheck  int64
	deadline   time.Time // zero when time is not limited
	stop       *atomic.Bool
	aborted    bool
	exhaustive bool // nothing is pruned, reduced or extended: see fullPieces
	targetPly  int  // depth of the iteration
	rootMoves  []rootMove
}

const checkEvery = 512

// over reports whether the search has to end. The first iteration is always
// finished, unless it is stopped or runs out of time.
func (w *worker) over() bool {
	if w.aborted {
		return true
	}
	if w.nodeLimit > 0 && w.count >= w.nodeLimit && w.targetPly > 1 {
		w.aborted = true
		return true
	}
	if w.count >= w.nextCheck {
		w.nextCheck = w.count + checkEvery
		if w.stop.Load() || !w.deadline.IsZero() && !time.Now().Before(w.deadline) {
			w.aborted = true
			return true
		}
	}
	return false
}

// repeated reports whether a position counts as drawn by repetition: it occurred
// before on the search's own path, or twice in the game.
func (w *worker) repeated(p *engine.Position) bool {
	h := p.Hash()
	if w.filter[h%filterSize] == 0 {
		return false
	}
	seen := 0
	for i := len(w.path) - 2; i >= 0; i -= 2 {
		if w.path[i] == h {
			if seen++; i >= w.root || seen == engine.RepetitionLimit-1 {
				return true
			}
		}
	}
	return false
}

// push plays a move into the next node. With lookUp, it prefetches the node's
// entry in the table, for a step even before the step is made. Near the end of
// the 60 plies it fetches the wrong entry (see key), which costs little.
func (w *worker) push(ply int, m engine.Move, lookUp bool) *node {
	n, c := &w.nodes[ply], &w.nodes[ply+1]
	h := n.pos.Hash()
	if lookUp && !m.IsCapture() {
		prefetch(w.table.bucket(n.pos.HashAfter(m) ^ w.rules))
	}
	w.path = append(w.path, h)
	w.filter[h%filterSize]++
	c.pos = n.pos
	c.pos.MakeUnchecked(m)
	if lookUp && m.IsCapture() {
		prefetch(w.table.bucket(c.pos.Hash() ^ w.rules))
	}
	c.came, c.valued = m, false
	return c
}

// pop undoes push.
func (w *worker) pop() {
	i := len(w.path) - 1
	w.filter[w.path[i]%filterSize]--
	w.path = w.path[:i]
}

// generate lists a node's moves, in an order that depends only on the position.
func (w *worker) generate(n *node) {
	list := n.pos.AppendMoves(n.moves[:0])
	if len(list) > engine.MaxMoves {
		copy(n.moves[:], list) // append moved the list to a larger array; search only the first moves
		list = list[:engine.MaxMoves]
	}
	n.count = len(list)
	if w.sight != nil && n.count > 1 {
		w.sight.overlook(n, n == &w.nodes[0])
	}
	for i := range n.count {
		n.index[i] = uint8(i)
	}
}

// setPV sets a node's principal variation: a move, then that of the next node.
func (w *worker) setPV(ply int, m engine.Move) {
	n, c := &w.nodes[ply], &w.nodes[ply+1]
	n.pv[0] = m
	k := copy(n.pv[1:], c.pv[:c.pvLen])
	n.pvLen = k + 1
}

// key returns the table key of a position. Near the end of the 60 plies the count
// is part of it, since the value then depends on it.
func (w *worker) key(p *engine.Position) uint64 {
	k := p.Hash() ^ w.rules
	if q := p.Quiet(); q >= clockKeyFrom {
		k ^= uint64(q) * 0xc2b2ae3d27d4eb4f
	}
	return k
}

const clockKeyFrom = 40 // plies without progress

// toTable and fromTable convert proven scores from plies to the root, as the
// search counts them, to plies to the position, as the table does, and back.
func toTable(v, ply int) int {
	if v >= provenFrom {
		return v + ply
	}
	if v <= -provenFrom {
		return v - ply
	}
	return v
}

func fromTable(v, ply int) int {
	if v >= provenFrom {
		return v - ply
	}
	if v <= -provenFrom {
		return v + ply
	}
	return v
}

// evaluate returns the static value of the node at a ply for the side to move.
// Most nodes are never valued, so states are updated only here.
func (w *worker) evaluate(ply int) int {
	n := &w.nodes[ply]
	from := ply
	for !w.nodes[from].valued {
		from--
	}
	for i := from + 1; i <= ply; i++ {
		was, is := &w.nodes[i-1], &w.nodes[i]
		w.eval.Update(&is.state, &was.state, is.came, &was.pos, &is.pos)
		is.valued = true
	}
	v := w.eval.Value(&n.state, &n.pos)
	if w.sight != nil {
		v = w.sight.misjudge(n, v)
	}
	return max(-provenFrom+1, min(v, provenFrom-1))
}
