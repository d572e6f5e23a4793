package bot_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
)

// TestABotWhoseStoreHasFailedIsNotReady stops a bot as its owner does when the store
// says that nothing can be stored any more.
func TestABotWhoseStoreHasFailedIsNotReady(t *testing.T) {
	t.Parallel()
	sim, api := newSim(t, discordsim.Options{})
	b, err := bot.New(bot.Options{Token: "token", API: api, Store: memstore.New(), Renderer: renderer(), Workers: 1, HashBytes: 1 << 20, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	done := make(chan error, 1)
	go func() { done <- b.Run(ctx) }()
	if err := sim.WaitFor(t.Context(), ready); err != nil {
		t.Fatal(err)
	}
	stop(storage.ErrReplaced)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := b.Ready(t.Context()); !errors.Is(err, storage.ErrReplaced) {
		t.Errorf("error %v", err)
	}
}
