package storagetest

import (
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

func counts(t *testing.T, s storage.Store) {
	counter, ok := s.(storage.Counter)
	if !ok {
		t.Skip("this store does not count its games")
	}
	are := func(want storage.Counts) {
		t.Helper()
		if got, err := counter.Count(t.Context()); err != nil || got != want {
			t.Errorf("counted %+v, %v, want %+v", got, err, want)
		}
	}
	are(storage.Counts{})
	create(t, s, Challenge(t, "c", 0), Challenge(t, "d", 1), AgainstMachine(t, "m", 2, true))
	are(storage.Counts{Proposed: 2, Running: 1})
	change(t, s, "c", match.Accept{By: engine.Black})
	are(storage.Counts{Proposed: 1, Running: 2})
	change(t, s, "c", match.Resign{By: engine.White})
	change(t, s, "d", match.Decline{By: engine.Black})
	are(storage.Counts{Running: 1, Finished: 2})
	must(t, s.Delete(t.Context(), "c", load(t, s, "c").Match.Version))
	are(storage.Counts{Running: 1, Finished: 1})
	must(t, s.Close())
	_, err := counter.Count(t.Context())
	isErr(t, "Count", err, storage.ErrClosed)
}
