package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lascabot/lascabot/config"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
	"github.com/lascabot/lascabot/storage/gametext"
)

var backupCommand = cli.Command{
	Name:  "backup",
	Args:  "FILE",
	Short: "copies the games, also while the bot runs",
	Long: `
FILE is the copy to make; it must not exist. A running bot goes on meanwhile.`,
	Least: 1, Most: 1,
	Setup: func(f *cli.Flags) cli.Action {
		s := config.StoreFlags(f)
		return func(ctx context.Context, c *cli.Call) error { return backup(ctx, s, c) }
	},
}

// backup makes a copy of the file of games.
func backup(ctx context.Context, c *config.Store, call *cli.Call) error {
	to := call.Args[0]
	if to == "" {
		return cli.Refuse("the name of the copy is empty: name a file")
	}
	s, err := boltstore.Open(c.Data, boltstore.Options{Existing: true, Log: quiet()})
	switch {
	case errors.Is(err, storage.ErrInUse):
		err = fromRunningBot(ctx, c.Data, to)
	case err == nil:
		err = errors.Join(s.BackupFile(ctx, to), s.Close())
	}
	if err != nil {
		return err
	}
	if err := boltstore.Verify(ctx, to); err != nil {
		return fmt.Errorf("the copy cannot be used: %w", err)
	}
	info, err := os.Stat(to)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(call.Out, "%s: a copy of %s, %d bytes, checked\n", to, c.Data, info.Size())
	return err
}

var checkCommand = cli.Command{
	Name:  "check",
	Short: "reads every game and names what is damaged",
	Setup: func(f *cli.Flags) cli.Action {
		s := config.StoreFlags(f)
		return func(ctx context.Context, c *cli.Call) error { return check(ctx, s, c) }
	},
}

// check reads the whole file of games.
func check(ctx context.Context, c *config.Store, call *cli.Call) error {
	s, done, err := snapshot(ctx, c.Data)
	if err != nil {
		return err
	}
	defer done()
	if err := s.Check(ctx); err != nil {
		return fmt.Errorf("%s: %w", c.Data, err)
	}
	games := map[match.Phase]int{}
	for r, err := range s.All(ctx) {
		if err != nil {
			return err
		}
		games[r.Match.Phase]++
	}
	_, err = fmt.Fprintf(call.Out, "%s: sound; running games: %d, open challenges: %d, finished games: %d\n",
		c.Data, games[match.Playing], games[match.Proposed], games[match.Finished])
	return err
}

var restoreCommand = cli.Command{
	Name:  "restore",
	Args:  "[FILE]",
	Short: "puts a copy in the place of the games",
	Long: `
FILE is the copy to put in place; without it, the newest sound one of the copies
that the bot has made. The replaced file is kept under another name.`,
	Least: 0, Most: 1,
	Setup: func(f *cli.Flags) cli.Action {
		s := config.RestoreFlags(f)
		return func(ctx context.Context, c *cli.Call) error { return restore(ctx, s, c) }
	},
}

// restore puts a copy in the place of the file of games.
func restore(ctx context.Context, c *config.Store, call *cli.Call) (err error) {
	from := ""
	if len(call.Args) > 0 {
		from = call.Args[0]
	}
	if from == "" {
		if from, err = newestSound(ctx, c, call.Err); err != nil {
			return err
		}
	}
	kept, err := boltstore.Restore(ctx, c.Data, from, time.Now())
	if err != nil {
		return err
	}
	if kept != "" {
		kept = "; what was there is kept as " + kept
	}
	_, err = fmt.Fprintf(call.Out, "%s: now what %s holds%s\n", c.Data, from, kept)
	return err
}

// newestSound returns the newest of the bot's own copies that is sound.
func newestSound(ctx context.Context, c *config.Store, stderr io.Writer) (string, error) {
	list, err := boltstore.Copies{Of: c.Data, Folder: c.Copies}.List()
	if err != nil {
		return "", err
	}
	for _, found := range list {
		err := boltstore.Verify(ctx, found.Path)
		if err == nil {
			return found.Path, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		fmt.Fprintln(stderr, "lascabot: left out:", firstLine(err))
	}
	return "", fmt.Errorf("there is no sound copy of %s in %s: name one, or another folder with -backup-dir", c.Data, c.Copies)
}

var exportCommand = cli.Command{
	Name:  "games export",
	Short: "writes the games as text",
	Long: `
Open challenges are left out.`,
	Setup: func(f *cli.Flags) cli.Action {
		s := config.ExportFlags(f)
		return func(ctx context.Context, c *cli.Call) error { return exportGames(ctx, s, c) }
	},
}

// exportGames writes all games but open challenges as game text.
func exportGames(ctx context.Context, c *config.Store, call *cli.Call) error {
	s, done, err := snapshot(ctx, c.Data)
	if err != nil {
		return err
	}
	defer done()
	count, damaged := 0, 0
	write := func(to io.Writer) error {
		w := bufio.NewWriter(to)
		for r, err := range s.All(ctx) {
			switch {
			case errors.Is(err, storage.ErrDamaged):
				damaged++
				fmt.Fprintln(call.Err, "lascabot: left out:", firstLine(err))
			case err != nil:
				return err
			case gametext.Writes(&r):
				count++
				if err := gametext.Write(w, r); err != nil {
					return err
				}
			}
		}
		return w.Flush()
	}
	if c.Output == "" {
		err = write(call.Out)
	} else {
		err = boltstore.WriteNew(c.Output, func(f *os.File) error { return write(f) })
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(call.Err, "lascabot: games written: %d\n", count)
	if damaged > 0 {
		return fmt.Errorf("%w: games left out: %d", storage.ErrDamaged, damaged)
	}
	return nil
}

var importCommand = cli.Command{
	Name:  "games import",
	Args:  "FILE",
	Short: "stores games that were written as text",
	Long: `
FILE is what "lascabot games export" wrote; - is the standard input. All games are
stored or, when one cannot be, none. Games that are stored already stay as they are.`,
	Least: 1, Most: 1,
	Setup: func(f *cli.Flags) cli.Action {
		s := config.StoreFlags(f)
		return func(ctx context.Context, c *cli.Call) error { return importGames(ctx, s, c) }
	},
}

// importGames stores the games of a text, all or none.
func importGames(ctx context.Context, c *config.Store, call *cli.Call) error {
	in, from := call.In, call.Args[0]
	switch from {
	case "":
		return cli.Refuse("the name of the file is empty: name a file, or - for the standard input")
	case "-":
	default:
		f, err := os.Open(from)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	records, err := gametext.Read(in)
	if err != nil {
		return fmt.Errorf("%s: %w; nothing was stored", from, err)
	}
	s, err := boltstore.Open(c.Data, boltstore.Options{Log: quiet()})
	if err != nil {
		return err
	}
	created, err := s.CreateAll(ctx, records)
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(call.Out, "%s: games stored: %d, stored already and left as they are: %d\n", c.Data, created, len(records)-created)
	return err
}

// snapshot opens the file of games, or a copy that the running bot makes of it.
// done closes it and removes the copy.
func snapshot(ctx context.Context, data string) (s *boltstore.Store, done func(), err error) {
	s, err = boltstore.Open(data, boltstore.Options{Existing: true, Log: quiet()})
	if err == nil {
		return s, func() { s.Close() }, nil
	}
	if !errors.Is(err, storage.ErrInUse) {
		return nil, nil, err
	}
	folder, err := os.MkdirTemp("", "lascabot-*")
	if err != nil {
		return nil, nil, err
	}
	remove := func() { os.RemoveAll(folder) }
	path := filepath.Join(folder, filepath.Base(data))
	if err = fromRunningBot(ctx, data, path); err == nil {
		s, err = boltstore.Open(path, boltstore.Options{Existing: true, Log: quiet()})
	}
	if err != nil {
		remove()
		return nil, nil, err
	}
	return s, func() { s.Close(); remove() }, nil
}

// quiet is the log of commands that say everything themselves.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// firstLine returns an error's text in one line.
func firstLine(err error) string {
	line, rest, _ := strings.Cut(err.Error(), "\n")
	if rest != "" {
		line += " (and more)"
	}
	return line
}
