package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/lascabot/lascabot/config"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
	"github.com/lascabot/lascabot/storage/gametext"
)

var exportCommand = cli.Command{
	Name: "games export", Short: "writes the games as text",
	Long: `
It writes all games but open challenges, and also works while the bot runs. It
leaves out damaged games; its exit status is then 65.`,
	Setup: func(f *cli.Flags) cli.Action {
		set := config.ExportFlags(f)
		return func(ctx context.Context, c *cli.Call) error {
			s, done, err := toRead(ctx, set)
			if err != nil {
				return err
			}
			defer done()
			count, damaged := 0, 0
			write := func(to io.Writer) (err error) {
				count, damaged, err = writeGames(ctx, s, to, c.Err)
				return err
			}
			if set.Output == "" || set.Output == "-" {
				err = write(c.Out)
			} else {
				err = boltstore.WriteNew(set.Output, func(f *os.File) error { return write(f) })
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(c.Err, "lascabot: games written: %d\n", count)
			if damaged > 0 {
				return fmt.Errorf("%w: games left out: %d", storage.ErrDamaged, damaged)
			}
			return nil
		}
	},
}

// writeGames writes the games of a store as game text, and tells stderr which it
// leaves out because they are damaged.
func writeGames(ctx context.Context, s games, to, stderr io.Writer) (count, damaged int, err error) {
	w := bufio.NewWriter(to)
	for r, err := range s.All(ctx) {
		switch {
		case errors.Is(err, storage.ErrDamaged):
			damaged++
			fmt.Fprintln(stderr, "lascabot: left out:", firstLine(err))
		case err != nil:
			return count, damaged, err
		case gametext.Writes(&r):
			count++
			if err := gametext.Write(w, r); err != nil {
				return count, damaged, err
			}
		}
	}
	return count, damaged, w.Flush()
}

var importCommand = cli.Command{
	Name: "games import", Args: "FILE", Short: "stores games that were written as text",
	Long: `
FILE is what "lascabot games export" has written; - is standard input. Either all
games are stored or none. Games that are stored already stay as they are. Stop
a bot that has its games in a file first.`,
	Least: 1, Most: 1,
	Setup: func(f *cli.Flags) cli.Action {
		set := config.StoreFlags(f)
		return func(ctx context.Context, c *cli.Call) error {
			file, err := fileArgument(c)
			if err != nil {
				return err
			}
			records, err := readGames(file, c.In)
			if err != nil {
				return err
			}
			s, err := toWrite(ctx, set)
			if err != nil {
				return err
			}
			created := 0
			if err = notMoved(ctx, s, whereOf(set)); err == nil { // a move back would remove them
				created, err = s.CreateAll(ctx, records)
			}
			if err := errors.Join(err, s.Close()); err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.Out, "%s: games stored: %d, already there and left as they are: %d\n",
				whereOf(set), created, len(records)-created)
			return err
		}
	},
}

// readGames reads the games of a file of game text, or of standard input for
// "-".
func readGames(file string, stdin io.Reader) ([]storage.Record, error) {
	in := stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	records, err := gametext.Read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: nothing was stored: %w", file, err)
	}
	return records, nil
}
