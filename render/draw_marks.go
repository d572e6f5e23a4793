package render

import (
	"math"
	"strconv"

	"github.com/lascabot/lascabot/engine"
)

// ghost draws the footprint of a captured piece that stood alone.
func (c *canvas) ghost(x, y float64) {
	cx, cy := c.foot(x, y)
	a := 0.8 * discA * c.g.f
	c.dashedEllipse(cx, cy, a, a*squash, 12, 0.6, c.t.casing, 0.032*c.g.f)
}

// frame draws a frame inside the edge of the selected square.
func (c *canvas) frame(x, y float64, dashed bool) {
	s := c.g.f
	in := 0.05 * s
	c.dc.DrawRectangle(x+in, y+in, s-2*in, s-2*in)
	c.stroke(c.t.casing, 0.085*s)
	if !dashed {
		c.dc.DrawRectangle(x+in, y+in, s-2*in, s-2*in)
		c.stroke(c.t.sel, 0.055*s)
		return
	}
	x0, y0, x1, y1 := x+in, y+in, x+s-in, y+s-in
	for _, e := range [][4]float64{{x0, y0, x1, y0}, {x1, y0, x1, y1}, {x1, y1, x0, y1}, {x0, y1, x0, y0}} {
		c.dashedLine(e[0], e[1], e[2], e[3], 0.15*s, 0.10*s, c.t.sel, 0.055*s)
	}
}

// brackets draws four corners around a column that must capture.
func (c *canvas) brackets(x, y float64) {
	s := c.g.f
	in, arm := 0.045*s, 0.27*s
	for _, pass := range []struct {
		col   rgb
		width float64
	}{{c.t.casing, 0.105 * s}, {c.t.must, 0.065 * s}} {
		for _, k := range [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
			cx, cy := x+in+k[0]*(s-2*in), y+in+k[1]*(s-2*in)
			c.dc.MoveTo(cx, cy+arm*(1-2*k[1]))
			c.dc.LineTo(cx, cy)
			c.dc.LineTo(cx+arm*(1-2*k[0]), cy)
			c.stroke(pass.col, pass.width)
		}
	}
}

// target marks an empty square where the selected column may land. The mark is open
// in the middle: a dark disc would look like a piece.
func (c *canvas) target(x, y float64, sq engine.Square) {
	s := c.g.f
	cx, cy := c.foot(x, y)
	cy -= 0.05 * s
	a, b := discA*s, 0.8*discA*s
	c.ellipse(cx, cy, a, b)
	c.stroke(c.t.casing, 0.10*s)
	c.dashedEllipse(cx, cy, a, b, 10, 0.64, c.t.sel, 0.06*s)
	c.name(cx, cy, sq)
}

// name writes the name of a landing square on a plate, as it stands on the button.
func (c *canvas) name(cx, cy float64, sq engine.Square) {
	s := c.g.f
	c.plate(cx, cy, 0.44*s, 0.32*s, 0.09*s, c.t.sel, c.t.casing, 0.02*s)
	c.text(sq.String(), cx, cy, 0.26*s, true, c.t.casing)
}

// numbers writes the numbers of the jumps that land on a square, in a pill with the
// first at its foot. mask has bit i set for number i. aside makes way for an arrow
// head that comes from the lower left.
func (c *canvas) numbers(x, y float64, mask int16, k ink, aside bool) {
	s := c.g.f
	var list []int
	for i := range 15 {
		if mask>>i&1 != 0 {
			list = append(list, i)
		}
	}
	fill, fg, line := c.inkColor(k), c.t.casing, c.t.casing
	if k == inkReply {
		fg, line = c.t.hint, c.t.hint
	}
	cx, cy := x+0.13*s, y+0.85*s
	if aside {
		cx, cy = x-0.03*s, y+0.77*s
	}
	pitch := 0.22 * s
	height := 0.30*s + pitch*float64(len(list)-1)
	c.plate(cx, cy+0.15*s-height/2, 0.30*s, height, 0.15*s, fill, line, 0.03*s)
	for i, n := range list {
		size := 0.225 * s
		if n >= 10 {
			size = 0.19 * s
		}
		c.text(strconv.Itoa(n), cx, cy-pitch*float64(len(list)-1-i), size, true, fg)
	}
}

// cross marks n captures: with a disc at the corner, or in the middle of the
// footprint if no piece is left.
func (c *canvas) cross(x, y float64, n int, alone bool) {
	s := c.g.f
	cx, cy := x+0.13*s, y+0.85*s
	if alone {
		cx, cy = c.foot(x, y)
	}
	r := 0.15 * s
	arm := 0.058 * s
	if n > 1 {
		c.plate(cx+0.10*s, cy, 0.50*s, 2*r, r, c.t.must, c.t.casing, 0.03*s)
		c.text(strconv.Itoa(n), cx+0.17*s, cy, 0.225*s, true, c.t.onMust)
		cx -= 0.01 * s
	} else {
		c.disc(cx, cy, r, c.t.must, c.t.casing, 0.03*s)
	}
	for _, d := range []float64{-1, 1} {
		c.dc.DrawLine(cx-arm, cy-arm*d, cx+arm, cy+arm*d)
		c.stroke(c.t.onMust, 0.045*s)
	}
}

// tag writes the height of a column and, if lives is not 0, above it the number of
// its owner's pieces on top of the prisoners. It stands in the gap between the
// files.
func (c *canvas) tag(x, y float64, side engine.Color, lives, height int) {
	s := c.g.f
	w, part := 0.285*s, 0.265*s
	left, bottom := x+1.075*s-w, y+0.96*s
	digits := func(n int, cy float64, col rgb) {
		size := 0.235 * s
		if n >= 10 {
			size = 0.205 * s
		}
		c.text(strconv.Itoa(n), left+w/2, cy, size, true, col)
	}
	h := part
	if lives > 0 {
		h = 2 * part
	}
	r := 0.09 * s
	c.dc.DrawRoundedRectangle(left, bottom-h, w, h, r)
	c.fill(c.t.tagBg)
	if lives > 0 {
		top := bottom - h
		c.dc.MoveTo(left, bottom-part)
		c.dc.LineTo(left, top+r)
		c.dc.DrawArc(left+r, top+r, r, math.Pi, 1.5*math.Pi)
		c.dc.DrawArc(left+w-r, top+r, r, 1.5*math.Pi, 2*math.Pi)
		c.dc.LineTo(left+w, bottom-part)
		c.dc.ClosePath()
		c.fill(c.t.piece[side].body)
		c.dc.DrawRectangle(left, bottom-part-0.009*s, w, 0.018*s)
		c.fill(c.t.tagLn)
		digits(lives, bottom-1.5*part, c.t.piece[side].ink)
	}
	c.dc.DrawRoundedRectangle(left, bottom-h, w, h, r)
	c.stroke(c.t.tagLn, 0.02*s)
	digits(height, bottom-0.5*part, c.t.tagFg)
}

// result draws the plate at the end of a game. x is the left edge of the middle
// file.
func (c *canvas) result(x, y float64, r engine.Result) {
	s := c.g.f
	cx, cy := x+s/2, y+0.27*s
	c.plate(cx, cy, 1.30*s, 0.46*s, 0.07*s, c.t.plate, c.t.on, 0.025*s)
	word := map[engine.Result]string{engine.WhiteWins: "1–0", engine.BlackWins: "0–1", engine.Draw: "½–½"}[r]
	c.text(word, cx, cy, 0.27*s, true, c.t.on)
	for _, side := range []engine.Color{engine.White, engine.Black} {
		dx := 0.46 * s
		if side == engine.White {
			dx = -dx
		}
		if r == engine.Wins(side) {
			c.dc.DrawCircle(cx+dx, cy, 0.155*s)
			c.stroke(c.t.on, 0.025*s)
		}
		c.smallDisc(cx+dx, cy, 0.11*s, side)
	}
}
