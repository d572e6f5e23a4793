package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/websocket"
)

// GatewayInfo is what Discord says about its gateway.
type GatewayInfo struct {
	URL           string
	Shards        int           // how many connections Discord recommends
	Concurrency   int           // how many of them may start sessions at the same time
	SessionsLeft  int           // how many may still be started in this period
	SessionsTotal int           // how many may be started in a period, about a day
	SessionsReset time.Duration // until the next period
}

// GatewayInfo asks where the gateway is and how many sessions may be started.
func (r *REST) GatewayInfo(ctx context.Context) (GatewayInfo, error) {
	var got struct {
		URL    string `json:"url"`
		Shards int    `json:"shards"`
		Limits struct {
			Total      int   `json:"total"`
			Remaining  int   `json:"remaining"`
			ResetAfter int64 `json:"reset_after"` // in ms
			Together   int   `json:"max_concurrency"`
		} `json:"session_start_limit"`
	}
	err := r.get(ctx, call{method: http.MethodGet, op: "/gateway/bot", path: "gateway/bot", bucket: "gateway", again: true}, &got)
	return GatewayInfo{
		URL: got.URL, Shards: got.Shards, Concurrency: got.Limits.Together,
		SessionsLeft: got.Limits.Remaining, SessionsTotal: got.Limits.Total,
		SessionsReset: time.Duration(got.Limits.ResetAfter) * time.Millisecond,
	}, err
}

// Skew returns how far this machine's clock is ahead of Discord's, to about a
// second, by the newest answer. It returns false if no answer has told the time.
func (r *REST) Skew() (time.Duration, bool) {
	if p := r.skew.Load(); p != nil {
		return *p, true
	}
	return 0, false
}

// MaxSkew is how far a clock may be off before it matters, far more than a second
// of network.
const MaxSkew = 5 * time.Second

// Now returns the time by Discord's clock, as far as an answer has told it: by this
// machine's clock otherwise, and while the two agree. Interactions and messages
// carry Discord's time, and people read times by it.
func (r *REST) Now() time.Time {
	now := time.Now()
	if skew, ok := r.Skew(); ok && skew.Abs() > MaxSkew {
		now = now.Add(-skew)
	}
	return now
}

// noteDate reads the Date header of an answer that was made at about middle.
func (r *REST) noteDate(date string, middle time.Time) {
	if at, err := http.ParseTime(date); err == nil {
		skew := middle.Sub(at.Add(500 * time.Millisecond)) // the header has whole seconds
		r.skew.Store(&skew)
	}
}

// ErrNoGreeting says that something answered at the gateway's address, but not as
// a gateway does.
var ErrNoGreeting = errors.New("the gateway did not answer as Discord's does; look for a proxy or firewall in between")

// Greet connects to the gateway, waits for its greeting and leaves. It starts no
// session, so it neither counts as one nor disturbs a running bot. The address is
// [GatewayInfo].URL. The error wraps [ErrForeignHost] or [ErrNoGreeting], or is
// the network's.
func Greet(ctx context.Context, s Settings, address string) error {
	t, err := newTransport(s.Base, nil)
	if err != nil {
		return err
	}
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("%w: its address is %q", ErrNoGreeting, address)
	}
	u.RawQuery = "v=10&encoding=json"
	d := dialer(callTime, func(ctx context.Context, addr string, encrypted bool) (net.Conn, error) {
		return dialGateway(ctx, t, addr, encrypted)
	})
	conn, _, err := d.DialContext(ctx, u.String(), nil)
	if errors.Is(err, websocket.ErrBadHandshake) {
		return fmt.Errorf("%w: %w", ErrNoGreeting, err)
	}
	if err != nil {
		return err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	conn.SetReadLimit(64 << 10)
	_ = conn.SetReadDeadline(time.Now().Add(callTime))
	_, data, err := conn.ReadMessage()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoGreeting, err)
	}
	var hello struct {
		Op int `json:"op"`
	}
	if json.Unmarshal(data, &hello) != nil || hello.Op != opHello {
		return ErrNoGreeting
	}
	_ = conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""))
	return nil
}
