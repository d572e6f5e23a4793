package render

import (
	"math"

	"github.com/fogleman/gg"
)

// stroked says how paths of a style are drawn, in fractions of a square.
type stroked struct {
	width [3]float64 // by pass: casing, inner casing or line, line; 0 leaves the pass out
	head  float64    // length of the arrow head, 0 for none
	tip   float64    // where the tip lies: so far behind the last centre (before it when negative)
	shift float64    // how far a leg moves to its right when the path goes to and fro
	start float64    // half width of the ring where the path begins, 0 for none
	dash  bool
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

// pathPart draws a leg, a joint or the start of a path on the square with its
// upper left corner at x, y.
func (c *canvas) pathPart(p part, x, y float64) {
	k, s := &strokes[p.style], c.g.f
	cx, cy := c.foot(x, y)
	width, col := k.width[p.pass]*s, c.passColor(p.style, p.pass)
	right := func(d dir) (x, y float64) { // the way to the right of a direction
		dx, dy := d.vector()
		n := k.shift * s / math.Sqrt2
		return -float64(dy) * n, float64(dx) * n
	}
	if p.flags&flagShifted != 0 {
		rx, ry := right(p.dir)
		cx, cy = cx+rx, cy+ry
	}
	if p.kind == kindStart {
		a := k.start * s
		c.ellipse(cx, cy, a, squash*a)
		w := 0.085 * s * k.start / 0.17
		if p.pass > 0 {
			w = 0.045 * s * k.start / 0.17
		}
		c.stroke(col, w)
		return
	}
	if p.kind == kindTurn {
		rx, ry := right(p.dir)
		c.dc.DrawLine(cx+rx, cy+ry, cx-rx, cy-ry)
		c.stroke(col, width)
		return
	}
	dx, dy := p.dir.vector()
	ux, uy := float64(dx)/math.Sqrt2, float64(dy)/math.Sqrt2
	length := math.Sqrt2 * s
	if p.flags&flagLong != 0 {
		length *= 2
	}
	// The shifted lines of two legs meet where they cross, before or behind the
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
	if p.flags&flagHead == 0 {
		return
	}
	back, half := tip-k.head*s, 0.55*k.head*s
	c.dc.NewSubPath()
	c.dc.LineTo(cx+ux*tip, cy+uy*tip)
	c.dc.LineTo(cx+ux*back-uy*half, cy+uy*back+ux*half)
	c.dc.LineTo(cx+ux*back+uy*half, cy+uy*back-ux*half)
	c.dc.ClosePath()
	// Earlier passes are grown by as much as their lines are wider than the last.
	last := k.width[1]
	if k.width[2] > 0 {
		last = k.width[2]
	}
	c.dc.SetLineJoin(gg.LineJoinRound)
	if grow := width - last*s; grow > 0.5 {
		c.fillKeep(col)
		c.stroke(col, grow)
		return
	}
	c.fill(col)
}
