// Command playground is the real bot on a loopback Discord, with a page in the
// browser. You need neither a token nor an account, and nothing leaves your
// machine.
//
// It keeps games and channels in a folder between runs, and you may kill it at
// any moment. -h lists the settings.
//
// # Design
//
// The page, the simulated Discord and the bot run in one process, but the bot
// talks to Discord over HTTP and a websocket on 127.0.0.1, as it would to the
// real one. The simulated Discord accepts only a token made at the start, so
// users of the page cannot act as the bot.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/webui"
	"github.com/lascabot/lascabot/config"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
	"github.com/lascabot/lascabot/storage/memstore"
)

func main() { program.Main() }

var program = cli.Program{
	Name:  "playground",
	About: "playground is the real bot on a Discord of its own, with a page in the browser.",
	Commands: []cli.Command{{
		Short: "serves the page until it is stopped",
		Long: `
You need neither a token nor an account, and nothing leaves this machine. It
prints the address of the page.`,
		Setup: func(f *cli.Flags) cli.Action {
			set := config.PlaygroundFlags(f)
			return func(ctx context.Context, c *cli.Call) error { return run(ctx, set, c.Out, set.Log.Logger(c.Err)) }
		},
	}},
	Status: func(error) int { return cli.ExitFailed }, // for wrong calls too
}

// run serves until ctx ends. It prints the page's address on a line of its own
// once everything works.
func run(ctx context.Context, c *config.Playground, stdout io.Writer, log *slog.Logger) (err error) {
	token := rand.Text()
	sim, store, err := open(c.Data, discordsim.Options{BotToken: token, Log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close(), sim.Close()) }()
	populate(sim)

	// The page and the simulated Discord listen on different ports, so that no
	// page in the browser has the simulated Discord as its origin.
	discord, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	page, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return fmt.Errorf("%w: choose another address with -addr", errors.Join(err, discord.Close()))
	}

	b, err := bot.New(bot.Options{
		Token: token, API: "http://" + discord.Addr().String(), Store: store,
		Workers: c.Machine.Workers, HashBytes: c.Machine.HashBytes, Log: log,
	})
	if err != nil {
		return errors.Join(err, discord.Close(), page.Close())
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	ui := webui.Handler(sim, webui.Options{Examples: []string{"/lasca play", "/lasca challenge", "/lasca help"}})
	done := make(chan error, 2)
	go func() { done <- serve(serving, discord, sim) }()
	go func() { done <- serve(serving, page, ui) }()

	botDone := make(chan error, 1)
	go func() { botDone <- b.Run(ctx) }()
	if sim.WaitFor(ctx, (*discordsim.Server).BotOnline) == nil {
		address := "http://" + page.Addr().String()
		fmt.Fprintf(stdout, "Lasca playground: %s\n", address)
		if c.Open {
			openBrowser(log, address)
		}
	}
	err = <-botDone // the bot stops first, while its Discord is still there
	stop()
	return errors.Join(err, <-done, <-done)
}

// open opens what a folder keeps. Without a folder it keeps everything in memory.
func open(folder string, o discordsim.Options) (*discordsim.Server, storage.Store, error) {
	if folder == "" {
		return discordsim.New(o), memstore.New(), nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, nil, err
	}
	// The file of games is locked against a second playground, so it comes first.
	store, err := boltstore.Open(filepath.Join(folder, "games.db"), boltstore.Options{Log: o.Log})
	if err != nil {
		return nil, nil, err
	}
	sim, err := discordsim.Open(filepath.Join(folder, "discord.journal"), o)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	return sim, store, nil
}

// populate creates the people and channels of a new world.
func populate(sim *discordsim.Server) {
	sim.SetDisplayName(sim.BotID(), "Lasca")
	if len(sim.Guilds()) > 0 {
		return
	}
	guild := sim.AddGuild("Lasca club", "en-US")
	for _, name := range []string{"welcome", "board-room", "quiet-table"} {
		sim.AddChannel(guild, name)
	}
	german := sim.AddGuild("Lasca-Verein", "de")
	sim.AddChannel(german, "spielsaal")
	outside := sim.AddForeignGuild("Chess club", "en-US") // without the bot
	sim.AddChannel(outside, "lobby")
	var people []string
	for _, u := range []discordsim.User{
		{Name: "ann", DisplayName: "Ann", Locale: "en-US"},
		{Name: "ben", DisplayName: "Ben", Locale: "en-GB"},
		{Name: "cleo", DisplayName: "Cleo", Locale: "de"},
	} {
		id := sim.AddUser(u)
		sim.Join(guild, id)
		sim.Join(german, id)
		sim.Join(outside, id)
		people = append(people, id)
	}
	// Ann can take the bot along to where it is not.
	sim.SetInstalled(people[0], true)
	sim.AddGroupDM("Lasca friends", people...)
}

// bodyTime is how long a request may take to arrive.
const bodyTime = 10 * time.Second

// inTime gives up requests whose bodies stall. The server's own ReadTimeout would
// also end the stream of events and the websocket, whose requests have no body.
func inTime(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != http.NoBody {
			c := http.NewResponseController(w)
			if c.SetReadDeadline(time.Now().Add(bodyTime)) == nil {
				r.Body = &timedBody{r.Body, c}
			}
		}
		h.ServeHTTP(w, r)
	})
}

// timedBody is a body that has to be there by a deadline, which ends with it.
type timedBody struct {
	io.ReadCloser
	conn *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.conn.SetReadDeadline(time.Time{}) // the connection is watched for its end from now on
	}
	return n, err
}

// serve answers requests until ctx ends.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{
		Handler: inTime(h), ReadHeaderTimeout: bodyTime, IdleTimeout: 2 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// openBrowser opens the page in the system's browser.
func openBrowser(log *slog.Logger, address string) {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", address)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	default:
		cmd = exec.Command("xdg-open", address)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		log.Warn("could not open the browser; open the address yourself", "err", err, "said", strings.TrimSpace(string(out)))
	}
}
