package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// GatewaySettings say how to receive interactions.
type GatewaySettings struct {
	Settings
	// Drain is how long running handlers may go on after [Gateway.Run]'s context
	// is done; 0 is 10 s. Then their own context is done too.
	Drain time.Duration
	// Began, if not nil, is called when a session begins to run or to run again.
	Began func(resumed bool)
	// Guilds, if not nil, is called at the start of each new session with the IDs of
	// the guilds that the application is in, including those in an outage. It must
	// return quickly. A session can last for weeks: see [REST.Guilds].
	Guilds func(ids []string)
	// Now returns the time by Discord's clock; nil is this machine's. Interactions
	// that come late, because there was no connection, are dropped by their age.
	Now func() time.Time
	// Identifies are the times at which earlier runs of the program started
	// sessions. SaveIdentifies, if not nil, is called with the times to keep
	// whenever a session starts. Discord invalidates the token after 1,000 sessions
	// in a day, so a program that is restarted over and over must not forget them.
	Identifies     []time.Time
	SaveIdentifies func([]time.Time)
}

// Gateway is the connection over which interactions come from Discord. Make one
// with [NewGateway].
type Gateway struct {
	settings   GatewaySettings
	transport  *transport
	log        *slog.Logger
	identifies identifies
	pace       pace
	intake     *intake
	connected  atomic.Bool

	// session is what can be resumed; address is where sessions are started.
	session session
	address string
}

// pace holds the times that tests shorten.
type pace struct {
	open      time.Duration // for a new session to run
	resume    time.Duration // for an earlier one
	healthy   time.Duration // after which losing a connection is not a bad sign
	first     time.Duration // the wait after a bad sign; it doubles
	longest   time.Duration
	unreached time.Duration // the longest while Discord cannot be reached at all
	farewell  time.Duration // for the connection to be closed in good order
}

// maxAsked is how often a session is asked for in a row before it is given up.
const maxAsked = 3

// NewGateway makes a gateway, which connects when it is run. Errors are those
// of [NewREST].
func NewGateway(s GatewaySettings) (*Gateway, error) {
	t, err := newTransport(s.Base, s.Transport)
	if err != nil {
		return nil, err
	}
	if _, err := s.session(t); err != nil {
		return nil, err
	}
	if s.Drain <= 0 {
		s.Drain = 10 * time.Second
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	return &Gateway{
		settings: s, transport: t, log: s.log(),
		identifies: identifies{times: slices.Clone(s.Identifies), save: s.SaveIdentifies, pace: identifyPace, limit: identifyLimit},
		pace: pace{
			open: 30 * time.Second, resume: 10 * time.Second, healthy: time.Minute,
			first: time.Second, longest: 5 * time.Minute, unreached: 15 * time.Second,
			farewell: 2 * time.Second,
		},
		intake: newIntake(s.log()),
	}, nil
}

// Connected reports whether the gateway is connected now and its session runs.
func (g *Gateway) Connected() bool { return g.connected.Load() }

// Run connects, hands each interaction to the handler once, and connects again
// whenever the connection is lost. It returns nil when the context is done and
// the handlers have ended. It returns an error when connecting again cannot help:
// one that wraps [ErrBadToken], [ErrSharding], [ErrIntents], [ErrVersion] or
// [ErrForeignHost]. Call it once.
//
// A session outlives its connection where Discord allows it. Interactions that
// came while there was no connection are handled as soon as there is one again,
// if there is still time to answer them. Others are dropped; Discord has told the
// person by then that the bot did not answer. So are those that come while the
// program stops or no session can be resumed.
func (g *Gateway) Run(ctx context.Context, handle Handler) error {
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	defer g.intake.drain(g.settings.Drain, stopWork)
	take := func(a arrival) {
		g.intake.take(work, func(ctx context.Context, req Request, err error) {
			a.place.tell(&req)
			handle(ctx, req, err)
		}, a.InteractionCreate)
	}

	for bad := 0; ; {
		if g.session.id == "" && g.awaitIdentify(ctx) != nil {
			return nil
		}
		begun := time.Now()
		reached, ran, err := g.attempt(ctx, take)
		switch {
		case ctx.Err() != nil:
			return nil
		case final(err):
			g.log.Error("gateway refused the connection for good; giving up", "err", err)
			return fmt.Errorf("discord gateway: %w", err)
		case ran && time.Since(begun) >= g.pace.healthy:
			bad = 0
		default:
			bad++
		}
		if endsSession(err) || g.session.asked >= maxAsked {
			g.session = session{}
		}
		resume := g.session.id != ""
		wait := g.pace.backOff(bad, reached, resume)
		var none *startsError
		if errors.As(err, &none) {
			wait = max(wait, none.wait)
		}
		level := slog.LevelWarn
		if resume && bad <= 1 {
			level = slog.LevelInfo // Discord does it to every bot several times a day
		}
		g.log.Log(ctx, level, "lost the connection to the gateway; will connect again",
			"err", err, "was_ready", ran, "resume", resume, "wait", wait.Round(time.Millisecond))
		if pause(ctx, wait) != nil {
			return nil
		}
	}
}

// awaitIdentify waits until another session may be started.
func (g *Gateway) awaitIdentify(ctx context.Context) error {
	wait, exhausted := g.identifies.wait()
	if exhausted {
		g.log.Error("started too many sessions in a day; waiting so that Discord does not invalidate the token", "wait", wait)
	}
	return pause(ctx, wait)
}

// final reports whether connecting again cannot help.
func final(err error) bool {
	var closed *CloseError
	return errors.As(err, &closed) && closed.Unwrap() != nil || errors.Is(err, ErrForeignHost) || errors.Is(err, ErrBadToken)
}

// endsSession reports whether a session cannot be resumed after its connection
// ended for a reason.
func endsSession(err error) bool {
	var closed *CloseError
	return errors.Is(err, errInvalidSession) || errors.As(err, &closed) && closed.endsSession()
}

// backOff returns how long to wait before the next connection after a number of
// bad signs in a row, by whether the gateway could be reached and a session can
// be resumed. It is random, so that many bots do not come back at once. People
// wait for a session that is resumed, so one bad sign is forgiven.
func (p pace) backOff(bad int, reached, resume bool) time.Duration {
	if resume && bad <= 1 {
		return rand.N(p.first/4 + 1)
	}
	longest := p.longest
	if !reached {
		longest = p.unreached
	}
	wait := p.first
	for range max(0, bad-1) {
		wait = min(2*wait, longest)
	}
	return wait/2 + rand.N(wait/2+1)
}

// attempt makes one connection and stays until it is over. It reports whether
// the gateway could be reached, whether the session ran, and why it ended.
func (g *Gateway) attempt(ctx context.Context, take func(arrival)) (reached, ran bool, reason error) {
	ws, err := g.connect(ctx)
	if err != nil {
		return false, false, err
	}
	limit := g.pace.open
	if g.session.id != "" {
		limit = g.pace.resume
	}
	c := &connection{
		ws: ws, token: "Bot " + g.settings.Token, session: &g.session, open: limit, farewell: g.pace.farewell,
		identifying: g.identifies.add,
		running: func(resumed bool, guilds []string) {
			ran = true
			g.begin(resumed, guilds)
		},
		event: func(kind string, data json.RawMessage, replayed bool) {
			if kind == "INTERACTION_CREATE" {
				g.interaction(data, replayed, take)
			}
		},
	}
	defer g.connected.Store(false)
	err = c.serve(ctx)
	return true, ran, err
}

// begin tells that a session runs.
func (g *Gateway) begin(resumed bool, guilds []string) {
	g.connected.Store(true)
	g.log.Info("connected to the gateway", "resumed", resumed)
	if g.settings.Began != nil {
		g.settings.Began(resumed)
	}
	if guilds != nil && g.settings.Guilds != nil {
		g.settings.Guilds(guilds)
	}
}

// arrival is an interaction, and what discordgo does not read of it.
type arrival struct {
	*discordgo.InteractionCreate
	place place
}

// interaction hands an interaction over, unless it came between two connections
// and can no longer be answered. Others are not dropped by age, since clocks may
// differ by more than the three seconds that count.
func (g *Gateway) interaction(data json.RawMessage, replayed bool, take func(arrival)) {
	i := &discordgo.InteractionCreate{}
	if err := json.Unmarshal(data, i); err != nil {
		g.log.Warn("could not read the whole of an interaction", "err", err)
	}
	if replayed && i.Interaction != nil {
		if age := g.settings.Now().Sub(snowflakeTime(i.ID)); age >= discordgo.InteractionDeadline {
			g.log.Info("dropped an interaction that came too late to be answered", "interaction", i.ID, "age", age.Round(time.Millisecond))
			return
		}
	}
	go take(arrival{i, placeOf(data)})
}

// connect makes a connection to where the session can be resumed, or to where a
// new one can be started.
func (g *Gateway) connect(ctx context.Context) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, g.pace.open)
	defer cancel()
	if at := g.session.address; at != "" && g.session.asked == 0 {
		ws, err := g.connectTo(ctx, at, g.pace.resume)
		if err == nil || ctx.Err() != nil {
			return ws, err
		}
		// The address where sessions are started mostly knows this one too.
		g.log.Info("could not connect where Discord keeps the session; trying the gateway's own address", "err", err)
	}
	if g.session.id == "" || g.address == "" {
		at, err := g.ask(ctx)
		if err != nil {
			return nil, err
		}
		g.address = at
	}
	ws, err := g.connectTo(ctx, g.address, g.pace.open)
	if err != nil {
		g.address = "" // perhaps there is another
	}
	return ws, err
}

// connectTo makes a connection to one address.
func (g *Gateway) connectTo(ctx context.Context, at string, limit time.Duration) (*websocket.Conn, error) {
	u, err := url.Parse(at)
	if err != nil {
		return nil, fmt.Errorf("%w: its address", errGarbled)
	}
	u.Path = cmp.Or(u.Path, "/")
	u.RawQuery = url.Values{"v": {discordgo.APIVersion}, "encoding": {"json"}}.Encode()
	d := dialer(limit, func(ctx context.Context, addr string, encrypted bool) (net.Conn, error) {
		return dialGateway(ctx, g.transport, addr, encrypted)
	})
	ws, resp, err := d.DialContext(ctx, u.String(), nil)
	switch {
	case err != nil && resp != nil:
		return nil, fmt.Errorf("%w: HTTP %s", err, resp.Status)
	case err != nil:
		return nil, err
	}
	ws.SetReadLimit(maxFrame)
	ws.SetCloseHandler(func(int, string) error { return nil }) // an echo of 1000 would end the session
	return ws, nil
}

// startsError says that Discord lets nobody with this token start a session until
// the time has passed.
type startsError struct{ wait time.Duration }

func (e *startsError) Error() string {
	return fmt.Sprintf("Discord allows no more sessions for %v", e.wait)
}

// ask asks for the gateway's address.
func (g *Gateway) ask(ctx context.Context) (string, error) {
	s, err := g.settings.session(g.transport)
	if err != nil {
		return "", err
	}
	got, err := s.GatewayBot(discordgo.WithContext(ctx))
	var refused *discordgo.RESTError
	switch {
	case errors.As(err, &refused) && refused.Response != nil:
		if refused.Response.StatusCode == http.StatusUnauthorized {
			return "", ErrBadToken
		}
		return "", fmt.Errorf("could not ask for the gateway's address: HTTP %s", refused.Response.Status)
	case err != nil:
		// It may be a whole page that came in place of the address.
		text := err.Error()
		if len(text) > maxRefusalText {
			text = strings.ToValidUTF8(text[:maxRefusalText], "") + "…"
		}
		return "", fmt.Errorf("could not ask for the gateway's address: %s", text)
	case g.session.id == "" && got.SessionStartLimit.Total > 0 && got.SessionStartLimit.Remaining <= 0:
		return "", &startsError{min(time.Duration(got.SessionStartLimit.ResetAfter)*time.Millisecond, identifyWindow)}
	}
	return got.URL, nil
}

// pause waits, or returns the context's error when that is done first.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
