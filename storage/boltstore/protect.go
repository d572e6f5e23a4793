package boltstore

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/storage"
)

// damaged wraps an error about one stored value, and broken one about the file.
func damaged(err error) error { return fmt.Errorf("%w: %w", storage.ErrDamaged, err) }
func broken(err error) error  { return fmt.Errorf("%w: %w", storage.ErrBroken, err) }

// errPanic marks the errors that protect makes from panics.
var errPanic = errors.New("it cannot be read")

// protect runs a function that reads the mapped file. It turns a panic or a memory
// fault into an error that wraps [storage.ErrBroken].
func protect(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = broken(fmt.Errorf("%w: %v", errPanic, p))
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
	if err := s.readable(); err != nil {
		s.fail(err)
		return err
	}
	begun := false
	err := protect(func() error {
		return s.db.View(func(tx *bolt.Tx) error {
			begun = true
			return f(tx)
		})
	})
	if errors.Is(err, errPanic) {
		if !begun {
			s.stuck.Store(true)
		}
		s.fail(err)
	}
	return err
}

// readable returns an error when bbolt must not be asked any more: a panic has left
// its locks locked, or would, since it reads the root pages under them.
func (s *Store) readable() error {
	if s.stuck.Load() {
		return broken(errPanic)
	}
	if info, err := s.file.Stat(); err == nil && info.Size() < 2*s.pageSize {
		return broken(fmt.Errorf("somebody has cut it down to %d bytes", info.Size()))
	}
	return nil
}

// fail notes that the file is broken, tells the log and the owner of the store, and
// stops all writes. Only the first failure counts.
func (s *Store) fail(err error) {
	if !s.opened.Load() || !s.failure.CompareAndSwap(nil, &err) {
		return
	}
	s.log.Error("the file of games is damaged; it will not be written any more", "file", s.path, "err", err)
	s.tell(err)
}

// tell tells the owner of the store that it has failed.
func (s *Store) tell(err error) {
	if s.failed != nil {
		s.failed(err)
	}
}
