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

// ErrForeignHost says that something was to be sent to a host that is neither
// Discord nor the one set in its place.
var ErrForeignHost = errors.New("not a host of Discord's")

// discordHost is where discordgo's addresses point to.
const discordHost = "discord.com"

// maxAnswer bounds an answer in bytes; the longest real one, a list of commands, has
// some ten thousand.
const maxAnswer = 8 << 20

// transport sends requests to Discord or to the server set in its place, and
// takes notes of each answer, which discordgo throws away in part.
type transport struct {
	next http.RoundTripper
	base *url.URL // nil: the real Discord
}

// newTransport makes a transport. An empty base address is the real Discord, a nil
// next one with connections enough for many games at once.
func newTransport(base string, next http.RoundTripper) (*transport, error) {
	t := &transport{next: next}
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
		if u.Scheme != "https" || u.Host != discordHost { // else its gateway is elsewhere
			t.base = u
		}
	}
	return t, nil
}

// RoundTrip sends a request.
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
	// discordgo fails a call for headers that it cannot read. Ours are read.
	for name := range resp.Header {
		if strings.HasPrefix(name, "X-Ratelimit-") {
			delete(resp.Header, name)
		}
	}
	return resp, nil
}

// notes are what a call wants to know of the answer besides its body.
type notes struct {
	status     int
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
