package boltstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/storage"
)

// A disk needs as long to sync a hundred changes as to sync one. So writes that
// arrive while another is being written go to the disk together.

// queued is a write that waits for its turn.
type queued struct {
	ctx  context.Context
	f    func(*bolt.Tx) error
	done chan error // with a buffer of one
}

// queue holds the waiting writes.
type queue struct {
	mu   sync.Mutex
	list []*queued
}

func (q *queue) add(w *queued) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, w)
}

// remove takes a write back that has not been taken.
func (q *queue) remove(w *queued) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.list)
	q.list = slices.DeleteFunc(q.list, func(other *queued) bool { return other == w })
	return len(q.list) < n
}

func (q *queue) take() []*queued {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.list
	q.list = nil
	return list
}

// update runs a write transaction. When it returns nil, the change is on disk; when f
// returns an error, nothing has changed. f may run several times and must not depend
// on an earlier run. When the disk fails and not f, the error wraps
// storage.ErrNotWritten; and storage.ErrUnsure too when ctx ends while it is written.
func (s *Store) update(ctx context.Context, f func(*bolt.Tx) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return storage.ErrClosed
	}
	w := &queued{ctx: ctx, f: f, done: make(chan error, 1)}
	s.queue.add(w)
	if err := s.write.lock(ctx); err != nil {
		if s.queue.remove(w) {
			return err
		}
		select {
		case err := <-w.done:
			return err
		default:
			return fmt.Errorf("%w: %w: %w", storage.ErrNotWritten, storage.ErrUnsure, err)
		}
	}
	defer s.write.unlock()
	// The previous holder of the lock may have done this write with its own. If not,
	// do all waiting writes now.
	s.writeAll(s.queue.take())
	return <-w.done
}

// writeAll runs writes in one transaction. The caller holds s.write. A write that
// fails does not affect the others, which run again without it.
func (s *Store) writeAll(list []*queued) {
	for len(list) > 0 {
		var used *bolt.Tx
		var failed *queued
		err := s.writable()
		begun := err == nil
		if begun {
			err = protect(func() error {
				id := uint64(0)
				err := s.db.Update(func(tx *bolt.Tx) error {
					used = tx
					if id = uint64(tx.ID()); s.last > 0 && id != s.last+1 {
						return broken(errForeign)
					}
					for _, failed = range list {
						if err := failed.ctx.Err(); err != nil {
							return err
						}
						if err := failed.f(tx); err != nil {
							return err
						}
					}
					failed = nil // from now on only the disk can fail
					return nil
				})
				if err == nil {
					s.last = id
				}
				return err
			})
		}
		switch {
		case !begun:
		case errors.Is(err, errPanic):
			s.stuck.Store(used == nil || used.DB() != nil) // DB is nil after a rollback
			s.fail(err)
		case errors.Is(err, errForeign):
			s.fail(err)
		case err != nil && failed != nil:
			failed.done <- err
			list = slices.DeleteFunc(list, func(w *queued) bool { return w == failed })
			continue
		case err != nil && used != nil:
			err = fmt.Errorf("%w: %w", storage.ErrNotWritten, err)
		}
		for _, w := range list {
			w.done <- err
		}
		return
	}
}

// errForeign marks the error for a file in which somebody else has written.
var errForeign = errors.New("another program has written to it")

// writable returns an error when nothing can be written any more, or when the file is
// no longer at its place: what is written then would be lost.
func (s *Store) writable() error {
	if failure := s.failure.Load(); failure != nil {
		return *failure
	}
	if err := s.readable(); err != nil {
		s.fail(err)
		return err
	}
	err := s.lost()
	if err == nil || s.readOnly {
		return nil
	}
	if s.failure.CompareAndSwap(nil, &err) {
		s.log.Error("the file of games was deleted or replaced; nothing is written any more", "file", s.path, "err", err)
	}
	select {
	case s.look <- struct{}{}: // watch makes the rescue copy
	default:
	}
	return err
}
