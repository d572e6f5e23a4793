package discord

import (
	"context"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	// maxWait bounds what a header can make us wait: Cloudflare's ban lasts an
	// hour.
	maxWait = time.Hour
	// blindWait is how long to stay silent after a refusal that does not say.
	blindWait = time.Minute
	// globalRate is how many calls a second are made besides those of the
	// interaction routes, and globalBurst how many of them at once. Discord takes
	// 50 and counts refusals against us.
	globalRate  = 45
	globalBurst = 5
	// maxBuckets is when buckets that have been full again are forgotten.
	maxBuckets = 1024
)

// headerSeconds reads seconds with a fraction; 0 if it is not such a number.
func headerSeconds(s string) time.Duration {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return seconds(f)
}

// seconds is a number of seconds as a duration of at most [maxWait]; 0 for what
// is not above 0.
func seconds(f float64) time.Duration {
	if !(f > 0) {
		return 0
	}
	return time.Duration(min(f, maxWait.Seconds()) * float64(time.Second))
}

// limits keeps our calls within Discord's rate limits: a bucket for each route
// of each channel, and two times before which nothing may be sent. discordgo's
// own sleeps regardless of contexts and never forgets a bucket.
type limits struct {
	mu      sync.Mutex
	buckets map[string]*bucket
	pace    *rate.Limiter // nil before the first call
	global  time.Time     // all but interaction routes wait until then
	banned  time.Time     // everything waits until then
}

// bucket holds one call at a time and knows how many more Discord allows.
type bucket struct {
	turn    chan struct{} // full while somebody has a turn
	users   int           // who hold it or wait for it; under limits.mu
	left    int           // under limits.mu
	resetAt time.Time     // under limits.mu
}

// acquire waits for a turn of a bucket; with an empty key only for the end of a
// ban. It fails at once if the wait would outlast the context, with the time to
// wait and no error of the context.
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
		// The news comes first, so that the next in turn sees it.
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
	if n.status == 429 && !n.global {
		b.left, b.resetAt = 0, time.Now().Add(max(n.retryAfter, n.resetAfter))
	}
}

// refused takes note of a refusal that concerns more than one bucket.
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

// sleep waits; if the context is due to end before, it does not wait at all but
// returns [context.DeadlineExceeded].
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	if end, ok := ctx.Deadline(); ok && time.Until(end) < d {
		return context.DeadlineExceeded
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
