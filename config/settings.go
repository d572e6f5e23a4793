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
)

// command is one of the things that can be started.
type command uint8

const (
	run command = 1 << iota
	register
	version
	playground
)

// commandNames are the commands as they are typed, in the order of the README's
// table.
var commandNames = []struct {
	command command
	name    string
}{{run, "lascabot run"}, {register, "lascabot register"}, {version, "lascabot version"}, {playground, "playground"}}

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
	warnings      []string
	apiURL        string
	logFormat     string
	logLevel      slog.Level
	workers, hash int
	addr          string
	open          bool
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
		env: "TOKEN", arg: "TOKEN", commands: run | register,
		help: "the bot's token; there is no flag for it, since everybody on a machine can read the command lines",
		set: func(v *values, text string) (err error) {
			v.token, err = readToken(text)
			return err
		},
	},
	{
		flag: "token-file", env: "TOKEN_FILE", arg: "FILE", commands: run | register,
		help: "a file that holds the bot's token, in place of LASCABOT_TOKEN",
		set: func(v *values, text string) (err error) {
			if !v.token.IsZero() {
				return errors.New("LASCABOT_TOKEN is set as well: unset one of them")
			}
			v.token, v.warnings, err = readTokenFile(text)
			return err
		},
	},
	{
		flag: "data", env: "DATA", arg: "FILE", def: "lascabot.db", commands: run,
		help: "the file that holds the games; it is made when there is none",
		set: func(v *values, text string) error {
			v.data = text
			if text == "" {
				return errors.New("it is empty: give the name of a file")
			}
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
		flag: "discord-api-url", env: "DISCORD_API_URL", arg: "URL", def: "https://discord.com", commands: run | register,
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
