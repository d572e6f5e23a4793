package boltstore

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// together lets writes queue behind the lock and then releases it.
func together(t *testing.T, s *Store, writes ...func() error) []error {
	t.Helper()
	errs := make([]error, len(writes))
	var wg sync.WaitGroup
	if err := s.write.lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, w := range writes {
		wg.Go(func() { errs[i] = w() })
	}
	for waiting := 0; waiting < len(writes); runtime.Gosched() {
		s.queue.mu.Lock()
		waiting = len(s.queue.list)
		s.queue.mu.Unlock()
	}
	s.write.unlock()
	wg.Wait()
	return errs
}

func TestWaitingWritesShareATransaction(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "games.db"))
	transactions := func() (n int) {
		if err := s.db.View(func(tx *bolt.Tx) error { n = tx.ID(); return nil }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := transactions()
	var writes []func() error
	for i := range 50 {
		writes = append(writes, func() error { return s.Create(t.Context(), storagetest.Challenge(t, match.ID(fmt.Sprint(1000+i)), i)) })
	}
	for i, err := range together(t, s, writes...) {
		if err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if n := transactions() - before; n != 1 {
		t.Errorf("%d transactions", n)
	}
	for i := range 50 {
		if _, err := s.Load(t.Context(), match.ID(fmt.Sprint(1000+i))); err != nil {
			t.Error(err)
		}
	}
}

func TestAFailedWriteDoesNotAffectTheOthers(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "games.db"))
	if err := s.Create(t.Context(), storagetest.Challenge(t, "1", 1)); err != nil {
		t.Fatal(err)
	}
	create := func(id match.ID) func() error {
		return func() error { return s.Create(t.Context(), storagetest.Challenge(t, id, 1)) }
	}
	got := together(t, s, create("2"), create("1"), create("3"))
	if got[0] != nil || !errors.Is(got[1], storage.ErrExists) || got[2] != nil {
		t.Errorf("%v", got)
	}
	for _, id := range []match.ID{"2", "3"} {
		if _, err := s.Load(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
}
