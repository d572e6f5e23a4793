package boltstore

import "context"

// lock is a mutex that can be waited for until a context ends. Make it with a buffer
// of one.
type lock chan struct{}

func (l lock) lock(ctx context.Context) error {
	select {
	case l <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l lock) unlock() { <-l }
