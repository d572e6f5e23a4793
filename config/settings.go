package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// command is one of the things that can be started.
type command uint16

const (
	run command = 1 << iota
	register
	backup
	check
	restore
	gamesExport
	gamesImport
	doctor
	version
	playground
)

// commandNames are the commands as they are typed, in the order of the README's
// table, with the argument that they take, in brackets when it can be left out.
var commandNames = []struct {
	command         command
	name, arg, help string
}{
	{run, "lascabot run", "", ""},
	{register, "lascabot register", "", ""},
	{backup, "lascabot backup", "FILE", "FILE is the copy to be made; it must not exist. A bot that runs goes on meanwhile."},
	{check, "lascabot check", "", ""},
	{restore, "lascabot restore", "[FILE]", "FILE is the copy to be put in place; left out, it is the newest sound one of those that the bot has taken."},
	{gamesExport, "lascabot games export", "", ""},
	{gamesImport, "lascabot games import", "FILE", "FILE is what \"lascabot games export\" has written; - is the standard input."},
	{doctor, "lascabot doctor", "", ""},
	{version, "lascabot version", "", ""},
	{playground, "playground", "", ""},
}

// argOf returns the argument that a command takes, "" for none.
func (c command) argOf() (arg, help string) {
	for _, n := range commandNames {
		if c == n.command {
			return n.arg, n.help
		}
	}
	return "", ""
}

// withStore are the commands that look at the file of games.
const withStore = run | backup | check | restore | gamesExport | gamesImport | doctor

// String returns the names of the commands in c, joined by commas.
func (c command) String() string {
	var names []string
	for _, n := range commandNames {
		if c&n.command != 0 {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, ", ")
}

// envPrefix begins the names of the environment variables.
const envPrefix = "LASCABOT_"

// values holds what the settings of any command were set to.
type values struct {
	data, world   string
	token         Secret
	tokenFile     string
	fileWarning   string
	warnings      []string
	apiURL        string
	logFormat     string
	logLevel      slog.Level
	workers, hash int
	addr          string
	open          bool
	copies        Copies
	keepFinished  time.Duration
	keepRemoved   time.Duration
	ops           string
	output        string
	argument      string
}

// setting is one row of the table.
type setting struct {
	flag     string // "" for what is read from the environment only
	env      string // after envPrefix
	arg      string // what stands for the value in help; "" for a flag without one
	def      string // the default as text, read as any other value
	help     string // one sentence, without its full stop
	commands command
	// set reads a text. Its error says what to do, and no more of the value
	// than quote shows.
	set func(v *values, text string) error
}

// variable returns the name of the setting's environment variable.
func (s *setting) variable() string { return envPrefix + s.env }

// settings are all settings.
var settings = []setting{
	{
		env: "TOKEN", arg: "TOKEN", commands: run | register | doctor,
		help: "the bot's token; there is no flag for it, since everybody on a machine can read the command lines",
		set: func(v *values, text string) (err error) {
			v.token, err = readToken(text)
			return err
		},
	},
	{
		flag: "token-file", env: "TOKEN_FILE", arg: "FILE", commands: run | register | doctor,
		help: "a file that holds the bot's token, in place of LASCABOT_TOKEN",
		set: func(v *values, text string) (err error) {
			if !v.token.IsZero() {
				return errors.New("LASCABOT_TOKEN is set as well: unset one of them")
			}
			v.tokenFile = text
			v.token, v.fileWarning, err = readTokenFile(text)
			return err
		},
	},
	{
		flag: "data", env: "DATA", arg: "FILE", def: "lascabot.db", commands: withStore,
		help: "the file that holds the games; `lascabot run` makes it when there is none",
		set: func(v *values, text string) error {
			v.data = text
			if text == "" {
				return errors.New("it is empty: give the name of a file")
			}
			return nil
		},
	},
	{
		flag: "backup-dir", env: "BACKUP_DIR", arg: "FOLDER", commands: run | restore | doctor,
		help: "the folder of the copies that the bot takes of its games; without it, that of the games with -backups at its end, such as lascabot.db-backups",
		set: func(v *values, text string) error {
			v.copies.Folder = text
			return nil
		},
	},
	{
		flag: "backup-every", env: "BACKUP_EVERY", arg: "DURATION", def: "24h", commands: run,
		help: "how often a copy is taken, such as 24h or 30m; 0 takes none",
		set: func(v *values, text string) (err error) {
			v.copies.Every, err = duration(text, time.Minute)
			return err
		},
	},
	{
		flag: "backup-keep", env: "BACKUP_KEEP", arg: "N", def: "7", commands: run,
		help: "how many copies are kept; the oldest are removed",
		set: func(v *values, text string) (err error) {
			v.copies.Keep, err = number(text, 1, 1000)
			return err
		},
	},
	{
		flag: "keep-finished", env: "KEEP_FINISHED", arg: "DURATION", def: "0", commands: run,
		help: "how long games are kept after their end, such as 720h or 90d; 0 keeps them for ever",
		set: func(v *values, text string) (err error) {
			v.keepFinished, err = duration(text, time.Hour)
			return err
		},
	},
	{
		flag: "keep-removed", env: "KEEP_REMOVED", arg: "DURATION", def: "30d", commands: run,
		help: "how long the games and settings of a server are kept after the bot was removed from it, such as 720h or 90d; 0 keeps them for ever",
		set: func(v *values, text string) (err error) {
			v.keepRemoved, err = duration(text, 24*time.Hour)
			return err
		},
	},
	{
		flag: "ops-addr", env: "OPS_ADDR", arg: "HOST:PORT", commands: run,
		help: "where /healthz, /readyz and /metrics are served; without a host, on this machine only; left out, nowhere",
		set: func(v *values, text string) (err error) {
			v.ops, err = opsAddr(text)
			if host, _, _ := net.SplitHostPort(v.ops); err == nil && v.ops != "" && !isLoopback(host) {
				v.warnings = append(v.warnings, fmt.Sprintf("the operations page at %s can be reached from other machines: it shows how the bot fares, and no games", v.ops))
			}
			return err
		},
	},
	{
		flag: "o", env: "OUTPUT", arg: "FILE", commands: gamesExport,
		help: "the file to write, which must not exist; without it, the standard output",
		set: func(v *values, text string) error {
			v.output = text
			return nil
		},
	},
	{
		// Not LASCABOT_DATA: that is the file of the bot's games.
		flag: "data", env: "PLAYGROUND_DATA", arg: "FOLDER", def: "playground-data", commands: playground,
		help: "the folder that keeps the games and the channels; `-data \"\"` forgets them at the end",
		set: func(v *values, text string) error {
			v.world = text
			return nil
		},
	},
	{
		flag: "addr", env: "ADDR", arg: "HOST:PORT", def: "127.0.0.1:8080", commands: playground,
		help: "where the page is served, on this machine only; port 0 takes a free one",
		set: func(v *values, text string) error {
			v.addr = text
			return checkLoopback(text)
		},
	},
	{
		flag: "open", env: "OPEN", def: "false", commands: playground,
		help: "open the page in the browser",
		set: func(v *values, text string) (err error) {
			if v.open, err = strconv.ParseBool(text); err != nil {
				return fmt.Errorf("%s is neither true nor false", quote(text))
			}
			return nil
		},
	},
	{
		flag: "discord-api-url", env: "DISCORD_API_URL", arg: "URL", def: "https://discord.com", commands: run | register | doctor,
		help: "where Discord is, such as a simulator; http is for this machine only",
		set: func(v *values, text string) (err error) {
			v.apiURL, err = checkAPIURL(text)
			return err
		},
	},
	{
		flag: "workers", env: "WORKERS", arg: "N", def: "0", commands: run | playground,
		help: "how many games the machine thinks about at a time; 0 is one less than there are processors",
		set: func(v *values, text string) (err error) {
			v.workers, err = number(text, 0, 256)
			return err
		},
	},
	{
		flag: "hash", env: "HASH", arg: "MB", def: "16", commands: run | playground,
		help: "the memory that each of them remembers positions in, in megabytes",
		set: func(v *values, text string) (err error) {
			v.hash, err = number(text, 1, 1024)
			return err
		},
	},
	{
		flag: "log-format", env: "LOG_FORMAT", arg: "FORMAT", def: "text", commands: run | register | playground,
		help: "text or json",
		set: func(v *values, text string) error {
			v.logFormat = text
			if text != "text" && text != "json" {
				return fmt.Errorf("%s is no format: choose text or json", quote(text))
			}
			return nil
		},
	},
	{
		flag: "log-level", env: "LOG_LEVEL", arg: "LEVEL", def: "info", commands: run | register | playground,
		help: "the least that is logged: debug, info, warn or error",
		set: func(v *values, text string) error {
			level, ok := map[string]slog.Level{
				"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
			}[strings.ToLower(text)]
			v.logLevel = level
			if !ok {
				return fmt.Errorf("%s is no level: choose debug, info, warn or error", quote(text))
			}
			return nil
		},
	},
}

// duration reads zero or a time of at least a least one. Besides what
// time.ParseDuration reads, a number of days such as 90d.
func duration(text string, least time.Duration) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if days, found := strings.CutSuffix(text, "d"); found {
		var n int
		n, err = strconv.Atoi(days)
		if d = time.Duration(n) * 24 * time.Hour; n < 0 || n > 36500 {
			err = errors.New("too many days")
		}
	}
	switch {
	case err != nil || d < 0:
		return 0, fmt.Errorf("%s is no length of time: give one such as 36h, 30m or 90d", quote(text))
	case d > 0 && d < least:
		return 0, fmt.Errorf("%s is too short: give 0 or at least %v", quote(text), least)
	}
	return d, nil
}

// opsAddr completes an address by the host that is this machine itself.
func opsAddr(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return "", fmt.Errorf("%s is no address: give a port with a colon before it, such as :9107, or host and port", quote(text))
	}
	if _, err := number(port, 0, 65535); err != nil {
		return "", fmt.Errorf("the port %w", err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

func number(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("%s is no number from %d to %d", quote(text), low, high)
	}
	return n, nil
}

// isLoopback reports whether a host is this machine itself. The name localhost
// is taken at its word.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func checkLoopback(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%s is no address: give host and port, such as 127.0.0.1:8080", quote(addr))
	}
	if !isLoopback(host) {
		return fmt.Errorf("%s can be reached from other machines, and the page lets everybody be anybody: give 127.0.0.1, [::1] or localhost as host", quote(addr))
	}
	if _, err := number(port, 0, 65535); err != nil {
		return fmt.Errorf("the port %w", err)
	}
	return nil
}

// checkAPIURL returns a URL without its last slash. Plain http is accepted for
// this machine only, without a way round it: every request carries the token,
// and a simulator on another machine can be reached by a tunnel.
func checkAPIURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", fmt.Errorf("%s is no web address: give one such as https://discord.com", quote(text))
	}
	if strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.User != nil {
		return "", errors.New("there is more in it than host and port: leave out what follows them, and any name before them")
	}
	if u.Scheme == "http" && !isLoopback(u.Hostname()) {
		return "", fmt.Errorf("%s would send the token unencrypted to another machine: use https, or a tunnel to 127.0.0.1", quote(text))
	}
	if p := u.Port(); p != "" {
		if _, err := number(p, 1, 65535); err != nil {
			return "", fmt.Errorf("the port %w", err)
		}
	}
	return u.Scheme + "://" + u.Host, nil
}
