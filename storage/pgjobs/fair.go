package pgjobs

import (
	"sync"
	"time"
)

// turns remembers how many jobs each share has lately had from this process. The zero
// value is ready.
type turns struct {
	mu    sync.Mutex
	since time.Time
	had   map[string]int
}

// lately is how long a share's jobs count, and firsts how many of them go before those of
// shares that have had more; each further priority of River's four takes four times as
// many.
const (
	lately = 10 * time.Second
	firsts = 8
)

// priority returns that of a share's next job, from 1, which comes first, to 4.
func (t *turns) priority(share string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := time.Now(); t.had == nil || now.Sub(t.since) > lately {
		t.since, t.had = now, map[string]int{}
	}
	t.had[share]++
	p := 1
	for room := firsts; p < 4 && t.had[share] > room; room *= 4 {
		p++
	}
	return p
}
