package render

import (
	"image/color"
	"math"
	"strconv"

	"github.com/fogleman/gg"
	"github.com/lascabot/lascabot/engine"
	"golang.org/x/image/font"
)

// canvas draws parts with gg. Coordinates are those of the picture; a canvas
// for a sprite is a small window on it.
type canvas struct {
	dc    *gg.Context
	g     *geometry
	t     *tokens
	faces map[face]font.Face
}

// newCanvas returns a canvas of a size in pixels.
func newCanvas(g *geometry, t *tokens, width, height int) *canvas {
	return &canvas{dc: gg.NewContext(width, height), g: g, t: t, faces: map[face]font.Face{}}
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

// stroke strokes the path with round joints and forgets it.
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

// disc is a filled circle with a line round it.
func (c *canvas) disc(x, y, r float64, fill, line rgb, width float64) {
	c.dc.DrawCircle(x, y, r)
	c.fillKeep(fill)
	c.stroke(line, width)
}

// plate is a filled rounded rectangle round a centre with a line round it.
func (c *canvas) plate(x, y, w, h, r float64, fill, line rgb, width float64) {
	c.dc.DrawRoundedRectangle(x-w/2, y-h/2, w, h, math.Min(r, math.Min(w, h)/2))
	if width == 0 {
		c.fill(fill)
		return
	}
	c.fillKeep(fill)
	c.stroke(line, width)
}

// board draws everything that does not change in a game.
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

// rank draws the squares of one rank. All squares of a kind in it have the same
// grain, in whole rows of pixels: the rows repeat, which costs next to nothing
// in a PNG.
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
		random := func() float64 { // a small generator of our own, so that the grain is the same for ever
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

// light lights the string on one side.
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

// seat draws the small disc of the side that sits at one end of the left rail;
// y is the edge of the field there.
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

// smallDisc is a piece seen from above.
func (c *canvas) smallDisc(x, y, r float64, side engine.Color) {
	p := c.t.piece[side]
	line := p.outline
	if side == engine.Black {
		line = p.groove // on dark wood the outline would not show
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

// foot returns the centre of the foot of a column on a square.
func (c *canvas) foot(x, y float64) (cx, cy float64) { return x + c.g.f/2, y + float64(c.g.base) }

// ghost is the footprint of a piece that was captured and stood alone.
func (c *canvas) ghost(x, y float64) {
	cx, cy := c.foot(x, y)
	a := 0.8 * discA * c.g.f
	c.dashedEllipse(cx, cy, a, a*squash, 12, 0.6, c.t.casing, 0.032*c.g.f)
}

// dashedEllipse strokes an ellipse in a whole number of dashes, which take a
// share of the line.
func (c *canvas) dashedEllipse(cx, cy, a, b float64, dashes int, share float64, col rgb, width float64) {
	// Dashes of equal length along the line, not of equal angle.
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

// dashedLine strokes a straight line in a whole number of dashes that begins
// and ends with one.
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

// frame is drawn inside the edge of the selected square.
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

// brackets are four corners round a column that must capture.
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

// target is an empty square on which the selected column may land. It stays
// open in the middle: a dark disc would look like a piece.
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

// name is the name of a landing on a plate, the same word as on the button.
func (c *canvas) name(cx, cy float64, sq engine.Square) {
	s := c.g.f
	c.plate(cx, cy, 0.44*s, 0.32*s, 0.09*s, c.t.sel, c.t.casing, 0.02*s)
	c.text(sq.String(), cx, cy, 0.26*s, true, c.t.casing)
}

// numbers are the numbers of the jumps that land on a square, the first at the
// foot of the pill. mask has bit i set for number i; aside makes way for an arrow
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

// cross marks captures: a disc at the corner, or in the middle of the footprint
// when nothing is left there.
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

// tag is the height of a column and, above it when there are prisoners, how
// many of its owner's pieces lie on top of them. It stands in the gap between
// the files.
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

// result is the plate at the end of a game; x is the left edge of the file in
// the middle.
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
