package eval

import (
	"math/bits"

	"github.com/lascabot/lascabot/engine"
)

// column is what the evaluation knows about a column from its pieces alone.
type column struct {
	stack engine.Stack
	value packed
	kind  uint8
	shape uint8
}

const cacheBits = 12

// Evaluator values positions. Only one goroutine may use it at a time, since it
// keeps a cache of columns.
type Evaluator struct {
	w      [NumTerms]packed
	square [kinds][32]packed // by bit from the owner's side
	net    *Net
	cache  [1 << cacheBits]column
}

// State is the part of a value that is updated move by move. It belongs to one
// position and one evaluator. Set it with [Evaluator.Reset] or
// [Evaluator.Update].
type State struct {
	sum   packed  // columns and their squares, White's minus Black's
	looks [2]sums // the network's views, by side
}

// New returns an evaluator with the given weights, which must not change while
// it is in use.
func New(w *Weights) *Evaluator {
	e := &Evaluator{net: &w.Net}
	for i, v := range w.Linear {
		e.w[i] = pack(int(v[0]), int(v[1]))
	}
	for k := range e.square {
		for b := range e.square[k] {
			e.square[k][b] = e.w[int(squareTerms)+k*classes+int(classOf[b])]
		}
	}
	return e
}

// column returns what is known about a column, which must not be empty.
func (e *Evaluator) column(s engine.Stack) *column {
	c := &e.cache[uint64(s)*0x9e3779b97f4a7c15>>(64-cacheBits)]
	if c.stack != s {
		e.fill(c, s)
	}
	return c
}

func (e *Evaluator) fill(c *column, s engine.Stack) {
	*c = column{stack: s, kind: uint8(kindOf(s)), shape: uint8(shapeOf(s))}
	contents(s, func(t term, n int) { c.value += packed(n) * e.w[t] })
}

// change collects the columns that a move adds to the board and removes from it.
type change struct {
	sum         packed
	plus, minus [2][maxChanged]uint16 // rows, by view
	nPlus       int
	nMinus      int
}

// A move changes its first and last square and at most eleven that it jumps
// over. A whole board cannot have more columns than squares.
const maxChanged = engine.NumSquares

func (e *Evaluator) put(d *change, bit int, s engine.Stack) {
	if s == 0 {
		return
	}
	c := e.column(s)
	d.sum += e.valueOn(c, bit)
	d.plus[0][d.nPlus] = rowOf(engine.White, engine.Color(s&1), int(c.shape), bit)
	d.plus[1][d.nPlus] = rowOf(engine.Black, engine.Color(s&1), int(c.shape), bit)
	d.nPlus++
}

func (e *Evaluator) take(d *change, bit int, s engine.Stack) {
	if s == 0 {
		return
	}
	c := e.column(s)
	d.sum -= e.valueOn(c, bit)
	d.minus[0][d.nMinus] = rowOf(engine.White, engine.Color(s&1), int(c.shape), bit)
	d.minus[1][d.nMinus] = rowOf(engine.Black, engine.Color(s&1), int(c.shape), bit)
	d.nMinus++
}

// valueOn is the linear value of a column on a bit of the board, for White.
func (e *Evaluator) valueOn(c *column, bit int) packed {
	if c.stack&1 != 0 {
		return -(c.value + e.square[c.kind][(engine.NumBits-1-bit)&31])
	}
	return c.value + e.square[c.kind][bit&31]
}

// apply adds a change to a state.
func (e *Evaluator) apply(after, before *State, d *change) {
	after.sum = before.sum + d.sum
	for c := range after.looks {
		update(&after.looks[c], &before.looks[c], &e.net.Rows, d.plus[c][:d.nPlus], d.minus[c][:d.nMinus])
	}
}

// Reset sets the state to that of a position, computed from scratch.
func (e *Evaluator) Reset(st *State, p *engine.Position) {
	empty := State{looks: [2]sums{e.net.Bias, e.net.Bias}}
	var d change
	for m := p.Commanded(engine.White) | p.Commanded(engine.Black); m != 0; m &= m - 1 {
		b := bits.TrailingZeros32(m)
		e.put(&d, b, p.StackAt(b))
	}
	e.apply(st, &empty, &d)
}

// Update sets after to the state after a move, given the state before it and
// the positions before (was) and after (is) it. It is much faster than Reset.
func (e *Evaluator) Update(after, before *State, m engine.Move, was, is *engine.Position) {
	var d change
	from, to := m.Bit(0), m.Bit(m.Len()-1)
	e.take(&d, from, was.StackAt(from))
	for jumped := m.Jumped(); jumped != 0; jumped &= jumped - 1 {
		over := bits.TrailingZeros32(jumped)
		e.take(&d, over, was.StackAt(over))
		e.put(&d, over, is.StackAt(over))
	}
	e.put(&d, to, is.StackAt(to))
	e.apply(after, before, &d)
}

// Value returns the value of a position for the side to move, in points: 150
// points multiply the odds of winning by e. It is meant for positions without a
// capture. The value fades as the draw by 60 plies without progress comes
// nearer. st must be the state of p.
func (e *Evaluator) Value(st *State, p *engine.Position) int {
	columns := bits.OnesCount32(p.Commanded(engine.White) | p.Commanded(engine.Black))
	share := phase(columns)
	v := (st.sum.full()*share + st.sum.bare()*(fullPhase-share)) / fullPhase
	if p.Turn() == engine.Black {
		v = -v
	}
	v += points(output(&st.looks[p.Turn()], &st.looks[p.Turn()^1], &e.net.Out[stage(columns)]))
	if q := p.Quiet(); q > fadeFrom {
		v = v * (2*engine.QuietLimit - min(q, engine.QuietLimit)) / (2*engine.QuietLimit - fadeFrom)
	}
	return v
}
