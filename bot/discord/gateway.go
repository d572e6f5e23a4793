package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
)

// GatewaySettings say how to receive interactions.
type GatewaySettings struct {
	Settings
	// Drain is how long running handlers may go on after [Gateway.Run]'s context
	// is done; 0 is 10 s. Then their own context is done too.
	Drain time.Duration
	// Changed, if not nil, is called when the connection comes up and when it goes
	// down, in turn.
	Changed func(connected bool)
	// Guilds, if not nil, is called at the start of each session with the IDs of
	// the guilds that the application is in, including those in an outage. It must
	// return quickly.
	Guilds func(ids []string)
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
}

// pace holds the times that tests shorten.
type pace struct {
	open     time.Duration // for a connection to be ready
	healthy  time.Duration // after which losing a connection is not a bad sign
	first    time.Duration // the wait after a bad sign; it doubles
	longest  time.Duration
	farewell time.Duration // for the connection to be closed in good order
}

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
	return &Gateway{
		settings: s, transport: t, log: s.log(),
		identifies: identifies{times: slices.Clone(s.Identifies), save: s.SaveIdentifies, pace: identifyPace, limit: identifyLimit},
		pace: pace{
			open: 30 * time.Second, healthy: time.Minute,
			first: time.Second, longest: 5 * time.Minute,
			farewell: 2 * time.Second,
		},
		intake: newIntake(s.log()),
	}, nil
}

// Connected reports whether the gateway is connected now.
func (g *Gateway) Connected() bool { return g.connected.Load() }

// Run connects, hands each interaction to the handler once, and connects again
// whenever the connection is lost. It returns nil when the context is done and
// the handlers have ended. It returns an error when connecting again cannot help:
// one that wraps [ErrBadToken], [ErrSharding], [ErrIntents], [ErrVersion] or
// [ErrForeignHost]. Call it once.
//
// Interactions that come while there is no connection are lost. Discord then
// tells the person that the bot did not answer.
func (g *Gateway) Run(ctx context.Context, handle Handler) error {
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	defer g.intake.drain(g.settings.Drain, stopWork)
	take := func(_ *discordgo.Session, i *discordgo.InteractionCreate) { g.intake.take(work, handle, i) }

	for bad := 0; ; {
		if g.awaitIdentify(ctx) != nil {
			return nil
		}
		begun := time.Now()
		ready, err := g.attempt(ctx, take)
		switch {
		case ctx.Err() != nil:
			return nil
		case final(err):
			g.log.Error("gateway refused the connection for good; giving up", "err", err)
			return fmt.Errorf("discord gateway: %w", err)
		case ready && time.Since(begun) >= g.pace.healthy:
			bad = 0
		default:
			bad++
		}
		wait := g.pace.backOff(bad)
		g.log.Warn("lost the connection to the gateway; will connect again", "err", err, "was_ready", ready, "wait", wait.Round(time.Millisecond))
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
	return errors.As(err, &closed) && closed.Unwrap() != nil || errors.Is(err, ErrForeignHost)
}

// backOff returns how long to wait before the next connection after a number of
// bad signs in a row. It is random, so that many bots do not come back at once.
func (p pace) backOff(bad int) time.Duration {
	wait := p.first
	for range max(0, bad-1) {
		wait = min(2*wait, p.longest)
	}
	return wait/2 + rand.N(wait/2+1)
}

// attempt makes one connection and stays until it is over. It reports whether
// the session became ready and why it ended.
func (g *Gateway) attempt(ctx context.Context, take func(*discordgo.Session, *discordgo.InteractionCreate)) (ready bool, reason error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var l line
	defer l.close() // whatever becomes of the session
	session, err := g.session(ctx, &l)
	if err != nil {
		return false, err
	}
	session.AddHandler(take)
	t, err := g.open(ctx, session, &l)
	if err != nil {
		return false, err
	}
	g.change(true)
	defer g.change(false)
	return true, g.watch(ctx, session, t)
}

// session makes a discordgo session that connects over a line. Each connection
// gets a new one, because a session that has lost its connection keeps state
// that it should not.
func (g *Gateway) session(ctx context.Context, l *line) (*discordgo.Session, error) {
	s, err := g.settings.session(g.transport)
	if err != nil {
		return nil, err
	}
	s.Client.Transport = bound{ctx, g.transport}
	s.Compress, s.Identify.Compress = false, false // the tap reads along
	s.Identify.Intents = discordgo.IntentsNone     // neither interactions nor the list of guilds in READY need any
	s.Dialer = dialer(g.pace.open, func(_ context.Context, addr string, encrypted bool) (net.Conn, error) {
		conn, err := dialGateway(ctx, g.transport, addr, encrypted)
		if err != nil {
			return nil, err
		}
		t := newTap(conn, g.identifies.add)
		t.guilds = g.settings.Guilds
		if !l.use(t) {
			t.Close()
			return nil, net.ErrClosed
		}
		return t, nil
	})
	return s, nil
}

// line holds the one connection that a session may make. discordgo may still be
// dialling when we have given up: a closed line takes no connection.
type line struct {
	mu     sync.Mutex
	t      *tap
	closed bool
}

// use gives the line its connection. It reports false if the line is closed or
// has one.
func (l *line) use(t *tap) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.t != nil {
		return false
	}
	l.t = t
	return true
}

// tap returns the connection, or nil before there is one.
func (l *line) tap() *tap {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.t
}

func (l *line) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.t != nil {
		l.t.Close()
	}
}

// open opens a session and returns its connection when the session is ready.
func (g *Gateway) open(ctx context.Context, session *discordgo.Session, l *line) (*tap, error) {
	opened := make(chan error, 1)
	go func() { opened <- session.Open() }()
	limit := time.NewTimer(g.pace.open)
	defer limit.Stop()
	var t *tap
	var ready, over <-chan struct{} // nil while discordgo is opening
	for {
		select {
		case err := <-opened:
			t = l.tap()
			if t != nil && t.reason() != nil {
				err = t.reason() // more exact than discordgo's error
			}
			if err != nil {
				return nil, openError(err)
			}
			ready, over = t.ready, t.done
		case <-ready:
			return t, nil
		case <-over:
			return nil, t.reason()
		case <-limit.C:
			return nil, fmt.Errorf("no session within %v", g.pace.open)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// openError shortens discordgo's error, which is a whole page if one came in
// place of the gateway's address.
func openError(err error) error {
	var refused *discordgo.RESTError
	if errors.As(err, &refused) && refused.Response != nil {
		return fmt.Errorf("could not ask for the gateway's address: HTTP %s", refused.Response.Status)
	}
	if text := err.Error(); len(text) > maxRefusalText {
		return errors.New(strings.ToValidUTF8(text[:maxRefusalText], "") + "…")
	}
	return err
}

// watch waits until a session's connection is over and returns why.
func (g *Gateway) watch(ctx context.Context, session *discordgo.Session, t *tap) error {
	// discordgo notices a dead connection after five heartbeats; Discord's rule is
	// one. Two allow for a slow network.
	interval, _ := t.silentFor()
	tick := time.NewTicker(max(interval/2, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-t.done:
			return t.reason()
		case <-tick.C:
			if interval, silence := t.silentFor(); silence > 2*interval {
				return errSilent
			}
		case <-ctx.Done():
			// A connection that is closed in good order ends the session at once,
			// and people see the bot leave. discordgo waits for a second meanwhile.
			// It must not read any more: it would answer over a connection that it
			// has already dropped.
			t.end(ctx.Err())
			closed := make(chan struct{})
			go func() { defer close(closed); session.Close() }()
			select {
			case <-closed:
			case <-time.After(g.pace.farewell):
			}
			return ctx.Err()
		}
	}
}

func (g *Gateway) change(connected bool) {
	g.connected.Store(connected)
	if connected {
		g.log.Info("connected to the gateway")
	}
	if g.settings.Changed != nil {
		g.settings.Changed(connected)
	}
}

// bound ends requests when a context is done. discordgo takes none.
type bound struct {
	ctx  context.Context
	next http.RoundTripper
}

func (b bound) RoundTrip(req *http.Request) (*http.Response, error) {
	return b.next.RoundTrip(req.WithContext(b.ctx))
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
