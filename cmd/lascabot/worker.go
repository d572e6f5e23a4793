package main

import (
	"context"
	"errors"
	"log/slog"
	"os/signal"
	"syscall"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/config"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/storage/pgjobs"
	"github.com/lascabot/lascabot/storage/pgstore"
)

var workerCommand = cli.Command{
	Name: "worker", Short: "makes the machine's moves for bots that share a database",
	Long: `
It needs no token and does not talk to Discord; each "lascabot run -store" on the same
database shows the moves, and makes some itself. Any number of workers can run, on any
machines. SIGINT or SIGTERM stops one within some seconds; what it was thinking about,
another process does at once, or, after a kill, within six seconds.

Synchronise the machine's time (NTP): turns begin by its clock.`,
	Setup: func(f *cli.Flags) cli.Action {
		set := config.WorkerFlags(f)
		return func(ctx context.Context, c *cli.Call) error {
			return work(ctx, set, logger(c, set.Log, set.Warnings))
		}
	},
}

// work makes moves until ctx ends.
func work(ctx context.Context, c *config.Worker, log *slog.Logger) (err error) {
	signal.Ignore(syscall.SIGPIPE) // as in run
	store, jobs, err := share(ctx, c.Store, pgjobs.Options{AtOnce: bot.JobsAtOnce(c.Machine.Workers), Log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	w := bot.NewWorker(bot.WorkerOptions{Store: store, Jobs: jobs, Workers: c.Machine.Workers, HashBytes: c.Machine.HashBytes, Log: log})
	log.Info("starting to work", "version", cli.Version(), "data", pgstore.Name(c.Store.Reveal()), "workers", c.Machine.Workers)
	defer log.Info("stopped")
	defer context.AfterFunc(ctx, func() { log.Info("stopping; a second signal stops at once") })()
	stopOps, err := startOps(ctx, c.Ops, w, log)
	if err != nil {
		return err
	}
	defer stopOps()
	return w.Run(ctx)
}
