package discord

import (
	"slices"
	"sync"
	"time"
)

const (
	identifyWindow = 24 * time.Hour
	// identifyLimit is how many sessions we start in any window. After 1,000,
	// Discord ends all of them and invalidates the token; the rest is left for
	// other copies of the program. The longest back-off makes fewer.
	identifyLimit = 500
	// identifyPace is how soon after one session Discord lets us start the next.
	identifyPace = 5 * time.Second
)

// identifies counts the sessions that were started.
type identifies struct {
	mu    sync.Mutex
	times []time.Time // ascending
	save  func([]time.Time)
	pace  time.Duration
	limit int
	own   bool // the newest is of this run
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

// wait returns how long to wait before another session may be started, and
// whether that is because too many were started.
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
		// A restart has usually taken long enough. If not, Discord refuses the
		// session and we wait then.
		return 0, false
	}
	return max(0, c.times[n-1].Add(c.pace).Sub(now)), false
}

// recent drops the times that are past the window, and those that lie in the
// future because the clock was set back.
func (c *identifies) recent(now time.Time) []time.Time {
	return slices.DeleteFunc(c.times, func(t time.Time) bool {
		return now.Sub(t) >= identifyWindow || t.After(now.Add(time.Minute))
	})
}
