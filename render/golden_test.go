package render

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// goldenScenes returns the scenes whose pictures are kept: every sample in the
// default theme, some in the other themes, and one at twice the size.
func goldenScenes() []sample {
	all := samples()
	list := append([]sample(nil), all...)
	for i := range list {
		if list[i].name == "heights" { // by far the heaviest
			list[i].scene.Edge = 360
		}
	}
	for _, theme := range []Theme{Dark, Contrast} {
		for _, s := range all {
			switch s.name {
			case "start", "message", "select", "hint", "line", "white-wins":
				s.name += "-" + theme.String()
				s.scene.Theme, s.scene.Edge = theme, 480
				list = append(list, s)
			}
		}
	}
	for _, s := range all {
		if s.name == "message" {
			s.name, s.scene.Edge = s.name+"-2x", 2*DefaultEdge
			list = append(list, s)
		}
	}
	return list
}

// TestGolden compares pictures with those in testdata/golden; -update
// rewrites them. On failure, the picture and the difference are artifacts.
func TestGolden(t *testing.T) {
	skipSlow(t)
	r := New(Options{})
	for _, s := range goldenScenes() {
		t.Run(s.name, func(t *testing.T) {
			data, err := r.PNG(context.Background(), s.scene)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, s.name, data)
		})
	}
	t.Run("emoji", func(t *testing.T) {
		data, _ := sampleTiles()
		golden(t, "emoji", data)
	})
	for _, theme := range Themes() {
		t.Run("graph-"+theme.String(), func(t *testing.T) {
			spec := sampleGraph()
			spec.Theme = theme
			var out bytes.Buffer
			if err := r.Graph(&out, spec); err != nil {
				t.Fatal(err)
			}
			golden(t, "graph-"+theme.String(), out.Bytes())
		})
		t.Run("ratings-"+theme.String(), func(t *testing.T) {
			spec := sampleRatings()
			spec.Theme = theme
			var out bytes.Buffer
			if err := r.Ratings(&out, spec); err != nil {
				t.Fatal(err)
			}
			golden(t, "ratings-"+theme.String(), out.Bytes())
		})
	}
}

func golden(t *testing.T, name string, data []byte) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name+".png")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	have, want := anyPNG(t, data), anyPNG(t, kept)
	off, worst, _ := difference(have, want, 8)
	if off <= 0.001 {
		return
	}
	t.Errorf("%.2f%% of the pixels differ by more than 8, the worst by %d; see %s", 100*off, worst, t.ArtifactDir())
	for suffix, im := range map[string]image.Image{"have": have, "want": want, "difference": differencePicture(have, want)} {
		var out bytes.Buffer
		if err := png.Encode(&out, im); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(t.ArtifactDir(), name+"-"+suffix+".png"), out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func anyPNG(tb testing.TB, data []byte) image.Image {
	tb.Helper()
	im, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		tb.Fatal(err)
	}
	return im
}

// decodePNG decodes a picture of messages, which has a palette.
func decodePNG(tb testing.TB, data []byte) *image.Paletted {
	tb.Helper()
	im := anyPNG(tb, data)
	p, ok := im.(*image.Paletted)
	if !ok {
		tb.Fatalf("the PNG does not have a palette: %T", im)
	}
	return p
}

// differencePicture returns a pale copy of a picture, with red pixels where it
// differs from another.
func differencePicture(a, b image.Image) image.Image {
	out := image.NewRGBA(a.Bounds())
	for y := out.Rect.Min.Y; y < out.Rect.Max.Y; y++ {
		for x := out.Rect.Min.X; x < out.Rect.Max.X; x++ {
			p := color.GrayModel.Convert(a.At(x, y)).(color.Gray).Y
			c := color.RGBA{192 + p/4, 192 + p/4, 192 + p/4, 255}
			if color.RGBAModel.Convert(a.At(x, y)) != color.RGBAModel.Convert(b.At(x, y)) {
				c = color.RGBA{255, 0, 0, 255}
			}
			out.SetRGBA(x, y, c)
		}
	}
	return out
}

// TestPNGHoldsThePicture reads the file with the standard library.
func TestPNGHoldsThePicture(t *testing.T) {
	skipSlow(t)
	r := New(Options{})
	for _, edge := range []int{MinEdge, 361, DefaultEdge, MaxEdge} {
		scene := samples()[2].scene
		scene.Edge = edge
		data, err := r.PNG(context.Background(), scene)
		if err != nil {
			t.Fatal(err)
		}
		want, err := paint(r, scene)
		if err != nil {
			t.Fatal(err)
		}
		have := decodePNG(t, data)
		if off, _, _ := difference(have, want, 0); off != 0 {
			t.Errorf("%d pixels: the file does not show the picture that was composed", edge)
		}
		if w, h := r.Size(scene); have.Rect != image.Rect(0, 0, w, h) || w != edge {
			t.Errorf("%d pixels: Size returns %d×%d, but the file is %v", edge, w, h, have.Rect)
		}
	}
}
