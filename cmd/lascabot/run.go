package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/config"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
)

// run serves until ctx ends.
func (a *app) run(ctx context.Context, args []string) (err error) {
	c, err := config.LoadRun(args, a.getenv, a.stderr)
	if err != nil {
		return asUsage(err)
	}
	log := a.logger(c.Log, c.Warnings)
	store, err := boltstore.Open(c.Data, boltstore.Options{Log: log})
	if errors.Is(err, storage.ErrDamaged) {
		return fmt.Errorf(`%w; put a copy in its place with "lascabot restore", which keeps the damaged file; the bot's own copies are in %s`, oneLine{err}, c.Copies.Folder)
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
	log.Info("starting", "version", versionText(), "data", c.Data, "discord", c.Discord.APIURL)
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

// oneLine is an error with a text of one line.
type oneLine struct{ error }

func (o oneLine) Error() string { return firstLine(o.error) }
func (o oneLine) Unwrap() error { return o.error }
