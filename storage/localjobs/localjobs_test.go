package localjobs_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/localjobs"
	"github.com/lascabot/lascabot/storage/memstore"
	"github.com/lascabot/lascabot/storage/storagetest"
)

func TestContract(t *testing.T) {
	storagetest.RunJobs(t, func(_ testing.TB, atOnce int) (storage.Jobs, storage.Store) {
		return localjobs.New(atOnce, slog.New(slog.DiscardHandler)), memstore.New()
	})
}

func TestSharesTakeTurnsEachInOrder(t *testing.T) {
	jobs := localjobs.New(1, slog.New(slog.DiscardHandler))
	for _, name := range []string{"A0", "A1", "A2", "B0", "C0", "C1"} {
		if _, err := jobs.Add(t.Context(), storage.Job{Game: match.ID(name), Share: name[:1]}); err != nil {
			t.Fatal(err)
		}
	}
	var order []match.ID
	ctx, cancel := context.WithCancel(t.Context())
	err := jobs.Run(ctx, func(_ context.Context, j storage.Job) error {
		if order = append(order, j.Game); len(order) == 6 {
			cancel()
		}
		return nil
	})
	if want := []match.ID{"A0", "B0", "C0", "A1", "C1", "A2"}; err != nil || !slices.Equal(order, want) {
		t.Errorf("done in the order %v, want %v; %v", order, want, err)
	}
}

func TestNoMoreWaitThanThereIsRoomFor(t *testing.T) {
	q := localjobs.NewQueue[int](2, 3)
	put := func(key, share string) error {
		_, err := q.Put(localjobs.Item[int]{Key: key, Share: share})
		return err
	}
	for _, step := range []struct {
		key, share string
		full       bool
	}{{"1", "a", false}, {"2", "a", false}, {"2", "a", false}, {"3", "a", true}, {"4", "b", false}, {"5", "c", true}} {
		if err := put(step.key, step.share); errors.Is(err, storage.ErrFull) != step.full {
			t.Errorf("%s of %s: %v", step.key, step.share, err)
		}
	}
	if waiting, running := q.Load(); waiting != 3 || running != 0 {
		t.Errorf("%d wait, %d run", waiting, running)
	}
}
