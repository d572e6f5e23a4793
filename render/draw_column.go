package render

import (
	"image/color"
	"math"
	"strconv"

	"github.com/fogleman/gg"
	"github.com/lascabot/lascabot/engine"
)

// bands shades a rim with light from the left. Flat vertical bands look like a
// turned surface and take little space in a PNG. It implements gg.Pattern.
type bands struct {
	left, width float64
	tone        [numBands]color.Color
}

const numBands = 18

// newBands samples the shading of a rim at the middle of each band.
func newBands(left, width float64, hi, body, lo rgb) *bands {
	knots := []struct {
		at   float64
		tone rgb
	}{
		{0, body.mix(lo, 0.65)}, {0.10, body.mix(lo, 0.10)}, {0.28, hi}, {0.55, body}, {0.82, body.mix(lo, 0.60)}, {1, lo},
	}
	b := &bands{left: left, width: width}
	k := 0
	for i := range b.tone {
		at := (float64(i) + 0.5) / numBands
		for at > knots[k+1].at {
			k++
		}
		from, to := knots[k], knots[k+1]
		b.tone[i] = color.RGBAModel.Convert(from.tone.mix(to.tone, (at-from.at)/(to.at-from.at)))
	}
	return b
}

// ColorAt returns the tone of a pixel.
func (b *bands) ColorAt(x, _ int) color.Color {
	i := int((float64(x) + 0.5 - b.left) / b.width * numBands)
	return b.tone[max(0, min(i, numBands-1))]
}

var _ gg.Pattern = (*bands)(nil)

// rim makes the path of a piece's body. y0 and y1 are the centres of its upper and
// its lower ellipse. The edges are rounded, so that pieces can be counted by their
// outline.
func (c *canvas) rim(cx, y0, y1, a float64) {
	ch := math.Min(0.02*c.g.f, 0.3*(y1-y0))
	c.barrel(cx, y0, y1, a-ch, a+ch)
}

// barrel makes a path of the upper half of an ellipse, the right side, the lower
// half of an ellipse, and the left side. The sides bulge towards half the width
// out.
func (c *canvas) barrel(cx, y0, y1, a, out float64) {
	b := squash * a
	mid := (y0 + y1) / 2
	c.dc.NewSubPath()
	c.dc.DrawEllipticalArc(cx, y0, a, b, math.Pi, 2*math.Pi)
	c.dc.QuadraticTo(cx+out, mid, cx+a, y1)
	c.dc.DrawEllipticalArc(cx, y1, a, b, 0, math.Pi)
	c.dc.QuadraticTo(cx-out, mid, cx-a, y0)
	c.dc.ClosePath()
}

// front makes a path of the near half of an ellipse.
func (c *canvas) front(cx, y, a float64) {
	c.dc.NewSubPath()
	c.dc.DrawEllipticalArc(cx, y, a, squash*a, 0, math.Pi)
}

// columnShadow draws a shadow to the right, longer for higher columns.
func (c *canvas) columnShadow(x, foot, h float64) {
	s := c.g.f
	cx, cy := x+s/2+0.03*s, foot+0.02*s
	a := discA*s + 0.015*s
	b := squash * a
	dx, dy := 0.05*s+0.16*h, 0.03*s+0.07*h
	// The hull of an ellipse and its moved copy. Its straight sides start where
	// the ellipse is parallel to the way between them.
	t := math.Atan2(dy/b, dx/a) + math.Pi/2
	c.dc.NewSubPath()
	c.dc.DrawEllipticalArc(cx, cy, a, b, t, t+math.Pi)
	c.dc.DrawEllipticalArc(cx+dx, cy+dy, a, b, t+math.Pi, t+2*math.Pi)
	c.dc.ClosePath()
	c.fillAlpha(c.t.shadow, c.t.shadowAlpha)
}

// halo draws a coloured edge around the whole column.
func (c *canvas) halo(x, foot, h float64, k ink) {
	s := c.g.f
	for _, pass := range []struct {
		col  rgb
		grow float64
	}{{c.t.casing, 0.088 * s}, {c.inkColor(k), 0.066 * s}} {
		c.barrel(x+s/2, foot-h, foot, discA*s, discA*s)
		c.fillKeep(pass.col)
		c.stroke(pass.col, 2*pass.grow)
	}
}

// outline draws the outline of a piece. A column's outlines are drawn before its
// bodies.
func (c *canvas) outline(x, y1 float64, p engine.Piece, h float64) {
	s := c.g.f
	col := c.t.piece[p.Color()].outline
	c.rim(x+s/2, y1-h, y1, discA*s)
	c.stroke(col, 0.045*s)
	if p.IsOfficer() {
		r0, r1 := c.ring(y1-h, y1)
		a := (discA + ringOut) * s
		c.barrel(x+s/2, r0, r1, a, a)
		c.stroke(col, 0.045*s)
	}
}

// ring returns the centres of the upper and the lower edge of an officer's ring.
func (c *canvas) ring(y0, y1 float64) (r0, r1 float64) {
	h := y1 - y0
	share := c.t.ringShare + 0.10*math.Max(0, math.Min(1, (h/c.g.f-0.08)/0.14))
	return y0 + (1-share)/2*h, y0 + (1+share)/2*h
}

// body draws a piece without its face.
func (c *canvas) body(x, y1 float64, p engine.Piece, h float64, below int16) {
	s := c.g.f
	t := &c.t.piece[p.Color()]
	cx, y0, a := x+s/2, y1-h, discA*s
	shade := newBands(cx-a, 2*a, t.hi, t.body, t.lo)
	c.rim(cx, y0, y1, a)
	c.dc.SetFillStyle(shade)
	c.dc.Fill()
	if p.IsOfficer() {
		r0, r1 := c.ring(y0, y1)
		ringA := a + ringOut*s
		line := math.Max(1, math.Min(0.022*s, 0.16*h))
		c.barrel(cx, r0, r1, ringA, ringA)
		c.dc.SetFillStyle(newBands(cx-ringA, 2*ringA, t.bandHi, t.band, t.bandLo))
		c.dc.FillPreserve()
		c.stroke(t.bandE, line)
		ch := math.Min(0.02*s, 0.3*h)
		c.dc.NewSubPath()
		c.dc.DrawEllipticalArc(cx, y0, a-ch, squash*(a-ch), math.Pi, 2*math.Pi)
		c.dc.LineTo(cx+a, r0)
		c.dc.DrawEllipticalArc(cx, r0, a, squash*a, 0, math.Pi)
		c.dc.ClosePath()
		c.dc.SetFillStyle(shade)
		c.dc.Fill()
		c.front(cx, r0, a)
		c.stroke(t.bandE, line)
	}
	if h >= 0.09*s {
		w := math.Min(0.022*s, 0.2*h)
		c.front(cx, y0+w, a-0.02*s)
		c.stroke(t.edge.alpha(0.55), w)
	}
	if below != lineNone {
		col := t.groove
		if below == lineChange {
			col = t.outline
		}
		c.front(cx, y1, a-math.Min(0.02*s, 0.3*h))
		c.stroke(col, math.Max(1, math.Min(0.022*s, 0.17*h)))
	}
}

// face draws the upper face of a commander.
func (c *canvas) face(x, y float64, p engine.Piece) {
	s := c.g.f
	t := &c.t.piece[p.Color()]
	cx, a := x+s/2, discA*s-0.012*s
	ring := func(share, width float64, col rgb) {
		c.ellipse(cx, y, share*a, squash*share*a)
		c.stroke(col, width*s)
	}
	c.ellipse(cx, y, a, squash*a)
	c.fill(t.face)
	in := a - 0.02*s
	c.dc.NewSubPath()
	c.dc.DrawEllipticalArc(cx, y, in, squash*in, gg.Radians(171), gg.Radians(315))
	c.stroke(t.edge, 0.026*s)
	if !p.IsOfficer() {
		ring(0.66, 0.030, t.inlay)
		if p.Color() == engine.Black {
			c.ellipse(cx, y, 0.26*a, squash*0.26*a)
			c.fill(t.inlay)
		}
		return
	}
	ring(0.80, 0.075, t.bandE)
	ring(0.80, 0.050, t.band)
	c.dc.NewSubPath()
	for i := range 10 {
		r := 0.225 * s
		if i%2 == 1 {
			r *= 0.42
		}
		sin, cos := math.Sincos(math.Pi * (float64(i)/5 - 0.5))
		c.dc.LineTo(cx+r*cos, y+squash*r*sin)
	}
	c.dc.ClosePath()
	c.fill(t.star)
}

// count writes the number of pieces in a run on its rims. y is the centre of the
// ellipse at the top of the run.
func (c *canvas) count(x, y float64, side engine.Color, n int, run float64) {
	s := c.g.f
	t := &c.t.piece[side]
	size := math.Min(0.235*s, 0.95*run)
	word := strconv.Itoa(n)
	cx, cy := x+s/2, y+run/2+squash*discA*s-0.006*s
	w, h := 0.62*size*float64(len(word))+0.10*s, math.Min(0.86*run, 0.92*size)
	c.plate(cx, cy, w, h, 0.06*s, t.body, t.body, 0)
	c.text(word, cx, cy, size, true, t.ink)
}
