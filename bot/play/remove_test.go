package play

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// TestRetention holds that finished games are removed when their time is over,
// no others, and none unless that is wanted.
func TestRetention(t *testing.T) {
	b := newBench(t)
	const games = removeLimit + 5
	for i := range games {
		id := match.ID(fmt.Sprint("over", i))
		b.now = b.now.Add(6 * time.Minute) // challenges are limited
		b.duel(id)
		_, _, err := b.Act(t.Context(), ben, intent.Resign{Ref: intent.Ref{Game: id}})
		if err != nil {
			t.Fatal(err)
		}
	}
	b.now = b.now.Add(6 * time.Minute)
	b.duel("on")
	left := func() (n int) {
		for i := range games {
			_, err := b.store.Load(t.Context(), match.ID(fmt.Sprint("over", i)))
			switch {
			case err == nil:
				n++
			case !errors.Is(err, storage.ErrNotFound):
				t.Fatal(err)
			}
		}
		return n
	}
	b.now = b.now.AddDate(10, 0, 0)
	b.Service.remove(t.Context())
	if n := left(); n != games {
		t.Errorf("%d of %d are left, though games are kept forever", n, games)
	}
	b.keep = 20 * 365 * 24 * time.Hour
	b.restarted().remove(t.Context())
	if n := left(); n != games {
		t.Errorf("%d of %d are left before their time", n, games)
	}
	b.keep = 24 * time.Hour
	s := b.restarted()
	s.remove(t.Context())
	if n := left(); n != games-removeLimit {
		t.Errorf("%d are left after one batch", n)
	}
	s.remove(t.Context())
	if n := left(); n != 0 {
		t.Errorf("%d are left", n)
	}
	if _, err := b.store.Load(t.Context(), "on"); err != nil {
		t.Errorf("the running game: %v", err)
	}
}
