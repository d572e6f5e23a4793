package render

import (
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/fogleman/gg"
	"github.com/lascabot/lascabot/engine"
	"golang.org/x/image/font"
)

// ErrGraph says that a graph cannot be drawn, because the [GraphSpec] breaks a
// limit that its fields state.
var ErrGraph = errors.New("graph cannot be drawn")

const maxGraphValues = 2000

// GraphSpec says how a game went.
type GraphSpec struct {
	// Values are what the positions were worth to White, from -1 (lost) to 1
	// (won): Values[0] before the first ply, Values[i] after ply i. There must
	// be at least one value and at most 2,000.
	Values []float64
	// Turning lists the plies at which the game turned; the first ply is 1. The
	// graph marks them with the numbers of their moves.
	Turning []int
	// Shown is the ply after which the position stands that is shown beside
	// the graph. 0 marks none.
	Shown int
	// First is the number of the first move; 0 stands for 1. FirstTurn is the
	// side that made it.
	First     int
	FirstTurn engine.Color
	// Theme and Edge are as in Scene.
	Theme Theme
	Edge  int
}

// check sets the defaults and checks the limits.
func (s *GraphSpec) check() error {
	if s.Edge == 0 {
		s.Edge = DefaultEdge
	}
	if s.First == 0 {
		s.First = 1
	}
	switch {
	case s.Edge < MinEdge || s.Edge > MaxEdge:
		return fmt.Errorf("%w: %d pixels; it must be %d to %d", ErrEdge, s.Edge, MinEdge, MaxEdge)
	case !s.Theme.valid():
		return fmt.Errorf("%w: %v", ErrTheme, s.Theme)
	case len(s.Values) == 0 || len(s.Values) > maxGraphValues:
		return fmt.Errorf("%w: %d values; there must be 1 to %d", ErrGraph, len(s.Values), maxGraphValues)
	case s.FirstTurn > engine.Black || s.First < 1:
		return fmt.Errorf("%w: invalid first side or move number", ErrGraph)
	}
	for i, v := range s.Values {
		if math.IsNaN(v) || v < -1 || v > 1 {
			return fmt.Errorf("%w: value %d is %v; it must be -1 to 1", ErrGraph, i, v)
		}
	}
	for _, ply := range append(s.Turning[:len(s.Turning):len(s.Turning)], s.Shown) {
		if ply < 0 || ply >= len(s.Values) {
			return fmt.Errorf("%w: ply %d is marked, but the game has %d plies", ErrGraph, ply, len(s.Values)-1)
		}
	}
	return nil
}

// number returns the number of the move that a ply belongs to.
func (s *GraphSpec) number(ply int) int { return s.First + (max(ply, 1)-1+int(s.FirstTurn))/2 }

// Graph writes a PNG file of how a game went. It is as wide as a board, 0.44 times
// as high as wide, and has the same look. The error wraps [ErrGraph], [ErrEdge] or
// [ErrTheme], or is w's. Graph takes some tens of milliseconds.
func (r *Renderer) Graph(w io.Writer, spec GraphSpec) error {
	if err := spec.check(); err != nil {
		return err
	}
	data := encodePNG(quantise(drawGraph(&spec), palettes[spec.Theme]()))
	_, err := w.Write(data)
	return err
}

// quantise maps an opaque picture to a palette.
func quantise(im *image.RGBA, pal *palette) *image.Paletted {
	out := image.NewPaletted(im.Rect, pal.colors)
	memo := map[[3]uint8]uint8{}
	for i := range out.Pix {
		k := [3]uint8(im.Pix[4*i:])
		c, ok := memo[k]
		if !ok {
			c = pal.exact(int(k[0]), int(k[1]), int(k[2]))
			memo[k] = c
		}
		out.Pix[i] = c
	}
	return out
}

// chart is where a graph lies in its picture.
type chart struct {
	u                        float64 // the unit of length: about the edge of a square
	left, top, width, height float64
	plies                    int
}

func (c *chart) x(ply int) float64 {
	return c.left + c.width*float64(ply)/float64(max(1, c.plies))
}

func (c *chart) y(v float64) float64 { return c.top + c.height/2*(1-0.92*v) }

func drawGraph(spec *GraphSpec) *image.RGBA {
	c, ch := newChart(spec.Theme, spec.Edge, 0.50, len(spec.Values)-1)
	c.area(&ch, spec.Values)
	c.grid(&ch, spec)
	c.curve(&ch, spec)
	c.seats(&ch)
	return c.dc.Image().(*image.RGBA)
}

// newChart returns the empty frame of a graph with a number of plies or games after
// the first value. left is the width of the labels at its left, in units of length.
func newChart(theme Theme, width int, left float64, plies int) (*canvas, chart) {
	t := &themeTokens[theme]
	edge := float64(width)
	u := edge / 7.66
	height := math.Round(0.44 * edge)
	ch := chart{u: u, left: math.Round(left * u), top: math.Round(0.25 * u), plies: plies}
	ch.width = math.Round(edge - 0.27*u - ch.left)
	ch.height = math.Round((height - 0.42*u - ch.top))
	g := &geometry{edge: width, height: int(height), s: int(u), f: u}
	c := &canvas{dc: gg.NewContext(width, int(height)), g: g, t: t, faces: map[face]font.Face{}}

	c.dc.DrawRectangle(0, 0, edge, height)
	c.fill(t.rail)
	c.dc.DrawRectangle(0, 0, edge, math.Max(1, math.Round(0.022*u)))
	c.fill(t.railHi)
	for _, line := range []struct {
		width float64
		col   rgb
	}{{0.055, t.railLo}, {0.035, t.inlay}} {
		w := line.width * u
		c.dc.DrawRectangle(ch.left-w, ch.top-w, ch.width+2*w, ch.height+2*w)
		c.fill(line.col)
	}
	c.dc.DrawRectangle(ch.left, ch.top, ch.width, ch.height)
	c.fill(t.play)
	return c, ch
}

// area fills the space between the curve and the middle: with White's colour
// above, with Black's below.
func (c *canvas) area(ch *chart, values []float64) {
	for _, side := range []engine.Color{engine.White, engine.Black} {
		c.dc.NewSubPath()
		c.dc.LineTo(ch.x(0), ch.y(0))
		for i, v := range values {
			if i > 0 && (v > 0) != (values[i-1] > 0) { // where the curve crosses the middle
				share := values[i-1] / (values[i-1] - v)
				c.dc.LineTo(ch.x(i-1)+(ch.x(i)-ch.x(i-1))*share, ch.y(0))
			}
			if (v > 0) == (side == engine.White) {
				c.dc.LineTo(ch.x(i), ch.y(v))
			} else {
				c.dc.LineTo(ch.x(i), ch.y(0))
			}
		}
		c.dc.LineTo(ch.x(len(values)-1), ch.y(0))
		c.dc.ClosePath()
		c.fill(c.t.piece[side].body)
	}
}

// grid draws the lines at the middle and the quarters, and those at the moves with
// their numbers.
func (c *canvas) grid(ch *chart, spec *GraphSpec) {
	u := ch.u
	line := math.Max(1, math.Round(0.014*u))
	for _, v := range []float64{0.25, 0.75} {
		c.dc.DrawRectangle(ch.left, math.Round(ch.top+ch.height*v), ch.width, line)
		c.fillAlpha(c.t.joint, 0.7)
	}
	c.dc.DrawRectangle(ch.left, math.Round(ch.y(0)-line/2), ch.width, line)
	c.fill(c.t.inlay)

	last := spec.number(ch.plies)
	step := 10
	for (last-spec.First)/step > 9 {
		step *= 2
	}
	if last-spec.First < 12 {
		step = 2
	}
	for n := spec.First; n <= last; n += step {
		// The position before the move's first ply.
		ply := max(0, 2*(n-spec.First)-int(spec.FirstTurn))
		x := math.Round(ch.x(ply))
		if n > spec.First {
			c.dc.DrawRectangle(x, ch.top, line, ch.height)
			c.fillAlpha(c.t.joint, 0.7)
		}
		x = math.Max(ch.left+0.06*u, math.Min(x, ch.left+ch.width-0.1*u))
		c.text(strconv.Itoa(n), x, ch.top+ch.height+0.22*u, 0.25*u, false, c.t.label)
	}
}

// curve draws the curve and the marks on it.
func (c *canvas) curve(ch *chart, spec *GraphSpec) {
	u := ch.u
	if spec.Shown > 0 {
		x := ch.x(spec.Shown)
		for _, pass := range []struct {
			col   rgb
			width float64
		}{{c.t.casing, 0.06 * u}, {c.t.sel, 0.03 * u}} {
			c.dc.DrawRectangle(x-pass.width/2, ch.top, pass.width, ch.height)
			c.fill(pass.col)
		}
	}
	for _, pass := range []struct {
		col   rgb
		width float64
	}{{c.t.piece[engine.White].outline, 0.075 * u}, {c.t.last, 0.04 * u}} {
		c.dc.NewSubPath()
		for i, v := range spec.Values {
			c.dc.LineTo(ch.x(i), ch.y(v))
		}
		if len(spec.Values) == 1 { // a lone position still shows
			c.dc.LineTo(ch.left+ch.width, ch.y(spec.Values[0]))
		}
		c.stroke(pass.col, pass.width)
	}
	// Pills keep clear of one another: those that would touch the last one on
	// their side go to the other side or are left out; their dots stay.
	var taken [2]float64
	taken[0], taken[1] = math.Inf(-1), math.Inf(-1)
	for _, ply := range slices.Sorted(slices.Values(spec.Turning)) {
		x, y := ch.x(ply), ch.y(spec.Values[ply])
		c.dc.DrawCircle(x, y, 0.085*u)
		c.fill(c.t.casing)
		c.dc.DrawCircle(x, y, 0.06*u)
		c.fill(c.t.must)
		word := strconv.Itoa(spec.number(ply))
		w, h := 0.20*u+0.13*u*float64(len(word)), 0.31*u
		side, dy := 0, -0.27*u
		if spec.Values[ply] < 0 {
			side, dy = 1, 0.27*u
		}
		cx := math.Max(ch.left+w/2, math.Min(x, ch.left+ch.width-w/2))
		fits := func() bool {
			return cx-w/2 > taken[side] && y+dy-h/2 > ch.top && y+dy+h/2 < ch.top+ch.height
		}
		if !fits() {
			side, dy = 1-side, -dy
			if !fits() {
				continue
			}
		}
		taken[side] = cx + w/2
		c.plate(cx, y+dy, w, h, h/2, c.t.tagBg, c.t.tagLn, 0.02*u)
		c.text(word, cx, y+dy, 0.235*u, true, c.t.tagFg)
	}
}

// seats shows which half belongs to which side.
func (c *canvas) seats(ch *chart) {
	x := ch.left / 2
	c.smallDisc(x, ch.top+0.16*ch.u, 0.10*ch.u, engine.White)
	c.smallDisc(x, ch.top+ch.height-0.16*ch.u, 0.10*ch.u, engine.Black)
	c.text("=", x, ch.y(0), 0.25*ch.u, false, c.t.label)
}
