package render

import (
	"fmt"
	"image"
	"io"
	"math"
	"strconv"
)

// RatingsSpec says how a person's rating went.
type RatingsSpec struct {
	// Values are the ratings: Values[0] before the first game, Values[i] after game
	// i. There must be at least two and at most 2,000, each from 0 to 9,999.
	Values []float64
	// First is the number of the first game; 0 stands for 1.
	First int
	// Theme and Edge are as in Scene.
	Theme Theme
	Edge  int
}

// check sets the defaults and checks the limits.
func (s *RatingsSpec) check() error {
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
	case len(s.Values) < 2 || len(s.Values) > maxGraphValues:
		return fmt.Errorf("%w: %d ratings; there must be 2 to %d", ErrGraph, len(s.Values), maxGraphValues)
	case s.First < 1:
		return fmt.Errorf("%w: the first game has the number %d", ErrGraph, s.First)
	}
	for i, v := range s.Values {
		if math.IsNaN(v) || v < 0 || v > 9999 {
			return fmt.Errorf("%w: rating %d is %v; it must be 0 to 9,999", ErrGraph, i, v)
		}
	}
	return nil
}

// Ratings writes a PNG file of how a rating went, game by game. It has the size and
// the look of a [Renderer.Graph]. The highest rating and the last one are written at
// the curve. The error wraps [ErrGraph], [ErrEdge] or [ErrTheme], or is w's. Ratings
// takes some tens of milliseconds.
func (r *Renderer) Ratings(w io.Writer, spec RatingsSpec) error {
	if err := spec.check(); err != nil {
		return err
	}
	_, err := w.Write(encodePNG(quantise(drawRatings(&spec), palettes[spec.Theme]())))
	return err
}

func drawRatings(spec *RatingsSpec) *image.RGBA {
	c, ch := newChart(spec.Theme, spec.Edge, 0.86, len(spec.Values)-1)
	s := scaleOf(spec.Values)
	c.ratingLines(&ch, s)
	c.gameLines(&ch, spec)
	for _, pass := range []struct {
		col   rgb
		width float64
	}{{c.t.casing, 0.09 * ch.u}, {c.t.last, 0.045 * ch.u}} {
		c.dc.NewSubPath()
		for i, v := range spec.Values {
			c.dc.LineTo(ch.x(i), s.y(&ch, v))
		}
		c.stroke(pass.col, pass.width)
	}
	top := highest(spec.Values)
	last := len(spec.Values) - 1
	c.ratingMark(&ch, s, spec.Values, last)
	// The two marks would cover each other where they are near.
	if ch.x(last)-ch.x(top) > 1.1*ch.u {
		c.ratingMark(&ch, s, spec.Values, top)
	}
	return c.dc.Image().(*image.RGBA)
}

// highest returns the index of the highest of some values, the first of equal ones.
func highest(values []float64) int {
	top := 0
	for i, v := range values {
		if v > values[top] {
			top = i
		}
	}
	return top
}

// ratingScale is the part of the scale that a graph shows, in points, with a line at
// every multiple of step.
type ratingScale struct{ low, high, step float64 }

// scaleOf returns a scale with two to five steps that has all values and some room
// above and below them.
func scaleOf(values []float64) ratingScale {
	low, high := values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	room := max(20, (high-low)/6)
	low, high = low-room, high+room
	for _, step := range []float64{25, 50, 100, 200, 500, 1000, 2000} {
		from, to := math.Floor(low/step)*step, math.Ceil(high/step)*step
		if (to-from)/step <= 5 {
			return ratingScale{from, to, step}
		}
	}
	return ratingScale{-2000, 12000, 4000}
}

func (s ratingScale) y(ch *chart, v float64) float64 {
	return ch.top + ch.height*(s.high-v)/(s.high-s.low)
}

// ratingLines draws a line and its number at every step of the scale.
func (c *canvas) ratingLines(ch *chart, s ratingScale) {
	line := math.Max(1, math.Round(0.014*ch.u))
	for v := s.low; v <= s.high; v += s.step {
		y := math.Round(s.y(ch, v))
		if v > s.low && v < s.high {
			c.dc.DrawRectangle(ch.left, y, ch.width, line)
			c.fillAlpha(c.t.joint, 0.7)
		}
		if v >= 0 {
			c.text(strconv.Itoa(int(v)), ch.left/2, y, 0.25*ch.u, false, c.t.label)
		}
	}
}

// gameLines writes numbers of games below the graph, with a line at each.
func (c *canvas) gameLines(ch *chart, spec *RatingsSpec) {
	line := math.Max(1, math.Round(0.014*ch.u))
	step, last := gameStep(ch.plies), spec.First+ch.plies-1
	for n := spec.First; n <= last; n++ {
		if n%step != 0 {
			continue
		}
		x := math.Round(ch.x(n - spec.First + 1))
		if n < last {
			c.dc.DrawRectangle(x, ch.top, line, ch.height)
			c.fillAlpha(c.t.joint, 0.7)
		}
		x = math.Max(ch.left+0.06*ch.u, math.Min(x, ch.left+ch.width-0.15*ch.u))
		c.text(strconv.Itoa(n), x, ch.top+ch.height+0.22*ch.u, 0.25*ch.u, false, c.t.label)
	}
}

// gameStep returns after how many games the next number stands: 1, 2 or 5 times a
// power of ten, so that there are at most ten numbers.
func gameStep(games int) int {
	for step := 1; ; step *= 10 {
		for _, s := range []int{step, 2 * step, 5 * step} {
			if games/s < 10 {
				return s
			}
		}
	}
}

// ratingMark writes a rating at its place in the curve.
func (c *canvas) ratingMark(ch *chart, s ratingScale, values []float64, i int) {
	u, x, y := ch.u, ch.x(i), s.y(ch, values[i])
	c.dc.DrawCircle(x, y, 0.095*u)
	c.fill(c.t.casing)
	c.dc.DrawCircle(x, y, 0.065*u)
	c.fill(c.t.must)
	word := strconv.Itoa(int(math.Round(values[i])))
	w, h := 0.20*u+0.13*u*float64(len(word)), 0.31*u
	dy := -0.29 * u
	if y+dy-h/2 < ch.top {
		dy = -dy
	}
	x = math.Max(ch.left+w/2, math.Min(x, ch.left+ch.width-w/2))
	c.plate(x, y+dy, w, h, h/2, c.t.tagBg, c.t.tagLn, 0.02*u)
	c.text(word, x, y+dy, 0.235*u, true, c.t.tagFg)
}
