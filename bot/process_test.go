package bot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
)

// Environment variables that configure a bot in a process of its own.
const (
	botAPI     = "LASCA_TEST_BOT_API"     // the address of its Discord; makes the test binary run a bot
	botData    = "LASCA_TEST_BOT_DATA"    // its file of games
	botWitness = "LASCA_TEST_BOT_WITNESS" // where it writes what it has saved, "" for nowhere
	botMetrics = "LASCA_TEST_BOT_METRICS" // where it writes its metrics when it stops, "" for nowhere
	botProfile = "LASCA_TEST_BOT_PROFILE" // where it writes a CPU profile, "" for nowhere
)

func TestMain(m *testing.M) {
	if os.Getenv(botAPI) != "" {
		if err := botProcess(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		// These tests wait more than they compute: discordgo takes a second to close
		// a connection.
		if err := flag.Set("test.parallel", "32"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// botProcess runs a bot as the whole process.
func botProcess() (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if path := os.Getenv(botProfile); path != "" {
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	var store storage.Store
	store, err = boltstore.Open(os.Getenv(botData), boltstore.Options{Log: log})
	if err != nil {
		return err
	}
	defer store.Close()
	if path := os.Getenv(botWitness); path != "" {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer f.Close()
		store = &witness{Store: store, out: f}
	}
	b, err := bot.New(bot.Options{
		Token: "token", API: os.Getenv(botAPI), Store: store, Workers: 1, HashBytes: 1 << 20, Log: log,
	})
	if err != nil {
		return err
	}
	if err := b.Run(ctx); err != nil {
		return err
	}
	if path := os.Getenv(botMetrics); path != "" {
		var text bytes.Buffer
		b.WriteMetrics(&text)
		return os.WriteFile(path, text.Bytes(), 0o600)
	}
	return nil
}

// witness is a store that also writes every version of every game to a file,
// after it is saved and before anybody sees it. The file outlives the process, so
// that a test can compare what people saw with it.
type witness struct {
	storage.Store
	mu  sync.Mutex
	out io.Writer
}

func (w *witness) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	err := w.Store.Create(ctx, r, on...)
	return w.note(r.Match, err)
}

func (w *witness) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	err := w.Store.Save(ctx, m, prev, on...)
	return w.note(m, err)
}

// SaveState stores nothing, not even when the bot started its sessions. A bot that
// remembers waits five seconds at each start, as Discord wants it.
func (w *witness) SaveState(context.Context, string, []byte, ...storage.Basis) error { return nil }

func (w *witness) note(m match.Match, err error) error {
	if err != nil {
		return err
	}
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.out.Write(append(line, '\n')) // one write: only the last line of the file can be cut off
	return err
}

// child is a bot in a process of its own.
type child struct {
	cmd *exec.Cmd
	out *os.File // its output
}

// newSim starts a loopback Discord and returns its address as well.
func newSim(t *testing.T, opt discordsim.Options) (sim *discordsim.Server, api string) {
	t.Helper()
	sim = discordsim.New(opt)
	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)
	return sim, server.URL
}

// ready reports whether the bot is online and its commands are registered.
func ready(s *discordsim.Server) bool { return s.BotOnline() && len(s.Commands("")) > 0 }

// startBot starts a bot as a process, with its files in dir. The end of the test
// kills it if it still runs.
func startBot(t *testing.T, api, dir string, env ...string) *child {
	t.Helper()
	out, err := os.OpenFile(filepath.Join(dir, "log"), os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: exec.Command(os.Args[0]), out: out}
	c.cmd.Env = append(os.Environ(), botAPI+"="+api, botData+"="+filepath.Join(dir, "games.db"))
	c.cmd.Env = append(c.cmd.Env, env...)
	c.cmd.Stdout, c.cmd.Stderr = out, out
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.kill)
	return c
}

// kill ends the process as kill -9 or a power cut does.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
	_ = c.out.Close()
}

// stop asks the process to stop and waits for it.
func (c *child) stop() error {
	defer c.out.Close()
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return c.cmd.Wait()
}

// printed returns the end of the output of the bots in a folder.
func printed(dir string) string {
	data, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		return err.Error()
	}
	const most = 6000
	if len(data) > most {
		data = data[len(data)-most:]
	}
	return strings.ToValidUTF8(string(data), "")
}
