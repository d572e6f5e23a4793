package render

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
)

// TestComposingEqualsDrawing compares pictures composed from sprites with the same
// scenes drawn with gg. They may differ only by the palette and by the rounding of
// translucent colours.
func TestComposingEqualsDrawing(t *testing.T) {
	skipSlow(t)
	r := New(Options{})
	for i, s := range samples() {
		theme := Theme(i % numThemes)
		t.Run(s.name+"/"+theme.String(), func(t *testing.T) {
			scene := s.scene
			scene.Theme = theme
			scene.Edge = []int{720, 480, 361}[i/numThemes%3] // 361: squares of odd width
			composed, err := paint(r, scene)
			if err != nil {
				t.Fatal(err)
			}
			drawn := plain(t, scene)
			// At edges, the palette is up to 40 off in single pixels. Composing may
			// add almost nothing to that.
			best := quantise(drawn, palettes[theme]())
			more := 0
			for i := range best.Pix {
				want := drawn.Pix[4*i:]
				if pixelError(composed, i, want) > pixelError(best, i, want)+8 {
					more++
				}
			}
			if share := float64(more) / float64(len(best.Pix)); share > 0.001 {
				t.Errorf("%.2f%% of the pixels are further off than the palette explains", 100*share)
			}
			if off, worst, mean := difference(composed, drawn, 40); mean > 1.5 || off > 0.0001 {
				t.Errorf("off by %.2f on average, by %d at most, %.4f%% of the pixels by more than 40", mean, worst, 100*off)
			}
		})
	}
}

// pixelError returns the largest difference between a channel of pixel i and the
// colour want, which is RGBA.
func pixelError(im *image.Paletted, i int, want []uint8) int {
	c := im.Palette[im.Pix[i]].(color.RGBA)
	d := 0
	for _, p := range [][2]uint8{{c.R, want[0]}, {c.G, want[1]}, {c.B, want[2]}} {
		d = max(d, int(p[0])-int(p[1]), int(p[1])-int(p[0]))
	}
	return d
}

// difference returns the share of pixels that differ by more than limit in a
// channel, and the largest and the mean difference of the channels.
func difference(a, b image.Image, limit int) (off float64, worst int, mean float64) {
	if a.Bounds() != b.Bounds() {
		return 1, 255, 255
	}
	x, y := asRGBA(a), asRGBA(b)
	n, sum := 0, 0
	for i := 0; i < len(x.Pix); i += 4 {
		d := 0
		for j := range 3 {
			diff := max(int(x.Pix[i+j])-int(y.Pix[i+j]), int(y.Pix[i+j])-int(x.Pix[i+j]))
			d = max(d, diff)
			sum += diff
		}
		worst = max(worst, d)
		if d > limit {
			n++
		}
	}
	pixels := len(x.Pix) / 4
	return float64(n) / float64(pixels), worst, float64(sum) / float64(3*pixels)
}

func asRGBA(im image.Image) *image.RGBA {
	if m, ok := im.(*image.RGBA); ok {
		return m
	}
	m := image.NewRGBA(im.Bounds())
	draw.Draw(m, m.Rect, im, m.Rect.Min, draw.Src)
	return m
}
