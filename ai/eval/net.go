package eval

import "github.com/lascabot/lascabot/engine"

// The network looks at the board twice, from the mover's and from the other
// side. Each look adds one row of numbers for every column, chosen by whose it
// is, its shape and its square; the sums are clamped, squared and weighed by
// how full the board is.
const (
	// Hidden is the number of sums a look has.
	Hidden = 64
	// NumShapes is the number of shapes of columns that the network tells
	// apart.
	NumShapes = 70
	// NumRows is the number of rows: by owner, shape and square.
	NumRows = 2 * NumShapes * engine.NumSquares
	// NumStages is the number of stages of the game, by columns on the board.
	NumStages = 4
	// One is the number that stands for 1 in a row, and the most that a sum
	// counts.
	One = 255
	// OneOut stands for 1 in the last layer; its numbers are -127 to 127.
	OneOut = 64
)

// Net holds the numbers of the network, all in fixed point.
type Net struct {
	Rows [NumRows][Hidden]int16
	Bias [Hidden]int16
	// Out weighs the mover's sums, then those of the other side.
	Out [NumStages][2 * Hidden]int16
}

// ShapeOf returns the shape of a column, 0 to NumShapes-1: its commander's
// rank, its lives (1, 2, 3 and more; whether the second is an officer) and its
// prisoners (none, 1, 2, 3 and more; whether the first is an officer).
func ShapeOf(s engine.Stack) int {
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

// rowOf returns the row of a column with a shape on a bit of the board as side
// c sees it.
func rowOf(c engine.Color, owner engine.Color, shape, bit int) uint16 {
	r := shape
	if owner != c {
		r += NumShapes
	}
	if c == engine.Black {
		bit = engine.NumBits - 1 - bit
	}
	return uint16(r*engine.NumSquares + int(squareIndex[bit&31]))
}

// stage returns the stage of the game by the number of columns.
func stage(columns int) int { return min(max(columns-3, 0)/4, NumStages-1) }

// sums is one look.
type sums [Hidden]int16

// updateGo sets dst to src with the rows in plus added and those in minus
// taken away.
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

// outputGo returns the weighed sum of the clamped squares.
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

// points turns the output into points.
func points(output int32) int {
	return int(int64(output) * pointsPerLogit / (One * One * OneOut))
}

// pointsPerLogit is how many points are a factor e in the odds.
const pointsPerLogit = 150
