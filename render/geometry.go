package render

import (
	"math"

	"github.com/lascabot/lascabot/engine"
)

// All lengths below are fractions of the edge of a square.
const (
	discA   = 0.385 // half the width of a disc
	squash  = 0.63  // height of an ellipse relative to its width: the angle of view
	ringOut = 0.028 // how far an officer's ring stands out
	foot    = 0.125 // free space below a column
	thick   = 0.150 // thickness of a soldier in a low column
	officer = 1.55  // thickness of an officer relative to a soldier's
	// room is the height that the rims of a column may take: nearly two
	// squares, minus the depth of the face.
	room = 1.72 - 2*discA*squash
	head = 0.88 // from the upper edge of the picture to the far rank
	tall = 8.24 // height of the picture
)

// geometry says where things are in a picture of a given width, in pixels.
type geometry struct {
	edge   int     // width
	height int     // height
	s      int     // edge of a square
	x0, y0 int     // upper left corner of the field
	f      float64 // s as a float
	base   int     // from the top of a square to the centre of a column's foot
}

func newGeometry(edge int) geometry {
	s := edge * 47 / 360
	f := float64(s)
	return geometry{
		edge: edge, s: s, f: f,
		height: int(math.Round(tall * f)),
		x0:     (edge - 7*s) / 2,
		y0:     int(math.Round(head * f)),
		base:   int(math.Round(f - foot*f - discA*squash*f)),
	}
}

// corner returns the upper left corner of a square.
func (g *geometry) corner(sq engine.Square, bottom engine.Color) (x, y int) {
	file, rank := sq.File(), sq.Rank()
	if bottom == engine.Black {
		file, rank = 6-file, 6-rank
	}
	return g.x0 + file*g.s, g.y0 + (6-rank)*g.s
}

// thickness returns the height in pixels of the rims of soldiers and officers, in
// a column of n pieces of which k are officers.
func (g *geometry) thickness(n, k int) (soldier, off int) {
	t := math.Min(thick, room/(float64(n-k)+officer*float64(k))) * g.f
	return max(2, int(t)), max(3, int(officer*t))
}
