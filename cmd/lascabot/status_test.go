//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/config/cli/clitest"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/pgstore/pgtest"
	"os/exec"
)

// twoProcesses is the status of a bot with two processes, one of which has lost Discord.
func twoProcesses() bot.Status {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return bot.Status{
		At: at,
		Processes: []bot.Process{
			{
				Host: "one", PID: 41, Version: "v1.2.3 go1.26", Started: at.Add(-50 * time.Hour), Up: 180000, Ready: true,
				Shards:  []bot.Shard{{ID: 0, Of: 2, Connected: true, Since: at.Add(-time.Hour)}},
				Answers: bot.Speed{Count: 12345, P50: .0421, P99: .25}, Failed: 3, Thinking: bot.Load{Workers: 2, Running: 2, Waiting: 17},
				Screens: 4, Reads: bot.Speed{Count: 98765, P50: .00002, P99: .0004}, Writes: bot.Speed{Count: 4321, P50: .0031, P99: 1.25},
			},
			{
				Host: "another", PID: 7, Version: "v1.2.2 go1.26", Started: at.Add(-time.Minute), Up: 61.4, Problem: "not connected to Discord",
				Shards: []bot.Shard{{ID: 1, Of: 2}}, Thinking: bot.Load{Workers: 1},
			},
		},
		Games: &storage.Counts{Running: 120, Proposed: 5, Finished: 2000},
		Due: []bot.Due{
			{Kind: storage.DueMachine, Count: 19, Oldest: 3.25},
			{Kind: storage.DueScreen, Count: 1000, More: true, Oldest: 4000},
			{Kind: storage.DueExpiry},
		},
	}
}

// TestStatusListsEveryProcessShardAndKindOfWork compares what is printed with a file.
func TestStatusListsEveryProcessShardAndKindOfWork(t *testing.T) {
	silent := twoProcesses()
	silent.Games, silent.Due, silent.Problem = nil, nil, "the store did not say what is due: it hangs\nfor a minute"
	var text, broken, asJSON bytes.Buffer
	e := json.NewEncoder(&asJSON)
	e.SetIndent("", "  ")
	if err := errors.Join(writeStatus(&text, twoProcesses()), writeStatus(&broken, silent), e.Encode(twoProcesses())); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{"status.txt": text.String(), "status_silent.txt": broken.String(), "status.json": asJSON.String()} {
		path := filepath.Join("testdata", name)
		if *clitest.Update {
			if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(path, []byte(got), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is out of date (run this test with -update):\n%s", name, got)
		}
	}
}

// TestStatusOfARunningBot asks a bot that somebody plays with.
func TestStatusOfARunningBot(t *testing.T) {
	ctx := within(t, time.Minute)
	sim, url, channel, ann := discord(t)
	data := filepath.Join(shortFolder(t), "games.db")
	cmd, _ := lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url)
	if err := sim.WaitFor(ctx, online); err != nil {
		t.Fatal(err)
	}
	if _, err := ann.Type(ctx, channel, "/lasca play level:1 colour:white"); err != nil {
		t.Fatal(err)
	}
	recorded(t, data, ann)
	var s bot.Status
	out := succeeds(t, "status", "-json", "-data", data)
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	if s.Games == nil || *s.Games != (storage.Counts{Running: 1}) || len(s.Due) == 0 || len(s.Processes) != 1 {
		t.Fatalf("status\n%s", out)
	}
	p := s.Processes[0]
	if p.PID != cmd.Process.Pid || !p.Ready || p.Answers.Count < 1 || p.Answers.P99 <= 0 || p.Writes.Count < 1 || p.Up <= 0 || p.Thinking.Workers < 1 || p.Version == "" {
		t.Errorf("process\n%s", out)
	}
	if len(p.Shards) != 1 || !p.Shards[0].Connected || p.Shards[0].Since.IsZero() {
		t.Errorf("shards\n%s", out)
	}
	text := succeeds(t, "status", "-data", data)
	for _, says := range []string{fmt.Sprint(":", p.PID), "ready", "connected", "running games: 1"} {
		if !strings.Contains(text, says) {
			t.Errorf("does not say %q:\n%s", says, text)
		}
	}
	for _, secret := range []string{ann.ID(), channel, "Ann", testToken} {
		if strings.Contains(out+text, secret) {
			t.Errorf("it tells %q", secret)
		}
	}

	// Without Discord the table still comes, and the exit status tells.
	sim.Gateway().Refuse(true)
	sim.Gateway().Close(4000, "gone")
	if err := sim.WaitFor(ctx, func(s *discordsim.Server) bool { return !s.BotOnline() }); err != nil {
		t.Fatal(err)
	}
	for {
		code, stdout, stderr := called(t, "status", "-data", data)
		if code == cli.ExitFailed && strings.Contains(stdout, "not ready") && strings.Contains(stdout, "not connected to Discord") && strings.Contains(stderr, errNotReady.Error()) {
			break
		}
		if code != cli.ExitDone || ctx.Err() != nil { // it has not noticed yet
			t.Fatalf("exit status %d\n%s%s", code, stdout, stderr)
		}
	}
}

// TestStatusSaysWhyThereIsNone: nothing runs, what runs hangs, or is too old, or says
// something else.
func TestStatusSaysWhyThereIsNone(t *testing.T) {
	t.Run("nothing runs", func(t *testing.T) {
		data := filepath.Join(shortFolder(t), "games.db")
		fails(t, cli.ExitFailed, "no bot runs on "+data, "status", "-data", data)
	})
	t.Run("a bot was killed and has left its socket", func(t *testing.T) {
		data := filepath.Join(shortFolder(t), "games.db")
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: controlPath(data), Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		l.SetUnlinkOnClose(false)
		l.Close()
		fails(t, cli.ExitFailed, "no bot runs on "+data, "status", "-data", data)
	})
	for name, c := range map[string]struct {
		answer http.HandlerFunc // nil for none
		says   string
	}{
		"it hangs":                      {nil, errSilent.Error()},
		"it hangs in mid-sentence":      {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"processes":`); hang(w, r) }, errSilent.Error()},
		"it is an older version":        {http.NotFound, "older version"},
		"it says something else":        {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }, errSilent.Error()},
		"it cannot say how it is, once": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "a bug", 500) }, "500"},
	} {
		t.Run(name, func(t *testing.T) {
			data := filepath.Join(shortFolder(t), "games.db")
			l, err := net.Listen("unix", controlPath(data))
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			patience := time.Minute
			if strings.Contains(name, "hangs") {
				patience = 50 * time.Millisecond
			}
			if c.answer != nil {
				server := http.Server{Handler: c.answer}
				go func() { _ = server.Serve(l) }()
				defer server.Close()
			}
			if _, err := statusFrom(within(t, time.Minute), data, patience); err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "http://") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// hang sends what was written and answers no more.
func hang(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

func TestALengthOfTimeIsShort(t *testing.T) {
	for s, want := range map[bot.Seconds]string{
		0: "0ms", .00002: "0.02ms", .0421: "42ms", .9994: "999ms", 1.25: "1.2s", 59.94: "59.9s", 61.4: "1m1s", 3600: "1h0m", 180000: "2d2h",
	} {
		if got := span(s); got != want {
			t.Errorf("%v: %s, want %s", s, got, want)
		}
	}
}

// TestStatusOnADatabaseShowsEveryProcess as it has said in the last seconds, whoever asks;
// one that was killed goes from the list, and workers alone serve nobody.
func TestStatusOnADatabaseShowsEveryProcess(t *testing.T) {
	ctx := within(t, 5*time.Minute)
	url := pgtest.New(t)
	sim, api, channel, ann := discord(t)
	run := func() *exec.Cmd {
		cmd, _ := lascabot(t, testToken, "run", "-store", url, "-discord-api-url", api, "-log-level", "warn")
		return cmd
	}
	first := run()
	if err := sim.WaitFor(ctx, online); err != nil {
		t.Fatal(err)
	}
	run()
	lascabot(t, "", "worker", "-store", url, "-log-level", "warn")
	if _, err := ann.Type(ctx, channel, "/lasca play level:1 colour:white"); err != nil {
		t.Fatal(err)
	}
	// until waits for a status that is so.
	until := func(what string, is func(bots, workers, shards int, s bot.Status) bool) {
		t.Helper()
		for {
			code, out, stderr := called(t, "status", "-store", url, "-json")
			var s bot.Status
			_ = json.Unmarshal([]byte(out), &s) // a sentence on stderr instead of a status
			bots, workers, shards := 0, 0, 0
			for _, p := range s.Processes {
				shards += len(p.Shards)
				if p.Worker {
					workers++
				} else if p.Ready {
					bots++
				}
			}
			if is(bots, workers, shards, s) {
				if served := code == cli.ExitDone; served != (bots > 0) {
					t.Errorf("%s: exit status %d, %s", what, code, stderr)
				}
				return
			}
			if ctx.Err() != nil {
				t.Fatalf("%s: %s%s", what, out, stderr)
			}
			pause(ctx, 200*time.Millisecond)
		}
	}
	until("two bots and a worker", func(bots, workers, shards int, s bot.Status) bool {
		return bots == 2 && workers == 1 && shards == 1 && s.Games != nil && s.Games.Running == 1
	})
	_ = first.Process.Kill()
	until("the killed one is gone, and the other has its shard", func(bots, workers, shards int, s bot.Status) bool {
		return bots == 1 && workers == 1 && shards == 1 && len(s.Processes) == 2
	})
	if out := succeeds(t, "status", "-store", url); !strings.Contains(out, "works") || !strings.Contains(out, "0 of 1") {
		t.Error(out)
	}
	fails(t, cli.ExitFailed, "no bot runs", "status", "-store", storeWithout(t))
}

// storeWithout returns a database with tables that nobody serves.
func storeWithout(t *testing.T) string {
	url := pgtest.New(t)
	_, done := opened(t, url)
	done()
	return url
}
