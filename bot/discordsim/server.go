package discordsim

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// Server is the loopback Discord: an http.Handler that serves the REST
// interface, the gateway (at "/" and "/gateway") and uploaded files. Make one
// with [New] or [Open]. All methods are safe for concurrent use.
type Server struct {
	opts     Options
	clock    Clock
	log      *slog.Logger
	upgrader websocket.Upgrader

	mu     sync.Mutex
	closed bool
	lastID uint64

	appID, botID string
	users        map[string]*User
	userOrder    []string
	guilds       map[string]*guild
	guildOrder   []string
	channels     map[string]*channel
	channelOrder []string
	commands     []*check.Command
	blobs        map[string]*blob
	oldBlobs     []string    // no longer referenced, newest last
	emoji        []*AppEmoji // oldest first

	interactions map[string]*interaction // by ID
	byToken      map[string]*interaction
	interOrder   []*interaction

	sessions []*session // newest last
	conns    map[*conn]struct{}
	gw       gatewayFaults

	fault      func(*Request) *Fault
	buckets    map[string]*bucket
	global     bucket
	emojis     bucket // of all routes for emoji together
	requests   []*Request
	requestN   int
	violations []string

	seq     uint64
	changed chan struct{} // closed and replaced at every change
	subs    map[*subscriber]struct{}

	journal *journal
}

const (
	maxViolations = 1000
	botName       = "lasca"
)

// New makes an empty world in memory: it has no guilds, and no users but the bot
// itself.
func New(o Options) *Server {
	o = o.withDefaults()
	s := &Server{
		opts:         o,
		clock:        o.Clock,
		log:          o.Log,
		users:        map[string]*User{},
		guilds:       map[string]*guild{},
		channels:     map[string]*channel{},
		blobs:        map[string]*blob{},
		interactions: map[string]*interaction{},
		byToken:      map[string]*interaction{},
		conns:        map[*conn]struct{}{},
		buckets:      map[string]*bucket{},
		changed:      make(chan struct{}),
		subs:         map[*subscriber]struct{}{},
		gw:           gatewayFaults{identified: map[int]time.Time{}},
	}
	s.botID = s.newID()
	// The application and its bot share one ID, as in every newer application.
	s.appID = s.botID
	s.users[s.botID] = &User{ID: s.botID, Name: botName, DisplayName: botName, Locale: "en-US", Bot: true}
	s.userOrder = []string{s.botID}
	return s
}

// Close ends every gateway connection and closes the journal; waiting actors
// return with [ErrClosed]. The error is the journal's.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	for c := range s.conns {
		c.push(outgoing{close: websocket.CloseGoingAway, reason: "server closed"})
	}
	for _, in := range s.interOrder {
		in.finish(nil, ErrClosed)
	}
	for sub := range s.subs {
		sub.end()
	}
	s.wake()
	if s.journal != nil {
		return s.journal.close()
	}
	return nil
}

// BotID gives the user ID of the bot.
func (s *Server) BotID() string { return s.botID }

// ApplicationID gives the ID of the bot's application.
func (s *Server) ApplicationID() string { return s.appID }

// Violations gives what the bot has done wrong so far, oldest first: broken
// limits, errors in the protocol, and the rules that this package adds (see the
// package comment). A test of a well-behaved bot ends without any. At most 1,000
// are kept.
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.violations...)
}

// violate records a violation. The caller holds s.mu.
func (s *Server) violate(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.log.Warn("the bot broke a rule", "violation", text)
	if len(s.violations) < maxViolations {
		s.violations = append(s.violations, text)
	}
	s.wake()
}

// wake lets every WaitFor look again. The caller holds s.mu.
func (s *Server) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// WaitFor returns nil as soon as cond is true, [ErrClosed] if the server closes
// first, and the context's error if ctx ends first. cond is called at once and
// after every change of the world, the violations, the request log or the
// gateway. No locks are held, so it may call any method that reads.
func (s *Server) WaitFor(ctx context.Context, cond func(*Server) bool) error {
	for {
		s.mu.Lock()
		changed, closed := s.changed, s.closed
		s.mu.Unlock()
		if cond(s) {
			return nil
		}
		if closed {
			return ErrClosed
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
