package bot_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/internal/openapicheck"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
)

// renderer is shared by all tests, so that its sprites are made once.
var renderer = sync.OnceValue(func() *render.Renderer { return render.New(render.Options{}) })

// keepRemoved is how long the bots in these tests keep the data of a server that
// removed them.
const keepRemoved = 30 * 24 * time.Hour

// world is a loopback Discord with two people, and the bot in it.
type world struct {
	t          *testing.T
	deferAfter time.Duration
	ctx        context.Context
	sim        *discordsim.Server
	clock      *discordsim.ManualClock
	now        func() time.Time            // the bot's clock, nil for its own
	messages   int                         // how many a channel keeps, 0 for the simulator's default
	shards     int                         // that Discord recommends, 0 for one
	uploads    bool                        // the bot uploads its emoji, without waits; else it never does
	pardoned   func(violation string) bool // nil for none
	options    func(*bot.Options)          // changes how each bot is made, nil for not
	store      storage.Store
	writes     bell // rings after each write of the bot to the store
	http       *httptest.Server
	guild      string
	channel    string
	ann        *discordsim.Actor
	ben        *discordsim.Actor // reads German
	bot        *bot.Bot
	stop       func()
}

// testLog writes the bot's log into the test's output.
type testLog struct{ t *testing.T }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Log(strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

// newWorld starts a loopback Discord and a bot that is ready.
func newWorld(t *testing.T) *world {
	t.Helper()
	return worldOn(t, memstore.New(), 30*time.Second)
}

// newWorldOn is newWorld with a store of the test's own. The bot defers its
// answers as in real life, so that the store may be slow. In other worlds it does
// not, because Discord's time stands still however slow the machine is.
func newWorldOn(t *testing.T, store storage.Store) *world {
	t.Helper()
	return worldOn(t, store, 1500*time.Millisecond)
}

func worldOn(t *testing.T, store storage.Store, deferAfter time.Duration, set ...func(*world)) *world {
	t.Helper()
	t.Parallel() // discordgo takes a second to close a connection
	// The limit only ends tests that hang. A whole game takes some seconds, but minutes
	// with the race detector beside many others on a busy machine.
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	t.Cleanup(cancel)
	w := &world{t: t, ctx: ctx, deferAfter: deferAfter, clock: discordsim.NewManualClock(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))}
	w.now = w.clock.Now
	for _, f := range set {
		f(w)
	}
	w.sim = discordsim.New(discordsim.Options{Clock: w.clock, MaxMessages: w.messages, Shards: w.shards, MaxConcurrency: 16})
	w.http = httptest.NewServer(w.sim)
	t.Cleanup(w.http.Close)
	w.guild = w.sim.AddGuild("Club", "en-US")
	w.channel = w.sim.AddChannel(w.guild, "board-room")
	w.ann = w.join(discordsim.User{Name: "ann", DisplayName: "Ann", Locale: "en-US"})
	w.ben = w.join(discordsim.User{Name: "ben", DisplayName: "Ben", Locale: "de"})
	w.store = store
	w.start()
	t.Cleanup(func() {
		w.stop()
		for _, v := range w.sim.Violations() {
			if w.pardoned != nil && w.pardoned(v) {
				continue
			}
			t.Errorf("violation: %s", v)
		}
		if c, ok := openapicheck.Find(t); ok { // not every machine has Discord's own description
			for _, r := range w.sim.Requests() {
				if err := c.Check(r.Method, r.Path, r.Body); err != nil {
					t.Errorf("%v in %s", err, r.Body)
				}
			}
		}
		if t.Failed() {
			t.Log(w.sim.Transcript(w.channel))
		}
	})
	return w
}

// join adds somebody to Discord and to the server.
func (w *world) join(u discordsim.User) *discordsim.Actor {
	id := w.sim.AddUser(u)
	w.sim.Join(w.guild, id)
	return w.sim.As(id)
}

// start runs a bot on the world's store until stop is called.
func (w *world) start() {
	w.t.Helper()
	level := slog.LevelWarn
	opt := bot.Options{
		Token: "token", API: w.http.URL, Store: signalling{w.store, &w.writes}, Renderer: renderer(), Workers: 1, HashBytes: 1 << 20, Now: w.now,
		KeepRemoved: keepRemoved, KeepCopies: 7 * 24 * time.Hour,
		Log: slog.New(slog.NewTextHandler(testLog{w.t}, &slog.HandlerOptions{Level: level})),
	}
	if w.options != nil {
		w.options(&opt)
	}
	b, err := bot.New(opt)
	if err != nil {
		w.t.Fatal(err)
	}
	b.DeferAfter(w.deferAfter)
	b.Uploads(w.uploads)
	w.bot = b
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.Run(ctx) }()
	w.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Errorf("the bot stopped with %v", err)
		}
		// Otherwise the next interaction may go to the bot that is leaving.
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := w.sim.WaitFor(ctx, func(s *discordsim.Server) bool { return !s.BotOnline() }); err != nil {
			w.t.Errorf("the bot has stopped but is still online: %v", err)
		}
	})
	w.wait("the bot is online and its commands are registered", func(s *discordsim.Server) bool {
		return ready(s) && len(s.Gateway().Sessions()) >= w.shards
	})
}

// wait waits for a condition on the world.
func (w *world) wait(what string, cond func(*discordsim.Server) bool) {
	w.t.Helper()
	if err := w.sim.WaitFor(w.ctx, cond); err != nil {
		w.t.Fatalf("waiting until %s: %v\n%s", what, err, w.sim.Transcript(w.channel))
	}
}

// stored waits for a condition on the store, which the loopback Discord does not
// know about.
func (w *world) stored(what string, cond func() bool) {
	w.t.Helper()
	for {
		written := w.writes.next()
		if cond() {
			return
		}
		select {
		case <-written:
		case <-w.ctx.Done():
			w.t.Fatalf("waiting until %s: %v\n%s", what, w.ctx.Err(), w.sim.Transcript(w.channel))
		}
	}
}
