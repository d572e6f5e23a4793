package eval

import (
	"math/bits"

	"github.com/lascabot/lascabot/engine"
)

// Features is what the evaluation sees in a position. Package tune learns from
// it. Reading into the same value again does not allocate.
type Features struct {
	// Counts holds how often each term occurs: for the side to move, minus for
	// the other side.
	Counts [NumTerms]int8
	// Rows are the network's rows from the view of the side to move. OtherLook
	// turns them into those of the other side's view.
	Rows  []uint16
	Stage int // 0 to NumStages-1
	// Share is the weight of the full board's numbers, 0 to 1; the bare
	// board's have the rest. Fade is the factor, 0 to 1, by which plies without
	// progress lower the value.
	Share, Fade float32
}

// Read replaces f by the features of a position.
func (f *Features) Read(p *engine.Position) {
	f.Counts = [NumTerms]int8{}
	f.Rows = f.Rows[:0]
	turn := p.Turn()
	add := func(t term, n int) { f.Counts[t] += int8(n) }
	for m := p.Commanded(engine.White) | p.Commanded(engine.Black); m != 0; m &= m - 1 {
		b := bits.TrailingZeros32(m)
		s := p.StackAt(b)
		owner := engine.Color(s & 1)
		sign, seen := 1, b
		if owner != turn {
			sign = -1
		}
		if owner == engine.Black {
			seen = engine.NumBits - 1 - b
		}
		contents(s, func(t term, n int) { add(t, sign*n) })
		add(squareTerms+term(kindOf(s)*classes)+term(classOf[seen]), sign)
		f.Rows = append(f.Rows, rowOf(turn, owner, shapeOf(s), b))
	}
	columns := len(f.Rows)
	f.Stage = stage(columns)
	f.Share = float32(phase(columns)) / fullPhase
	f.Fade = 1
	if q := p.Quiet(); q > fadeFrom {
		f.Fade = float32(2*engine.QuietLimit-min(q, engine.QuietLimit)) / (2*engine.QuietLimit - fadeFrom)
	}
}

// OtherLook maps a row of one side's view to the row of the same column in the
// other side's view. Mirrored maps it to the row of the same column on the
// square mirrored at the middle file.
var OtherLook, Mirrored = func() (other, mirror [NumRows]uint16) {
	for r := range NumRows {
		s := engine.Square(r % engine.NumSquares)
		shape := r / engine.NumSquares
		across, _ := engine.SquareAt(6-s.File(), s.Rank())
		mirror[r] = uint16(shape*engine.NumSquares + int(across))
		other[r] = uint16((shape+numShapes)%(2*numShapes)*engine.NumSquares + engine.NumSquares - 1 - int(s))
	}
	return other, mirror
}()

// NumBaseRows is the number of base rows: one for each owner, kind of column
// and square.
const NumBaseRows = 2 * kinds * engine.NumSquares

// BaseRow maps a row to its base row, which stands for all shapes of a kind.
var BaseRow = func() (t [NumRows]uint16) {
	for r := range NumRows {
		s, shape := r%engine.NumSquares, r/engine.NumSquares
		owner := shape / numShapes
		shape %= numShapes
		kind := 0
		switch {
		case shape/14 > 0: // two lives or more
			kind = 1
		case shape/2%7 > 0: // prisoners under one life
			kind = 2
		}
		kind += 3 * (shape & 1)
		t[r] = uint16((owner*kinds+kind)*engine.NumSquares + s)
	}
	return t
}()
