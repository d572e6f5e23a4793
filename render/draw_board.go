package render

import (
	"math"

	"github.com/fogleman/gg"
	"github.com/lascabot/lascabot/engine"
)

// board draws everything that does not change during a game.
func (c *canvas) board(x, y float64, bottom engine.Color) {
	g, t, s := c.g, c.t, c.g.f
	left, top, field := x+float64(g.x0), y+float64(g.y0), 7*s
	c.dc.DrawRectangle(x, y, float64(g.edge), float64(g.height))
	c.fill(t.table)
	rail := math.Round(top - 0.34*s)
	c.dc.DrawRectangle(x, rail, float64(g.edge), float64(g.height)-rail+y)
	c.fill(t.rail)
	c.dc.DrawRectangle(x, rail-0.05*s, float64(g.edge), 0.05*s)
	c.fillAlpha(t.shadow, 0.35)
	c.dc.DrawRectangle(x, rail, float64(g.edge), math.Max(1, math.Round(0.022*s)))
	c.fill(t.railHi)
	for _, line := range []struct {
		width float64
		col   rgb
	}{{0.055, t.railLo}, {0.035, t.inlay}} {
		w := line.width * s
		c.dc.DrawRectangle(left-w, top-w, field+2*w, field+2*w)
		c.fill(line.col)
	}
	for row := range 7 {
		c.rank(left, top+float64(row)*s, row)
	}
	for sq := range engine.Square(engine.NumSquares) {
		px, py := g.corner(sq, bottom)
		w := math.Max(1, 0.016*s)
		c.dc.DrawRectangle(x+float64(px)+w/2, y+float64(py)+w/2, s-w, s-w)
		c.dc.SetLineJoin(gg.LineJoinBevel)
		c.dc.SetColor(t.joint.alpha(0.55))
		c.dc.SetLineWidth(w)
		c.dc.Stroke()
	}
	for i := range 7 {
		n := i
		if bottom == engine.Black {
			n = 6 - i
		}
		mid := (float64(i) + 0.5) * s
		c.text(string(rune('a'+n)), left+mid, top+field+0.19*s, 0.25*s, false, t.label)
		c.text(string(rune('7'-n)), x+float64(g.x0)/2, top+mid, 0.25*s, false, t.label)
	}
}

// rank draws the squares of one rank. Its squares of one colour have the same
// grain, in whole rows of pixels. The rows repeat, so they cost almost nothing in a
// PNG.
func (c *canvas) rank(x, y float64, row int) {
	s, t := c.g.f, c.t
	for i := range 7 {
		col := t.un
		if (i+row)%2 == 0 {
			col = t.play
		}
		c.dc.DrawRectangle(x+float64(i)*s, y, s, s)
		c.fill(col)
	}
	if !t.grain {
		return
	}
	for kind := range 2 {
		plain, dark := t.play, t.play2
		if kind == 1 {
			plain, dark = t.un, t.un2
		}
		seed := uint32(row*2+kind+1) * 2654435761
		random := func() float64 { // a generator of our own, so that the grain never changes
			seed ^= seed << 13
			seed ^= seed >> 17
			seed ^= seed << 5
			return float64(seed>>8) / (1 << 24)
		}
		random()
		for at := random() * 0.04; at < 1; {
			height := 0.01 + 0.045*random()
			tone := plain.mix(dark, float64(1+int(3*random()))/3)
			from, to := math.Round(at*s), math.Min(s, math.Max(math.Round(at*s)+1, math.Round((at+height)*s)))
			for i := range 7 {
				if (i+row)%2 == kind {
					c.dc.DrawRectangle(x+float64(i)*s, y+from, s, to-from)
				}
			}
			c.fill(tone)
			at += height + 0.02 + 0.03*random()
		}
	}
}

// light lights one edge of the field.
func (c *canvas) light(x, y float64, far bool) {
	s := c.g.f
	left, top := x+float64(c.g.x0), y+float64(c.g.y0)
	if far {
		top -= 0.05 * s
	} else {
		top += 7 * s
	}
	c.dc.DrawRectangle(left-0.035*s, top, 7*s+0.07*s, 0.05*s)
	c.fill(c.t.last)
}

// seat draws the small disc of the side that sits at one end of the left rail. y is
// the edge of the field there.
func (c *canvas) seat(x, y float64, side engine.Color, lit, far bool) {
	s := c.g.f
	x += float64(c.g.x0) / 2
	if far {
		y -= 0.17 * s
	} else {
		y += 0.17 * s
	}
	if lit {
		c.dc.DrawCircle(x, y, 0.13*s)
		c.stroke(c.t.last, 0.052*s)
	}
	c.smallDisc(x, y, 0.10*s, side)
}

// smallDisc draws a piece from above.
func (c *canvas) smallDisc(x, y, r float64, side engine.Color) {
	p := c.t.piece[side]
	line := p.outline
	if side == engine.Black {
		line = p.groove // the outline would not show on dark wood
	}
	c.disc(x, y, r, p.face, line, 0.22*r)
	c.dc.DrawCircle(x, y, 0.58*r)
	if side == engine.White {
		c.stroke(p.inlay, 0.16*r)
		return
	}
	c.dc.ClearPath()
	c.dc.DrawCircle(x, y, 0.34*r)
	c.fill(p.inlay)
}
