// Command lascabot is the bot: it serves games of Lasca on Discord.
//
//	lascabot run                 connects to Discord and serves until it is stopped
//	lascabot worker              makes the machine's moves for bots that share a database
//	lascabot status              shows how a running bot is
//	lascabot register            writes the list of commands to Discord if it differs
//	lascabot doctor              tests everything that run needs and says what is wrong
//	lascabot backup FILE         copies the games, even while the bot runs
//	lascabot check               reads every game and names what is damaged
//	lascabot restore [FILE]      puts a copy in the place of the games
//	lascabot move-store FROM TO  moves the games to a database, or back to a file
//	lascabot games export        writes the games as text
//	lascabot games import FILE   stores games that were written as text
//	lascabot version             prints the version
//	lascabot licences            prints the licences of the libraries in this program
//	lascabot help [COMMAND]      lists the commands, or explains one
//
// Each takes -h. Exit status: 0 done, 1 failed, 2 called wrongly, 65 the file of
// games is damaged or was lost while the bot ran, 78 refused by Discord for good.
// After the last two there is no point in starting it again before somebody has
// fixed the cause.
//
// # Design
//
// This package is wiring. Each command is a value that package cli runs; its
// help, the list above and README.md in this folder come from these values.
//
// A running bot has the file of games to itself. Commands that need a copy ask
// it for one through a socket beside the file (control.go). The operations page
// (ops.go) is another listener, off by default, that shows no games.
package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/config"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/storage"
)

// Exit statuses besides those of package cli.
const (
	exitDamaged = 65 // EX_DATAERR of sysexits.h
	exitRefused = 78 // EX_CONFIG of sysexits.h; a service manager should not start it again
)

func main() { program.Main() }

var program = cli.Program{
	Name:  "lascabot",
	About: "lascabot serves games of Lasca on Discord.",
	Notes: `
Exit status: 0 done, 1 failed, 2 called wrongly, 65 the file of games is damaged or
was lost while the bot ran, 78 refused by Discord for good.`,
	Commands: []cli.Command{
		runCommand, workerCommand, statusCommand, registerCommand, doctorCommand,
		backupCommand, checkCommand, restoreCommand, moveCommand, exportCommand, importCommand,
	},
	Status: func(err error) int {
		switch {
		case bot.Refused(err):
			return exitRefused
		case errors.Is(err, storage.ErrDamaged), errors.Is(err, storage.ErrBroken), errors.Is(err, storage.ErrReplaced):
			return exitDamaged
		}
		return 0
	},
}

// logger makes a command's log and writes the warnings about its settings.
func logger(c *cli.Call, l config.Log, warnings []string) *slog.Logger {
	log := l.Logger(c.Err)
	for _, w := range warnings {
		log.Warn(w)
	}
	return log
}

var registerCommand = cli.Command{
	Name: "register", Short: "writes the list of commands to Discord if it differs",
	Setup: func(f *cli.Flags) cli.Action {
		set := config.RegisterFlags(f)
		return func(ctx context.Context, c *cli.Call) error {
			return bot.Register(ctx, bot.Options{
				Token: set.Discord.Token.Reveal(), API: set.Discord.APIURL, Log: logger(c, set.Log, set.Warnings),
			})
		}
	},
}
