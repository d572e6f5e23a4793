package render

import (
	"image/color"
	"math"

	"github.com/fogleman/gg"
	"github.com/lascabot/lascabot/engine"
	"golang.org/x/image/font"
)

// canvas draws parts with gg. A canvas for a sprite is a small window on the
// picture.
type canvas struct {
	dc    *gg.Context
	g     *geometry
	t     *tokens
	faces map[face]font.Face
}

// draw draws one part at a place.
func (c *canvas) draw(p part, px, py int) {
	x, y := float64(px), float64(py)
	switch p.kind {
	case kindBoard:
		c.board(x, y, engine.Color(p.n))
	case kindLight:
		c.light(x, y, p.n == 1)
	case kindSeat:
		c.seat(x, y, engine.Color(p.n), p.m == 1, p.pass == 1)
	case kindTint:
		c.dc.DrawRectangle(x, y, c.g.f, c.g.f)
		c.fillAlpha(c.inkColor(p.ink), float64(p.n)/100)
	case kindStart, kindLeg, kindTurn:
		c.pathPart(p, x, y)
	case kindGhost:
		c.ghost(x, y)
	case kindFrame:
		c.frame(x, y, p.flags&flagDashed != 0)
	case kindBrackets:
		c.brackets(x, y)
	case kindTarget:
		c.target(x, y, engine.Square(p.n))
	case kindName:
		c.name(x+0.24*c.g.f, y+0.82*c.g.f, engine.Square(p.n))
	case kindShadow:
		c.columnShadow(x, y, float64(p.n))
	case kindHalo:
		c.halo(x, y, float64(p.n), p.ink)
	case kindOutline:
		c.outline(x, y, p.piece, float64(p.n))
	case kindBody:
		c.body(x, y, p.piece, float64(p.n), p.m)
	case kindFace:
		c.face(x, y, p.piece)
	case kindCount:
		c.count(x, y, p.piece.Color(), int(p.n), float64(p.m))
	case kindNumbers:
		c.numbers(x, y, p.n, p.ink, p.flags&flagHead != 0)
	case kindCross:
		c.cross(x, y, int(p.n), p.flags&flagAlone != 0)
	case kindTag:
		c.tag(x, y, p.piece.Color(), int(p.n), int(p.m))
	case kindResult:
		c.result(x, y, engine.Result(p.n))
	}
}

func (c *canvas) inkColor(k ink) rgb {
	return [...]rgb{inkLast: c.t.last, inkLastTint: c.t.lastT, inkSel: c.t.sel, inkMust: c.t.must, inkHint: c.t.hint, inkReply: c.t.casing}[k]
}

func (c *canvas) fill(col rgb) {
	c.dc.SetColor(col)
	c.dc.Fill()
}

func (c *canvas) fillAlpha(col rgb, a float64) {
	c.dc.SetColor(col.alpha(a))
	c.dc.Fill()
}

func (c *canvas) fillKeep(col rgb) {
	c.dc.SetColor(col)
	c.dc.FillPreserve()
}

// stroke strokes the path with round joints and clears it.
func (c *canvas) stroke(col color.Color, width float64) {
	c.strokeKeep(col, width)
	c.dc.ClearPath()
}

func (c *canvas) strokeKeep(col color.Color, width float64) {
	c.dc.SetLineCapRound()
	c.dc.SetLineJoinRound()
	c.dc.SetColor(col)
	c.dc.SetLineWidth(width)
	c.dc.StrokePreserve()
}

func (c *canvas) ellipse(x, y, a, b float64) {
	c.dc.NewSubPath()
	c.dc.DrawEllipse(x, y, a, b)
	c.dc.ClosePath()
}

// disc draws a filled circle with an outline.
func (c *canvas) disc(x, y, r float64, fill, line rgb, width float64) {
	c.dc.DrawCircle(x, y, r)
	c.fillKeep(fill)
	c.stroke(line, width)
}

// plate draws a filled rounded rectangle around a centre. It has an outline unless
// width is 0.
func (c *canvas) plate(x, y, w, h, r float64, fill, line rgb, width float64) {
	c.dc.DrawRoundedRectangle(x-w/2, y-h/2, w, h, math.Min(r, math.Min(w, h)/2))
	if width == 0 {
		c.fill(fill)
		return
	}
	c.fillKeep(fill)
	c.stroke(line, width)
}

// foot returns the centre of the foot of a column on the square with its upper left
// corner at x, y.
func (c *canvas) foot(x, y float64) (cx, cy float64) { return x + c.g.f/2, y + float64(c.g.base) }

// dashedEllipse strokes an ellipse with a number of dashes. share is how much of
// the line the dashes cover.
func (c *canvas) dashedEllipse(cx, cy, a, b float64, dashes int, share float64, col rgb, width float64) {
	// The dashes have equal lengths along the line, not equal angles.
	const steps = 720
	length := make([]float64, steps+1)
	point := func(i int) (float64, float64) {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / steps)
		return cx + a*cos, cy + b*sin
	}
	for i := 1; i <= steps; i++ {
		x0, y0 := point(i - 1)
		x1, y1 := point(i)
		length[i] = length[i-1] + math.Hypot(x1-x0, y1-y0)
	}
	c.dc.SetLineCapButt()
	c.dc.SetLineJoinRound()
	c.dc.SetColor(col)
	c.dc.SetLineWidth(width)
	i := 0
	for n := range dashes {
		period := length[steps] / float64(dashes)
		from, to := float64(n)*period, (float64(n)+share)*period
		for i < steps && length[i] < from {
			i++
		}
		c.dc.NewSubPath()
		for ; i <= steps && length[i] <= to; i++ {
			c.dc.LineTo(point(i))
		}
		c.dc.Stroke()
	}
}

// dashedLine strokes a straight line with dashes. It scales dash and gap so that
// the line starts and ends with a whole dash.
func (c *canvas) dashedLine(x0, y0, x1, y1, dash, gap float64, col rgb, width float64) {
	length := math.Hypot(x1-x0, y1-y0)
	n := max(1, int(math.Round((length+gap)/(dash+gap))))
	k := length / (float64(n)*(dash+gap) - gap)
	c.dc.SetLineCapButt()
	c.dc.SetColor(col)
	c.dc.SetLineWidth(width)
	for i := range n {
		from := float64(i) * (dash + gap) * k / length
		to := from + dash*k/length
		c.dc.DrawLine(x0+(x1-x0)*from, y0+(y1-y0)*from, x0+(x1-x0)*to, y0+(y1-y0)*to)
		c.dc.Stroke()
	}
}
