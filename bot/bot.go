package bot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/fleet"
	"github.com/lascabot/lascabot/bot/metrics"
	"github.com/lascabot/lascabot/bot/pace"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/screen"
	"github.com/lascabot/lascabot/bot/turns"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// How the machine's pool is bounded.
const (
	waitingPerShare = 1000
	waitingTotal    = 10000
)

// How a stop proceeds. It ends within the twenty seconds that service managers
// allow: the gateway says goodbye for up to two seconds, handlers have the first
// time to finish and once more that time after they were cut short, and screens
// have the second.
const (
	drainHandlers = 5 * time.Second
	drainScreens  = 5 * time.Second
)

// Options are what a bot is made of. Token, Store and Log are required.
type Options struct {
	Token     string
	API       string            // scheme and host of a Discord-compatible server, "" for Discord
	Transport http.RoundTripper // nil for the default
	Store     storage.Store
	Shards    int // connections to Discord; 0 for as many as it recommends
	// Fleet shares the shards, and what is due in their servers, with other processes on
	// the same store; nil where this one is alone.
	Fleet     storage.Fleet
	Version   string           // of the program, as the others in the fleet see it
	Renderer  *render.Renderer // nil for one with defaults
	Workers   int              // searches at the same time, at least 1
	HashBytes int              // size of each searcher's table
	// KeepFinished is how long games are kept after their end; 0 keeps them.
	KeepFinished time.Duration
	// KeepRemoved is how long the games and settings of a server are kept after
	// the bot was removed from it; 0 keeps them.
	KeepRemoved time.Duration
	// KeepCopies is for how long copies of the store may hold what was deleted
	// from it, as people are told; 0 where nobody knows.
	KeepCopies time.Duration
	Now        func() time.Time // nil for Discord's clock
	Log        *slog.Logger
}

// Bot is the bot. Make one with [New].
type Bot struct {
	opt      Options
	log      *slog.Logger
	rest     *discord.REST
	gateway  *discord.Gateway
	fleet    *fleet.Member // nil where this process is alone
	pool     *turns.Pool
	service  *play.Service
	screens  screens
	renderer *render.Renderer
	store    *metrics.Store
	measures *metrics.Measures
	now      func() time.Time
	stopped  atomic.Pointer[error] // why Run was cancelled, if somebody has said why
	slow     slowAnswers
	emojis   *emojis
	privates *privates
	copies   *copies
	dms      dms
	films    chan struct{} // a place for each file that is being drawn
	pictures chan struct{} // a place for each board that is being drawn
	drawn    *render.Cache[string]
	public   *pace.Limit // commands with public answers
	locked   *pace.Limit // direct messages about locked threads
	// deferAfter is the constant of that name, but for tests in which time
	// stands still for Discord while this machine is slow.
	deferAfter time.Duration
}

// New makes a bot; it does nothing until [Bot.Run]. The error is about the API's
// address.
func New(opt Options) (*Bot, error) {
	if opt.Renderer == nil {
		opt.Renderer = render.New(render.Options{})
	}
	m := metrics.New()
	settings := opt.discord()
	settings.Called, settings.Waited = m.Called, m.Waited
	rest, err := discord.NewREST(settings)
	if err != nil {
		return nil, err
	}
	if opt.Now == nil {
		opt.Now = rest.Now
	}
	b := &Bot{
		opt: opt, log: opt.Log, rest: rest, renderer: opt.Renderer, measures: m, now: opt.Now, deferAfter: deferAfter,
		store: metrics.NewStore(opt.Store, m), films: make(chan struct{}, maxFilms), pictures: make(chan struct{}, maxPictures),
		drawn: render.NewCache[string](filmBytes), public: pace.New(publicBurst, publicEvery), locked: pace.New(1, lockedEvery),
	}
	b.privates = &privates{remove: rest.Delete, now: opt.Now, log: opt.Log, stays: doneStays, by: map[privateKey]private{}}
	b.emojis = newEmojis(rest, opt.Log)
	b.copies = newCopies(b.editCopy, b.privates.dropped, opt.Now, opt.Log)
	b.pool = turns.New(turns.Options{
		Workers: opt.Workers, PerShare: waitingPerShare, Total: waitingTotal,
		NewThinker: func() turns.Thinker { return ai.NewSearcher(opt.HashBytes) },
		Searched: func(waited, took time.Duration, r ai.Report, err error) {
			m.Searched(waited, took, r.Nodes, err)
		},
	})
	b.screens = screens{screen.New(screen.Options{Poster: rest, Look: b.styled, Draw: b.draw, Refreshed: m.Refreshed, Now: opt.Now, Log: opt.Log}), b.copies}
	playing := play.Options{
		Store: b.store, Machine: b.pool, Screen: b.screens, KeepFinished: opt.KeepFinished,
		Tell: b.tell, Connected: b.playable,
		KeepRemoved: opt.KeepRemoved, InGuild: rest.InGuild, Guilds: b.guildIDs, Now: opt.Now, Log: opt.Log,
	}
	gateway := discord.GatewaySettings{
		Settings: settings, Shards: opt.Shards, Drain: drainHandlers,
		Guilds: func(ids []string) { b.service.Present(ids) }, Began: b.began, Now: opt.Now,
	}
	if opt.Fleet != nil {
		b.enlist(&playing, &gateway)
	}
	b.service = play.New(playing)
	if opt.Fleet == nil { // a fleet goes by what Discord says of them all
		gateway.Identifies, gateway.SaveIdentifies = b.loadSessions(context.Background()), b.saveSessions
	}
	b.gateway, err = discord.NewGateway(gateway)
	if err != nil {
		return nil, err
	}
	b.addGauges()
	return b, nil
}

// began is called when a session with Discord runs, or runs again.
func (b *Bot) began(resumed bool) {
	b.measures.Session(resumed)
	if resumed {
		b.service.Resumed()
	}
}

// guildIDs returns the servers that the bot is in.
func (b *Bot) guildIDs(ctx context.Context) ([]string, error) {
	list, err := b.rest.Guilds(ctx)
	if err != nil {
		return nil, err
	}
	ids := []string{}
	for _, g := range list {
		ids = append(ids, g.ID)
	}
	return ids, nil
}

// addGauges adds the measures that are read from the parts of the bot.
func (b *Bot) addGauges() {
	b.measures.Gauge("lascabot_gateway_connected", func() float64 {
		if b.connected() {
			return 1
		}
		return 0
	})
	b.measures.Gauge("lascabot_shards", func() float64 { _, n := b.gateway.Connected(); return float64(n) })
	b.measures.Gauge("lascabot_shards_running", func() float64 { n, _ := b.gateway.Connected(); return float64(n) })
	b.measures.Gauge("lascabot_think_waiting", func() float64 { n, _ := b.pool.Load(); return float64(n) })
	b.measures.Gauge("lascabot_think_running", func() float64 { _, n := b.pool.Load(); return float64(n) })
	b.measures.Gauge("lascabot_screens_waiting", func() float64 { return float64(b.screens.Waiting()) })
}

// WriteMetrics writes the bot's metrics and those of the process in Prometheus'
// text format.
func (b *Bot) WriteMetrics(w io.Writer) { b.measures.Write(w) }

// playable reports whether people can play with this process: whether all connections to
// Discord are there that should be.
func (b *Bot) playable() bool {
	running, of := b.gateway.Connected()
	return of > 0 && running == of
}

// connected is the same, but for a process to which a fleet has left no shard: it stands
// by.
func (b *Bot) connected() bool {
	_, of := b.gateway.Connected()
	return b.playable() || of == 0 && b.fleet != nil && b.fleet.StandsBy()
}

// Shards returns how the connections to Discord are, by number.
func (b *Bot) Shards() []discord.ShardState { return b.gateway.Shards() }

// ErrNotConnected says that there is no connection to Discord now.
var ErrNotConnected = errors.New("not connected to Discord")

// Ready returns nil when the bot is connected to Discord, with every shard, and can store games;
// else [ErrNotConnected], the cause with which the context of [Bot.Run] was
// cancelled, or an error that wraps storage.ErrNotWritten, storage.ErrBroken,
// storage.ErrReplaced or storage.ErrHangs. It takes two seconds at most, even when
// the store does not answer.
func (b *Bot) Ready(ctx context.Context) error {
	if cause := b.stopped.Load(); cause != nil {
		return fmt.Errorf("stopping: %w", *cause)
	}
	if !b.connected() {
		return ErrNotConnected
	}
	if err := b.store.Probe(ctx); err != nil {
		return fmt.Errorf("games cannot be stored: %w", err)
	}
	return nil
}

// Run registers the commands when they differ, connects, and serves until ctx
// ends or the token is refused. Commands that cannot be registered at first are
// tried again while it serves. Then it stops in order: no new interactions, wait
// for the running ones, stop thinking, bring the screens up to date. The store
// stays open.
func (b *Bot) Run(ctx context.Context) error {
	context.AfterFunc(ctx, func() {
		if cause := context.Cause(ctx); cause != ctx.Err() {
			b.stopped.Store(&cause)
		}
	})
	try := func(ctx context.Context) error { return register(ctx, b.rest, b.log) }
	registered := try(ctx)
	switch {
	case registered == nil:
	case ctx.Err() != nil:
		return nil // stopped before it began
	case Refused(registered):
		return registered
	default:
		b.log.WarnContext(ctx, "could not register the commands; will retry", "err", registered, "wait", registerWait)
	}

	if skew, ok := b.rest.Skew(); ok && skew.Abs() > discord.MaxSkew {
		b.log.WarnContext(ctx, "this machine's clock is off; going by Discord's: switch on the synchronisation of time (NTP)", "ahead", skew.Round(time.Second))
	}

	// The first picture makes the sprites of all others; nobody should wait for it.
	if _, err := b.renderer.PNG(ctx, render.Scene{Board: engine.StartSetup(engine.Kawu)}); err != nil && ctx.Err() == nil {
		return fmt.Errorf("drawing: %w", err)
	}

	// Work goes on while the handlers of a stopping gateway finish.
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	var parts sync.WaitGroup
	parts.Go(func() { b.run(work) })
	think, stopThinking := context.WithCancel(work)
	defer stopThinking()
	thought := make(chan struct{})
	parts.Go(func() {
		defer close(thought)
		b.part(think, b.pool.Run)
	})
	if registered != nil {
		parts.Go(func() { registerLater(work, try, b.log) })
	}

	err := b.gateway.Run(ctx, b.interaction) // returns when its handlers have
	last, cancel := context.WithTimeout(work, drainScreens)
	stopThinking() // a move that is made after the screens were brought up to date would not be seen
	select {
	case <-thought:
	case <-last.Done():
	}
	b.screens.Drain(last)
	cancel()
	b.copies.close()
	b.privates.close()
	stopWork()
	parts.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// run does the work that is not tied to one interaction, but for thinking.
func (b *Bot) run(ctx context.Context) {
	parts := []func(context.Context) error{
		b.service.Run, b.emojis.run,
		func(ctx context.Context) error { return b.screens.Run(ctx, shownGames{b.service, b}) },
	}
	var running sync.WaitGroup
	for _, part := range parts {
		running.Go(func() { b.part(ctx, part) })
	}
	running.Wait()
}

// part runs one part of that work.
func (b *Bot) part(ctx context.Context, run func(context.Context) error) {
	if err := run(ctx); err != nil {
		b.log.ErrorContext(ctx, "a part of the bot has stopped", "err", err)
	}
}

func (o *Options) discord() discord.Settings {
	return discord.Settings{Token: o.Token, Base: o.API, Transport: o.Transport, Log: o.Log}
}

// Refused reports whether an error of [Bot.Run] or [Register] is Discord's last
// word: starting again is of no use before the operator has changed something.
func Refused(err error) bool {
	for _, last := range []error{discord.ErrBadToken, discord.ErrIntents, discord.ErrSharding, discord.ErrVersion} {
		if errors.Is(err, last) {
			return true
		}
	}
	return false
}
