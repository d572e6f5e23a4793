package metrics

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// hanging is a store whose calls wait for a signal and then return an error.
type hanging struct {
	storage.Store
	release chan error
}

func (h hanging) Load(context.Context, match.ID) (storage.Record, error) {
	return storage.Record{}, <-h.release
}

func (h hanging) SaveState(context.Context, string, []byte, ...storage.Basis) error {
	return <-h.release
}

// TestReadinessTurnsWithinTenSecondsOfAHangingCall has calls that do not return.
func TestReadinessTurnsWithinTenSecondsOfAHangingCall(t *testing.T) {
	for name, call := range map[string]func(*Store) error{
		"a read":  func(s *Store) error { _, err := s.Load(context.Background(), "m"); return err },
		"a write": func(s *Store) error { return s.SaveState(context.Background(), "n", nil) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := NewStore(hanging{release: make(chan error)}, New())
				if err := s.Probe(t.Context()); err != nil {
					t.Errorf("before any call: %v", err)
				}
				result := make(chan error, 1)
				go func() { result <- call(s) }()
				time.Sleep(2 * time.Second)
				if err := s.Probe(t.Context()); err != nil {
					t.Errorf("after two seconds: %v", err)
				}
				time.Sleep(8 * time.Second)
				begin := time.Now()
				if err := s.Probe(t.Context()); !errors.Is(err, storage.ErrHangs) {
					t.Errorf("after ten seconds: %v", err)
				}
				if took := time.Since(begin); took > 0 {
					t.Errorf("Probe waited %v", took)
				}
				if err := <-result; !errors.Is(err, storage.ErrHangs) && !errors.Is(err, storage.ErrUnsure) {
					t.Errorf("the call returned %v", err)
				}
				s.store.(hanging).release <- nil
				synctest.Wait()
				if err := s.Probe(t.Context()); err != nil {
					t.Errorf("after it has returned: %v", err)
				}
			})
		})
	}
}

// TestAProbeDoesNotWaitForAHangingStore lets a write fail, so that Probe tries one
// itself, which hangs.
func TestAProbeDoesNotWaitForAHangingStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hanging{release: make(chan error, 3)}
		s := NewStore(h, New())
		h.release <- storage.ErrNotWritten
		if err := s.SaveState(t.Context(), "n", nil); err == nil {
			t.Fatal("the write succeeded")
		}
		begin := time.Now()
		for range 3 { // they do not pile up
			if err := s.Probe(t.Context()); !errors.Is(err, storage.ErrHangs) {
				t.Errorf("error %v", err)
			}
		}
		if took := time.Since(begin); took > 3*probePatience {
			t.Errorf("they took %v", took)
		}
		if n := len(s.calls); n != 1 {
			t.Errorf("%d probes are under way", n)
		}
		h.release <- nil
		h.release <- nil
		synctest.Wait()
		if err := s.Probe(t.Context()); err != nil {
			t.Errorf("after the store has answered: %v", err)
		}
	})
}

// TestABrokenFileIsNotReady lets a read find out that the file is broken or replaced.
func TestABrokenFileIsNotReady(t *testing.T) {
	for _, want := range []error{storage.ErrBroken, storage.ErrReplaced} {
		h := hanging{release: make(chan error, 2)}
		s := NewStore(h, New())
		h.release <- fmt.Errorf("%w: page 7", want)
		_, _ = s.Load(t.Context(), "m")
		h.release <- want
		if err := s.Probe(t.Context()); !errors.Is(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
	}
}
