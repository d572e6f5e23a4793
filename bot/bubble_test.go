package bot_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
)

// bubble is a loopback Discord and a bot in a synctest bubble, connected in memory:
// time passes only while everybody waits, and then at once.
type bubble struct {
	t     *testing.T
	sim   *discordsim.Server
	store storage.Store
	bot   *bot.Bot
	guild string
}

// pipes is a listener whose connections are pipes in memory.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	deaf   atomic.Bool // gateway connections hear nothing more
}

// end is the bot's end of a pipe. discordgo sleeps with a lock held while it closes a
// connection, and who waits for a lock stops the time of a bubble. So it must not hear
// the other side then.
type end struct {
	net.Conn
	from    *pipes
	gateway atomic.Bool
	closed  chan struct{}
	once    sync.Once
}

func (e *end) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("Upgrade: websocket")) {
		e.gateway.Store(true)
	}
	return e.Conn.Write(p)
}

func (e *end) Read(p []byte) (int, error) {
	n, err := e.Conn.Read(p)
	if e.gateway.Load() && e.from.deaf.Load() {
		<-e.closed
		return 0, net.ErrClosed
	}
	return n, err
}

func (e *end) Close() error {
	e.once.Do(func() { close(e.closed) })
	return e.Conn.Close()
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { close(p.closed); return nil }

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return &end{Conn: ours, from: p, closed: make(chan struct{})}, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inBubble runs a test with a bot that is ready. Boards are in letters, which draw
// faster.
func inBubble(t *testing.T, test func(*bubble), before ...func(*bubble)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bubble{t: t, store: memstore.New(), sim: discordsim.New(discordsim.Options{MaxRequests: 1, MaxMessages: 400})}
		line := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
		server := &http.Server{Handler: b.sim, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
		go func() {
			if err := server.Serve(line); !errors.Is(err, http.ErrServerClosed) {
				t.Error(err)
			}
		}()
		transport := &http.Transport{DialContext: line.dial, MaxIdleConnsPerHost: 1000}
		b.guild = b.sim.AddGuild("Club", "en-US")
		if err := b.store.SaveSettings(t.Context(), "guild "+b.guild, storage.Settings{Text: true}); err != nil {
			t.Fatal(err)
		}
		for _, f := range before {
			f(b)
		}
		lascabot, err := bot.New(bot.Options{
			Token: "token", API: "http://discord.test", Transport: transport, Store: b.store, Renderer: render.New(render.Options{}),
			Workers: 1, HashBytes: 1 << 20, Now: time.Now, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		})
		if err != nil {
			t.Fatal(err)
		}
		b.bot = lascabot
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- lascabot.Run(ctx) }()
		if err := b.sim.WaitFor(t.Context(), ready); err != nil {
			t.Fatal(err)
		}
		test(b)
		line.deaf.Store(true)
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the bot stopped with %v", err)
		}
		transport.CloseIdleConnections()
		b.sim.Close()
		server.Close()
		time.Sleep(20 * time.Minute) // the last timers of the simulator
	})
}

// person adds somebody to the server.
func (b *bubble) person(name string) *discordsim.Actor {
	id := b.sim.AddUser(discordsim.User{Name: name, DisplayName: name, Locale: "en-US"})
	b.sim.Join(b.guild, id)
	return b.sim.As(id)
}
