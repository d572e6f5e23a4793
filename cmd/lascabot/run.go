package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
which loses nothing either.

If the file of games is damaged, deleted or replaced while it runs, it stops with
status 65. In the last two cases it first writes a rescue copy beside the file, and
does not start again before that has been restored or moved away.`,
	Setup: func(f *cli.Flags) cli.Action {
		set := config.RunFlags(f)
		return func(ctx context.Context, c *cli.Call) error {
			return run(ctx, set, logger(c, set.Log, set.Warnings))
		}
	},
}

// stopTime is how long a bot whose store has failed may take to stop. What hangs in a
// broken file must not keep the process from ending.
const stopTime = 20 * time.Second

// run serves until ctx ends or the store has failed for good.
func run(ctx context.Context, c *config.Run, log *slog.Logger) error {
	// Otherwise, if the reader of the log goes away, the next line ends the bot.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	failed := make(chan error, 1)
	store, err := openToRun(c, boltstore.Options{Log: log, Failed: func(err error) {
		failed <- err
		stop(err)
	}})
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- errors.Join(serve(ctx, c, store, log), store.Close()) }()
	return await(done, failed, log)
}

// await waits for a bot to stop. The error with which its store has failed counts
// more than how it stopped.
func await(done, failed <-chan error, log *slog.Logger) error {
	select {
	case err := <-done:
		select {
		case failure := <-failed: // while it stopped
			return failure
		default:
			return err
		}
	case failure := <-failed:
		log.Error("stopping, since nothing can be stored any more", "err", failure)
		late := time.NewTimer(stopTime)
		defer late.Stop()
		select {
		case <-done:
		case <-late.C:
			log.Error("the bot does not stop by itself; leaving")
		}
		return failure
	}
}

// openToRun opens the file of games, and creates it if there is none. It refuses when
// games may be elsewhere: in a rescue copy that nobody has put in place, or in a bot
// that still runs although its file is gone.
func openToRun(c *config.Run, o boltstore.Options) (*boltstore.Store, error) {
	rescued, err := boltstore.Rescued(c.Data)
	if err != nil {
		return nil, err
	}
	if len(rescued) > 0 {
		last := rescued[len(rescued)-1]
		return nil, fmt.Errorf(`%w: %s holds the games that a bot had when %s was deleted or replaced; put it in place with "lascabot restore %[2]s", or move it elsewhere`,
			storage.ErrReplaced, last, c.Data)
	}
	o.Existing = true
	store, err := boltstore.Open(c.Data, o)
	if errors.Is(err, fs.ErrNotExist) {
		if err := alone(c.Data); err != nil {
			return nil, err
		}
		o.Existing = false
		store, err = boltstore.Open(c.Data, o)
	} else if err == nil {
		if err := alone(c.Data); err != nil { // it has another file open than the one that is there now
			return nil, errors.Join(err, store.Close())
		}
	}
	if errors.Is(err, storage.ErrBroken) {
		return nil, fmt.Errorf(`%w; put a copy in its place with "lascabot restore", which keeps the damaged file; the bot's own copies are in %s`,
			oneLine{err}, c.Copies.Folder)
	}
	return store, err
}

// serve runs the bot on a store until ctx ends.
func serve(ctx context.Context, c *config.Run, store *boltstore.Store, log *slog.Logger) error {
	b, err := bot.New(bot.Options{
		Token: c.Discord.Token.Reveal(), API: c.Discord.APIURL, Store: store, Shards: c.Shards, KeepFinished: c.KeepFinished,
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
