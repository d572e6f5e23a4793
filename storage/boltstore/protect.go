package boltstore

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/storage"
)

// damaged wraps what is wrong with the file or a record.
func damaged(err error) error { return fmt.Errorf("%w: %w", storage.ErrDamaged, err) }

// errPanic marks the errors that protect made of a panic.
var errPanic = errors.New("it cannot be read")

// protect runs a function that reads the mapped file. A panic or a memory fault
// in it becomes an error that wraps [storage.ErrDamaged].
func protect(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = damaged(fmt.Errorf("%w: %v", errPanic, p))
		}
	}()
	return f()
}

// view runs a read transaction. What f reads is gone when it returns.
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

// update runs a write transaction: on disk when it returns nil, without effect
// when f returns an error. The error wraps storage.ErrNotWritten when f has
// returned none.
func (s *Store) update(ctx context.Context, f func(*bolt.Tx) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return storage.ErrClosed
	}
	s.write.Lock()
	defer s.write.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.broken.Load() {
		return damaged(errors.New("an earlier write has failed; restart with a copy of the file"))
	}
	var used *bolt.Tx
	decided := false // f has done its part: what goes wrong later is the disk's
	err := protect(func() error {
		return s.db.Update(func(tx *bolt.Tx) error {
			used = tx
			err := f(tx)
			decided = err == nil
			return err
		})
	})
	if err != nil && decided && !errors.Is(err, storage.ErrDamaged) {
		err = fmt.Errorf("%w: %w", storage.ErrNotWritten, err)
	}
	if errors.Is(err, errPanic) {
		s.broken.Store(true)
		s.stuck.Store(used == nil || used.DB() != nil) // set until it is rolled back
		s.log.Error("the file of games is damaged; nothing more is written to it", "file", s.path, "err", err)
	}
	return err
}
