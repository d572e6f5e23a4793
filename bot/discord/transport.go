package discord

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ErrForeignHost says that a request was about to go to a host that is neither
// Discord nor the server set in its place. Nothing was sent.
var ErrForeignHost = errors.New("refused to contact a host that is not Discord's")

// discordHost is where discordgo's addresses point to.
const discordHost = "discord.com"

// maxAnswer is the most bytes of an answer that are read. The longest real one, a
// list of commands, has some ten thousand.
const maxAnswer = 8 << 20

// transport sends requests to Discord or to the server set in its place. It takes
// notes of what discordgo throws away of each answer.
type transport struct {
	next  http.RoundTripper
	given bool     // next is not our own
	base  *url.URL // nil: the real Discord
}

// newTransport makes a transport. An empty base address means the real Discord.
// If next is nil, it makes one that keeps enough connections for many games.
func newTransport(base string, next http.RoundTripper) (*transport, error) {
	t := &transport{next: next, given: next != nil}
	if t.next == nil {
		// net/http's default keeps two idle connections to a host.
		d := http.DefaultTransport.(*http.Transport).Clone()
		d.MaxIdleConnsPerHost = 64
		t.next = d
	}
	if base != "" {
		u, err := url.Parse(base)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
			return nil, fmt.Errorf("discord base address %q: give a scheme and a host, such as http://127.0.0.1:8080", base)
		}
		if u.Scheme != "https" || u.Host != discordHost { // the real one's gateway is on another host
			t.base = u
		}
	}
	return t, nil
}

// RoundTrip sends a request, or fails with [ErrForeignHost].
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Host != discordHost {
		if req.Body != nil {
			req.Body.Close() // as RoundTrip promises in any case
		}
		return nil, fmt.Errorf("%w: %s", ErrForeignHost, req.URL.Host)
	}
	if t.base != nil {
		req = req.Clone(req.Context())
		req.URL.Scheme, req.URL.Host, req.Host = t.base.Scheme, t.base.Host, t.base.Host
	}
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if n, ok := req.Context().Value(notesKey{}).(*notes); ok {
		n.take(resp)
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(resp.Body, maxAnswer), resp.Body}
	// discordgo fails a call if it cannot read these headers. We have read them.
	for name := range resp.Header {
		if strings.HasPrefix(name, "X-Ratelimit-") {
			delete(resp.Header, name)
		}
	}
	return resp, nil
}

// notes are what a call needs to know about the answer besides its body.
type notes struct {
	status     int
	limited    bool   // refused by a rate limit; not every 429 is
	date       string // the header
	global     bool
	remaining  string
	resetAfter time.Duration // 0 if unknown
	retryAfter time.Duration // 0 if unknown
}

type notesKey struct{}

func withNotes(ctx context.Context, n *notes) context.Context {
	return context.WithValue(ctx, notesKey{}, n)
}

func (n *notes) take(resp *http.Response) {
	h := resp.Header
	*n = notes{
		status:     resp.StatusCode,
		date:       h.Get("Date"),
		global:     h.Get("X-RateLimit-Global") != "" || h.Get("X-RateLimit-Scope") == "global",
		remaining:  h.Get("X-RateLimit-Remaining"),
		resetAfter: headerSeconds(h.Get("X-RateLimit-Reset-After")),
		retryAfter: headerSeconds(h.Get("Retry-After")),
	}
}
