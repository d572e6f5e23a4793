package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// Handler handles one interaction. It runs in a goroutine of its own, at the
// same time as others; a panic in it is logged and ends only it. Its context
// outlives the gateway's and is done only when [GatewaySettings].Drain has
// passed after that.
type Handler func(ctx context.Context, i *discordgo.InteractionCreate)

// GatewaySettings say how to receive interactions.
type GatewaySettings struct {
	Settings
	// Handlers is how many interactions are handled at once; 0 is 64. Those
	// that get no place within the 3 s in which they can be answered are lost.
	Handlers int
	// Drain is how long the handlers that run may go on after the end; 0 is 10 s.
	Drain time.Duration
	// Changed, if not nil, is told when the connection is up and when it is
	// down, in that order, never twice the same.
	Changed func(connected bool)
	// Guilds, if not nil, is told the guilds that the application is in, by ID,
	// each time a session begins; those in an outage are among them. It must not
	// take long.
	Guilds func(ids []string)
	// Identifies are the times at which earlier runs of the program started
	// sessions, and SaveIdentifies, if not nil, is given them again with each new
	// one. Discord makes the token invalid after 1,000 in a day; a program
	// that is restarted again and again must not forget them.
	Identifies     []time.Time
	SaveIdentifies func([]time.Time)
}

// Gateway receives interactions from Discord, for as long as it takes. It is
// made by [NewGateway].
type Gateway struct {
	settings   GatewaySettings
	transport  *transport
	log        *slog.Logger
	identifies identifies
	pace       pace

	recent    recent
	slots     chan struct{}
	handlers  drain
	connected atomic.Bool
}

// pace holds the times that tests shorten.
type pace struct {
	open     time.Duration // for a connection to be ready
	healthy  time.Duration // after which a lost connection is no bad sign
	first    time.Duration // the wait after a bad sign; it doubles
	longest  time.Duration
	slot     time.Duration // for an interaction to get a place
	farewell time.Duration // for the connection to be closed in good order
}

// NewGateway makes a gateway. It connects to nothing yet. Errors are those of
// [NewREST].
func NewGateway(s GatewaySettings) (*Gateway, error) {
	t, err := newTransport(s.Base, s.Transport)
	if err != nil {
		return nil, err
	}
	if _, err := s.session(t); err != nil {
		return nil, err
	}
	if s.Handlers <= 0 {
		s.Handlers = 64
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
			slot: discordgo.InteractionDeadline, farewell: 2 * time.Second,
		},
		slots: make(chan struct{}, s.Handlers),
	}, nil
}

// Connected reports whether a session is running now.
func (g *Gateway) Connected() bool { return g.connected.Load() }

// Run connects, hands each interaction to the handler once, and connects again
// whenever the connection is lost. It returns nil when the context is done and
// the handlers have ended, and an error when connecting again is no use: it
// wraps [ErrBadToken], [ErrSharding], [ErrIntents], [ErrVersion] or [ErrForeignHost]
// and says what to do. It can be run once.
//
// Interactions that come while there is no connection are lost; the person is
// told by Discord that we did not answer, and clicks again.
func (g *Gateway) Run(ctx context.Context, handle Handler) error {
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	defer func() {
		if !g.handlers.wait(g.settings.Drain) {
			g.log.Warn("handlers still running; cutting them short")
			stopWork()
			g.handlers.wait(g.settings.Drain)
		}
	}()

	for bad := 0; ; {
		if wait, exhausted := g.identifies.wait(); wait > 0 {
			if exhausted {
				g.log.Error("too many sessions started in a day; waiting so that Discord does not invalidate the token", "wait", wait)
			}
			if pause(ctx, wait) != nil {
				return nil
			}
		}
		begun := time.Now()
		ready, err := g.attempt(ctx, work, handle)
		if ctx.Err() != nil {
			return nil
		}
		var closed *CloseError
		switch {
		case errors.As(err, &closed) && closed.Unwrap() != nil, errors.Is(err, ErrForeignHost):
			g.log.Error("gateway refused; giving up", "err", err)
			return fmt.Errorf("discord gateway: %w", err)
		case ready && time.Since(begun) >= g.pace.healthy:
			bad = 0
		default:
			bad++
		}
		wait := g.pace.first
		for range max(0, bad-1) {
			wait = min(2*wait, g.pace.longest)
		}
		wait = wait/2 + rand.N(wait/2+1)
		g.log.Warn("gateway connection lost; connecting again", "err", err, "was_ready", ready, "wait", wait.Round(time.Millisecond))
		if pause(ctx, wait) != nil {
			return nil
		}
	}
}

// attempt makes one connection and stays until it is over. It reports whether
// a session came to run and why it ended.
func (g *Gateway) attempt(ctx, work context.Context, handle Handler) (ready bool, reason error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	// A session of discordgo's that has lost its connection keeps what it should
	// not; a new one costs nothing.
	session, err := g.settings.session(g.transport)
	if err != nil {
		return false, err
	}
	session.Client.Transport = bound{ctx, g.transport}
	session.Compress, session.Identify.Compress = false, false // the tap reads along
	session.Identify.Intents = discordgo.IntentsNone           // interactions need none, nor does the list of guilds in READY
	session.AddHandler(func(_ *discordgo.Session, i *discordgo.InteractionCreate) { g.dispatch(work, handle, i) })

	taps := make(chan *tap, 1)
	connect := func(encrypted bool) func(context.Context, string, string) (net.Conn, error) {
		return func(_ context.Context, _, addr string) (net.Conn, error) {
			host, _, err := net.SplitHostPort(addr)
			if err != nil || !gatewayHost(g.transport.base, host, encrypted) {
				return nil, fmt.Errorf("%w: gateway %s", ErrForeignHost, addr)
			}
			conn, err := dial(ctx, addr, encrypted)
			if err != nil {
				return nil, err
			}
			t := newTap(conn, g.identifies.add)
			t.guilds = g.settings.Guilds
			select {
			case taps <- t:
				return t, nil
			default: // a second dial of one session: discordgo does not do that
				conn.Close()
				return nil, net.ErrClosed
			}
		}
	}
	session.Dialer = &websocket.Dialer{
		HandshakeTimeout:  g.pace.open,
		NetDialContext:    connect(false),
		NetDialTLSContext: connect(true),
	}
	opened := make(chan error, 1)
	go func() { opened <- session.Open() }()

	limit := time.NewTimer(g.pace.open)
	defer limit.Stop()
	var t *tap
	for isOpen := false; !isOpen || t == nil; {
		select {
		case t = <-taps:
			// Whatever becomes of the session, its connection ends here.
			defer t.Close()
		case err := <-opened:
			if t == nil {
				select {
				case t = <-taps:
					defer t.Close()
				default:
				}
			}
			if err != nil {
				if t != nil && t.reason() != nil {
					err = t.reason()
				}
				return false, openError(err)
			}
			isOpen = true
		case <-limit.C:
			return false, errors.New("no session within " + g.pace.open.String())
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
	select {
	case <-t.ready:
	case <-t.done:
		return false, t.reason()
	case <-limit.C:
		return false, errors.New("no session within " + g.pace.open.String())
	case <-ctx.Done():
		return false, ctx.Err()
	}

	g.change(true)
	defer g.change(false)
	return true, g.watch(ctx, session, t)
}

// openError shortens what discordgo says: a whole page if one came in place of
// the gateway's address.
func openError(err error) error {
	var refused *discordgo.RESTError
	if errors.As(err, &refused) && refused.Response != nil {
		return fmt.Errorf("no address of the gateway: HTTP %s", refused.Response.Status)
	}
	if text := err.Error(); len(text) > maxRefusalText {
		return errors.New(strings.ToValidUTF8(text[:maxRefusalText], "") + "…")
	}
	return err
}

// watch stays until a running session's connection is over and returns why.
func (g *Gateway) watch(ctx context.Context, session *discordgo.Session, t *tap) error {
	// discordgo notices a dead connection after five heartbeats; Discord's rule is
	// one. Two allow for a slow line.
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
			// Closed in good order, the session ends at once and the bot is seen
			// to leave. discordgo waits for a second in there, and must read nothing
			// more: it would answer by a connection that it has let go.
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
		g.log.Info("gateway connected")
	}
	if g.settings.Changed != nil {
		g.settings.Changed(connected)
	}
}

// dispatch hands an interaction to the handler, in the goroutine that discordgo
// has started for the event.
func (g *Gateway) dispatch(ctx context.Context, handle Handler, i *discordgo.InteractionCreate) {
	if i == nil || i.Interaction == nil || i.ID == "" {
		g.log.Warn("an interaction without an ID was dropped")
		return
	}
	if !g.handlers.enter() {
		return
	}
	defer g.handlers.leave()
	log := g.log.With("interaction", i.ID)
	if !g.recent.first(i.ID) {
		log.Info("an interaction came twice; the second was dropped")
		return
	}
	limit := time.NewTimer(g.pace.slot)
	defer limit.Stop()
	select {
	case g.slots <- struct{}{}:
		defer func() { <-g.slots }()
	case <-limit.C:
		log.Error("too many interactions at once; one was dropped")
		return
	}
	defer func() {
		if p := recover(); p != nil {
			log.Error("handler panicked", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	handle(ctx, i)
}

// bound ends requests with a context that discordgo does not know of.
type bound struct {
	ctx  context.Context
	next http.RoundTripper
}

func (b bound) RoundTrip(req *http.Request) (*http.Response, error) {
	return b.next.RoundTrip(req.WithContext(b.ctx))
}

// pause waits or returns the context's error.
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

// drain counts what runs and lets nothing begin once somebody waits for the
// end. (A sync.WaitGroup must not be added to while it is waited for at zero.)
type drain struct {
	mu    sync.Mutex
	n     int
	empty chan struct{} // not nil: closing; closed when n is 0
}

func (d *drain) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.empty != nil {
		return false
	}
	d.n++
	return true
}

func (d *drain) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.n--; d.n == 0 && d.empty != nil {
		close(d.empty)
	}
}

// wait closes the entrance and reports whether all have left in time.
func (d *drain) wait(limit time.Duration) bool {
	d.mu.Lock()
	if d.empty == nil {
		d.empty = make(chan struct{})
		if d.n == 0 {
			close(d.empty)
		}
	}
	empty := d.empty
	d.mu.Unlock()
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-empty:
		return true
	case <-t.C:
		return false
	}
}
