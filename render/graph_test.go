package render

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/lascabot/lascabot/engine"
)

func TestGraphShowsWhoIsAhead(t *testing.T) {
	r := New(Options{})
	var out bytes.Buffer
	values := make([]float64, 41)
	for i := range values {
		values[i] = 0.8 // White, then Black
		if i > 20 {
			values[i] = -0.8
		}
	}
	if err := r.Graph(&out, GraphSpec{Values: values, Turning: []int{21}, Shown: 5}); err != nil {
		t.Fatal(err)
	}
	im := decodePNG(t, out.Bytes())
	if w, h := im.Rect.Dx(), im.Rect.Dy(); w != DefaultEdge || h != 317 {
		t.Errorf("the graph is %d×%d", w, h)
	}
	tk := &themeTokens[Wood]
	at := func(x, y float64) rgb {
		r, g, b, _ := im.At(int(x*720), int(y*317)).RGBA()
		return rgb(r>>8)<<16 | rgb(g>>8)<<8 | rgb(b>>8)
	}
	for name, c := range map[string]struct {
		x, y float64
		want rgb
	}{
		"White's half while White is ahead": {0.33, 0.36, tk.piece[engine.White].body},
		"Black's half while White is ahead": {0.33, 0.60, tk.play},
		"White's half while Black is ahead": {0.80, 0.36, tk.play},
		"Black's half while Black is ahead": {0.80, 0.60, tk.piece[engine.Black].body},
	} {
		if have := at(c.x, c.y); have != c.want {
			t.Errorf("%s: #%06x, want #%06x", name, uint32(have), uint32(c.want))
		}
	}
}

func TestGraphsThatCannotBeDrawnAreRefused(t *testing.T) {
	r := New(Options{})
	for name, c := range map[string]struct {
		spec GraphSpec
		want error
	}{
		"nothing":      {GraphSpec{}, ErrGraph},
		"too long":     {GraphSpec{Values: make([]float64, maxGraphValues+1)}, ErrGraph},
		"not a number": {GraphSpec{Values: []float64{math.NaN()}}, ErrGraph},
		"above one":    {GraphSpec{Values: []float64{1.01}}, ErrGraph},
		"turning":      {GraphSpec{Values: []float64{0, 0}, Turning: []int{2}}, ErrGraph},
		"shown":        {GraphSpec{Values: []float64{0, 0}, Shown: -1}, ErrGraph},
		"first":        {GraphSpec{Values: []float64{0}, First: -3}, ErrGraph},
		"width":        {GraphSpec{Values: []float64{0}, Edge: 10}, ErrEdge},
		"theme":        {GraphSpec{Values: []float64{0}, Theme: 7}, ErrTheme},
	} {
		if err := r.Graph(new(bytes.Buffer), c.spec); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
	if err := r.Graph(&failingWriter{}, GraphSpec{Values: []float64{0}}); !errors.Is(err, errFull) {
		t.Errorf("a writer that fails: error %v", err)
	}
}

func TestGraphOfAnyLength(t *testing.T) {
	r := New(Options{})
	for _, n := range []int{1, 2, 3, 25, 300, maxGraphValues} {
		spec := GraphSpec{Values: make([]float64, n), Edge: MinEdge, FirstTurn: engine.Black, First: 7}
		for i := range spec.Values {
			spec.Values[i] = math.Sin(float64(i))
			if i > 0 && len(spec.Turning) < 30 {
				spec.Turning = append(spec.Turning, i)
			}
		}
		var out bytes.Buffer
		if err := r.Graph(&out, spec); err != nil {
			t.Errorf("%d positions: %v", n, err)
		}
		decodePNG(t, out.Bytes())
	}
}

func TestGraphNumbersMoves(t *testing.T) {
	white := GraphSpec{First: 1}
	black := GraphSpec{First: 12, FirstTurn: engine.Black}
	for _, c := range []struct {
		spec      *GraphSpec
		ply, want int
	}{{&white, 1, 1}, {&white, 2, 1}, {&white, 3, 2}, {&black, 1, 12}, {&black, 2, 13}, {&black, 3, 13}} {
		if n := c.spec.number(c.ply); n != c.want {
			t.Errorf("ply %d from move %d, %v first: move %d, want %d", c.ply, c.spec.First, c.spec.FirstTurn, n, c.want)
		}
	}
}
