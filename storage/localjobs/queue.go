package localjobs

import (
	"fmt"
	"sync"

	"github.com/lascabot/lascabot/storage"
)

// Queue is a bounded queue in which shares take turns. Each share has a first-in,
// first-out queue of its own, and the shares stand in a ring. An item is known by its
// key from [Queue.Put] to [Queue.Done]. Make one with [NewQueue].
type Queue[T any] struct {
	perShare, total int

	mu      sync.Mutex
	more    *sync.Cond // something was put, or the queue is closed
	ring    []*share[T]
	shares  map[string]*share[T]
	keys    map[string]struct{} // waiting or taken
	waiting int
	running int
	closed  bool
}

// Item is what was put into a queue.
type Item[T any] struct {
	Key, Share string
	Value      T
}

type share[T any] struct {
	name  string
	items []Item[T]
}

// NewQueue makes a queue in which at most so many items of one share, and in all, wait.
func NewQueue[T any](perShare, total int) *Queue[T] {
	q := &Queue[T]{perShare: perShare, total: total, shares: map[string]*share[T]{}, keys: map[string]struct{}{}}
	q.more = sync.NewCond(&q.mu)
	return q
}

// Put adds an item, unless one of its key is in the queue or taken, and reports whether
// it did. It never waits. The error wraps storage.ErrFull.
func (q *Queue[T]) Put(i Item[T]) (added bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, known := q.keys[i.Key]; known {
		return false, nil
	}
	s := q.shares[i.Share]
	if q.waiting >= q.total || s != nil && len(s.items) >= q.perShare {
		return false, fmt.Errorf("%w: %d", storage.ErrFull, q.waiting)
	}
	if s == nil {
		s = &share[T]{name: i.Share}
		q.shares[i.Share] = s
		q.ring = append(q.ring, s)
	}
	s.items = append(s.items, i)
	q.keys[i.Key] = struct{}{}
	q.waiting++
	q.more.Signal()
	return true, nil
}

// Take waits for an item of the share whose turn it is and takes it off the queue; ok is
// false once the queue is closed.
func (q *Queue[T]) Take() (i Item[T], ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.ring) == 0 && !q.closed {
		q.more.Wait()
	}
	if q.closed {
		return Item[T]{}, false
	}
	s := q.ring[0]
	q.ring = q.ring[1:]
	i = s.items[0]
	s.items[0] = Item[T]{}
	s.items = s.items[1:]
	if len(s.items) > 0 {
		q.ring = append(q.ring, s)
	} else {
		delete(q.shares, s.name)
	}
	q.waiting--
	q.running++
	return i, true
}

// Idle says that an item that was taken keeps nobody busy any more. Its key stays known.
func (q *Queue[T]) Idle() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running--
}

// Done makes room for another item of a key that was taken.
func (q *Queue[T]) Done(key string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.keys, key)
}

// Close ends every Take. What waits is dropped.
func (q *Queue[T]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.more.Broadcast()
}

// Load returns how many items wait, and how many keep somebody busy.
func (q *Queue[T]) Load() (waiting, running int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting, q.running
}
