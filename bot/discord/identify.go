package discord

import (
	"slices"
	"sync"
	"time"
)

const (
	identifyWindow = 24 * time.Hour
	// identifyLimit is how many sessions we start in any window. After 1,000
	// Discord ends all of them and makes the token invalid; the rest is left for
	// other copies of the program. It is more than the longest back-off makes.
	identifyLimit = 500
	// identifyPace is how long after one session Discord lets us start the next.
	identifyPace = 5 * time.Second
)

// identifies counts the sessions that were started.
type identifies struct {
	mu    sync.Mutex
	times []time.Time // ascending
	save  func([]time.Time)
	pace  time.Duration
	limit int
	own   bool // the newest is this run's
}

// add counts a session that is being started now.
func (c *identifies) add() {
	c.mu.Lock()
	c.times = append(c.recent(time.Now()), time.Now())
	c.own = true
	times := slices.Clone(c.times)
	c.mu.Unlock()
	if c.save != nil {
		c.save(times)
	}
}

// wait returns how long to wait before another session, and whether that is
// because too many have been started.
func (c *identifies) wait() (d time.Duration, exhausted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.times = c.recent(now)
	n := len(c.times)
	switch {
	case n == 0:
		return 0, false
	case n >= c.limit:
		return c.times[n-c.limit].Add(identifyWindow).Sub(now), true
	}
	if !c.own {
		// Whoever starts the program again has waited, or Discord says that it was
		// too soon and we wait then.
		return 0, false
	}
	return max(0, c.times[n-1].Add(c.pace).Sub(now)), false
}

// recent leaves out what is past the window, and what a clock that was set back
// makes lie in the future.
func (c *identifies) recent(now time.Time) []time.Time {
	return slices.DeleteFunc(c.times, func(t time.Time) bool {
		return now.Sub(t) >= identifyWindow || t.After(now.Add(time.Minute))
	})
}
