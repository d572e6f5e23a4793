package boltstore

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/storage"
)

// damaged wraps an error about the content of the file or of a record.
func damaged(err error) error { return fmt.Errorf("%w: %w", storage.ErrDamaged, err) }

// errPanic marks the errors that protect makes from panics.
var errPanic = errors.New("it cannot be read")

// protect runs a function that reads the mapped file. It turns a panic or a memory
// fault into an error that wraps [storage.ErrDamaged].
func protect(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = damaged(fmt.Errorf("%w: %v", errPanic, p))
		}
	}()
	return f()
}

// view runs a read transaction. What f reads is only valid until f returns.
func (s *Store) view(ctx context.Context, f func(*bolt.Tx) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return storage.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return protect(func() error { return s.db.View(f) })
}
