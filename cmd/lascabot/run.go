package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/config"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
)

var runCommand = cli.Command{
	Name: "run", Short: "connects to Discord and serves until it is stopped",
	Long: `
It needs a token, from LASCABOT_TOKEN or from a file. SIGINT or SIGTERM stops it
within 20 seconds, with all answers finished; a second signal stops it at once,
which loses nothing either.`,
	Setup: func(f *cli.Flags) cli.Action {
		set := config.RunFlags(f)
		return func(ctx context.Context, c *cli.Call) error {
			return run(ctx, set, logger(c, set.Log, set.Warnings))
		}
	},
}

// run serves until ctx ends.
func run(ctx context.Context, c *config.Run, log *slog.Logger) (err error) {
	// Otherwise, if the reader of the log goes away, the next line ends the bot.
	signal.Ignore(syscall.SIGPIPE)
	store, err := boltstore.Open(c.Data, boltstore.Options{Log: log})
	if errors.Is(err, storage.ErrDamaged) {
		return fmt.Errorf(`%w; put a copy in its place with "lascabot restore", which keeps the damaged file; the bot's own copies are in %s`,
			oneLine{err}, c.Copies.Folder)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	b, err := bot.New(bot.Options{
		Token: c.Discord.Token.Reveal(), API: c.Discord.APIURL, Store: store, KeepFinished: c.KeepFinished,
		KeepRemoved: c.KeepRemoved, KeepCopies: c.Copies.Every * time.Duration(c.Copies.Keep),
		Workers: c.Machine.Workers, HashBytes: c.Machine.HashBytes, Log: log,
	})
	if err != nil {
		return err
	}
	log.Info("starting", "version", cli.Version(), "data", c.Data, "discord", c.Discord.APIURL)
	defer log.Info("stopped")
	defer context.AfterFunc(ctx, func() { log.Info("stopping; a second signal stops at once") })()

	stopOps, err := startOps(ctx, c.Ops, b, log)
	if err != nil {
		return err
	}
	defer stopOps()
	control := startControl(ctx, c.Data, store, log)
	defer control.close()
	copying, stopCopying := context.WithCancel(ctx)
	var copies sync.WaitGroup
	defer copies.Wait()
	defer stopCopying()
	if c.Copies.Every > 0 {
		own := boltstore.Copies{Of: c.Data, Folder: c.Copies.Folder, Keep: c.Copies.Keep}
		copies.Go(func() { own.Run(copying, store, c.Copies.Every, log) })
	}
	return b.Run(ctx)
}

// oneLine is an error whose text is one line.
type oneLine struct{ error }

func (o oneLine) Error() string { return firstLine(o.error) }
func (o oneLine) Unwrap() error { return o.error }
