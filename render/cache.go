package render

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

// Cache keeps what has been drawn up to a number of bytes, and drops the least
// recently used first. While something is being drawn, all callers that ask for it
// wait for that drawing. Its methods may be called from several goroutines.
type Cache[K comparable] struct {
	limit int64

	mu      sync.Mutex
	used    int64
	entries map[K]*entry[K]
	recent  list.List // of finished *entry[K], most recently used first
}

type entry[K comparable] struct {
	key  K
	done chan struct{} // closed once data and err are set
	data []byte
	err  error
	node *list.Element // nil until finished
}

// overhead is about how many bytes an entry takes besides its picture.
const overhead = 1 << 10

// NewCache returns a cache of at most limit bytes.
func NewCache[K comparable](limit int64) *Cache[K] {
	return &Cache[K]{limit: limit, entries: map[K]*entry[K]{}}
}

// Get returns what was drawn under a key, and calls draw if the cache does not have
// it. While it waits for another caller's drawing, it returns with ctx's error as
// soon as ctx ends; where that caller gave up, it calls draw itself. Do not change the
// bytes. What fails is not kept.
func (c *Cache[K]) Get(ctx context.Context, key K, draw func() ([]byte, error)) ([]byte, error) {
	c.mu.Lock()
	if e, ok := c.entries[key]; ok {
		if e.node != nil {
			c.recent.MoveToFront(e.node)
		}
		c.mu.Unlock()
		select {
		case <-e.done:
			if ctx.Err() == nil && (errors.Is(e.err, context.Canceled) || errors.Is(e.err, context.DeadlineExceeded)) {
				return c.Get(ctx, key, draw)
			}
			return e.data, e.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	e := &entry[K]{key: key, done: make(chan struct{}), err: errAbandoned}
	c.entries[key] = e
	c.mu.Unlock()
	defer func() { // even if draw panics: others may be waiting
		c.mu.Lock()
		c.keep(e)
		c.mu.Unlock()
		close(e.done)
	}()
	e.data, e.err = draw()
	return e.data, e.err
}

// keep adds a finished entry to the recent ones and makes room for it. It forgets
// an entry that failed or is larger than the cache.
func (c *Cache[K]) keep(e *entry[K]) {
	size := func(e *entry[K]) int64 { return int64(len(e.data)) + overhead }
	if e.err != nil || size(e) > c.limit {
		delete(c.entries, e.key)
		return
	}
	e.node = c.recent.PushFront(e)
	c.used += size(e)
	for c.used > c.limit {
		old := c.recent.Remove(c.recent.Back()).(*entry[K])
		delete(c.entries, old.key)
		c.used -= size(old)
	}
}
