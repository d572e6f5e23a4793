package main

import (
	"context"
	"errors"
	"fmt"
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
)

var backupCommand = cli.Command{
	Name: "backup", Args: "FILE", Short: "copies the games, even while the bot runs",
	Long: `
FILE is the copy to make; it must not exist. A running bot goes on meanwhile.`,
	Least: 1, Most: 1,
	Setup: func(f *cli.Flags) cli.Action {
		set := config.StoreFlags(f)
		return func(ctx context.Context, c *cli.Call) error {
			if err := refuseDatabase(set, insteadOfBackup); err != nil {
				return err
			}
			file, err := fileArgument(c)
			if err != nil {
				return err
			}
			if err := backup(ctx, set.Data, file); err != nil {
				return err
			}
			info, err := os.Stat(file)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.Out, "%s: a copy of %s, %d bytes, checked\n", file, set.Data, info.Size())
			return err
		}
	},
}

// fileArgument returns the argument that names a file.
func fileArgument(c *cli.Call) (string, error) {
	if c.Args[0] == "" {
		return "", cli.Refuse("the name of the file is empty")
	}
	return c.Args[0], nil
}

// backup copies the file of games and checks the copy.
func backup(ctx context.Context, data, to string) error {
	s, err := openToRead(data)
	switch {
	case errors.Is(err, storage.ErrInUse):
		err = fromRunningBot(ctx, data, to)
	case err == nil:
		err = errors.Join(s.BackupFile(ctx, to), s.Close())
	}
	if err != nil {
		return err
	}
	if err := boltstore.Verify(ctx, to); err != nil {
		return fmt.Errorf("the copy is useless: %w", err)
	}
	return nil
}

var checkCommand = cli.Command{
	Name: "check", Short: "reads every game and names what is damaged",
	Long: `
It changes nothing, also works while the bot runs, and reads files of older
versions.`,
	Setup: func(f *cli.Flags) cli.Action {
		set := config.StoreFlags(f)
		return func(ctx context.Context, c *cli.Call) error {
			s, done, err := toRead(ctx, set)
			if err != nil {
				return err
			}
			defer done()
			if err := s.Check(ctx); err != nil {
				return fmt.Errorf("%s: %w", whereOf(set), err)
			}
			games := map[match.Phase]int{}
			for r, err := range s.All(ctx) {
				if err != nil {
					return err
				}
				games[r.Match.Phase]++
			}
			_, err = fmt.Fprintf(c.Out, "%s: sound; running games: %d, open challenges: %d, finished games: %d\n",
				whereOf(set), games[match.Playing], games[match.Proposed], games[match.Finished])
			return err
		}
	},
}

var restoreCommand = cli.Command{
	Name: "restore", Args: "[FILE]", Short: "puts a copy in the place of the games",
	Long: `
FILE is the copy; without it, restore takes the newest sound one of the bot's own
copies that is not dated in the future. The file that it replaces is kept under
another name. Stop the bot first. Boards that Discord still shows of later moves say
that their game was set back, as soon as somebody presses one of their buttons.`,
	Most: 1,
	Setup: func(f *cli.Flags) cli.Action {
		set := config.RestoreFlags(f)
		return func(ctx context.Context, c *cli.Call) (err error) {
			if err := refuseDatabase(set, insteadOfRestore); err != nil {
				return err
			}
			from := strings.Join(c.Args, "")
			if from == "" {
				if from, err = newestSound(ctx, set, c, time.Now()); err != nil {
					return err
				}
			}
			if err := alone(set.Data); err != nil {
				return err
			}
			kept, err := boltstore.Restore(ctx, set.Data, from, time.Now())
			if err != nil {
				return err
			}
			if kept != "" {
				kept = "; the replaced file is kept as " + kept
			}
			_, err = fmt.Fprintf(c.Out, "%s: now holds what %s holds%s\n", set.Data, from, kept)
			return err
		}
	},
}

// newestSound returns the newest of the bot's own copies that is sound. It
// prints which newer ones are not.
func newestSound(ctx context.Context, set *config.Store, c *cli.Call, now time.Time) (string, error) {
	list, err := boltstore.Copies{Of: set.Data, Folder: set.Copies}.List()
	if err != nil {
		return "", err
	}
	for _, found := range list {
		if found.At.After(now) {
			// A clock was ahead, so nobody knows which one is the newest.
			fmt.Fprintf(c.Err, "lascabot: skipped: %s: it is dated in the future; name it if you want it\n", found.Path)
			continue
		}
		err := boltstore.Verify(ctx, found.Path)
		if err == nil {
			return found.Path, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		fmt.Fprintln(c.Err, "lascabot: skipped:", firstLine(err))
	}
	return "", fmt.Errorf("there is no sound copy of %s in %s: name a copy, or another folder with -backup-dir", set.Data, set.Copies)
}

// openToRead opens a file of games that no bot has open, and changes nothing. The
// error wraps storage.ErrInUse when the bot must be asked, even if the file that it
// has open is no longer the one at the path.
func openToRead(data string) (*boltstore.Store, error) {
	if err := alone(data); err != nil {
		return nil, err
	}
	return boltstore.Open(data, boltstore.Options{ReadOnly: true, Log: quiet()})
}

// snapshot opens the file of games, or a copy that the running bot makes of it.
// done closes it and removes the copy.
func snapshot(ctx context.Context, data string) (s *boltstore.Store, done func(), err error) {
	s, err = openToRead(data)
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
		s, err = boltstore.Open(path, boltstore.Options{ReadOnly: true, Log: quiet()})
	}
	if err != nil {
		remove()
		return nil, nil, err
	}
	return s, func() { s.Close(); remove() }, nil
}

// quiet is the log of commands that print everything themselves.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// firstLine returns the first line of an error's text, and says so if there are
// more.
func firstLine(err error) string {
	line, rest, _ := strings.Cut(err.Error(), "\n")
	if rest != "" {
		line += " (and more)"
	}
	return line
}
