package render

import (
	"container/list"
	"context"
	"sync"
)

// cache holds finished pictures up to a number of bytes, the least recently
// used go first. While a picture is being drawn everybody who asks for it waits
// for the one drawing.
type cache struct {
	limit int64

	mu      sync.Mutex
	used    int64
	entries map[Scene]*entry
	recent  list.List // of *entry that are finished, most recent first
}

type entry struct {
	key  Scene
	done chan struct{} // closed when data and err are set
	data []byte
	err  error
	node *list.Element // nil until finished
}

// overhead is about what an entry weighs besides its picture.
const overhead = 1 << 10

func newCache(limit int64) *cache { return &cache{limit: limit, entries: map[Scene]*entry{}} }

// get returns the picture of a scene and calls draw when nobody has drawn it
// yet. It returns early with ctx's error when it would have to wait for
// somebody else's drawing.
func (c *cache) get(ctx context.Context, key Scene, draw func() ([]byte, error)) ([]byte, error) {
	c.mu.Lock()
	if e, ok := c.entries[key]; ok {
		if e.node != nil {
			c.recent.MoveToFront(e.node)
		}
		c.mu.Unlock()
		select {
		case <-e.done:
			return e.data, e.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	e := &entry{key: key, done: make(chan struct{}), err: errAbandoned}
	c.entries[key] = e
	c.mu.Unlock()
	defer func() { // also when draw panics: nobody may wait for ever
		c.mu.Lock()
		c.keep(e)
		c.mu.Unlock()
		close(e.done)
	}()
	e.data, e.err = draw()
	return e.data, e.err
}

// keep puts a finished entry among the recent ones, or forgets it when it
// failed or is larger than the cache, and makes room.
func (c *cache) keep(e *entry) {
	size := func(e *entry) int64 { return int64(len(e.data)) + overhead }
	if e.err != nil || size(e) > c.limit {
		delete(c.entries, e.key)
		return
	}
	e.node = c.recent.PushFront(e)
	c.used += size(e)
	for c.used > c.limit {
		old := c.recent.Remove(c.recent.Back()).(*entry)
		delete(c.entries, old.key)
		c.used -= size(old)
	}
}
