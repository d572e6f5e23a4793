package eval

import "github.com/lascabot/lascabot/engine"

// The network views the board twice, from the mover's side and from the other
// side. Each view adds up one row of numbers for every column, chosen by the
// column's owner, shape and square. The sums are clamped, squared, and multiplied
// by weights that depend on how full the board is.
const (
	// Hidden is the number of sums in a view.
	Hidden = 64
	// numShapes is the number of shapes of columns that the network can tell
	// apart.
	numShapes = 70
	// NumRows is the number of rows: one for each owner, shape and square.
	NumRows = 2 * numShapes * engine.NumSquares
	// NumStages is the number of stages of the game, by columns on the board.
	NumStages = 4
	// One stands for 1 in a row and in a sum. Larger sums count as One.
	One = 255
	// OneOut stands for 1 in the last layer, whose numbers are -127 to 127.
	OneOut = 64
)

// Net holds the numbers of the network, all in fixed point.
type Net struct {
	Rows [NumRows][Hidden]int16
	Bias [Hidden]int16
	// Out has the weights of the mover's sums, then those of the other side's,
	// for each stage of the game.
	Out [NumStages][2 * Hidden]int16
}

// shapeOf returns the shape of a column, 0 to numShapes-1. It combines the
// commander's rank, the lives (1, 2, or 3 and more; whether the second is an
// officer) and the prisoners (0, 1, 2, or 3 and more; whether the first is an
// officer).
func shapeOf(s engine.Stack) int {
	lives := s.Lives()
	prisoners := s.Height() - lives
	shape := 0
	if lives >= 2 {
		shape = 1 + 2*(min(lives, 3)-2) + int(s>>3&1)
	}
	shape *= 7
	if prisoners > 0 {
		shape += 1 + 2*(min(prisoners, 3)-1) + int(s>>(2*uint(lives)+1)&1)
	}
	return shape*2 + int(s>>1&1)
}

// squareIndex maps a bit of the board to its square, 0 to 24.
var squareIndex = func() (t [32]uint8) {
	for s := range engine.Square(engine.NumSquares) {
		t[s.Bit()] = uint8(s)
	}
	return t
}()

// rowOf returns the row of a column, by its owner, shape and bit of the board,
// in the view of side c.
func rowOf(c engine.Color, owner engine.Color, shape, bit int) uint16 {
	r := shape
	if owner != c {
		r += numShapes
	}
	if c == engine.Black {
		bit = engine.NumBits - 1 - bit
	}
	return uint16(r*engine.NumSquares + int(squareIndex[bit&31]))
}

// stage returns the stage of the game for a number of columns.
func stage(columns int) int { return min(max(columns-3, 0)/4, NumStages-1) }

// sums is one view of the board.
type sums [Hidden]int16

// updateGo sets dst to src with the rows in plus added and those in minus
// subtracted.
func updateGo(dst, src *sums, rows *[NumRows][Hidden]int16, plus, minus []uint16) {
	*dst = *src
	for _, r := range plus {
		row := &rows[r]
		for i, v := range row {
			dst[i] += v
		}
	}
	for _, r := range minus {
		row := &rows[r]
		for i, v := range row {
			dst[i] -= v
		}
	}
}

// outputGo returns the weighted sum of the clamped squares.
func outputGo(mover, other *sums, out *[2 * Hidden]int16) int32 {
	t := int32(0)
	for i, v := range mover {
		c := int32(min(max(v, 0), One))
		t += c * c * int32(out[i])
	}
	for i, v := range other {
		c := int32(min(max(v, 0), One))
		t += c * c * int32(out[Hidden+i])
	}
	return t
}

// points converts the output to points.
func points(output int32) int {
	return int(int64(output) * pointsPerLogit / (One * One * OneOut))
}

// pointsPerLogit is how many points multiply the odds of winning by e.
const pointsPerLogit = 150
