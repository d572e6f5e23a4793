package render

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/lascabot/lascabot/engine"
)

func TestConcurrentRequestsDrawOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCache[Scene](1 << 20)
		var draws atomic.Int32
		hold := make(chan struct{})
		draw := func() ([]byte, error) {
			draws.Add(1)
			<-hold
			return []byte("picture"), nil
		}
		for range 20 {
			go func() {
				if b, err := c.Get(t.Context(), Scene{Edge: 720}, draw); string(b) != "picture" || err != nil {
					t.Errorf("got %q, %v", b, err)
				}
			}()
		}
		synctest.Wait()
		// A caller stops waiting when its context ends.
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Get(ctx, Scene{Edge: 720}, draw); !errors.Is(err, context.Canceled) {
			t.Errorf("with a context that has ended: %v", err)
		}
		close(hold)
		synctest.Wait()
		if n := draws.Load(); n != 1 {
			t.Errorf("one scene was drawn %d times", n)
		}
	})
}

func TestRendererIsSafeForConcurrentUse(t *testing.T) {
	r := New(Options{})
	var wg sync.WaitGroup
	list := samples()[:6]
	var files [24][]byte
	for i := range files {
		wg.Go(func() {
			s := list[i%len(list)].scene
			s.Theme, s.Edge = Theme(i%2), 240 // i%6 fixes i%2, so each scene has one theme
			var err error
			if files[i], err = r.PNG(context.Background(), s); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i, file := range files {
		if first := files[i%len(list)]; !sameBytes(file, first) {
			t.Errorf("%s was drawn more than once", list[i%len(list)].name)
		}
	}
}

func TestCacheKeepsItsLimit(t *testing.T) {
	const size = 1000
	c := NewCache[Scene](10 * (size + overhead))
	draws := 0
	get := func(edge int) {
		t.Helper()
		_, err := c.Get(t.Context(), Scene{Edge: edge}, func() ([]byte, error) {
			draws++
			return make([]byte, size), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if c.used > c.limit || len(c.entries) != c.recent.Len() {
			t.Fatalf("%d of %d bytes used, %d entries, %d in order", c.used, c.limit, len(c.entries), c.recent.Len())
		}
	}
	for i := range 10 {
		get(i)
	}
	get(0) // used again, so 1 is now the least recently used
	get(10)
	if draws != 11 {
		t.Errorf("11 scenes were drawn %d times", draws)
	}
	get(0)
	if draws != 11 {
		t.Error("a recently used picture was dropped")
	}
	get(1)
	if draws != 12 {
		t.Error("the least recently used picture was kept")
	}
}

func TestCacheForgetsFailures(t *testing.T) {
	c := NewCache[Scene](1 << 20)
	boom := errors.New("boom")
	if _, err := c.Get(t.Context(), Scene{}, func() ([]byte, error) { return nil, boom }); !errors.Is(err, boom) {
		t.Errorf("got %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = c.Get(t.Context(), Scene{}, func() ([]byte, error) { panic("while drawing") })
	}()
	b, err := c.Get(t.Context(), Scene{}, func() ([]byte, error) { return []byte("now"), nil })
	if string(b) != "now" || err != nil {
		t.Errorf("after a failure and a panic: %q, %v", b, err)
	}
}

func TestCacheBytesNegativeKeepsNothing(t *testing.T) {
	r := New(Options{CacheBytes: -1})
	var files [2][]byte
	for i := range files {
		var err error
		if files[i], err = r.PNG(t.Context(), Scene{Edge: MinEdge}); err != nil {
			t.Fatal(err)
		}
	}
	if sameBytes(files[0], files[1]) || r.cache.used != 0 {
		t.Errorf("the second picture is the first one, %d bytes are kept", r.cache.used)
	}
}

func TestEqualPicturesShareAnEntry(t *testing.T) {
	r := New(Options{})
	a := Scene{Board: engine.StartSetup(engine.Kawu)}
	b := a
	b.Board.Rules, b.Board.Quiet, b.Board.Number, b.Edge = engine.Lasker, 7, 33, DefaultEdge
	var files [2][]byte
	for i, s := range []Scene{a, b} {
		var err error
		if files[i], err = r.PNG(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if !sameBytes(files[0], files[1]) {
		t.Error("a picture does not show counters and rules, yet they made a second one")
	}
}

// sameBytes reports whether two files are the same memory: one drawing, not two
// equal ones.
func sameBytes(a, b []byte) bool {
	return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0]
}

func TestAtlasesAreLimited(t *testing.T) {
	r := New(Options{CacheBytes: -1})
	for edge := MinEdge; edge < MinEdge+maxAtlases+3; edge++ {
		if _, err := paint(r, Scene{Edge: edge}); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.atlases) != maxAtlases || r.atlases[0].edge != MinEdge+maxAtlases+2 {
		t.Errorf("%d sets of sprites are kept, want %d", len(r.atlases), maxAtlases)
	}
}

func TestWhoeverWaitsForACallerThatGaveUpGetsAPicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewCache[string](1 << 20)
		first, giveUp := context.WithCancel(t.Context())
		go c.Get(first, "film", func() ([]byte, error) {
			<-first.Done()
			return nil, first.Err()
		})
		synctest.Wait()
		got := make(chan string, 1)
		go func() {
			data, err := c.Get(t.Context(), "film", func() ([]byte, error) { return []byte("drawn"), nil })
			if err != nil {
				t.Error(err)
			}
			got <- string(data)
		}()
		synctest.Wait()
		giveUp()
		if data := <-got; data != "drawn" {
			t.Errorf("%q", data)
		}
	})
}
