package render

import (
	"bytes"
	"context"
	"image/png"
	"slices"
	"testing"
	"time"
)

// middleGames returns scenes of middle-game positions: every second one of the
// sample game, without its beginning and its end.
func middleGames(tb testing.TB) []Scene {
	tb.Helper()
	pos, moves, _ := sampleGame(100)
	var scenes []Scene
	for i, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			tb.Fatal(err)
		}
		pos = next
		if i >= 20 && i%2 == 0 {
			scenes = append(scenes, Scene{Board: pos.Setup()})
		}
	}
	return scenes
}

// BenchmarkPNG composes and encodes middle games, without the cache.
func BenchmarkPNG(b *testing.B) {
	scenes := middleGames(b)
	for _, theme := range Themes() {
		b.Run(theme.String(), func(b *testing.B) {
			r := New(Options{CacheBytes: -1})
			var sizes []int
			for _, s := range scenes { // draws the sprites
				s.Theme = theme
				data, err := r.PNG(context.Background(), s)
				if err != nil {
					b.Fatal(err)
				}
				sizes = append(sizes, len(data))
			}
			slices.Sort(sizes)
			b.ReportAllocs()
			var times []time.Duration
			for b.Loop() {
				s := scenes[len(times)%len(scenes)]
				s.Theme = theme
				begin := time.Now()
				if _, err := r.PNG(context.Background(), s); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(begin))
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2].Seconds()*1000, "ms-median")
			b.ReportMetric(float64(sizes[len(sizes)/2])/1024, "KiB/picture")
			b.ReportMetric(float64(sizes[len(sizes)*95/100])/1024, "KiB-p95")
		})
	}
}

// TestPicturesAreSmall checks the size of an ordinary picture, and how often drawing
// it allocates. BenchmarkPNG measures the time.
func TestPicturesAreSmall(t *testing.T) {
	skipSlow(t)
	scenes := middleGames(t)
	scenes = scenes[:min(len(scenes), 40)]
	for _, theme := range Themes() {
		r := New(Options{CacheBytes: -1})
		var sizes []int
		for i := range scenes {
			scenes[i].Theme = theme
			data, err := r.PNG(t.Context(), scenes[i])
			if err != nil {
				t.Fatal(err)
			}
			sizes = append(sizes, len(data))
		}
		slices.Sort(sizes)
		if median := sizes[len(sizes)/2]; median > 32<<10 {
			t.Errorf("%v: the median picture has %d bytes", theme, median)
		}
		i := 0
		allocs := testing.AllocsPerRun(len(scenes), func() {
			if _, err := r.PNG(t.Context(), scenes[i%len(scenes)]); err != nil {
				t.Fatal(err)
			}
			i++
		})
		if allocs > 10 { // usually 4
			t.Errorf("%v: %v allocations per picture", theme, allocs)
		}
	}
}

// BenchmarkCompose is the part of BenchmarkPNG before encoding.
func BenchmarkCompose(b *testing.B) {
	scenes := middleGames(b)
	r := New(Options{})
	f := new(frame)
	for i := range scenes {
		scenes[i], _ = scenes[i].normal()
		r.compose(f, scenes[i])
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		r.compose(f, scenes[i%len(scenes)])
		i++
	}
}

// BenchmarkPlain draws the same pictures with gg and encodes them.
func BenchmarkPlain(b *testing.B) {
	scenes := middleGames(b)
	encoder := png.Encoder{}
	i := 0
	for b.Loop() {
		im := plain(b, scenes[i%len(scenes)])
		var out bytes.Buffer
		if err := encoder.Encode(&out, im); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

// BenchmarkFirst draws the first picture of a renderer, with all sprites.
func BenchmarkFirst(b *testing.B) {
	scenes := middleGames(b)
	for b.Loop() {
		palettes[Wood]() // the fonts and the palette are kept, the sprites are not
		if _, err := New(Options{}).PNG(context.Background(), scenes[0]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCached asks for a picture that is in the cache.
func BenchmarkCached(b *testing.B) {
	r := New(Options{})
	s := middleGames(b)[0]
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.PNG(context.Background(), s); err != nil {
			b.Fatal(err)
		}
	}
}
