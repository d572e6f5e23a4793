package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// called runs a command in this process, without a token, and returns its status
// and what it printed.
func called(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return calledWith(t, "", args...)
}

// calledWith is called with a token in the environment.
func calledWith(t *testing.T, token string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, log bytes.Buffer
	code = program.Run(t.Context(), cli.Call{
		Args:   args,
		Getenv: func(name string) string { return map[string]string{"LASCABOT_TOKEN": token}[name] },
		In:     strings.NewReader(""), Out: &out, Err: &log,
	})
	return code, out.String(), log.String()
}

// succeeds runs a command that must succeed and returns its output.
func succeeds(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := called(t, args...)
	if code != cli.ExitDone {
		t.Fatalf("%v: exit status %d\n%s%s", args, code, stdout, stderr)
	}
	return stdout
}

// fails runs a command that must fail with a status and a sentence.
func fails(t *testing.T, status int, says string, args ...string) {
	t.Helper()
	code, stdout, stderr := called(t, args...)
	if code != status || !strings.Contains(stderr, says) {
		t.Errorf("%v: exit status %d, want %d and %q\n%s%s", args, code, status, says, stdout, stderr)
	}
}

// fileOf makes a file with games: a running one, a finished one and a challenge.
func fileOf(t *testing.T) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "games.db")
	s, err := boltstore.Open(data, boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	on, over := storagetest.Challenge(t, "on", 0), storagetest.Challenge(t, "over", 1)
	on.Match = storagetest.Play(t, storagetest.Apply(t, on.Match, match.Accept{By: engine.Black}), 5)
	over.Match = storagetest.Apply(t, over.Match, match.Accept{By: engine.Black}, match.Resign{By: engine.Black})
	over.Screen = storage.Screen{Channel: "c1", Message: "m1", Version: over.Match.Version}
	if _, err := s.CreateAll(t.Context(), []storage.Record{on, over, storagetest.Challenge(t, "open", 2)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return data
}

const threeGames = "running games: 1, open challenges: 1, finished games: 1"

func TestBackupAndRestore(t *testing.T) {
	data := fileOf(t)
	copied := filepath.Join(t.TempDir(), "copy.db")
	succeeds(t, "backup", copied, "-data", data)
	if out := succeeds(t, "check", "-data", copied); !strings.Contains(out, threeGames) {
		t.Error(out)
	}
	fails(t, cli.ExitFailed, copied, "backup", "-data", data, copied) // never overwritten
	fails(t, cli.ExitFailed, "no such file", "backup", "-data", data+"x", copied+"2")
	fails(t, cli.ExitUsage, "FILE is missing", "backup")
	fails(t, cli.ExitUsage, "name of the file is empty", "backup", "")
	fails(t, cli.ExitUsage, "one too many", "check", copied)
	fails(t, cli.ExitUsage, "one too many", "restore", copied, copied)
	fails(t, cli.ExitFailed, "no such file", "check", "-data", data+"x")
	if _, err := os.Stat(data + "x"); err == nil {
		t.Error("looking at a file has created it")
	}

	damaged := bytes.Repeat([]byte("junk"), 10_000)
	if err := os.WriteFile(data, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	fails(t, exitDamaged, data, "check", "-data", data)
	fails(t, exitDamaged, data, "backup", "-data", data, copied+"2")
	fails(t, cli.ExitFailed, "no sound copy", "restore", "-data", data)
	out := succeeds(t, "restore", "-data", data, copied)
	kept := regexp.MustCompile(`kept as (\S+)`).FindStringSubmatch(out)
	if kept == nil {
		t.Fatal(out)
	}
	if now, err := os.ReadFile(kept[1]); err != nil || !bytes.Equal(now, damaged) {
		t.Errorf("the damaged file was not kept: %v", err)
	}
	if out := succeeds(t, "check", "-data", data); !strings.Contains(out, threeGames) {
		t.Error(out)
	}
}

func TestRestoreTakesTheNewestSoundCopy(t *testing.T) {
	data := fileOf(t)
	folder := data + "-backups"
	for name, from := range map[string]string{"games-20260301-120000.db": data, "games-20260302-120000.db": data} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		succeeds(t, "backup", "-data", from, filepath.Join(folder, name))
	}
	if err := os.WriteFile(filepath.Join(folder, "games-20260303-120000.db"), []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(data); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := called(t, "restore", "-data", data)
	if code != cli.ExitDone || !strings.Contains(stdout, "games-20260302-120000.db") || !strings.Contains(stderr, "games-20260303-120000.db") {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
	succeeds(t, "check", "-data", data)
}

func TestGamesAsText(t *testing.T) {
	data := fileOf(t)
	text := succeeds(t, "games", "export", "-data", data)
	if n := strings.Count(text, "[Game "); n != 2 {
		t.Errorf("%d games\n%s", n, text)
	}
	file := filepath.Join(t.TempDir(), "games.txt")
	succeeds(t, "games", "export", "-data", data, "-o", file)
	fails(t, cli.ExitFailed, file, "games", "export", "-data", data, "-o", file)
	if got, err := os.ReadFile(file); err != nil || string(got) != text {
		t.Errorf("the file differs, %v", err)
	}
	fresh := filepath.Join(t.TempDir(), "fresh.db")
	for _, want := range []string{"stored: 2, already there and left as they are: 0", "stored: 0, already there and left as they are: 2"} {
		if out := succeeds(t, "games", "import", file, "-data", fresh); !strings.Contains(out, want) {
			t.Error(out)
		}
	}
	if again := succeeds(t, "games", "export", "-data", fresh); again != text {
		t.Errorf("the games have changed:\n%s\n%s", text, again)
	}
	bad := filepath.Join(t.TempDir(), "bad.txt")
	if err := os.WriteFile(bad, []byte(strings.Replace(text, `[Termination "resignation"]`, "", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.db")
	fails(t, cli.ExitFailed, `game 2 ("over")`, "games", "import", bad, "-data", other)
	if _, err := os.Stat(other); err == nil {
		t.Error("something was stored")
	}
	fails(t, cli.ExitUsage, "games export|import", "games")
	fails(t, cli.ExitUsage, "games export|import", "games", "play")
	fails(t, cli.ExitUsage, "FILE is missing", "games", "import", "-data", fresh)
	fails(t, cli.ExitUsage, "name of the file is empty", "games", "import", "")
}

func TestExportGoesOnAfterADamagedRecord(t *testing.T) {
	data := fileOf(t)
	damageRecord(t, data, "over")
	code, stdout, stderr := called(t, "games", "export", "-data", data)
	if code != exitDamaged || !strings.Contains(stdout, `[Game "on"]`) || !strings.Contains(stderr, "over") {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
	fails(t, exitDamaged, "over", "check", "-data", data)
}

// damageRecord changes a letter of a record in the file. The pages stay sound.
func damageRecord(t *testing.T, data, id string) {
	t.Helper()
	text, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	n := bytes.Count(text, []byte(`{"id":"`+id+`"`))
	if n == 0 {
		t.Fatalf("%s is not in the file", id)
	}
	text = bytes.ReplaceAll(text, []byte(`{"id":"`+id+`"`), []byte(`{"ib":"`+id+`"`))
	if err := os.WriteFile(data, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRunRefusesADamagedFileInOneLineAndLeavesItAlone(t *testing.T) {
	data := filepath.Join(t.TempDir(), "games.db")
	if err := os.WriteFile(data, []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := calledWith(t, testToken, "run", "-data", data, "-discord-api-url", "http://127.0.0.1:1")
	text := strings.TrimSpace(stdout + stderr)
	if code != exitDamaged || strings.Contains(text, "\n") || !strings.Contains(text, data) || !strings.Contains(text, "lascabot restore") {
		t.Errorf("exit status %d\n%s", code, text)
	}
	if now, err := os.ReadFile(data); err != nil || string(now) != "junk" {
		t.Errorf("the file was changed: %q, %v", now, err)
	}
}

// TestARunningBot checks what you can do while the bot runs: copy, check and
// export its games, and look at the operations page.
func TestARunningBot(t *testing.T) {
	ctx := within(t, time.Minute)
	sim, url, channel, ann := discord(t)
	// The path of a socket must be short; a test's own folder may be too long.
	folder, err := os.MkdirTemp("", "lasca")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	data := filepath.Join(folder, "games.db")
	cmd, log := lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url, "-ops-addr", "127.0.0.1:0")
	if err := sim.WaitFor(ctx, online); err != nil {
		t.Fatal(err)
	}
	if _, err := ann.Type(ctx, channel, "/lasca play level:1 colour:white"); err != nil {
		t.Fatal(err)
	}
	t.Run("is copied", func(t *testing.T) {
		copied := filepath.Join(t.TempDir(), "copy.db")
		succeeds(t, "backup", copied, "-data", data)
		if out := succeeds(t, "check", "-data", copied); !strings.Contains(out, "running games: 1") {
			t.Error(out)
		}
		fails(t, cli.ExitFailed, "already exists", "backup", copied, "-data", data)
	})
	t.Run("is checked and exported", func(t *testing.T) {
		if out := succeeds(t, "check", "-data", data); !strings.Contains(out, "running games: 1") || !strings.Contains(out, data) {
			t.Error(out)
		}
		if out := succeeds(t, "games", "export", "-data", data); !strings.Contains(out, `[Channel "`+channel+`"]`) {
			t.Error(out)
		}
	})
	t.Run("nothing is put in place of its games", func(t *testing.T) {
		fails(t, cli.ExitFailed, "another copy is running", "restore", "-data", data, fileOf(t))
	})
	t.Run("others cannot ask for a copy", func(t *testing.T) {
		info, err := os.Stat(controlPath(data))
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
	})
	t.Run("has taken its own copy", func(t *testing.T) {
		if list, err := (boltstore.Copies{Of: data, Folder: data + "-backups"}).List(); err != nil || len(list) != 1 {
			t.Errorf("%v, %v", list, err)
		}
	})
	t.Run("shows its state to this machine's own names alone", func(t *testing.T) {
		at := regexp.MustCompile(`address=(\S+)`).FindStringSubmatch(log.String())
		if at == nil {
			t.Fatal("the log does not name the page")
		}
		for host, want := range map[string]int{
			"127.0.0.1": 200, "localhost:1": 200, "[::1]:80": 200, "[::1]": 200,
			"evil.example": 421, "evil.example:80": 421, "10.0.0.1": 421, "localhost.evil.example": 421,
		} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at[1]+"/metrics", nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = host
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != want {
				t.Errorf("as %s: %d, want %d", host, resp.StatusCode, want)
			}
		}
	})
	t.Run("shows its state", func(t *testing.T) {
		at := regexp.MustCompile(`address=(\S+)`).FindStringSubmatch(log.String())
		if at == nil {
			t.Fatal("the log does not name the page")
		}
		for path, want := range map[string]string{
			"/healthz": "ok", "/readyz": "ready", "/metrics": `lascabot_interactions_total{kind="command",intent="play"} 1`,
		} {
			resp, err := http.Get(at[1] + path)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(text), want) {
				t.Errorf("%s: %s, %v\n%s", path, resp.Status, err, text)
			}
			if strings.Contains(string(text), "Ann") || strings.Contains(string(text), channel) {
				t.Errorf("%s tells of people or places", path)
			}
		}
	})
	t.Run("leaves no socket", func(t *testing.T) {
		if err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait()); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(controlPath(data)); err == nil {
			t.Error("the socket is left")
		}
	})
	t.Run("a killed one's socket is no obstacle", func(t *testing.T) {
		for range 2 {
			cmd, _ := lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url)
			if err := sim.WaitFor(ctx, online); err != nil {
				t.Fatal(err)
			}
			succeeds(t, "backup", filepath.Join(t.TempDir(), "copy.db"), "-data", data)
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			if err := sim.WaitFor(ctx, func(s *discordsim.Server) bool { return !s.BotOnline() }); err != nil {
				t.Fatal(err)
			}
		}
	})
}
