// Command lascabot is the bot: it serves games of Lasca on Discord.
//
//	lascabot run       connects to Discord and serves until it is stopped
//	lascabot register  writes the list of commands to Discord, if it differs
//	lascabot version   says which version this is
//
// Each takes -h. Exit status: 0 done, 1 failed, 2 called wrongly, 78 refused by
// Discord for good, so that starting it again is of no use.
//
// # Design
//
// This package is wiring only. [app] is a value, so that tests start the same
// program with other arguments, environment and output.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/config"
	"github.com/lascabot/lascabot/storage/boltstore"
)

// Exit statuses.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitRefused = 78 // EX_CONFIG of sysexits.h; a service manager should not start it again
)

func main() {
	// The first signal stops in order; a second one stops at once, which loses
	// nothing either.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	a := app{args: os.Args[1:], getenv: os.Getenv, stdout: os.Stdout, stderr: os.Stderr}
	os.Exit(a.main(ctx))
}

// app is one run of the program.
type app struct {
	args           []string
	getenv         func(string) string
	stdout, stderr io.Writer
}

const usage = `lascabot serves games of Lasca on Discord.

	lascabot run       connect to Discord and serve until stopped
	lascabot register  write the list of commands to Discord, if it differs
	lascabot version   say which version this is

"lascabot COMMAND -h" lists a command's settings.
`

// main runs the program and returns its exit status.
func (a *app) main(ctx context.Context) int {
	if len(a.args) == 0 {
		fmt.Fprint(a.stderr, usage)
		return exitUsage
	}
	name, args := a.args[0], a.args[1:]
	commands := map[string]func(context.Context, []string) error{
		"run": a.run, "register": a.register, "version": a.version,
	}
	command, ok := commands[name]
	if !ok {
		if name == "help" || name == "-h" || name == "-help" || name == "--help" {
			fmt.Fprint(a.stdout, usage)
			return exitDone
		}
		fmt.Fprintf(a.stderr, "lascabot: no command %q: run, register or version\n", name)
		return exitUsage
	}
	err := command(ctx, args)
	var wrong usageError
	switch {
	case err == nil, errors.Is(err, config.ErrHelp):
		return exitDone
	case errors.As(err, &wrong):
		fmt.Fprintln(a.stderr, "lascabot:", err)
		return exitUsage
	case bot.Refused(err):
		fmt.Fprintln(a.stderr, "lascabot:", err)
		return exitRefused
	}
	fmt.Fprintln(a.stderr, "lascabot:", err)
	return exitFailed
}

// usageError marks an error in what the person wrote.
type usageError struct{ error }

func asUsage(err error) error {
	if err == nil || errors.Is(err, config.ErrHelp) {
		return err
	}
	return usageError{err}
}

// logger makes the program's log.
func (a *app) logger(l config.Log, warnings []string) *slog.Logger {
	opt := &slog.HandlerOptions{Level: l.Level}
	log := slog.New(slog.NewTextHandler(a.stderr, opt))
	if l.JSON {
		log = slog.New(slog.NewJSONHandler(a.stderr, opt))
	}
	for _, w := range warnings {
		log.Warn(w)
	}
	return log
}

// run serves until ctx ends.
func (a *app) run(ctx context.Context, args []string) (err error) {
	c, err := config.LoadRun(args, a.getenv, a.stderr)
	if err != nil {
		return asUsage(err)
	}
	log := a.logger(c.Log, c.Warnings)
	store, err := boltstore.Open(c.Data, boltstore.Options{Log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	b, err := bot.New(bot.Options{
		Token: c.Discord.Token.Reveal(), API: c.Discord.APIURL, Store: store,
		Workers: c.Machine.Workers, HashBytes: c.Machine.HashBytes, Log: log,
	})
	if err != nil {
		return err
	}
	log.Info("starting", "version", versionText(), "data", c.Data, "discord", c.Discord.APIURL)
	defer log.Info("stopped")
	return b.Run(ctx)
}

// register writes the list of commands.
func (a *app) register(ctx context.Context, args []string) error {
	c, err := config.LoadRegister(args, a.getenv, a.stderr)
	if err != nil {
		return asUsage(err)
	}
	return bot.Register(ctx, bot.Options{
		Token: c.Discord.Token.Reveal(), API: c.Discord.APIURL, Log: a.logger(c.Log, c.Warnings),
	})
}

func (a *app) version(_ context.Context, args []string) error {
	if err := config.LoadVersion(args, a.stderr); err != nil {
		return asUsage(err)
	}
	_, err := fmt.Fprintln(a.stdout, "lascabot", versionText())
	return err
}

// versionText returns what the build recorded about itself.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			text += " " + s.Value
		case "vcs.modified":
			if s.Value == "true" {
				text += " (changed)"
			}
		}
	}
	return text + " " + info.GoVersion
}
