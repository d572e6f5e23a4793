package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// asProgram makes the test binary be lascabot itself, so that tests can run it
// as a process, kill it, and see what it prints.
const asProgram = "LASCABOT_TEST_MAIN"

const testToken = "a-token-that-must-never-be-printed"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
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
	mu   sync.Mutex
	data bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.Write(p)
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
	cmd.Env = []string{asProgram + "=1", "LASCABOT_TOKEN=" + token, "PATH=" + os.Getenv("PATH")}
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

// within gives a test's waits an end.
func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

func online(s *discordsim.Server) bool { return s.BotOnline() && len(s.Commands("")) > 0 }

// TestRun uses the program as its operator and its players do.
func TestRun(t *testing.T) {
	t.Run("bug 32: a killed bot goes on with the game, on the same board's buttons", func(t *testing.T) {
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
		if _, err := ann.ClickLabel(ctx, channel, board, "b2 ×1"); err != nil {
			t.Fatalf("%v\n%s", err, sim.Transcript(channel))
		}
		if v := sim.Violations(); len(v) > 0 {
			t.Errorf("violations: %v", v)
		}
	})
	t.Run("bugs 6 and 39: a second process on the same file is refused within two seconds", func(t *testing.T) {
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
		if code := second.ProcessState.ExitCode(); code != exitFailed {
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

// TestUsage holds what is printed to people who call it wrongly.
func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{nil, exitUsage, "lascabot run"},
		{[]string{"dance"}, exitUsage, `no command "dance"`},
		{[]string{"help"}, exitDone, "lascabot register"},
		{[]string{"run", "-h"}, exitDone, "LASCABOT_TOKEN"},
		{[]string{"run", "-dance"}, exitUsage, "dance"},
		{[]string{"run"}, exitUsage, "LASCABOT_TOKEN"},
		{[]string{"version"}, exitDone, "go1."},
	} {
		t.Run(fmt.Sprint(c.args), func(t *testing.T) {
			var out bytes.Buffer
			a := app{args: c.args, getenv: func(string) string { return "" }, stdout: &out, stderr: &out}
			if code := a.main(t.Context()); code != c.code {
				t.Errorf("exit status %d, want %d", code, c.code)
			}
			if !strings.Contains(out.String(), c.says) {
				t.Errorf("it says\n%s\nnot %q", out.String(), c.says)
			}
		})
	}
}

// TestRegister holds that the commands are written once and then left alone.
func TestRegister(t *testing.T) {
	sim, url, _, _ := discord(t)
	puts := func() (n int) {
		for _, r := range sim.Requests() {
			if r.Method == "PUT" {
				n++
			}
		}
		return n
	}
	for range 2 {
		var out bytes.Buffer
		a := app{
			args:   []string{"register", "-discord-api-url", url},
			getenv: func(name string) string { return map[string]string{"LASCABOT_TOKEN": testToken}[name] }, stdout: &out, stderr: &out,
		}
		if code := a.main(t.Context()); code != exitDone {
			t.Fatalf("exit status %d: %s", code, out.String())
		}
	}
	if n := puts(); n != 1 {
		t.Errorf("written %d times", n)
	}
	if v := sim.Violations(); len(v) > 0 {
		t.Errorf("violations: %v", v)
	}
}
