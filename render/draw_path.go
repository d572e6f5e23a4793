package render

import (
	"math"

	"github.com/fogleman/gg"
)

// stroked says how paths of a style are drawn, in fractions of a square.
type stroked struct {
	width [3]float64 // by pass: casing, inner casing or line, line; 0 leaves out the pass
	head  float64    // length of the arrow head, 0 for none
	tip   float64    // how far the tip lies beyond the last centre; negative: before it
	shift float64    // how far a leg moves to its right if the path goes to and fro
	start float64    // half the width of the ring where the path starts, 0 for none
	dash  bool       // the line is dashed
}

var strokes = [numStyles]stroked{
	styleLast:     {width: [3]float64{0.115, 0.065}, head: 0.22, tip: -0.36, shift: 0.075, start: 0.17},
	stylePrevious: {width: [3]float64{0.078, 0.034}, head: 0.17, tip: -0.38, shift: 0.05, start: 0.12},
	stylePartial:  {width: [3]float64{0.115, 0.065}, shift: 0.075, start: 0.17},
	styleHint:     {width: [3]float64{0.28, 0.22, 0.17}, head: 0.40, tip: 0.10, shift: 0.15},
	styleLine:     {width: [3]float64{0.15, 0.09}, head: 0.26, tip: 0.05, shift: 0.09, dash: true},
}

// passColor returns the colour of one pass.
func (c *canvas) passColor(st style, pass uint8) rgb {
	switch {
	case pass == 0:
		return c.t.casing
	case st == stylePartial:
		return c.t.sel
	case st == styleHint && pass == 1:
		return white
	case st == styleHint, st == styleLine:
		return c.t.hint
	}
	return c.t.last
}

// pathPart draws a leg, a turn or the start of a path, on the square with its
// upper left corner at x, y.
func (c *canvas) pathPart(p part, x, y float64) {
	k, s := &strokes[p.style], c.g.f
	cx, cy := c.foot(x, y)
	// The way to the right of the leg that a shifted path moves.
	dx, dy := p.dir.vector()
	n := k.shift * s / math.Sqrt2
	rx, ry := -float64(dy)*n, float64(dx)*n
	if p.flags&flagShifted != 0 {
		cx, cy = cx+rx, cy+ry
	}
	col := c.passColor(p.style, p.pass)
	switch p.kind {
	case kindStart:
		a := k.start * s
		c.ellipse(cx, cy, a, squash*a)
		w := 0.085 * s * k.start / 0.17
		if p.pass > 0 {
			w = 0.045 * s * k.start / 0.17
		}
		c.stroke(col, w)
	case kindTurn:
		c.dc.DrawLine(cx+rx, cy+ry, cx-rx, cy-ry)
		c.stroke(col, k.width[p.pass]*s)
	case kindLeg:
		c.leg(p, cx, cy, col)
	}
}

// leg draws one leg of a path from a point, with its arrow head if it has one.
func (c *canvas) leg(p part, cx, cy float64, col rgb) {
	k, s := &strokes[p.style], c.g.f
	width := k.width[p.pass] * s
	dx, dy := p.dir.vector()
	ux, uy := float64(dx)/math.Sqrt2, float64(dy)/math.Sqrt2
	length := math.Sqrt2 * s
	if p.flags&flagLong != 0 {
		length *= 2
	}
	// The lines of two shifted legs meet where they cross, before or behind the
	// middle of the square.
	from, to := float64(p.n)*k.shift*s, float64(p.m)*k.shift*s
	cx, cy = cx+ux*from, cy+uy*from
	length += to - from
	tip := length + k.tip*s
	if p.flags&flagHead != 0 {
		length = tip - 0.85*k.head*s
	}
	if k.dash && p.pass > 0 {
		c.dashedLine(cx, cy, cx+ux*length, cy+uy*length, 0.16*s, 0.10*s, col, width)
	} else {
		c.dc.DrawLine(cx, cy, cx+ux*length, cy+uy*length)
		c.stroke(col, width)
	}
	if p.flags&flagHead != 0 {
		// Earlier passes are wider by as much as their lines are.
		last := k.width[1]
		if k.width[2] > 0 {
			last = k.width[2]
		}
		c.arrowHead(cx+ux*tip, cy+uy*tip, ux, uy, k.head*s, col, width-last*s)
	}
}

// arrowHead draws the head of an arrow with its tip at x, y that points along the
// unit vector ux, uy. grow is how much wider the outline makes it.
func (c *canvas) arrowHead(x, y, ux, uy, length float64, col rgb, grow float64) {
	half := 0.55 * length
	bx, by := x-ux*length, y-uy*length
	c.dc.NewSubPath()
	c.dc.LineTo(x, y)
	c.dc.LineTo(bx-uy*half, by+ux*half)
	c.dc.LineTo(bx+uy*half, by-ux*half)
	c.dc.ClosePath()
	c.dc.SetLineJoin(gg.LineJoinRound)
	if grow > 0.5 {
		c.fillKeep(col)
		c.stroke(col, grow)
		return
	}
	c.fill(col)
}
