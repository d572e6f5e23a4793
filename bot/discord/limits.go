package discord

import (
	"context"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	// maxWait is the longest that a header can make us wait. A ban by Cloudflare
	// lasts an hour.
	maxWait = time.Hour
	// blindWait is how long to stay silent after a refusal that does not say how
	// long.
	blindWait = time.Minute
	// globalRate is how many calls a second we make, not counting the interaction
	// routes, and globalBurst how many of them at once. Discord takes 50 a second
	// and counts refusals against us.
	globalRate  = 45
	globalBurst = 5
	// maxBuckets is the number of buckets from which those that are full again are
	// forgotten.
	maxBuckets = 1024
)

// headerSeconds reads a header that gives seconds, with a fraction or without.
// Anything else is 0.
func headerSeconds(s string) time.Duration {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return seconds(f)
}

// seconds makes a duration of at most [maxWait]. A number that is not above 0,
// or not a number, is 0.
func seconds(f float64) time.Duration {
	if !(f > 0) {
		return 0
	}
	return time.Duration(min(f, maxWait.Seconds()) * float64(time.Second))
}

// limits keeps our calls within Discord's rate limits. It has a bucket for each
// route of each channel, and two times before which nothing may be sent.
// discordgo's own limiter sleeps regardless of contexts and never forgets a
// bucket.
type limits struct {
	mu      sync.Mutex
	buckets map[string]*bucket
	pace    *rate.Limiter // nil before the first call
	global  time.Time     // everything but interaction routes waits until then
	banned  time.Time     // everything waits until then
}

// bucket lets one call through at a time and knows how many more Discord allows.
type bucket struct {
	turn    chan struct{} // full while somebody has a turn
	users   int           // calls that hold the turn or wait for it; under limits.mu
	left    int           // under limits.mu
	resetAt time.Time     // under limits.mu
}

// acquire waits for the bucket's turn; with an empty key, it waits only for the
// end of a ban. The caller releases it with what the answer says. If the wait
// would outlast the context, acquire fails at once and returns how long it is.
func (l *limits) acquire(ctx context.Context, key string) (release func(n *notes), wait time.Duration, err error) {
	if key == "" {
		l.mu.Lock()
		wait := time.Until(l.banned)
		l.mu.Unlock()
		return func(*notes) {}, wait, sleep(ctx, wait)
	}
	b := l.enter(key)
	select {
	case b.turn <- struct{}{}:
	case <-ctx.Done():
		l.leave(key, b, nil)
		return nil, 0, ctx.Err()
	}
	l.mu.Lock()
	until := l.global
	if l.banned.After(until) {
		until = l.banned
	}
	if b.left == 0 && b.resetAt.After(until) {
		until = b.resetAt
	}
	if l.pace == nil {
		l.pace = rate.NewLimiter(globalRate, globalBurst)
	}
	now := time.Now()
	place := l.pace.ReserveN(now, 1)
	if at := now.Add(place.DelayFrom(now)); at.After(until) {
		until = at
	}
	l.mu.Unlock()
	if err := sleep(ctx, time.Until(until)); err != nil {
		place.Cancel()
		<-b.turn
		l.leave(key, b, nil)
		return nil, time.Until(until), err
	}
	return func(n *notes) {
		// The bucket learns first, so that the next call in turn knows.
		l.leave(key, b, n)
		<-b.turn
	}, 0, nil
}

func (l *limits) enter(key string) *bucket {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.buckets == nil {
		l.buckets = map[string]*bucket{}
	}
	b := l.buckets[key]
	if b == nil {
		if len(l.buckets) >= maxBuckets {
			now := time.Now()
			for k, old := range l.buckets {
				if old.users == 0 && !old.resetAt.After(now) {
					delete(l.buckets, k)
				}
			}
		}
		b = &bucket{turn: make(chan struct{}, 1), left: 1}
		l.buckets[key] = b
	}
	b.users++
	return b
}

func (l *limits) leave(key string, b *bucket, n *notes) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b.users--
	if n == nil || n.status == 0 {
		return
	}
	b.left, b.resetAt = 1, time.Time{}
	if left, err := strconv.Atoi(n.remaining); err == nil && left >= 0 && n.resetAfter > 0 {
		b.left, b.resetAt = left, time.Now().Add(n.resetAfter)
	}
	if n.limited && !n.global {
		b.left, b.resetAt = 0, time.Now().Add(max(n.retryAfter, n.resetAfter))
	}
}

// refused records a refusal that concerns more than one bucket: a ban concerns
// everything, any other everything but the interaction routes.
func (l *limits) refused(wait time.Duration, ban bool) {
	until := time.Now().Add(wait)
	l.mu.Lock()
	defer l.mu.Unlock()
	if ban && until.After(l.banned) {
		l.banned = until
	}
	if !ban && until.After(l.global) {
		l.global = until
	}
}

// sleep waits. If the context's deadline comes first, it returns
// [context.DeadlineExceeded] at once.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	if end, ok := ctx.Deadline(); ok && time.Until(end) < d {
		return context.DeadlineExceeded
	}
	return pause(ctx, d)
}
