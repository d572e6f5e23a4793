package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/config"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
	"github.com/lascabot/lascabot/storage/pgstore"
	"github.com/lascabot/lascabot/storage/stored"
)

// games are the games as the commands see them, in a file or in a database.
type games interface {
	storage.Store
	All(context.Context) iter.Seq2[storage.Record, error]
	Check(context.Context) error
	CreateAll(context.Context, []storage.Record) (created int, err error)
	Values(context.Context) iter.Seq2[stored.Value, error]
	Replace(ctx context.Context, put, gone []stored.Value) error
	Freeze(context.Context) (mark func(ctx context.Context, key string, value []byte) error, release func(), err error)
}

var (
	_ games = (*boltstore.Store)(nil)
	_ games = (*pgstore.Store)(nil)
)

// runOnDatabase serves games in a database until ctx ends. While the database does not
// answer the bot says so to whoever uses it, and goes on when it does again.
func runOnDatabase(ctx context.Context, c *config.Run, log *slog.Logger) (err error) {
	store, err := pgstore.Open(ctx, c.Store.Reveal(), pgstore.Options{Log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	where := pgstore.Name(c.Store.Reveal())
	if err := notMoved(ctx, store, where); err != nil {
		return err
	}
	return serve(ctx, c, store, where, 0, log, func(*bot.Bot) func() { return func() {} })
}

// openDatabase opens the games in a database for a command.
func openDatabase(ctx context.Context, url config.Secret, o pgstore.Options) (*pgstore.Store, error) {
	o.Log = quiet()
	s, err := pgstore.Open(ctx, url.Reveal(), o)
	if errors.Is(err, pgstore.ErrNoTables) {
		return nil, fmt.Errorf("%s: %w; \"lascabot run\" makes the tables, and brings older ones up to date", pgstore.Name(url.Reveal()), err)
	}
	return s, err
}

// whereOf says where the games of a command are.
func whereOf(set *config.Store) string {
	if !set.Store.IsZero() {
		return pgstore.Name(set.Store.Reveal())
	}
	return set.Data
}

// toRead opens the games to be read, while a bot serves them or not. done closes them.
func toRead(ctx context.Context, set *config.Store) (g games, done func(), err error) {
	if set.Store.IsZero() {
		return snapshot(ctx, set.Data)
	}
	s, err := openDatabase(ctx, set.Store, pgstore.Options{Existing: true})
	if err != nil {
		return nil, nil, err
	}
	return s, func() { s.Close() }, nil
}

// toWrite opens the games of a bot that is stopped, if they are in a file, or of any if
// they are in a database.
func toWrite(ctx context.Context, set *config.Store) (games, error) {
	if !set.Store.IsZero() {
		return openDatabase(ctx, set.Store, pgstore.Options{})
	}
	if err := alone(set.Data); err != nil {
		return nil, err
	}
	return boltstore.Open(set.Data, boltstore.Options{Log: quiet()})
}

// refuseDatabase refuses a command that is for the file of games alone.
func refuseDatabase(set *config.Store, instead string) error {
	if set.Store.IsZero() {
		return nil
	}
	return cli.Refuse("%s is a database: %s", pgstore.Name(set.Store.Reveal()), instead)
}

// What to use instead of backup and restore.
const (
	insteadOfBackup  = "copy it with its own tools, such as pg_dump -Fc, or with continuous archiving"
	insteadOfRestore = "stop every bot and worker, and restore it with its own tools, such as pg_restore --clean"
)

// examineDatabase tests the database with the games.
func examineDatabase(ctx context.Context, url config.Secret) (list []bot.Finding) {
	found := func(subject string, v bot.Verdict, format string, args ...any) {
		list = append(list, bot.Finding{Subject: subject, Verdict: v, Text: fmt.Sprintf(format, args...)})
	}
	name := pgstore.Name(url.Reveal())
	state, err := pgstore.Examine(ctx, url.Reveal())
	if err != nil {
		found("games", bot.Wrong, "%s: %s", name, firstLine(err))
		return list
	}
	behind := ""
	if state.Pooler {
		behind = ", behind a pooler such as PgBouncer"
	}
	found("database", bot.Good, "%s is PostgreSQL %s and can be written to%s", name, state.Version, behind)
	switch {
	case state.Tables == 0:
		found("games", bot.Note, "%s has no games yet; \"lascabot run\" makes the tables", name)
	case state.Tables < state.Newest:
		found("games", bot.Note, "%s has tables of an older version; \"lascabot run\" brings them up to date", name)
	default:
		found("games", bot.Good, "%s has the tables of this version; \"lascabot check\" reads every game", name)
	}
	if state.Skew.Abs() > maxSkew {
		found("clock", bot.Note, "the server's clock and this machine's are %v apart: switch on the synchronisation of time (NTP)", state.Skew.Round(maxSkew/10))
	}
	if !state.Pooler && state.Limit < 2*pgstore.Connections {
		found("database", bot.Note, "the bot's user may open %d connections to it, and each process of the bot uses up to %d: raise the limit (max_connections, or that of the user or the database), or put a PgBouncer in front", state.Limit, pgstore.Connections)
	}
	return list
}
