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
// storage.ErrNotWritten.
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
					failed = nil // from now on only the disk can fail
					return nil
				})
			})
		}
		switch {
		case errors.Is(err, errPanic):
			s.broken.Store(true)
			s.stuck.Store(used == nil || used.DB() != nil) // DB is nil after a rollback
			s.log.Error("the file of games is damaged; it will not be written any more", "file", s.path, "err", err)
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

// writable returns an error when nothing can be written any more.
func (s *Store) writable() error {
	if s.broken.Load() {
		return damaged(errors.New("an earlier write failed; restart with a copy of the file"))
	}
	return nil
}
