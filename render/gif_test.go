package render

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/draw"
	"image/gif"
	"testing"

	"github.com/lascabot/lascabot/engine"
)

// play decodes an animation and calls show with the screen after every frame.
func play(t *testing.T, data []byte, show func(i int, screen *image.RGBA)) *gif.GIF {
	t.Helper()
	g, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	screen := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for i, f := range g.Image {
		draw.Draw(screen, f.Rect, f, f.Rect.Min, draw.Over)
		show(i, screen)
	}
	return g
}

func TestGIFOfAMoveShowsEveryJump(t *testing.T) {
	r := New(Options{})
	pos, m := sampleCapture()
	frames, err := MoveFrames(Scene{Theme: Dark, Edge: 300, Bottom: engine.Black}, pos, m)
	if err != nil {
		t.Fatal(err)
	}
	if len(frames) != m.Jumps()+1 {
		t.Fatalf("%d frames for %d jumps", len(frames), m.Jumps())
	}
	var out bytes.Buffer
	if err := r.GIF(t.Context(), &out, frames, nil); err != nil {
		t.Fatal(err)
	}
	g := play(t, out.Bytes(), func(i int, screen *image.RGBA) {
		want, err := paint(r, frames[i].Scene)
		if err != nil {
			t.Fatal(err)
		}
		if off, worst, _ := difference(screen, want, 0); off != 0 {
			t.Errorf("frame %d differs from its scene, by %d at most", i, worst)
		}
	})
	if len(g.Image) != len(frames) {
		t.Fatalf("%d frames were written, want %d", len(g.Image), len(frames))
	}
	for i, f := range frames {
		if d := int(f.Delay.Milliseconds() / 10); g.Delay[i] != d {
			t.Errorf("frame %d is shown for %d hundredths of a second, want %d", i, g.Delay[i], d)
		}
	}
	if g.LoopCount != 0 {
		t.Errorf("it repeats %d times, not forever", g.LoopCount)
	}
	last := frames[len(frames)-1]
	after, _ := pos.Play(m)
	if last.Scene.Board != after.Setup() || last.Delay <= frames[1].Delay {
		t.Error("the last frame is not the position after the move, or it is not held")
	}
}

func TestGIFOfAGameIsSmall(t *testing.T) {
	skipSlow(t)
	r := New(Options{})
	start, moves, result := sampleGame(120)
	if len(moves) != 120 {
		t.Fatalf("the sample game has only %d plies", len(moves))
	}
	frames, err := GameFrames(Scene{Edge: 480}, start, moves, result)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	calls := 0
	err = r.GIF(t.Context(), &out, frames, func(done, total int) {
		calls++
		if done != calls || total != len(frames) {
			t.Errorf("progress %d of %d at call %d of %d", done, total, calls, len(frames))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if calls != len(frames) {
		t.Errorf("progress was reported %d times for %d frames", calls, len(frames))
	}
	if out.Len() >= 4<<20 {
		t.Errorf("%d plies at 480 pixels take %d bytes", len(frames)-1, out.Len())
	}
	t.Logf("%d frames, %d KiB", len(frames), out.Len()>>10)
	// Every tenth frame and the last one.
	play(t, out.Bytes(), func(i int, screen *image.RGBA) {
		if i%10 != 0 && i != len(frames)-1 {
			return
		}
		want, err := paint(r, frames[i].Scene)
		if err != nil {
			t.Fatal(err)
		}
		if off, _, _ := difference(screen, want, 0); off != 0 {
			t.Errorf("frame %d differs from its scene", i)
		}
	})
}

func TestGIFOfEqualFrames(t *testing.T) {
	r := New(Options{})
	f := Frame{Scene{Edge: MinEdge}, 100e6}
	var out bytes.Buffer
	if err := r.GIF(t.Context(), &out, []Frame{f, f, f}, nil); err != nil {
		t.Fatal(err)
	}
	if g := play(t, out.Bytes(), func(int, *image.RGBA) {}); len(g.Image) != 3 {
		t.Errorf("%d frames, want 3", len(g.Image))
	}
}

type failingWriter struct{ left int }

var errFull = errors.New("full")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestGIFNamesWhatFailed(t *testing.T) {
	r := New(Options{})
	one := Frame{Scene: Scene{Edge: MinEdge}}
	other := Frame{Scene: Scene{Edge: MinEdge, Theme: Dark}}
	wide := Frame{Scene: Scene{Edge: MinEdge + 1}}
	for name, frames := range map[string][]Frame{"none": nil, "two themes": {one, other}, "two widths": {one, wide}} {
		if err := r.GIF(t.Context(), new(bytes.Buffer), frames, nil); !errors.Is(err, ErrFrames) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := r.GIF(t.Context(), new(bytes.Buffer), []Frame{{Scene: Scene{Edge: 1}}}, nil); !errors.Is(err, ErrEdge) {
		t.Errorf("a frame that is too narrow: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := r.GIF(ctx, new(bytes.Buffer), []Frame{one, one, one}, func(done, _ int) {
		if done == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := r.GIF(t.Context(), &failingWriter{left: 100}, []Frame{one}, nil); !errors.Is(err, errFull) {
		t.Errorf("a writer that fails: %v", err)
	}
}

func TestIllegalMovesAreNotAnimated(t *testing.T) {
	start := engine.Start(engine.Kawu)
	if _, err := MoveFrames(Scene{}, start, path("a1-b2")); !errors.Is(err, engine.ErrIllegalMove) {
		t.Errorf("a move: %v", err)
	}
	if _, err := GameFrames(Scene{}, start, []engine.Move{path("c3-d4"), path("a1-b2")}, engine.Ongoing); !errors.Is(err, engine.ErrIllegalMove) {
		t.Errorf("a game: %v", err)
	}
}
