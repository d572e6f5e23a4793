package render

import (
	"fmt"
	"math"
	"testing"

	"github.com/lascabot/lascabot/engine"
)

// sight is a kind of colour vision, as a linear map of linear RGB.
type sight [3][3]float64

// sights are normal sight and the dichromacies at full strength, from Machado,
// Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color
// Vision Deficiency, 2009.
var sights = map[string]sight{
	"normal": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protan": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deutan": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritan": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// luminance returns the relative luminance (WCAG) of a colour as it is seen.
func (s sight) luminance(c rgb) float64 {
	linear := func(v rgb) float64 {
		x := float64(v&0xff) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	in := [3]float64{linear(c >> 16), linear(c >> 8), linear(c)}
	var out [3]float64
	for i, row := range s {
		for j, k := range row {
			out[i] += k * in[j]
		}
		out[i] = max(0, min(1, out[i]))
	}
	return 0.2126*out[0] + 0.7152*out[1] + 0.0722*out[2]
}

// contrast returns the WCAG contrast ratio.
func (s sight) contrast(a, b rgb) float64 {
	x, y := s.luminance(a), s.luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestContrastFormula(t *testing.T) {
	if c := sights["normal"].contrast(0, 0xffffff); math.Abs(c-21) > 1e-9 {
		t.Errorf("black to white is %v, want 21", c)
	}
	if c := sights["normal"].contrast(0x777777, 0xffffff); math.Abs(c-4.48) > 0.01 {
		t.Errorf("#777 to white is %v, want 4.48", c)
	}
}

// TestSidesAndRanksDifferForAllKindsOfSight checks the contrast of everything that
// distinguishes sides and ranks, and of text. Contrast is a ratio of luminance, so
// it does not depend on hue.
func TestSidesAndRanksDifferForAllKindsOfSight(t *testing.T) {
	for _, theme := range Themes() {
		for name, see := range sights {
			t.Run(fmt.Sprintf("%v/%s", theme, name), func(t *testing.T) {
				tk := &themeTokens[theme]
				w, b := &tk.piece[engine.White], &tk.piece[engine.Black]
				sides, ring, ringEdge := 10.0, 2.4, 8.9
				if theme == Contrast {
					sides, ring, ringEdge = 15, 4.9, 15
				}
				least := func(what string, min float64, x, y rgb) {
					t.Helper()
					if c := see.contrast(x, y); c < min {
						t.Errorf("%s: #%06x to #%06x is %.2f, want at least %.1f", what, uint32(x), uint32(y), c, min)
					}
				}
				least("faces of the sides", sides, w.face, b.face)
				least("rims of the sides", sides, w.body, b.body)
				least("White's shade to Black's light", 2.9, w.lo, b.hi)
				least("White's officer ring to the rim", ring, w.band, w.body)
				least("the ring's edge to the rim", ringEdge, w.bandE, w.body)
				least("Black's officer ring to the rim", 4.9, b.band, b.body)
				least("White's star", 4.4, w.star, w.face)
				least("Black's star", 6.9, b.star, b.face)
				least("line between White's pieces", 3.9, w.groove, w.body)
				least("line between Black's pieces", 3.2, b.groove, b.body)
				least("count on White", 7, w.ink, w.body)
				least("count on Black", 7, b.ink, b.body)
				least("tag", 7, tk.tagFg, tk.tagBg)
				least("coordinates", 7, tk.label, tk.rail)
				least("result", 7, tk.on, tk.plate)
				least("cross on its disc", 4.5, tk.onMust, tk.must)
				for what, c := range map[string]rgb{"last move": tk.last, "selection": tk.sel, "must capture": tk.must, "hint": tk.hint} {
					least(what+" to its casing", 4.5, c, tk.casing)
				}
				least("side to move", 6, tk.last, tk.rail)
				// The luminance of the ring lies between the sides, so that without
				// colour it does not look like a piece of the other side.
				for _, p := range []*pieceTokens{w, b} {
					if l := see.luminance(p.band); l <= see.luminance(b.body) || l >= see.luminance(w.body) {
						t.Errorf("the officer ring #%06x is not between the sides", uint32(p.band))
					}
				}
			})
		}
	}
}
