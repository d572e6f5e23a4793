package discordsim

import (
	"fmt"
	"net/http"
	"net/url"
)

// Transport gives an http.RoundTripper for the client of the bot under test.
// Requests to discord.com, its CDN, or baseURL itself go to baseURL, where this
// server has to be listening ("http://127.0.0.1:8080"). Requests to any other
// host fail with [ErrUnknownHost], so nothing can leak to the real service. The
// gateway does not need this: its address comes from this server.
func (s *Server) Transport(baseURL string) http.RoundTripper {
	base, err := url.Parse(baseURL)
	if err == nil && (base.Host == "" || base.Scheme != "http" && base.Scheme != "https") {
		err = fmt.Errorf("discordsim: base URL %q is not like http://127.0.0.1:8080", baseURL)
	}
	own := http.DefaultTransport.(*http.Transport).Clone()
	own.Proxy = nil
	own.MaxIdleConnsPerHost = 64
	return &transport{base: base, err: err, next: own}
}

type transport struct {
	base *url.URL
	err  error
	next http.RoundTripper
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	fail := func(err error) (*http.Response, error) {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, err
	}
	if t.err != nil {
		return fail(t.err)
	}
	switch r.URL.Host {
	case "discord.com", "canary.discord.com", "ptb.discord.com", "discordapp.com",
		"cdn.discordapp.com", "media.discordapp.net", t.base.Host:
	default:
		return fail(fmt.Errorf("%w: %s", ErrUnknownHost, r.URL.Host))
	}
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = t.base.Scheme, t.base.Host, t.base.Host
	return t.next.RoundTrip(r)
}

// CloseIdleConnections lets http.Client.CloseIdleConnections work.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
