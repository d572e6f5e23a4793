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
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// shard is one part of the bot's servers and the connection that serves it.
type shard struct {
	g     *Gateway
	log   *slog.Logger
	take  func(arrival)
	state ShardState // under g.mu

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
	known     time.Duration // for which Discord's word about the gateway holds
}

// maxAsked is how often a session is asked for in a row before it is given up.
const maxAsked = 3

// run connects and connects again until the context is done, or until that cannot help.
func (s *shard) run(ctx context.Context) error {
	for bad := 0; ; {
		s.enter(ShardWaiting)
		done := func() {}
		if s.session.id == "" {
			var err error
			if done, err = s.awaitIdentify(ctx); err != nil {
				return nil
			}
		}
		begun := time.Now()
		reached, ran, err := s.attempt(ctx, done)
		done()
		switch {
		case ctx.Err() != nil:
			return nil
		case final(err):
			return err
		case ran && time.Since(begun) >= s.g.pace.healthy:
			bad = 0
		default:
			bad++
		}
		if endsSession(err) || s.session.asked >= maxAsked {
			s.session = session{}
		}
		resume := s.session.id != ""
		wait := s.g.pace.backOff(bad, reached, resume)
		var none *startsError
		if errors.As(err, &none) {
			wait = max(wait, none.wait)
		}
		level := slog.LevelWarn
		if resume && bad <= 1 {
			level = slog.LevelInfo // Discord does it to every bot several times a day
		}
		s.log.Log(ctx, level, "lost the connection to the gateway; will connect again",
			"err", err, "was_ready", ran, "resume", resume, "wait", wait.Round(time.Millisecond))
		if pause(ctx, wait) != nil {
			return nil
		}
	}
}

// enter notes a phase.
func (s *shard) enter(p ShardPhase) {
	s.g.mu.Lock()
	defer s.g.mu.Unlock()
	if s.state.Phase != p {
		s.state.Phase, s.state.Since = p, time.Now()
	}
}

// awaitIdentify waits until another session may be started. Until done is called, no
// other shard of the bucket starts one.
func (s *shard) awaitIdentify(ctx context.Context) (done func(), err error) {
	b, err := s.g.identifies.enter(ctx, s.bucket())
	if err != nil {
		return nil, err
	}
	wait, exhausted := s.g.identifies.wait(s.bucket(), s.state.Count)
	if exhausted {
		s.log.Error("started too many sessions in a day; waiting so that Discord does not invalidate the token", "wait", wait)
	}
	if err := pause(ctx, wait); err != nil {
		b()
		return nil, err
	}
	return b, nil
}

// bucket is which of the shards that may start sessions at the same time this one is.
func (s *shard) bucket() int {
	s.g.mu.Lock()
	defer s.g.mu.Unlock()
	return s.state.ID % max(1, s.g.known.Concurrency)
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
// the gateway could be reached, whether the session ran, and why it ended. It calls
// identified when a session has been asked for, if one is.
func (s *shard) attempt(ctx context.Context, identified func()) (reached, ran bool, reason error) {
	s.enter(ShardConnecting)
	ws, err := s.connect(ctx)
	if err != nil {
		return false, false, err
	}
	limit := s.g.pace.open
	if s.session.id != "" {
		limit = s.g.pace.resume
	}
	c := &connection{
		ws: ws, token: "Bot " + s.g.settings.Token, session: &s.session, open: limit, farewell: s.g.pace.farewell,
		shard:   [2]int{s.state.ID, s.state.Count},
		reserve: s.reserve(ctx),
		identifying: func() {
			s.g.identifies.add(s.bucket())
			identified()
		},
		running: func(resumed bool, guilds []string) {
			ran = true
			s.begin(resumed, guilds)
		},
		event: func(kind string, data json.RawMessage, replayed bool) {
			if kind == "INTERACTION_CREATE" {
				s.interaction(data, replayed)
			}
		},
	}
	defer s.enter(ShardWaiting)
	err = c.serve(ctx)
	return true, ran, err
}

// reserve returns how to reserve the start of a session among several processes, nil if
// there is one.
func (s *shard) reserve(ctx context.Context) func() (time.Duration, error) {
	reserve := s.g.settings.Reserve
	if reserve == nil {
		return nil
	}
	return func() (time.Duration, error) { return reserve(ctx, s.bucket(), s.g.identifies.pace) }
}

// begin tells that a session runs.
func (s *shard) begin(resumed bool, guilds []string) {
	s.enter(ShardRunning)
	s.log.Info("connected to the gateway", "resumed", resumed)
	if s.g.settings.Began != nil {
		s.g.settings.Began(resumed)
	}
	if guilds != nil {
		s.g.mu.Lock()
		s.state.Guilds = len(guilds)
		s.g.mu.Unlock()
		s.g.listed(s.state.ID, s.state.Count, guilds)
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
func (s *shard) interaction(data json.RawMessage, replayed bool) {
	i := &discordgo.InteractionCreate{}
	if err := json.Unmarshal(data, i); err != nil {
		s.log.Warn("could not read the whole of an interaction", "err", err)
	}
	if replayed && i.Interaction != nil {
		if age := s.g.settings.Now().Sub(snowflakeTime(i.ID)); age >= discordgo.InteractionDeadline {
			s.log.Info("dropped an interaction that came too late to be answered", "interaction", i.ID, "age", age.Round(time.Millisecond))
			return
		}
	}
	go s.take(arrival{i, placeOf(data)})
}

// connect makes a connection to where the session can be resumed, or to where a
// new one can be started.
func (s *shard) connect(ctx context.Context) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, s.g.pace.open)
	defer cancel()
	if at := s.session.address; at != "" && s.session.asked == 0 {
		ws, err := s.connectTo(ctx, at, s.g.pace.resume)
		if err == nil || ctx.Err() != nil {
			return ws, err
		}
		// The address where sessions are started mostly knows this one too.
		s.log.Info("could not connect where Discord keeps the session; trying the gateway's own address", "err", err)
	}
	if s.session.id == "" || s.address == "" {
		at, err := s.ask(ctx)
		if err != nil {
			return nil, err
		}
		s.address = at
	}
	ws, err := s.connectTo(ctx, s.address, s.g.pace.open)
	if err != nil {
		s.address = "" // perhaps there is another
		s.g.forget()
	}
	return ws, err
}

// connectTo makes a connection to one address.
func (s *shard) connectTo(ctx context.Context, at string, limit time.Duration) (*websocket.Conn, error) {
	u, err := url.Parse(at)
	if err != nil {
		return nil, fmt.Errorf("%w: its address", errGarbled)
	}
	u.Path = cmp.Or(u.Path, "/")
	u.RawQuery = url.Values{"v": {discordgo.APIVersion}, "encoding": {"json"}}.Encode()
	d := dialer(limit, func(ctx context.Context, addr string, encrypted bool) (net.Conn, error) {
		return dialGateway(ctx, s.g.transport, addr, encrypted)
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

// ask asks where the gateway is, and whether a session may be started if there is
// none.
func (s *shard) ask(ctx context.Context) (string, error) {
	info, err := s.g.info(ctx)
	if err != nil {
		return "", err
	}
	if s.session.id == "" && info.SessionsTotal > 0 {
		if wait := s.g.identifies.spare(info); wait > 0 {
			return "", &startsError{min(wait, identifyWindow)}
		}
	}
	return info.URL, nil
}

// info is what Discord says about the gateway, and has said lately.
func (g *Gateway) info(ctx context.Context) (GatewayInfo, error) {
	g.mu.Lock()
	known := g.known
	g.mu.Unlock()
	if known.URL != "" && time.Since(known.at) < g.pace.known {
		return known.GatewayInfo, nil
	}
	s, err := g.settings.session(g.transport)
	if err != nil {
		return GatewayInfo{}, err
	}
	got, err := s.GatewayBot(discordgo.WithContext(ctx))
	var refused *discordgo.RESTError
	switch {
	case errors.As(err, &refused) && refused.Response != nil:
		if refused.Response.StatusCode == http.StatusUnauthorized {
			return GatewayInfo{}, ErrBadToken
		}
		return GatewayInfo{}, fmt.Errorf("could not ask for the gateway's address: HTTP %s", refused.Response.Status)
	case err != nil:
		// It may be a whole page that came in place of the address.
		text := err.Error()
		if len(text) > maxRefusalText {
			text = strings.ToValidUTF8(text[:maxRefusalText], "") + "…"
		}
		return GatewayInfo{}, fmt.Errorf("could not ask for the gateway's address: %s", text)
	}
	limit := got.SessionStartLimit
	info := GatewayInfo{
		URL: got.URL, Shards: got.Shards, Concurrency: limit.MaxConcurrency,
		SessionsLeft: limit.Remaining, SessionsTotal: limit.Total, SessionsReset: time.Duration(limit.ResetAfter) * time.Millisecond,
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known.GatewayInfo, g.known.at = info, time.Now()
	return info, nil
}

// forget makes the next one who asks about the gateway ask Discord.
func (g *Gateway) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known.at = time.Time{}
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
