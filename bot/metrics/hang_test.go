package metrics

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

func (h hanging) Save(context.Context, match.Match, uint64, ...storage.Basis) error {
	return <-h.release
}

func (h hanging) ListOf(ctx context.Context, _ storage.Of, _ match.ID, _ int) ([]storage.Record, error) {
	select {
	case err := <-h.release:
		return nil, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (h hanging) Settings(context.Context, string) (storage.Settings, error) {
	panic("a bug in the store")
}

// took returns how long a call took, and its error.
func took(f func() error) (time.Duration, error) {
	begun := time.Now()
	err := f()
	return time.Since(begun), err
}

func TestNobodyWaitsForAStoreThatHangs(t *testing.T) {
	load := func(s *Store) error { _, err := s.Load(context.Background(), "m"); return err }
	save := func(s *Store) error { return s.Save(context.Background(), match.Match{}, 0) }
	for _, c := range []struct {
		name   string
		first  func(*Store) error
		said   error                         // to whoever asked first
		refuse map[string]func(*Store) error // at once
		goOn   map[string]func(*Store) error
	}{
		{"a read", load, storage.ErrHangs, map[string]func(*Store) error{"load": load, "save": save}, nil},
		{"a write", save, storage.ErrUnsure, map[string]func(*Store) error{"save": save}, map[string]func(*Store) error{"load": load}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := hanging{release: make(chan error)}
				s := NewStore(h, New())
				begun := time.Now()
				if err := c.first(s); !errors.Is(err, c.said) || time.Since(begun) > patience+lastWord {
					t.Errorf("whoever asked first was told after %v: %v", time.Since(begun), err)
				}
				for name, do := range c.refuse {
					if d, err := took(func() error { return do(s) }); d > 0 || !errors.Is(err, storage.ErrHangs) {
						t.Errorf("%s after %v: %v", name, d, err)
					}
				}
				for name, do := range c.goOn {
					// Whether this call is released or the first one, both are.
					go func() { h.release <- nil; h.release <- nil }()
					if err := do(s); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
				if len(c.goOn) == 0 {
					h.release <- nil
				}
				synctest.Wait()
				go func() { h.release <- nil }()
				if err := c.first(s); err != nil {
					t.Errorf("when the store answers again: %v", err)
				}
			})
		})
	}
}

func TestWhoeverHasNoTimeDoesNotWaitForTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hanging{release: make(chan error)}
		s := NewStore(h, New())
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		d, err := took(func() error { _, err := s.Load(ctx, "m"); return err })
		if d > time.Second+lastWord || !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, storage.ErrHangs) {
			t.Errorf("after %v: %v", d, err)
		}
		h.release <- nil
	})
}

// Reading every game takes long where there are many.
func TestALongScanDoesNotCountAsHanging(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hanging{release: make(chan error)}
		s := NewStore(h, New())
		done := make(chan error, 1)
		go func() { _, err := s.ListOf(t.Context(), storage.Of{User: "u"}, "", 10); done <- err }()
		time.Sleep(time.Minute)
		if err := s.Probe(t.Context()); err != nil {
			t.Errorf("not ready: %v", err)
		}
		h.release <- nil
		if err := <-done; err != nil {
			t.Errorf("the scan ended with %v", err)
		}
	})
}

func TestAPanicOfTheStoreReachesTheCaller(t *testing.T) {
	s := NewStore(hanging{}, New())
	defer func() {
		if p, _ := recover().(error); p == nil || !strings.Contains(p.Error(), "a bug in the store") || !strings.Contains(p.Error(), "hang_test.go") {
			t.Errorf("recovered %v", p)
		}
		if len(s.calls) > 0 {
			t.Error("the call still counts as under way")
		}
	}()
	_, _ = s.Settings(t.Context(), "k")
}
