package config

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// ErrHelp says that the help was asked for and has been written.
var ErrHelp = flag.ErrHelp

// Log says how to log.
type Log struct {
	JSON  bool // lines of JSON in place of text
	Level slog.Level
}

// Discord says how to reach Discord.
type Discord struct {
	Token  Secret
	APIURL string // scheme, host and perhaps port: no slash at its end
}

// Machine says what the machine opponent may use.
type Machine struct {
	Workers   int // searches at a time, 1 or more
	HashBytes int // of each worker's table
}

// Copies says how copies of the file of games are taken.
type Copies struct {
	Folder string
	Every  time.Duration // 0 for never
	Keep   int           // at least 1
}

// Run holds the settings of "lascabot run".
type Run struct {
	Data         string // the file of games
	Copies       Copies
	KeepFinished time.Duration // how long finished games are kept, 0 for ever
	KeepRemoved  time.Duration // how long what is stored of a server is kept after the bot was removed from it, 0 for ever
	Ops          string        // host and port of the operations page, "" for none
	Discord      Discord
	Machine      Machine
	Log          Log
	// Warnings are sentences to be logged: what works, and should be changed.
	Warnings []string
}

// Store holds the settings of the commands that look after the file of games:
// "lascabot backup", "check", "restore", "games export" and "games import".
type Store struct {
	Data   string // the file of games
	File   string // the command's argument, "" when it was left out
	Copies string // the folder of copies; of "restore" only
	Output string // the file to write, "" for the standard output; of "games export" only
}

// Doctor holds the settings of "lascabot doctor".
type Doctor struct {
	Data    string // the file of games
	Copies  string // the folder of copies
	Discord Discord
	// Warnings are as in Run.
	Warnings []string
}

// Register holds the settings of "lascabot register".
type Register struct {
	Discord  Discord
	Log      Log
	Warnings []string // as in Run
}

// Playground holds the settings of the playground.
type Playground struct {
	Addr    string // host and port to listen on; the host is this machine
	Data    string // a folder, "" to keep nothing
	Open    bool   // open the browser
	Machine Machine
	Log     Log
}

// LoadRun reads the settings of "lascabot run". args are the arguments after
// the command; getenv is os.Getenv outside of tests; the help goes to stderr.
// The error is [ErrHelp] when the help was asked for; any other is for the
// person who started the program.
func LoadRun(args []string, getenv func(string) string, stderr io.Writer) (Run, error) {
	v, err := load(run, args, getenv, stderr)
	if err != nil {
		return Run{}, err
	}
	return Run{
		Data: v.data, Copies: v.copies, KeepFinished: v.keepFinished, KeepRemoved: v.keepRemoved, Ops: v.ops,
		Discord: v.discord(), Machine: v.machine(), Log: v.log(), Warnings: v.warnings,
	}, nil
}

// LoadBackup reads the settings of "lascabot backup", as [LoadRun] does.
func LoadBackup(args []string, getenv func(string) string, stderr io.Writer) (Store, error) {
	return loadStore(backup, args, getenv, stderr)
}

// LoadCheck reads the settings of "lascabot check", as [LoadRun] does.
func LoadCheck(args []string, getenv func(string) string, stderr io.Writer) (Store, error) {
	return loadStore(check, args, getenv, stderr)
}

// LoadRestore reads the settings of "lascabot restore", as [LoadRun] does.
func LoadRestore(args []string, getenv func(string) string, stderr io.Writer) (Store, error) {
	return loadStore(restore, args, getenv, stderr)
}

// LoadGamesExport reads the settings of "lascabot games export", as [LoadRun]
// does.
func LoadGamesExport(args []string, getenv func(string) string, stderr io.Writer) (Store, error) {
	return loadStore(gamesExport, args, getenv, stderr)
}

// LoadGamesImport reads the settings of "lascabot games import", as [LoadRun]
// does.
func LoadGamesImport(args []string, getenv func(string) string, stderr io.Writer) (Store, error) {
	return loadStore(gamesImport, args, getenv, stderr)
}

func loadStore(c command, args []string, getenv func(string) string, stderr io.Writer) (Store, error) {
	v, err := load(c, args, getenv, stderr)
	if err != nil {
		return Store{}, err
	}
	s := Store{Data: v.data, File: v.argument, Output: v.output}
	if c == restore {
		s.Copies = v.copies.Folder
	}
	return s, nil
}

// LoadDoctor reads the settings of "lascabot doctor", as [LoadRun] does.
func LoadDoctor(args []string, getenv func(string) string, stderr io.Writer) (Doctor, error) {
	v, err := load(doctor, args, getenv, stderr)
	if err != nil {
		return Doctor{}, err
	}
	return Doctor{Data: v.data, Copies: v.copies.Folder, Discord: v.discord(), Warnings: v.warnings}, nil
}

// LoadRegister reads the settings of "lascabot register", as [LoadRun] does.
func LoadRegister(args []string, getenv func(string) string, stderr io.Writer) (Register, error) {
	v, err := load(register, args, getenv, stderr)
	if err != nil {
		return Register{}, err
	}
	return Register{Discord: v.discord(), Log: v.log(), Warnings: v.warnings}, nil
}

// LoadPlayground reads the settings of the playground, as [LoadRun] does.
func LoadPlayground(args []string, getenv func(string) string, stderr io.Writer) (Playground, error) {
	v, err := load(playground, args, getenv, stderr)
	if err != nil {
		return Playground{}, err
	}
	return Playground{Addr: v.addr, Data: v.world, Open: v.open, Machine: v.machine(), Log: v.log()}, nil
}

// LoadVersion reads the arguments of "lascabot version", which has no settings.
// The error is as that of [LoadRun].
func LoadVersion(args []string, stderr io.Writer) error {
	_, err := load(version, args, func(string) string { return "" }, stderr)
	return err
}

// load reads the settings of a command.
func load(c command, args []string, getenv func(string) string, stderr io.Writer) (*values, error) {
	flags, argument, err := parseFlags(c, args)
	if errors.Is(err, ErrHelp) {
		io.WriteString(stderr, help(c))
	}
	if err != nil {
		return nil, err
	}
	v := &values{argument: argument}
	for i := range settings {
		s := &settings[i]
		if s.commands&c == 0 {
			continue
		}
		text, source := s.def, s.variable()
		if value := getenv(s.variable()); value != "" {
			text = value
			if s.flag != "" {
				source = fmt.Sprintf("-%s, set by %s", s.flag, source)
			}
		}
		if value, ok := flags[s.flag]; ok {
			text, source = value, "-"+s.flag
		} else if text == "" {
			continue
		}
		if _, ok := flags["token-file"]; ok && s.env == "TOKEN" {
			continue // the flag beats this variable too
		}
		if err := s.set(v, text); err != nil {
			return nil, fmt.Errorf("%s: %w", source, err)
		}
	}
	if c&(run|register|doctor) != 0 && v.token.IsZero() {
		return nil, errors.New("there is no token: set LASCABOT_TOKEN, or name the file that holds it with -token-file or LASCABOT_TOKEN_FILE")
	}
	// Those that a service manager hands over have modes of its own, and are kept
	// from others in another way.
	if v.fileWarning != "" && filepath.Dir(v.tokenFile) != filepath.Clean(getenv("CREDENTIALS_DIRECTORY")) {
		v.warnings = append(v.warnings, v.fileWarning)
	}
	if v.copies.Folder == "" {
		v.copies.Folder = v.data + "-backups"
	}
	return v, nil
}

// parseFlags returns the texts of the flags that were given, and the argument,
// which may stand before, between or behind them.
func parseFlags(c command, args []string) (given map[string]string, argument string, err error) {
	given = map[string]string{}
	f := flag.NewFlagSet(c.String(), flag.ContinueOnError)
	f.SetOutput(io.Discard)
	for i := range settings {
		s := &settings[i]
		if s.commands&c == 0 || s.flag == "" {
			continue
		}
		take := func(text string) error {
			given[s.flag] = text
			return nil
		}
		if s.arg == "" {
			f.BoolFunc(s.flag, s.help, take)
		} else {
			f.Func(s.flag, s.help, take)
		}
	}
	arg, _ := c.argOf()
	var found []string
	for rest := args; ; rest = f.Args()[1:] {
		switch err := f.Parse(rest); {
		case errors.Is(err, ErrHelp):
			return nil, "", ErrHelp
		case err != nil && slices.ContainsFunc(args, isTokenFlag):
			return nil, "", errors.New("-token: there is no such flag, since everybody on a machine can read the command lines: set LASCABOT_TOKEN, or give -token-file")
		case err != nil:
			return nil, "", fmt.Errorf("%s; %s -h lists the settings", hideTokens(err.Error()), c)
		}
		if f.NArg() == 0 {
			break
		}
		found = append(found, f.Arg(0))
		switch {
		case arg == "":
			return nil, "", fmt.Errorf("%s is not expected: settings begin with a minus; %s -h lists them", quote(f.Arg(0)), c)
		case len(found) > 1:
			return nil, "", fmt.Errorf("%s is one file too many: %s takes one", quote(f.Arg(0)), c)
		}
	}
	switch {
	case len(found) == 1 && found[0] != "":
		return given, found[0], nil
	case arg != "" && !strings.HasPrefix(arg, "["):
		return nil, "", fmt.Errorf("name a file: %s %s", c, arg)
	}
	return given, "", nil
}

// isTokenFlag reports whether an argument is the flag that people expect.
func isTokenFlag(arg string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return arg != name && name == "token"
}

// discord returns how to reach Discord.
func (v *values) discord() Discord { return Discord{Token: v.token, APIURL: v.apiURL} }

// machine returns what the machine opponent may use.
func (v *values) machine() Machine {
	m := Machine{Workers: v.workers, HashBytes: v.hash << 20}
	if m.Workers == 0 {
		// One processor stays free for the gateway's heartbeats.
		m.Workers = max(1, runtime.GOMAXPROCS(0)-1)
	}
	return m
}

func (v *values) log() Log { return Log{JSON: v.logFormat == "json", Level: v.logLevel} }
