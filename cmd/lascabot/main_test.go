package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// asProgram turns the test binary into lascabot itself, so that tests can run it
// as a process, kill it, and see what it prints.
const asProgram = "LASCABOT_TEST_MAIN"

const testToken = "a-token-that-must-never-be-printed"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		if path := os.Getenv(recordIn); path != "" {
			watched = func(s storage.Store) storage.Store { return writtenDown(s, path) }
		}
		main()
		return
	}
	os.Exit(m.Run())
}

// discord starts a loopback Discord with a channel and Ann in it.
func discord(t *testing.T) (sim *discordsim.Server, url, channel string, ann *discordsim.Actor) {
	t.Helper()
	sim = discordsim.New(discordsim.Options{BotToken: testToken})
	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)
	guild := sim.AddGuild("Club", "en-US")
	channel = sim.AddChannel(guild, "board-room")
	id := sim.AddUser(discordsim.User{Name: "ann", DisplayName: "Ann", Locale: "en-US"})
	sim.Join(guild, id)
	return sim, server.URL, channel, sim.As(id)
}

// buffer collects output of a process that is still running.
type buffer struct {
	mu    sync.Mutex
	data  bytes.Buffer
	grown chan struct{} // closed when data grows; nil while nobody waits
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.grown != nil {
		close(b.grown)
		b.grown = nil
	}
	return b.data.Write(p)
}

// wait waits until the output holds a text.
func (b *buffer) wait(ctx context.Context, text string) error {
	for {
		b.mu.Lock()
		found := strings.Contains(b.data.String(), text)
		if b.grown == nil {
			b.grown = make(chan struct{})
		}
		grown := b.grown
		b.mu.Unlock()
		if found {
			return nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return fmt.Errorf("waiting for %q: %w", text, ctx.Err())
		}
	}
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.String()
}

// lascabot starts the program.
func lascabot(t *testing.T, token string, args ...string) (*exec.Cmd, *buffer) {
	t.Helper()
	out := &buffer{}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = []string{asProgram + "=1", "LASCABOT_TOKEN=" + token, "PATH=" + os.Getenv("PATH"), recordIn + "=" + os.Getenv(recordIn)}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if strings.Contains(out.String(), testToken) {
			t.Error("the token was printed")
		}
		if t.Failed() {
			t.Logf("%v printed:\n%s", args, out)
		}
	})
	return cmd, out
}

// within limits how long a test waits.
func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

func online(s *discordsim.Server) bool { return s.BotOnline() && len(s.Commands("")) > 0 }

// TestRun uses the program as its operator and its players do.
func TestRun(t *testing.T) {
	t.Run("a killed bot goes on with the game, on the same board's buttons", func(t *testing.T) {
		ctx := within(t, time.Minute)
		sim, url, channel, ann := discord(t)
		data := filepath.Join(t.TempDir(), "games.db")
		cmd, _ := lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url)
		if err := sim.WaitFor(ctx, online); err != nil {
			t.Fatal(err)
		}
		reply, err := ann.Type(ctx, channel, "/lasca play level:2 colour:white")
		if err != nil {
			t.Fatal(err)
		}
		board := reply.MessageID
		if _, err := ann.ClickLabel(ctx, channel, board, "c3"); err != nil {
			t.Fatal(err)
		}
		// The answer to this move is what the kill may interrupt.
		if _, err := ann.ClickLabel(ctx, channel, board, "d4"); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if err := sim.WaitFor(ctx, func(s *discordsim.Server) bool { return !s.BotOnline() }); err != nil {
			t.Fatal(err)
		}
		lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url)
		if err := sim.WaitFor(ctx, func(s *discordsim.Server) bool {
			m, _ := s.Message(ann.ID(), channel, board)
			return s.BotOnline() && strings.Contains(m.Content, "move 2")
		}); err != nil {
			t.Fatalf("the machine's move did not come: %v\n%s", err, sim.Transcript(channel))
		}
		if _, err := ann.ClickLabel(ctx, channel, board, "b2×d4"); err != nil {
			t.Fatalf("%v\n%s", err, sim.Transcript(channel))
		}
		if v := sim.Violations(); len(v) > 0 {
			t.Errorf("violations: %v", v)
		}
	})
	t.Run("a second process on the same file is refused within two seconds", func(t *testing.T) {
		ctx := within(t, time.Minute)
		sim, url, _, _ := discord(t)
		data := filepath.Join(t.TempDir(), "games.db")
		lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url)
		if err := sim.WaitFor(ctx, online); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		second, out := lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url)
		_ = second.Wait()
		if code := second.ProcessState.ExitCode(); code != cli.ExitFailed {
			t.Errorf("exit status %d", code)
		}
		if !strings.Contains(out.String(), data) || strings.Count(strings.TrimSpace(out.String()), "\n") > 0 {
			t.Errorf("not one line that names the file:\n%s", out)
		}
		t.Logf("refused after %v", time.Since(begin))
	})
	t.Run("stops in order on a signal", func(t *testing.T) {
		ctx := within(t, time.Minute)
		sim, url, _, _ := discord(t)
		cmd, out := lascabot(t, testToken, "run", "-data", filepath.Join(t.TempDir(), "games.db"), "-discord-api-url", url)
		if err := sim.WaitFor(ctx, online); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v", err)
		}
		if !strings.Contains(out.String(), "stopped") {
			t.Errorf("printed:\n%s", out)
		}
	})
	t.Run("stops within twenty seconds with a full queue of thinking and an answer that Discord does not take", func(t *testing.T) {
		ctx := within(t, time.Minute)
		sim, url, channel, ann := discord(t)
		data := filepath.Join(t.TempDir(), "games.db")
		cmd, out := lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url, "-workers", "1")
		if err := sim.WaitFor(ctx, online); err != nil {
			t.Fatal(err)
		}
		for range 12 { // the machine begins each of them
			if _, err := ann.Type(ctx, channel, "/lasca play level:8 colour:black"); err != nil {
				t.Fatal(err)
			}
		}
		stuckAnswer(t, ctx, sim, channel, ann)
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		late := time.AfterFunc(20*time.Second, func() {
			t.Error("it is still running after 20 seconds")
			_ = cmd.Process.Kill()
		})
		err := cmd.Wait()
		late.Stop()
		if err != nil {
			t.Error(err)
		}
		if err := out.wait(ctx, "msg=stopped"); err != nil {
			t.Error(err)
		}
		t.Logf("stopped after %v", time.Since(begin))
		if out := succeeds(t, "check", "-data", data); !strings.Contains(out, "sound") {
			t.Error(out)
		}
	})
	t.Run("it goes on when the reader of its log goes away", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("no broken pipes")
		}
		ctx := within(t, time.Minute)
		sim, url, channel, ann := discord(t)
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "run", "-data", filepath.Join(t.TempDir(), "games.db"), "-discord-api-url", url)
		cmd.Env = []string{asProgram + "=1", "LASCABOT_TOKEN=" + testToken}
		cmd.Stderr = writer
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
		if err := errors.Join(sim.WaitFor(ctx, online), writer.Close(), reader.Close()); err != nil {
			t.Fatal(err)
		}
		sim.Gateway().Close(4000, "a line for the log")
		for _, state := range []bool{false, true} {
			if err := sim.WaitFor(ctx, func(s *discordsim.Server) bool { return s.BotOnline() == state }); err != nil {
				t.Fatalf("online %t: %v", state, err)
			}
		}
		if _, err := ann.Type(ctx, channel, "/lasca help"); err != nil {
			t.Error(err)
		}
	})
	t.Run("a stop writes no games, however many there are", func(t *testing.T) {
		ctx := within(t, time.Minute)
		sim, url, _, _ := discord(t)
		data := filepath.Join(t.TempDir(), "games.db")
		s, err := boltstore.Open(data, boltstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var records []storage.Record
		for i := range 2000 {
			r := storagetest.AgainstMachine(t, match.ID(fmt.Sprint("g", i)), i, true)
			r.Screen = storage.Screen{Channel: "1", Message: "2", Version: r.Match.Version}
			r.Place.Guild = "" // the bot would record that it is not in it
			records = append(records, r)
		}
		if _, err := s.CreateAll(ctx, records); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		cmd, _ := lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url, "-backup-every", "0")
		if err := sim.WaitFor(ctx, online); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait()); err != nil {
			t.Fatal(err)
		}
		if after, err := os.ReadFile(data); err != nil || !bytes.Equal(before, after) {
			t.Errorf("the file has changed, %v", err)
		}
	})
	t.Run("a second signal ends it at once", func(t *testing.T) {
		ctx := within(t, time.Minute)
		sim, url, channel, ann := discord(t)
		cmd, out := lascabot(t, testToken, "run", "-data", filepath.Join(t.TempDir(), "games.db"), "-discord-api-url", url)
		if err := sim.WaitFor(ctx, online); err != nil {
			t.Fatal(err)
		}
		stuckAnswer(t, ctx, sim, channel, ann)
		for range 2 {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if err := out.wait(ctx, "a second signal stops at once"); err != nil {
				t.Fatal(err)
			}
		}
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != cli.ExitFailed || strings.Contains(out.String(), "msg=stopped") {
			t.Errorf("exit status %d, in order: %t", code, strings.Contains(out.String(), "msg=stopped"))
		}
	})
	t.Run("a refused token ends it with a sentence and a status of its own", func(t *testing.T) {
		_, url, _, _ := discord(t)
		cmd, out := lascabot(t, "another-token-than-the-right-one", "run", "-data", filepath.Join(t.TempDir(), "games.db"), "-discord-api-url", url)
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitRefused {
			t.Errorf("exit status %d", code)
		}
		if !strings.Contains(out.String(), "token") {
			t.Errorf("printed:\n%s", out)
		}
	})
}

// stuckAnswer makes Ann ask for something that Discord accepts no answer to. It
// returns when the bot is waiting for Discord.
func stuckAnswer(t *testing.T, ctx context.Context, sim *discordsim.Server, channel string, ann *discordsim.Actor) {
	t.Helper()
	stuck := make(chan struct{})
	var once sync.Once
	sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
		if !strings.HasSuffix(r.Route, "/callback") {
			return nil
		}
		once.Do(func() { close(stuck) })
		return &discordsim.Fault{Delay: time.Hour}
	})
	go func() { _, _ = ann.Type(ctx, channel, "/lasca help") }()
	select {
	case <-stuck:
	case <-ctx.Done():
		t.Fatal(ctx.Err())
	}
}

// TestUsage checks what the program prints to people who call it wrongly.
func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{nil, cli.ExitUsage, "lascabot run"},
		{[]string{"dance"}, cli.ExitUsage, `no command "dance"`},
		{[]string{"help"}, cli.ExitDone, "lascabot register"},
		{[]string{"run", "-h"}, cli.ExitDone, "LASCABOT_TOKEN"},
		{[]string{"run", "-dance"}, cli.ExitUsage, "dance"},
		{[]string{"run"}, cli.ExitUsage, "LASCABOT_TOKEN"},
		{[]string{"version"}, cli.ExitDone, "go1."},
	} {
		t.Run(fmt.Sprint(c.args), func(t *testing.T) {
			code, stdout, stderr := called(t, c.args...)
			if code != c.code {
				t.Errorf("exit status %d, want %d", code, c.code)
			}
			if !strings.Contains(stdout+stderr, c.says) {
				t.Errorf("it says\n%s%s\nnot %q", stdout, stderr, c.says)
			}
		})
	}
}

func TestRegisterWritesTheCommandsOnce(t *testing.T) {
	sim, url, _, _ := discord(t)
	written := func() (n int) {
		for _, r := range sim.Requests() {
			if r.Method == "POST" {
				n++
			}
		}
		return n
	}
	for range 2 {
		if code, _, stderr := calledWith(t, testToken, "register", "-discord-api-url", url); code != cli.ExitDone {
			t.Fatalf("exit status %d: %s", code, stderr)
		}
	}
	if n := written(); n != 2 { // the slash command and that in the menu of a person
		t.Errorf("%d commands written, want 2", n)
	}
	if v := sim.Violations(); len(v) > 0 {
		t.Errorf("violations: %v", v)
	}
}
