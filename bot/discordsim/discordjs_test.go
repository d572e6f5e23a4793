package discordsim_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// TestDiscordJS uses discord.js, a client that shares nothing with ours. It logs
// in, registers commands, answers in all ways, edits with files, resumes, and
// starts a new session. If it expects something of Discord and does not find it,
// that is a bug in the simulator.
//
// It needs node and the packages of .ci/discordjs (npm ci). Without them it is
// skipped, unless LASCA_DISCORDJS is set.
func TestDiscordJS(t *testing.T) {
	folder := filepath.Join("..", "..", ".ci", "discordjs")
	missing := t.Skipf
	if os.Getenv("LASCA_DISCORDJS") != "" {
		missing = t.Fatalf
	}
	node, err := exec.LookPath("node")
	if err != nil {
		missing("node is not installed: %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules", "discord.js")); err != nil {
		missing("run \"npm ci\" in .ci/discordjs first: %v", err)
	}
	t.Parallel()
	w := newWorld(t, discordsim.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // it waits five seconds between sessions
	defer cancel()
	w.ctx = ctx
	var out bytes.Buffer
	cmd := exec.CommandContext(w.ctx, node, "client.js", w.srv.URL)
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("it printed:\n%s\n%s", out.String(), w.sim.Transcript(w.general))
		}
	})

	wait := func(what string, cond func(*discordsim.Server) bool) {
		t.Helper()
		if err := w.sim.WaitFor(w.ctx, cond); err != nil {
			t.Fatalf("waiting until %s: %v", what, err)
		}
	}
	ann := w.sim.As(w.ann)
	run := func(command, text string) discordsim.Message {
		t.Helper()
		r, err := ann.Type(w.ctx, w.general, "/"+command)
		if err != nil {
			t.Fatalf("/%s: %v", command, err)
		}
		var m discordsim.Message
		wait("/"+command+" says "+text, func(s *discordsim.Server) bool {
			m, _ = s.Message(w.ann, w.general, r.MessageID)
			return m.Content == text && !m.Loading
		})
		return m
	}
	sessions := func(n int) func(*discordsim.Server) bool {
		return func(s *discordsim.Server) bool {
			return s.Gateway().Identifies() == n && s.BotOnline() && s.Gateway().Connections() == 1
		}
	}

	wait("it is online and has registered its commands", func(s *discordsim.Server) bool { return s.BotOnline() && len(s.Commands("")) == 5 })
	run("ping", "pong")
	run("later word:hello", "next")
	if m := run("whisper", "just you"); m.EphemeralFor != w.ann {
		t.Error("not private")
	}
	board := run("board", "board")
	for _, step := range []struct{ label, text string }{{"Next", "edited"}, {"Again", "the end"}} {
		if _, err := ann.ClickLabel(w.ctx, w.general, board.ID, step.label); err != nil {
			t.Fatal(err)
		}
		wait("the board says "+step.text, func(s *discordsim.Server) bool {
			m, _ := s.Message(w.ann, w.general, board.ID)
			return m.Content == step.text && len(m.Attachments) == 1
		})
	}

	w.sim.Gateway().Reconnect() // op 7: it resumes
	wait("it is away", func(s *discordsim.Server) bool { return !s.BotOnline() })
	wait("it has resumed", sessions(1))
	run("ping", "pong")
	w.sim.Gateway().Close(4009, "Session timed out.") // it starts a new session
	wait("it has a new session", sessions(2))
	run("ping", "pong")

	run("quit", "bye")
	if err := <-over; err != nil {
		t.Errorf("discord.js: %v", err)
	}
	if text := strings.TrimSpace(out.String()); strings.Contains(strings.ToLower(text), "deprecat") {
		t.Error("it warns of deprecated features")
	}
	w.clean()
}
