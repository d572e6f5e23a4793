package turns

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/storage"
)

// slow is a thinker that takes a second of the test's time.
type slow struct{}

func (slow) Search(ctx context.Context, _ ai.Task) (ai.Report, error) {
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
	}
	return ai.Report{Nodes: 1}, nil
}

func pool(workers, perShare, total int) *Pool {
	return New(Options{Workers: workers, PerShare: perShare, Total: total, NewThinker: func() Thinker { return slow{} }})
}

func TestPool(t *testing.T) {
	t.Run("no search waits for what is done with the one before", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := pool(1, 10, 100)
			begun := time.Now()
			var mu sync.Mutex
			var ended []time.Duration
			for i := range 3 {
				err := p.Submit(Job{Key: fmt.Sprint(i), Share: "A", Done: func(context.Context, ai.Report, error) {
					time.Sleep(10 * time.Second) // by the test's clock: a slow disk
					mu.Lock()
					defer mu.Unlock()
					ended = append(ended, time.Since(begun))
				}})
				if err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
			defer cancel()
			if err := p.Run(ctx); err != nil { // it waits for what is being done
				t.Fatal(err)
			}
			if want := []time.Duration{11 * time.Second, 12 * time.Second, 13 * time.Second}; !slices.Equal(ended, want) {
				t.Errorf("done after %v, want %v", ended, want)
			}
		})
	})
	t.Run("shares are served in rotation, each in order", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := pool(1, 10, 100)
			var mu sync.Mutex
			var order []string
			submit := func(share string, n int) {
				for i := range n {
					key := fmt.Sprint(share, i)
					err := p.Submit(Job{Key: key, Share: share, Done: func(context.Context, ai.Report, error) {
						mu.Lock()
						defer mu.Unlock()
						order = append(order, key)
					}})
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			submit("A", 4)
			submit("B", 1)
			submit("C", 2)
			ctx, cancel := context.WithTimeout(t.Context(), 7500*time.Millisecond)
			defer cancel()
			if err := p.Run(ctx); err != nil {
				t.Fatal(err)
			}
			if want := []string{"A0", "B0", "C0", "A1", "C1", "A2", "A3"}; !slices.Equal(order, want) {
				t.Errorf("served %v, want %v", order, want)
			}
		})
	})
	t.Run("a job that nobody wants any more is not searched, and its key is free", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := pool(1, 10, 100)
			searched := 0
			job := func(key string, dropped bool) Job {
				return Job{
					Key: key, Share: "s", Dropped: func() bool { return dropped },
					Done: func(context.Context, ai.Report, error) { searched++ },
				}
			}
			for i := range 5 {
				if err := p.Submit(job(fmt.Sprint(i), i != 4)); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
			defer cancel()
			if err := p.Run(ctx); err != nil {
				t.Fatal(err)
			}
			if waiting, running := p.Load(); searched != 1 || waiting+running != 0 {
				t.Errorf("searched %d; %d wait, %d run", searched, waiting, running)
			}
		})
	})
	t.Run("a key that waits or runs is one job, and free again afterwards", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := pool(2, 10, 100)
			done := 0
			job := Job{Key: "k", Share: "s", Done: func(context.Context, ai.Report, error) { done++ }}
			for range 3 {
				if err := p.Submit(job); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			go func() { _ = p.Run(ctx) }()
			synctest.Wait()
			_ = p.Submit(job) // running
			time.Sleep(2 * time.Second)
			synctest.Wait()
			if done != 1 {
				t.Errorf("searched %d times", done)
			}
			_ = p.Submit(job)
			time.Sleep(2 * time.Second)
			synctest.Wait()
			if done != 2 {
				t.Errorf("not searched again: %d", done)
			}
			cancel()
		})
	})
	t.Run("bounded per share and in all", func(t *testing.T) {
		p := pool(1, 2, 3)
		try := func(key, share string) error { return p.Submit(Job{Key: key, Share: share}) }
		if err := errors.Join(try("1", "a"), try("2", "a")); err != nil {
			t.Fatal(err)
		}
		if err := try("3", "a"); !errors.Is(err, storage.ErrFull) {
			t.Errorf("third of a share: %v", err)
		}
		if err := try("4", "b"); err != nil {
			t.Fatal(err)
		}
		if err := try("5", "c"); !errors.Is(err, storage.ErrFull) {
			t.Errorf("fourth in all: %v", err)
		}
		if w, r := p.Load(); w != 3 || r != 0 {
			t.Errorf("load %d, %d", w, r)
		}
	})
	t.Run("stopping waits for the running search only and reports nothing cut short", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := pool(1, 10, 10)
			for i := range 5 {
				_ = p.Submit(Job{Key: fmt.Sprint(i), Share: "s", Done: func(context.Context, ai.Report, error) {
					t.Error("a search that was cut short was reported")
				}})
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
			defer cancel()
			begin := time.Now()
			_ = p.Run(ctx)
			if d := time.Since(begin); d != time.Second/2 {
				t.Errorf("stopped after %v", d)
			}
		})
	})
}

// TestWhatASearchCostIsTold holds that Searched hears of each search, with the
// time that its job waited.
func TestWhatASearchCostIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type cost struct {
			waited, took time.Duration
			nodes        int64
		}
		var told []cost
		p := New(Options{
			Workers: 1, PerShare: 9, Total: 9, NewThinker: func() Thinker { return slow{} },
			Searched: func(waited, took time.Duration, r ai.Report, err error) {
				told = append(told, cost{waited, took, r.Nodes})
			},
		})
		for i := range 3 {
			if err := p.Submit(Job{Key: fmt.Sprint(i), Share: "A", Done: func(context.Context, ai.Report, error) {}}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		if err := p.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if want := []cost{{0, time.Second, 1}, {time.Second, time.Second, 1}, {2 * time.Second, time.Second, 1}}; !slices.Equal(told, want) {
			t.Errorf("told %v, want %v", told, want)
		}
	})
}
