// Command lascabot is the bot: it serves games of Lasca on Discord.
//
//	lascabot run           connects to Discord and serves until it is stopped
//	lascabot register      writes the list of commands to Discord, if it differs
//	lascabot doctor        tests everything that run needs and says what is wrong
//	lascabot backup FILE   copies the games, also while the bot runs
//	lascabot check         reads every game and names what is damaged
//	lascabot restore FILE  puts a copy in the place of the games
//	lascabot games export  writes the games as text
//	lascabot games import  stores games that were written as text
//	lascabot version       says which version this is
//
// Each takes -h. Exit status: 0 done, 1 failed, 2 called wrongly, 65 the file of
// games is damaged, 78 refused by Discord for good. After the last two starting
// it again is of no use before somebody has done something.
//
// # Design
//
// This package is wiring only. [app] is a value, so that tests start the same
// program with other arguments, environment and output.
//
// While the bot runs it has the file of games to itself; who wants a copy asks it
// by a socket beside the file (control.go). The operations page (ops.go) is
// another listener, off by default, that shows no games.
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
	"github.com/lascabot/lascabot/storage"
)

// Exit statuses.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitDamaged = 65 // EX_DATAERR of sysexits.h
	exitRefused = 78 // EX_CONFIG of sysexits.h; a service manager should not start it again
)

func main() {
	// The first signal stops in order; a second one stops at once, which loses
	// nothing either.
	ctx, stop := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		stop()
		<-signals
		os.Exit(exitFailed)
	}()
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

	lascabot run                connect to Discord and serve until stopped
	lascabot register           write the list of commands to Discord, if it differs
	lascabot doctor             test everything that run needs and say what is wrong
	lascabot backup FILE        copy the games, also while the bot runs
	lascabot check              read every game and name what is damaged
	lascabot restore [FILE]     put a copy in the place of the games
	lascabot games export       write the games as text
	lascabot games import FILE  store games that were written as text
	lascabot version            say which version this is

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
		"run": a.run, "register": a.register, "doctor": a.doctor, "version": a.version,
		"backup": a.backup, "check": a.check, "restore": a.restore, "games": a.games,
	}
	command, ok := commands[name]
	if !ok {
		if name == "help" || name == "-h" || name == "-help" || name == "--help" {
			fmt.Fprint(a.stdout, usage)
			return exitDone
		}
		fmt.Fprintf(a.stderr, "lascabot: no command %q; \"lascabot help\" lists them\n", name)
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
	case errors.Is(err, storage.ErrDamaged):
		fmt.Fprintln(a.stderr, "lascabot:", err)
		return exitDamaged
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

// versionText returns what the build recorded about itself: the version, which
// names the commit where there is no tag and tells of changes, and that of Go.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	return info.Main.Version + " " + info.GoVersion
}
