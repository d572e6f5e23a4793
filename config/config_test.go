package config

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/config/cli"
)

// token has the shape of a token but is not one.
const token = "MTAwMDAwMDAwMDAwMDAwMDAw.GAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// env returns a getenv of name, value pairs.
func env(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return m[name] }
}

func tokenFile(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
	return name
}

// load reads the settings that declare declares. An error is what the person
// sees, behind the name of the program.
func load[T any](declare func(*cli.Flags) *T, args []string, getenv func(string) string) (*T, error) {
	var got *T
	p := cli.Program{Name: "program", Commands: []cli.Command{{Setup: func(f *cli.Flags) cli.Action {
		got = declare(f)
		return func(context.Context, *cli.Call) error { return nil }
	}}}}
	var text strings.Builder
	if p.Run(context.Background(), cli.Call{Args: args, Getenv: getenv, Out: io.Discard, Err: &text}) != cli.ExitDone {
		return nil, errors.New(strings.TrimSuffix(strings.TrimPrefix(text.String(), "program: "), "\n"))
	}
	return got, nil
}

// rows returns the settings that declare declares.
func rows[T any](declare func(*cli.Flags) *T) []cli.Row {
	return cli.Command{Setup: func(f *cli.Flags) cli.Action { declare(f); return nil }}.Rows()
}

// plain makes secrets comparable.
var plain = cmp.Comparer(func(a, b Secret) bool { return a.Reveal() == b.Reveal() })

func TestRun(t *testing.T) {
	file := tokenFile(t, " Bot file."+token+"\r\n", 0o600)
	fileToken := NewSecret("file." + token)
	defaults := func(change func(*Run)) Run {
		r := Run{
			Data: "lascabot.db", Copies: Copies{"lascabot.db-backups", 24 * time.Hour, 7}, KeepRemoved: 30 * 24 * time.Hour, Discord: Discord{NewSecret(token), "https://discord.com"},
			Machine: Machine{max(1, runtime.GOMAXPROCS(0)-1), 16 << 20}, Log: Log{false, slog.LevelInfo},
		}
		change(&r)
		return r
	}
	tests := []struct {
		name string
		args []string
		env  []string
		want Run
	}{
		{"the token is all that has to be set", nil, []string{"LASCABOT_TOKEN", token}, defaults(func(*Run) {})},
		{"everything from flags", []string{"-token-file", file, "-data", "x.db", "-backup-dir", "b", "-backup-every=90m", "-backup-keep", "3", "-keep-finished", "90d", "-keep-removed=48h", "-shards", "4", "-ops-addr", ":9107", "-discord-api-url=http://127.0.0.1:99/", "-log-format", "json", "--log-level=DEBUG", "-workers", "3", "-hash", "64"}, nil,
			Run{"x.db", Copies{"b", 90 * time.Minute, 3}, 90 * 24 * time.Hour, 48 * time.Hour, 4, "127.0.0.1:9107", Discord{fileToken, "http://127.0.0.1:99"}, Machine{3, 64 << 20}, Log{true, slog.LevelDebug}, nil}},
		{"everything from the environment", nil, []string{"LASCABOT_TOKEN_FILE", file, "LASCABOT_DATA", "x.db", "LASCABOT_BACKUP_DIR", "b", "LASCABOT_BACKUP_EVERY", "0", "LASCABOT_BACKUP_KEEP", "1", "LASCABOT_KEEP_FINISHED", "1h", "LASCABOT_KEEP_REMOVED", "0", "LASCABOT_SHARDS", "16", "LASCABOT_OPS_ADDR", "[::1]:1", "LASCABOT_DISCORD_API_URL", "https://[::1]", "LASCABOT_LOG_FORMAT", "json", "LASCABOT_LOG_LEVEL", "warn", "LASCABOT_WORKERS", "1", "LASCABOT_HASH", "1"},
			Run{"x.db", Copies{"b", 0, 1}, time.Hour, 0, 16, "[::1]:1", Discord{fileToken, "https://[::1]"}, Machine{1, 1 << 20}, Log{true, slog.LevelWarn}, nil}},
		{"a flag beats the environment, which is then not looked at", []string{"-workers", "2", "-data", "flag.db"}, []string{"LASCABOT_TOKEN", token, "LASCABOT_WORKERS", "many", "LASCABOT_DATA", "env.db"},
			defaults(func(r *Run) { r.Machine.Workers, r.Data, r.Copies.Folder = 2, "flag.db", "flag.db-backups" })},
		{"the token file's flag beats the token's variable", []string{"-token-file", file}, []string{"LASCABOT_TOKEN", "bad token"},
			defaults(func(r *Run) { r.Discord.Token = fileToken })},
		{"the token file's flag beats its variable", []string{"-token-file", file}, []string{"LASCABOT_TOKEN_FILE", "/nowhere"},
			defaults(func(r *Run) { r.Discord.Token = fileToken })},
		{"a token may be pasted with white space and its word", nil, []string{"LASCABOT_TOKEN", "\tBot " + token + "\n"}, defaults(func(*Run) {})},
		{"a token may be pasted with the quotes of a shell script", nil, []string{"LASCABOT_TOKEN", `"` + token + `"`}, defaults(func(*Run) {})},
		{"a token may be pasted with other quotes, behind its word", nil, []string{"LASCABOT_TOKEN", "Bot '" + token + "' "}, defaults(func(*Run) {})},
		{"a token may be pasted with its word, in quotes", nil, []string{"LASCABOT_TOKEN", `"Bot ` + token + `"`}, defaults(func(*Run) {})},
		{"an empty variable is not set", nil, []string{"LASCABOT_TOKEN", token, "LASCABOT_DATA", "", "LASCABOT_TOKEN_FILE", ""}, defaults(func(*Run) {})},
		{"http is for this machine", []string{"-discord-api-url", "http://LOCALHOST:8080"}, []string{"LASCABOT_TOKEN", token},
			defaults(func(r *Run) { r.Discord.APIURL = "http://LOCALHOST:8080" })},
		{"the playground's settings are not looked at", nil, []string{"LASCABOT_TOKEN", token, "LASCABOT_ADDR", "junk"}, defaults(func(*Run) {})},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := load(RunFlags, tt.args, env(tt.env...))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(&tt.want, got, plain); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRegister(t *testing.T) {
	got, err := load(RegisterFlags, []string{"-log-level", "error"}, env("LASCABOT_TOKEN", token))
	want := &Register{Discord: Discord{NewSecret(token), "https://discord.com"}, Log: Log{false, slog.LevelError}}
	if d := cmp.Diff(want, got, plain); d != "" || err != nil {
		t.Error(d, err)
	}
	if _, err := load(RegisterFlags, []string{"-data", "x"}, env("LASCABOT_TOKEN", token)); err == nil {
		t.Error("register keeps no games, yet takes -data")
	}
}

func TestStore(t *testing.T) {
	for name, tt := range map[string]struct {
		declare func(*cli.Flags) *Store
		args    []string
		want    Store
	}{
		"the file of games":       {StoreFlags, nil, Store{Data: "x.db"}},
		"restore has the folder":  {RestoreFlags, nil, Store{Data: "x.db", Copies: "x.db-backups"}},
		"restore looks elsewhere": {RestoreFlags, []string{"-backup-dir", "b"}, Store{Data: "x.db", Copies: "b"}},
		"export":                  {ExportFlags, nil, Store{Data: "x.db"}},
		"export to a file":        {ExportFlags, []string{"-o", "g.txt"}, Store{Data: "x.db", Output: "g.txt"}},
	} {
		got, err := load(tt.declare, append(tt.args, "-data", "x.db"), env())
		if d := cmp.Diff(&tt.want, got); d != "" || err != nil {
			t.Error(name, d, err)
		}
	}
}

func TestDoctor(t *testing.T) {
	got, err := load(DoctorFlags, []string{"-data", "x.db"}, env("LASCABOT_TOKEN", token))
	want := &Doctor{Data: "x.db", Copies: "x.db-backups", Discord: Discord{NewSecret(token), "https://discord.com"}}
	if d := cmp.Diff(want, got, plain); d != "" || err != nil {
		t.Error(d, err)
	}
}

func TestOperationsPageThatOthersCanReachIsWarnedAbout(t *testing.T) {
	for addr, warned := range map[string]bool{":1": false, "localhost:1": false, "0.0.0.0:1": true, "[::]:1": true, "example.org:1": true} {
		r, err := load(RunFlags, []string{"-ops-addr", addr}, env("LASCABOT_TOKEN", token))
		if err != nil || (len(r.Warnings) > 0) != warned {
			t.Errorf("%s: %q, %v", addr, r.Warnings, err)
		}
	}
}

func TestPlayground(t *testing.T) {
	got, err := load(PlaygroundFlags, nil, env())
	want := &Playground{Addr: "127.0.0.1:8080", Data: "playground-data", Machine: Machine{max(1, runtime.GOMAXPROCS(0)-1), 16 << 20}, Log: Log{false, slog.LevelInfo}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
	got, err = load(PlaygroundFlags, []string{"-open", "-addr", "[::1]:0", "-data", "world", "-workers=2"}, env("LASCABOT_OPEN", "maybe"))
	want.Open, want.Addr, want.Data, want.Machine.Workers = true, "[::1]:0", "world", 2
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
	for text, open := range map[string]bool{"1": true, "false": false} {
		if got, err := load(PlaygroundFlags, nil, env("LASCABOT_OPEN", text)); err != nil || got.Open != open {
			t.Errorf("LASCABOT_OPEN=%s: %t, %v", text, got.Open, err)
		}
	}
	for _, addr := range []string{"localhost:80", "127.9.9.9:65535", "[::ffff:127.0.0.1]:1"} {
		if _, err := load(PlaygroundFlags, []string{"-addr", addr}, env()); err != nil {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

// TestErrors checks that each error names the setting and its source, says what
// to do, and does not show the token.
func TestErrors(t *testing.T) {
	loadRun := func(args []string, getenv func(string) string) error {
		_, err := load(RunFlags, args, getenv)
		return err
	}
	loadPlayground := func(args []string, getenv func(string) string) error {
		_, err := load(PlaygroundFlags, args, getenv)
		return err
	}
	with := func(pairs ...string) func(string) string { return env(append(pairs, "LASCABOT_TOKEN", token)...) }
	tests := []struct {
		name string
		load func([]string, func(string) string) error
		args []string
		env  func(string) string
		want []string // parts of the text
	}{
		{"no token", loadRun, nil, env(), []string{"LASCABOT_TOKEN", "-token-file", "LASCABOT_TOKEN_FILE"}},
		{"two tokens", loadRun, nil, with("LASCABOT_TOKEN_FILE", "/x"), []string{"LASCABOT_TOKEN_FILE", "LASCABOT_TOKEN is set as well", "unset"}},
		{"a token of white space", loadRun, nil, env("LASCABOT_TOKEN", " \n"), []string{"LASCABOT_TOKEN: ", "empty", "portal"}},
		{"a token in two lines", loadRun, nil, env("LASCABOT_TOKEN", token+"\n"+token), []string{"LASCABOT_TOKEN: ", "copy it again"}},
		{"a token with a letter from elsewhere", loadRun, nil, env("LASCABOT_TOKEN", token+"é"), []string{"LASCABOT_TOKEN: "}},
		{"a token as a flag", loadRun, []string{"-token", token}, env(), []string{"looks like a token", "reset the token", "-token-file"}},
		{"a token as a flag, with =", loadRun, []string{"--token=" + token}, env(), []string{"looks like a token", "reset the token", "-token-file"}},
		{"a token as a flag's name", loadRun, []string{"-" + token}, env(), []string{"looks like a token", "reset the token", "-token-file"}},
		{"a token as an argument", loadRun, []string{token}, with(), []string{"looks like a token", "reset the token", "-token-file"}},
		{"a token as the token file", loadRun, []string{"-token-file", token}, env(), []string{"looks like a token", "reset the token", "-token-file"}},
		{"a token as the token file's variable", loadRun, nil, env("LASCABOT_TOKEN_FILE", token), []string{"LASCABOT_TOKEN_FILE: "}},
		{"a token as a URL", loadRun, []string{"-discord-api-url", "https://x/" + token}, with(), []string{"looks like a token", "reset the token", "-token-file"}},
		{"a token as a number", loadRun, []string{"-workers", token}, with(), []string{"looks like a token", "reset the token", "-token-file"}},
		{"a token as a flag's value that is true or false", loadPlayground, []string{"-open=" + token}, with(), []string{"looks like a token", "reset the token", "-token-file"}},
		{"a token file that does not exist", loadRun, []string{"-token-file", "/no/such"}, env(), []string{"-token-file: ", `"/no/such"`, "no such file"}},
		{"a token file that is a folder", loadRun, []string{"-token-file", t.TempDir()}, env(), []string{"-token-file: ", "not a file"}},
		{"an empty token file", loadRun, []string{"-token-file", tokenFile(t, "\n", 0o600)}, env(), []string{"-token-file: ", "empty"}},
		{"a token file with more in it", loadRun, []string{"-token-file", tokenFile(t, "TOKEN="+token+"\nX=1", 0o600)}, env(), []string{"-token-file: "}},
		{"a long token file", loadRun, []string{"-token-file", tokenFile(t, strings.Repeat(token, 100), 0o600)}, env(), []string{"-token-file: ", "too long"}},
		{"no name for the token file", loadRun, []string{"-token-file", ""}, env(), []string{"-token-file: "}},
		{"no name for the games", loadRun, []string{"-data="}, with(), []string{"-data: ", "give the name"}},
		{"too many workers", loadRun, nil, with("LASCABOT_WORKERS", "257"), []string{"-workers, set by LASCABOT_WORKERS: ", `"257"`, "0 to 256"}},
		{"a negative number of workers", loadRun, []string{"-workers=-1"}, with(), []string{"-workers: ", "0 to 256"}},
		{"no memory", loadRun, []string{"-hash", "0"}, with(), []string{"-hash: ", "1 to 1024"}},
		{"too often", loadRun, []string{"-backup-every", "1s"}, with(), []string{"-backup-every: ", "too short", "1m"}},
		{"not a length of time", loadRun, nil, with("LASCABOT_KEEP_FINISHED", "long"), []string{"-keep-finished, set by LASCABOT_KEEP_FINISHED: ", `"long"`, "90d"}},
		{"a negative length of time", loadRun, []string{"-keep-finished=-1h"}, with(), []string{"-keep-finished: "}},
		{"a server kept for less than a day", loadRun, []string{"-keep-removed=1h"}, with(), []string{"-keep-removed: ", "too short", "24h"}},
		{"days without end", loadRun, []string{"-keep-finished=99999d"}, with(), []string{"-keep-finished: "}},
		{"no copies", loadRun, []string{"-backup-keep", "0"}, with(), []string{"-backup-keep: ", "1 to 1000"}},
		{"an operations page without a port", loadRun, []string{"-ops-addr", "9107"}, with(), []string{"-ops-addr: ", ":9107"}},
		{"an operations page at no port", loadRun, []string{"-ops-addr", ":http"}, with(), []string{"-ops-addr: ", "port"}},
		{"a format", loadRun, []string{"-log-format", "xml"}, with(), []string{"-log-format: ", `"xml"`, "text or json"}},
		{"a level", loadRun, []string{"-log-level", "loud"}, with(), []string{"-log-level: ", "debug, info, warn or error"}},
		{"a long value", loadRun, []string{"-log-level", strings.Repeat("x", 10_000)}, with(), []string{"…"}},
		{"http to another machine", loadRun, []string{"-discord-api-url", "http://discord.com"}, with(), []string{"-discord-api-url: ", "unencrypted", "https"}},
		{"http to a name that begins like this machine", loadRun, []string{"-discord-api-url", "http://localhost.example.org"}, with(), []string{"unencrypted"}},
		{"http to all addresses", loadRun, []string{"-discord-api-url", "http://0.0.0.0:80"}, with(), []string{"unencrypted"}},
		{"another scheme", loadRun, []string{"-discord-api-url", "ftp://127.0.0.1"}, with(), []string{"not a web address"}},
		{"no scheme", loadRun, []string{"-discord-api-url", "discord.com"}, with(), []string{"https://discord.com"}},
		{"no host", loadRun, []string{"-discord-api-url", "https://:443"}, with(), []string{"not a web address"}},
		{"a malformed URL", loadRun, []string{"-discord-api-url", "https://%zz"}, with(), []string{"not a web address"}},
		{"a URL with a path", loadRun, []string{"-discord-api-url", "https://discord.com/api/v9"}, with(), []string{"leave out"}},
		{"a URL with a query", loadRun, []string{"-discord-api-url", "https://discord.com?"}, with(), []string{"leave out"}},
		{"a URL with a name and password", loadRun, []string{"-discord-api-url", "https://me:secretword@discord.com"}, with(), []string{"leave out"}},
		{"a port that does not exist", loadRun, []string{"-discord-api-url", "https://discord.com:70000"}, with(), []string{"port"}},
		{"an unknown flag", loadRun, []string{"-colour", "red"}, with(), []string{"-colour", "program -h"}},
		{"the playground's flag", loadRun, []string{"-addr", "127.0.0.1:1"}, with(), []string{"-addr", "program -h"}},
		{"a flag without its value", loadRun, []string{"-data"}, with(), []string{"-data", "program -h"}},
		{"an argument", loadRun, []string{"fast"}, with(), []string{`"fast"`, "usage: program [flags]"}},
		{"a page for everyone", loadPlayground, []string{"-addr", ":8080"}, env(), []string{"-addr: ", `":8080"`, "127.0.0.1"}},
		{"a page for the network", loadPlayground, nil, env("LASCABOT_ADDR", "192.168.1.2:80"), []string{"-addr, set by LASCABOT_ADDR: ", "other machines"}},
		{"no port", loadPlayground, []string{"-addr", "127.0.0.1"}, env(), []string{"host and port"}},
		{"a port of letters", loadPlayground, []string{"-addr", "127.0.0.1:http"}, env(), []string{"port", "0 to 65535"}},
		{"neither true nor false", loadPlayground, nil, env("LASCABOT_OPEN", "maybe"), []string{"-open, set by LASCABOT_OPEN: ", "true nor false"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.load(tt.args, tt.env)
			if err == nil {
				t.Fatal("no error")
			}
			text := err.Error()
			for _, part := range tt.want {
				if !strings.Contains(text, part) {
					t.Errorf("%q does not say %q", text, part)
				}
			}
			if strings.Contains(text, token[5:30]) || strings.Contains(text, "secretword") {
				t.Errorf("%q shows the token", text)
			}
			if len(text) > 400 {
				t.Errorf("%d bytes", len(text))
			}
		})
	}
}

func TestTokenFileThatOthersCanReadIsWarnedAbout(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no file modes")
	}
	for mode, warned := range map[os.FileMode]bool{0o600: false, 0o400: false, 0o640: true, 0o604: true, 0o620: true} {
		name := tokenFile(t, token, mode)
		r, err := load(RunFlags, []string{"-token-file", name}, env())
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.Warnings, "\n"); (got != "") != warned || warned && (!strings.Contains(got, name) || !strings.Contains(got, "chmod 600")) || strings.Contains(got, token) {
			t.Errorf("mode %o: %q", mode, got)
		}
	}
}

// FuzzSettings gives every setting any text: an error is one short line, and no
// error shows a token.
func FuzzSettings(f *testing.F) {
	for _, text := range []string{"", "1", "36h", "90d", "-1", ":9107", "[::1]:80", "https://discord.com", "http://localhost:1/x", "text", "debug", token, "x\ny", "9223372036854775807d"} {
		f.Add(text)
	}
	flags := map[string]func(arg string) error{}
	for _, r := range rows(RunFlags) {
		flags[r.Flag] = func(arg string) error {
			_, err := load(RunFlags, []string{arg}, env("LASCABOT_TOKEN", token))
			return err
		}
	}
	for _, r := range rows(PlaygroundFlags) {
		flags[r.Flag] = func(arg string) error { _, err := load(PlaygroundFlags, []string{arg}, env()); return err }
	}
	check := func(t *testing.T, setting, text string, err error) {
		if err == nil {
			return
		}
		if msg := err.Error(); msg == "" || len(msg) > 1100 || strings.Contains(msg, "\n") || strings.Contains(text, token) && strings.Contains(msg, token) {
			t.Errorf("%s: %q", setting, msg)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for flag, try := range flags {
			name, _, _ := strings.Cut(flag, " ")
			if name == "" || name == "-token-file" {
				continue // it would read any file
			}
			check(t, name, text, try(name+"="+text))
		}
		_, err := load(RunFlags, nil, env("LASCABOT_TOKEN", text))
		check(t, "LASCABOT_TOKEN", text, err)
	})
}

func TestTokenFileFromTheServiceManagerIsNotWarnedAbout(t *testing.T) {
	name := tokenFile(t, token, 0o440)
	for folder, warned := range map[string]bool{filepath.Dir(name): false, filepath.Dir(name) + "/": false, filepath.Dir(filepath.Dir(name)): true, "": true} {
		r, err := load(RunFlags, []string{"-token-file", name}, env("CREDENTIALS_DIRECTORY", folder))
		if err != nil || len(r.Warnings) > 0 != warned {
			t.Errorf("%q: %q, %v", folder, r.Warnings, err)
		}
	}
}

func TestSampleAndServiceNameOnlySettingsThatExist(t *testing.T) {
	known := map[string]cli.Row{}
	for _, r := range rows(RunFlags) {
		known[r.Variable] = r
	}
	for _, file := range []string{"lascabot.env", "lascabot.service", ".ko.yaml"} {
		text, err := os.ReadFile(filepath.Join("..", ".deploy", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\b(LASCABOT_[A-Z_]+)(?:=(\S+))?`).FindAllStringSubmatch(string(text), -1) {
			r, ok := known[m[1]]
			if !ok {
				t.Errorf("%s: there is no %s", file, m[1])
				continue
			}
			if file != "lascabot.env" || m[2] == "" {
				continue
			}
			if _, err := load(RunFlags, nil, env("LASCABOT_TOKEN", token, m[1], m[2])); err != nil {
				t.Errorf("%s: %s: %v", file, m[0], err)
			}
			if r.Default != "" && r.Default != m[2] {
				t.Errorf("%s: %s, but the default is %s", file, m[0], r.Default)
			}
		}
		if file != "lascabot.env" {
			continue
		}
		for name := range known {
			if name != "LASCABOT_DISCORD_API_URL" && !strings.HasPrefix(name, "LASCABOT_TOKEN") && !strings.Contains(string(text), "#"+name+"=") {
				t.Errorf("%s lacks %s", file, name)
			}
		}
	}
}

func TestSecretIsNeverPrinted(t *testing.T) {
	s := NewSecret(token)
	type hidden struct{ secret Secret }
	r := Run{Discord: Discord{Token: s}}
	for _, v := range []any{s, &s, r, &r, []Secret{s}, map[string]Secret{"x": s}, hidden{s}, &hidden{s}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%p", "%10.3v"} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, token[:8]) || strings.Contains(text, fmt.Sprintf("%x", token[:4])) {
				t.Errorf("%s of %T: %s", verb, v, text)
			}
		}
		text, err := json.Marshal(v)
		if err != nil || bytes.Contains(text, []byte(token[:8])) {
			t.Errorf("JSON of %T: %s, %v", v, text, err)
		}
		var log strings.Builder
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v, slog.Group("g", "v", v))
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
		if strings.Contains(log.String(), token[:8]) {
			t.Errorf("log of %T: %s", v, log.String())
		}
	}
	if text := fmt.Sprintf("%v %v", s, Secret{}); text != "[secret] [not set]" {
		t.Error(text)
	}
	if s.Reveal() != token || !NewSecret("").IsZero() || (Secret{}).Reveal() != "" {
		t.Error("the secret is not kept")
	}
}
