package bot_test

import (
	"context"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// slowStore is a store that keeps what is saved waiting while it is closed.
type slowStore struct {
	storage.Store
	gate chan struct{} // a token lets one save through; closed, it lets all
}

func (s *slowStore) Save(ctx context.Context, m match.Match, prev uint64) error {
	select {
	case <-s.gate:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.Store.Save(ctx, m, prev)
}

func (s *slowStore) SaveSettings(ctx context.Context, key string, v storage.Settings) error {
	select {
	case <-s.gate:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.Store.SaveSettings(ctx, key, v)
}
