package play

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// counting counts the lists of games that are read.
type counting struct {
	storage.Store
	lists, renames atomic.Int32
}

func (c *counting) ListByUser(ctx context.Context, u match.UserID, limit int) ([]storage.Record, error) {
	c.lists.Add(1)
	return c.Store.ListByUser(ctx, u, limit)
}

func (c *counting) Rename(ctx context.Context, id match.ID, u match.UserID, name string) error {
	c.renames.Add(1)
	return c.Store.Rename(ctx, id, u, name)
}

func TestNamesFollowAtAnyInteraction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		store := &counting{Store: b.store}
		b.store = store
		b.Service = b.restarted()
		b.duel("one")
		b.duel("two")
		b.duel("over")
		b.resign(ben, "over")
		store.lists.Store(0)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { b.rename(ctx); close(done) }()
		for range 200 {
			b.Called(ann.ID, "Anna")
		}
		synctest.Wait()
		if l, n := store.lists.Load(), store.renames.Load(); l != 1 || n != 2 {
			t.Errorf("200 presses: %d lists, %d writes", l, n)
		}
		for id, want := range map[match.ID]string{"one": "Anna", "two": "Anna", "over": "Ann"} {
			if r, err := b.store.Load(ctx, id); err != nil || r.Match.Seats[0].Name != want || r.Match.Seats[1].Name != "Ben" {
				t.Errorf("%s: %+v, %v", id, r.Match.Seats, err)
			}
		}
		if _, err := b.deleteData(ctx, ann.ID); err != nil {
			t.Fatal(err)
		}
		b.Called(ann.ID, "Back")
		synctest.Wait()
		for _, id := range []match.ID{"one", "two", "over"} {
			if err := b.store.Rename(ctx, id, ann.ID, "Back"); err != nil {
				t.Error(err)
			}
			if r, err := b.store.Load(ctx, id); err != nil || r.Match.Seats[0] != (match.Seat{User: storage.Deleted}) {
				t.Errorf("%s: %+v, %v", id, r.Match.Seats, err)
			}
		}
		cancel()
		<-done
	})
}
