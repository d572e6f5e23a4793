package render

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine"
)

// middleGames returns scenes of middle-game positions: public ones where they
// lie beside the repository, else a few of our own.
func middleGames(tb testing.TB) []Scene {
	tb.Helper()
	var scenes []Scene
	if f, err := os.Open("../../shared/oracle/positions_public.jsonl"); err == nil {
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() && len(scenes) < 200 {
			var p struct{ LFEN string }
			if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
				tb.Fatal(err)
			}
			scenes = append(scenes, Scene{Board: readLFEN(tb, p.LFEN)})
		}
		return scenes
	}
	for _, s := range samples() {
		switch s.name {
		case "middle", "message", "path", "select", "must", "hint", "line", "reply":
			scenes = append(scenes, Scene{Board: s.scene.Board})
		}
	}
	return scenes
}

// readLFEN reads the columns and the side to move of position text.
func readLFEN(tb testing.TB, text string) engine.Setup {
	tb.Helper()
	fields := strings.Fields(text)
	var s engine.Setup
	for i, rank := range strings.Split(fields[0], "/") {
		for j, letters := range strings.Split(rank, ",") {
			sq, ok := engine.SquareAt(2*j+i%2, 6-i)
			if !ok {
				tb.Fatalf("%q: no square %d on line %d", text, j, i)
			}
			var pieces []engine.Piece
			for k := range len(letters) {
				p, _ := engine.PieceOf(letters[k])
				pieces = append(pieces, p)
			}
			s.Stacks[sq] = engine.StackOf(pieces...)
		}
	}
	if fields[1] == "b" {
		s.Turn = engine.Black
	}
	return s
}

// BenchmarkPNG composes and encodes middle games that are not in the cache.
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

// TestPicturesAreSmall holds the size of an ordinary picture and what drawing it
// allocates; BenchmarkPNG has the times.
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
		if allocs >= 100 {
			t.Errorf("%v: %v allocations a picture", theme, allocs)
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

// BenchmarkPlain draws and encodes the same pictures afresh with gg.
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

// BenchmarkFirst is the first picture of a process: palette, fonts, sprites.
func BenchmarkFirst(b *testing.B) {
	scenes := middleGames(b)
	for b.Loop() {
		palettes[Wood]() // parsed fonts and palette stay; sprites are drawn anew
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
