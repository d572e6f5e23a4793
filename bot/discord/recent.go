package discord

import (
	"sync"
	"time"
)

const (
	// recentTime is how long an interaction's ID is remembered: longer than its
	// token lives.
	recentTime = 16 * time.Minute
	// recentMost is how many are remembered at most.
	recentMost = 1 << 16
)

// recent remembers which interactions came lately, because Discord may deliver
// one twice. The zero value is empty.
type recent struct {
	mu    sync.Mutex
	when  map[string]time.Time
	order []string // by age, oldest first
}

// first reports whether an ID comes for the first time.
func (r *recent) first(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.when[id]; ok {
		return false
	}
	now := time.Now()
	for len(r.order) > 0 && (len(r.order) >= recentMost || now.Sub(r.when[r.order[0]]) > recentTime) {
		delete(r.when, r.order[0])
		r.order = r.order[1:]
	}
	if r.when == nil {
		r.when = map[string]time.Time{}
	}
	r.when[id] = now
	r.order = append(r.order, id)
	return true
}
