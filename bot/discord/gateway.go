package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// GatewaySettings say how to receive interactions.
type GatewaySettings struct {
	Settings
	// Shards is into how many parts the bot's servers are divided, each with a
	// connection of its own; 0 is as many as Discord recommends when Run begins.
	Shards int
	// Serve, if not nil, decides which shards this process runs, where several share them:
	// it calls run with each, whose session ends with run's context, until its own context
	// is done or run returns an error, which it returns. There are count shards in all and,
	// unless that is fixed, perhaps more. Without it, this process runs all.
	Serve func(ctx context.Context, count int, fixed bool, run func(ctx context.Context, shard, count int) error) error
	// Reserve, if not nil, returns how long to wait until a session of a bucket may be
	// started, a time apart from those that other processes start.
	Reserve func(ctx context.Context, bucket int, apart time.Duration) (time.Duration, error)
	// Claim, if not nil, reports whether this process is to answer an interaction that came
	// to a shard, since two sessions of it may get it. With an error, nobody knows: the
	// handler gets [ErrUnclaimed] or, if it reports false, is not called.
	Claim func(ctx context.Context, shard int, interaction string) (bool, error)
	// Drain is how long running handlers may go on after [Gateway.Run]'s context
	// is done; 0 is 10 s. Then their own context is done too.
	Drain time.Duration
	// Began, if not nil, is called when a session begins to run or to run again.
	Began func(resumed bool)
	// Guilds, if not nil, is called at the start of a new session with the IDs of the
	// guilds that the application is in, including those in an outage. With several
	// shards, that is when each has told its own, and not again unless all begin anew
	// within an hour. It must return quickly. A session can last for weeks: see
	// [REST.Guilds].
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

// Gateway is the connection over which interactions come from Discord, or the
// connections: one for each shard. Make one with [NewGateway].
type Gateway struct {
	settings   GatewaySettings
	transport  *transport
	log        *slog.Logger
	identifies identifies
	pace       pace
	intake     *intake

	mu     sync.Mutex
	shards map[int]*shard // that run here
	lists  map[int]listing
	known  known
}

// known is Discord's newest word about the gateway.
type known struct {
	GatewayInfo
	at time.Time
}

// listing is the guilds of a shard, as of when its session began.
type listing struct {
	ids []string
	at  time.Time
}

// listHolds is for how long the guilds of one shard may be put together with those of
// another that began later.
const listHolds = time.Hour

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
		identifies: newIdentifies(s.Identifies, s.SaveIdentifies),
		pace: pace{
			open: 30 * time.Second, resume: 10 * time.Second, healthy: time.Minute,
			first: time.Second, longest: 5 * time.Minute, unreached: 15 * time.Second,
			farewell: 2 * time.Second, known: 5 * time.Second,
		},
		intake: newIntake(s.log()), shards: map[int]*shard{}, lists: map[int]listing{},
	}, nil
}

// ShardState is how a shard is that this process runs.
type ShardState struct {
	ID, Count int // its number, from 0, and of how many
	Phase     ShardPhase
	Since     time.Time // when the phase began, by this machine's clock
	Guilds    int       // of its own, as of when its session began
}

// ShardPhase is what a shard does.
type ShardPhase string

// The phases.
const (
	ShardWaiting    ShardPhase = "waiting"    // until it may start a session, or try again
	ShardConnecting ShardPhase = "connecting" // or asking for its session
	ShardRunning    ShardPhase = "running"
)

// Shards returns how the shards are that this process runs, by number.
func (g *Gateway) Shards() []ShardState {
	g.mu.Lock()
	defer g.mu.Unlock()
	list := make([]ShardState, 0, len(g.shards))
	for _, s := range g.shards {
		list = append(list, s.state)
	}
	slices.SortFunc(list, func(a, b ShardState) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// Connected returns how many shards are connected now with sessions that run, and how
// many this process has to run, which is 0 before it knows.
func (g *Gateway) Connected() (running, of int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.shards {
		if s.state.Phase == ShardRunning {
			running++
		}
	}
	return running, len(g.shards)
}

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
	take := func(shard int, a arrival) {
		var claim claim
		if g.settings.Claim != nil {
			claim = func(ctx context.Context, id string) (bool, error) { return g.settings.Claim(ctx, shard, id) }
		}
		g.intake.take(work, claim, func(ctx context.Context, req Request, err error) {
			a.place.tell(&req)
			handle(ctx, req, err)
		}, a.InteractionCreate)
	}
	for least := 1; ; {
		count, err := g.count(ctx)
		if err == nil {
			err = g.serve(ctx, max(count, least), take)
		}
		if ctx.Err() != nil {
			return nil
		}
		if errors.Is(err, ErrSharding) && g.settings.Shards == 0 {
			g.forget()
			more, asked := g.count(ctx)
			if least = max(count, least) + 1; asked == nil && more >= least {
				g.log.Warn("Discord demands more shards; starting anew with as many as it recommends", "shards", more)
				continue
			}
		}
		g.log.Error("gateway refused the connection for good; giving up", "err", err)
		return fmt.Errorf("discord gateway: %w", err)
	}
}

// serve runs all shards that this process is to run until the context is done or one of
// them cannot go on.
func (g *Gateway) serve(ctx context.Context, count int, take func(int, arrival)) error {
	if g.settings.Serve != nil {
		return g.settings.Serve(ctx, count, g.settings.Shards != 0, func(ctx context.Context, id, count int) error {
			return g.runShard(ctx, id, count, take)
		})
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var running sync.WaitGroup
	for id := range count {
		running.Go(func() {
			if err := g.runShard(ctx, id, count, take); err != nil {
				stop(err)
			}
		})
	}
	running.Wait()
	return context.Cause(ctx)
}

// runShard runs one shard until the context is done or it cannot go on.
func (g *Gateway) runShard(ctx context.Context, id, count int, take func(int, arrival)) error {
	s := &shard{
		g: g, log: g.log, take: func(a arrival) { take(id, a) },
		state: ShardState{ID: id, Count: count, Phase: ShardWaiting, Since: time.Now()},
	}
	if count > 1 {
		s.log = g.log.With("shard", id)
	}
	g.mu.Lock()
	g.shards[id] = s
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.shards, id)
		delete(g.lists, id)
	}()
	return s.run(ctx)
}

// count returns how many shards there are to be, asking until Discord answers. The
// error is one that asking again does not help, or the context's.
func (g *Gateway) count(ctx context.Context) (int, error) {
	if g.settings.Shards == 1 {
		return 1, nil
	}
	for bad := 1; ; bad++ {
		info, err := g.info(ctx)
		switch {
		case err == nil:
			return cmp.Or(g.settings.Shards, max(1, info.Shards)), nil
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case final(err):
			return 0, err
		}
		wait := g.pace.backOff(bad, false, false)
		g.log.WarnContext(ctx, "could not ask how many connections Discord wants; will ask again", "err", err, "wait", wait.Round(time.Millisecond))
		if err := pause(ctx, wait); err != nil {
			return 0, err
		}
	}
}

// listed notes the guilds of a shard whose session begins, and tells all guilds if
// every shard has told its own lately.
func (g *Gateway) listed(id, count int, ids []string) {
	g.mu.Lock()
	now := time.Now()
	g.lists[id] = listing{ids, now}
	var all []string
	whole := len(g.lists) == count
	for _, id := range slices.Sorted(maps.Keys(g.lists)) {
		whole = whole && now.Sub(g.lists[id].at) < listHolds
		all = append(all, g.lists[id].ids...)
	}
	g.mu.Unlock()
	if whole && g.settings.Guilds != nil {
		g.settings.Guilds(all)
	}
}
