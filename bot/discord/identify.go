package discord

import (
	"context"
	"slices"
	"sync"
	"time"
)

const (
	identifyWindow = 24 * time.Hour
	// identifyLimit is how many sessions we start in any window where Discord allows
	// 1,000, after which it ends all of them and invalidates the token; of more, it is
	// half too. The rest is left for other copies of the program. The longest back-off
	// makes fewer.
	identifyLimit = 500
	// identifyPace is how soon after one session of a bucket we start the next: Discord
	// lets us after five seconds by its own clock.
	identifyPace = 5500 * time.Millisecond
	// identifyReserve is the part of Discord's sessions for a day that is spread over
	// what remains of the day.
	identifyReserve = 5
)

// identifies counts the sessions that were started.
type identifies struct {
	mu    sync.Mutex
	times []time.Time // ascending
	save  func([]time.Time)
	pace  time.Duration
	limit int
	last  map[int]time.Time     // the newest of this run by bucket
	turns map[int]chan struct{} // by bucket: holds a token while a session is about to be started
}

func newIdentifies(times []time.Time, save func([]time.Time)) identifies {
	return identifies{
		times: slices.Clone(times), save: save, pace: identifyPace, limit: identifyLimit,
		last: map[int]time.Time{}, turns: map[int]chan struct{}{},
	}
}

// enter waits until nobody else is about to start a session of a bucket. leave may be
// called more than once.
func (c *identifies) enter(ctx context.Context, bucket int) (leave func(), err error) {
	c.mu.Lock()
	turn := c.turns[bucket]
	if turn == nil {
		turn = make(chan struct{}, 1)
		c.turns[bucket] = turn
	}
	c.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return sync.OnceFunc(func() { <-turn }), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// add counts a session of a bucket that is being started now.
func (c *identifies) add(bucket int) {
	c.mu.Lock()
	now := time.Now()
	c.times = append(c.recent(now), now)
	c.last[bucket] = now
	times := slices.Clone(c.times)
	c.mu.Unlock()
	if c.save != nil {
		c.save(times)
	}
}

// wait returns how long to wait before another session of a bucket may be started, and
// whether that is because too many were started. shards is how many there are.
func (c *identifies) wait(bucket, shards int) (d time.Duration, exhausted bool) {
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
	last, own := c.last[bucket]
	if !own {
		if len(c.last) > 0 || shards == 1 {
			// A restart has usually taken long enough. If not, Discord refuses the
			// session and we wait then.
			return 0, false
		}
		last = c.times[n-1] // of an earlier run, in whatever bucket
	}
	return max(0, last.Add(c.pace).Sub(now)), false
}

// spare returns how long to wait, by what Discord says, before another session may be
// started. Its last fifth is spread over what remains of the day: something starts them
// over and over, and none would be left for whoever comes after that.
func (c *identifies) spare(info GatewayInfo) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = max(identifyLimit, info.SessionsTotal/2)
	switch {
	case info.SessionsLeft <= 0:
		return info.SessionsReset
	case info.SessionsLeft > info.SessionsTotal/identifyReserve || len(c.times) == 0:
		return 0
	}
	return time.Until(c.times[len(c.times)-1].Add(info.SessionsReset / time.Duration(info.SessionsLeft)))
}

// recent drops the times that are past the window, and those that lie in the
// future because the clock was set back.
func (c *identifies) recent(now time.Time) []time.Time {
	return slices.DeleteFunc(c.times, func(t time.Time) bool {
		return now.Sub(t) >= identifyWindow || t.After(now.Add(time.Minute))
	})
}
