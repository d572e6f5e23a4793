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
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
	"github.com/lascabot/lascabot/storage/gametext"
)

// backup makes a copy of the file of games.
func (a *app) backup(ctx context.Context, args []string) error {
	c, err := config.LoadBackup(args, a.getenv, a.stderr)
	if err != nil {
		return asUsage(err)
	}
	s, err := boltstore.Open(c.Data, boltstore.Options{Existing: true, Log: quiet()})
	switch {
	case errors.Is(err, storage.ErrInUse):
		err = fromRunningBot(ctx, c.Data, c.File)
	case err == nil:
		err = errors.Join(s.BackupFile(ctx, c.File), s.Close())
	}
	if err != nil {
		return err
	}
	if err := boltstore.Verify(ctx, c.File); err != nil {
		return fmt.Errorf("the copy is no use: %w", err)
	}
	info, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s: a copy of %s, %d bytes, checked\n", c.File, c.Data, info.Size())
	return err
}

// check reads the whole file of games.
func (a *app) check(ctx context.Context, args []string) error {
	c, err := config.LoadCheck(args, a.getenv, a.stderr)
	if err != nil {
		return asUsage(err)
	}
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
	_, err = fmt.Fprintf(a.stdout, "%s: sound; running games: %d, open challenges: %d, finished games: %d\n",
		c.Data, games[match.Playing], games[match.Proposed], games[match.Finished])
	return err
}

// restore puts a copy in the place of the file of games.
func (a *app) restore(ctx context.Context, args []string) error {
	c, err := config.LoadRestore(args, a.getenv, a.stderr)
	if err != nil {
		return asUsage(err)
	}
	if c.File == "" {
		if c.File, err = a.newestSound(ctx, c); err != nil {
			return err
		}
	}
	kept, err := boltstore.Restore(ctx, c.Data, c.File, time.Now())
	if err != nil {
		return err
	}
	if kept != "" {
		kept = "; what was there is kept as " + kept
	}
	_, err = fmt.Fprintf(a.stdout, "%s: now what %s holds%s\n", c.Data, c.File, kept)
	return err
}

// newestSound returns the newest of the bot's own copies that is sound.
func (a *app) newestSound(ctx context.Context, c config.Store) (string, error) {
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
		fmt.Fprintln(a.stderr, "lascabot: left out:", firstLine(err))
	}
	return "", fmt.Errorf("there is no sound copy of %s in %s: name one, or another folder with -backup-dir", c.Data, c.Copies)
}

// games is the command of that name: export or import.
func (a *app) games(ctx context.Context, args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "export":
			return a.exportGames(ctx, args[1:])
		case "import":
			return a.importGames(ctx, args[1:])
		case "-h", "-help", "--help", "help":
			_, err := io.WriteString(a.stdout, usage)
			return err
		}
	}
	return usageError{errors.New("games: export or import?")}
}

// exportGames writes all games but open challenges as game text.
func (a *app) exportGames(ctx context.Context, args []string) error {
	c, err := config.LoadGamesExport(args, a.getenv, a.stderr)
	if err != nil {
		return asUsage(err)
	}
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
				fmt.Fprintln(a.stderr, "lascabot: left out:", firstLine(err))
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
		err = write(a.stdout)
	} else {
		err = boltstore.WriteNew(c.Output, func(f *os.File) error { return write(f) })
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "lascabot: games written: %d\n", count)
	if damaged > 0 {
		return fmt.Errorf("%w: games left out: %d", storage.ErrDamaged, damaged)
	}
	return nil
}

// importGames stores the games of a text, all or none.
func (a *app) importGames(ctx context.Context, args []string) error {
	c, err := config.LoadGamesImport(args, a.getenv, a.stderr)
	if err != nil {
		return asUsage(err)
	}
	in := io.Reader(os.Stdin)
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	records, err := gametext.Read(in)
	if err != nil {
		return fmt.Errorf("%s: %w; nothing was stored", c.File, err)
	}
	s, err := boltstore.Open(c.Data, boltstore.Options{Log: quiet()})
	if err != nil {
		return err
	}
	created, err := s.CreateAll(ctx, records)
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s: games stored: %d, stored already and left as they are: %d\n", c.Data, created, len(records)-created)
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

// quiet is a log for commands that say everything by themselves.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// firstLine returns an error's text in one line.
func firstLine(err error) string {
	line, rest, _ := strings.Cut(err.Error(), "\n")
	if rest != "" {
		line += " (and more)"
	}
	return line
}
