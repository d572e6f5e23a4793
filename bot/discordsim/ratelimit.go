package discordsim

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// bucket counts requests in one window of time.
type bucket struct {
	start time.Time
	count int
}

// take counts a request and gives the seconds to wait if it is one too many.
func (b *bucket) take(now time.Time, limit int, window time.Duration) (wait float64) {
	if now.Sub(b.start) >= window || now.Before(b.start) {
		b.start, b.count = now, 0
	}
	if b.count >= limit {
		return max(b.start.Add(window).Sub(now).Seconds(), 0.001)
	}
	b.count++
	return 0
}

// limit applies the rate limits and sets the headers. It gives the scope ("user",
// "global") of the limit that was hit, "" if none was. The caller holds s.mu.
func (s *Server) limit(c *call, rt *route, h http.Header) (scope string, wait float64) {
	now := s.clock.Now()
	if !rt.interact && s.opts.GlobalLimit > 0 {
		if wait := s.global.take(now, s.opts.GlobalLimit, time.Second); wait > 0 {
			return "global", wait
		}
	}
	if strings.Contains(rt.template, "/emojis") && s.opts.EmojiLimit > 0 {
		if wait := s.emojis.take(now, s.opts.EmojiLimit, s.opts.EmojiWindow); wait > 0 {
			return "user", wait
		}
	}
	if strings.HasSuffix(rt.template, "/callback") {
		return "", 0 // each is called once
	}
	major := c.params["channel_id"] + c.params["guild_id"] + c.params["webhook_id"] + c.params["webhook_token"]
	key := rt.method + rt.template + major
	b := s.buckets[key]
	if b == nil {
		if len(s.buckets) > 1000 {
			for k, old := range s.buckets {
				if now.Sub(old.start) >= s.opts.RouteWindow {
					delete(s.buckets, k)
				}
			}
		}
		b = &bucket{}
		s.buckets[key] = b
	}
	wait = b.take(now, s.opts.RouteLimit, s.opts.RouteWindow)
	end := b.start.Add(s.opts.RouteWindow)
	sum := fnv.New64a()
	sum.Write([]byte(rt.method + rt.template))
	h.Set("X-RateLimit-Limit", strconv.Itoa(s.opts.RouteLimit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(s.opts.RouteLimit-b.count))
	h.Set("X-RateLimit-Reset", fmt.Sprintf("%.3f", float64(end.UnixMilli())/1000))
	h.Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", end.Sub(now).Seconds()))
	h.Set("X-RateLimit-Bucket", fmt.Sprintf("%016x", sum.Sum64()))
	if wait > 0 {
		return "user", wait
	}
	return "", 0
}

// limitHeaders sets the headers of a 429 and gives its body.
func limitHeaders(h http.Header, wait float64, scope string) map[string]any {
	h.Set("Retry-After", strconv.Itoa(int(wait)+1))
	h.Set("X-RateLimit-Scope", scope)
	if h.Get("X-RateLimit-Reset-After") == "" {
		h.Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", wait))
	}
	if scope == "global" {
		h.Set("X-RateLimit-Global", "true")
	}
	return map[string]any{"message": "You are being rate limited.", "retry_after": wait, "global": scope == "global"}
}
