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

// A disk takes as long to make a hundred changes safe as to make one. So the
// writes that come while another is on its way to the disk go there together.

// queued is a write that waits for its turn.
type queued struct {
	ctx  context.Context
	f    func(*bolt.Tx) error
	done chan error // room for one
}

// queue holds the writes that wait.
type queue struct {
	mu   sync.Mutex
	list []*queued
}

func (q *queue) add(w *queued) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, w)
}

func (q *queue) take() []*queued {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.list
	q.list = nil
	return list
}

// update runs a write transaction: on disk when it returns nil, without effect
// when f returns an error. f may be run several times and must not depend on an
// earlier run. The error wraps storage.ErrNotWritten when f has returned none.
func (s *Store) update(ctx context.Context, f func(*bolt.Tx) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return storage.ErrClosed
	}
	w := &queued{ctx: ctx, f: f, done: make(chan error, 1)}
	s.queue.add(w)
	s.write.Lock()
	defer s.write.Unlock()
	// Whoever had the lock before may have done this one with its own; otherwise
	// all that wait are done now.
	s.writeAll(s.queue.take())
	return <-w.done
}

// writeAll runs writes in one transaction; s.write is held. A write that fails
// fails alone: the others are run again without it.
func (s *Store) writeAll(list []*queued) {
	for len(list) > 0 {
		var used *bolt.Tx
		var failed *queued
		err := s.writable()
		if err == nil {
			err = protect(func() error {
				return s.db.Update(func(tx *bolt.Tx) error {
					used = tx
					for _, failed = range list {
						if err := failed.ctx.Err(); err != nil {
							return err
						}
						if err := failed.f(tx); err != nil {
							return err
						}
					}
					failed = nil // what goes wrong from now on is the disk's
					return nil
				})
			})
		}
		switch {
		case errors.Is(err, errPanic):
			s.broken.Store(true)
			s.stuck.Store(used == nil || used.DB() != nil) // set until it is rolled back
			s.log.Error("the file of games is damaged; nothing more is written to it", "file", s.path, "err", err)
		case err != nil && failed != nil:
			failed.done <- err
			list = slices.DeleteFunc(list, func(w *queued) bool { return w == failed })
			continue
		case err != nil && used != nil && !errors.Is(err, storage.ErrDamaged):
			err = fmt.Errorf("%w: %w", storage.ErrNotWritten, err)
		}
		for _, w := range list {
			w.done <- err
		}
		return
	}
}

// writable returns why nothing can be written any more.
func (s *Store) writable() error {
	if s.broken.Load() {
		return damaged(errors.New("an earlier write has failed; restart with a copy of the file"))
	}
	return nil
}
