package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/storage/boltstore"
)

func TestDoctorSaysWhatIsWrong(t *testing.T) {
	sim, url, _, _ := discord(t)
	doctor := func(token, data string) (int, string) {
		t.Helper()
		code, out, log := calledWith(t, token, "doctor", "-data", data, "-discord-api-url", url)
		for line := range strings.Lines(out) {
			if !regexp.MustCompile(`^(ok|note|wrong) +[a-z]+: \S.*\n$`).MatchString(line) {
				t.Errorf("not a finding: %q", line)
			}
		}
		if strings.Contains(out+log, testToken) {
			t.Error("the token was printed")
		}
		return code, out
	}
	says := func(out string, lines ...string) {
		t.Helper()
		for _, line := range lines {
			if !regexp.MustCompile(`(?m)^` + line).MatchString(out) {
				t.Errorf("it does not say %q:\n%s", line, out)
			}
		}
	}
	data := fileOf(t)
	code, out := doctor(testToken, data)
	if code != cli.ExitDone {
		t.Errorf("exit status %d", code)
	}
	says(out, "ok +token", "note +commands", "ok +servers", "ok +intents", "ok +gateway", "ok +clock", "ok +games", "ok +disk", "note +copies")

	t.Run("permissions", func(t *testing.T) {
		guild := sim.AddGuild("Quiet", "de")
		sim.SetMemberPermissions(guild, sim.BotID(), discordsim.ViewChannel)
		code, out := doctor(testToken, data)
		if code != cli.ExitFailed {
			t.Errorf("exit status %d", code)
		}
		says(out, "wrong +permissions: .*Quiet.*Send Messages")
		sim.SetMemberPermissions(guild, sim.BotID(), discordsim.DefaultBotPermissions)
	})
	t.Run("token", func(t *testing.T) {
		code, out := doctor("another-token-than-the-right-one", data)
		if code != cli.ExitFailed {
			t.Errorf("exit status %d", code)
		}
		says(out, "wrong +token: .*Bot page")
	})
	t.Run("no file yet", func(t *testing.T) {
		code, out := doctor(testToken, filepath.Join(t.TempDir(), "games.db"))
		if code != cli.ExitDone {
			t.Errorf("exit status %d", code)
		}
		says(out, "note +games: .*creates it")
	})
	t.Run("no folder", func(t *testing.T) {
		code, out := doctor(testToken, filepath.Join(t.TempDir(), "no", "games.db"))
		if code != cli.ExitFailed {
			t.Errorf("exit status %d", code)
		}
		says(out, "wrong +disk: ")
	})
	t.Run("a damaged file", func(t *testing.T) {
		data := filepath.Join(t.TempDir(), "games.db")
		if err := os.WriteFile(data, []byte("junk"), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out := doctor(testToken, data)
		if code != cli.ExitFailed {
			t.Errorf("exit status %d", code)
		}
		says(out, "wrong +games: .*restore")
	})
	t.Run("a file in use", func(t *testing.T) {
		s, err := boltstore.Open(data, boltstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		code, out := doctor(testToken, data)
		if code != cli.ExitDone {
			t.Errorf("exit status %d", code)
		}
		says(out, "note +games: .*running")
	})
}
