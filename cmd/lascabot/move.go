package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"iter"
	"path/filepath"

	"github.com/lascabot/lascabot/config"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
	"github.com/lascabot/lascabot/storage/pgstore"
	"github.com/lascabot/lascabot/storage/stored"
)

// A move copies values until both stores hold the same, and can be killed at any time.
// Notes say how far it is: the store that is being filled has one (stored.MovingNote) that
// no bot may run on it, from before the first value until after the last; the store that
// was left gets one (stored.MovedNote) once the other has everything. So at each moment at
// most one of the two can be served, and never one that lacks something.
//
// A bot that runs on a file has it locked. One that runs on a database is seen there among
// its connections, and the move refuses to begin. Should one hide behind a PgBouncer or
// come later, it can change nothing: the database is frozen from before the first value is
// read until the note stands, and the note stops whoever does not know of it.

// moveBatch is how many values are written in one transaction.
const moveBatch = 500

var moveCommand = cli.Command{
	Name: "move-store", Args: "FROM TO", Short: "moves the games to a database, or back to a file",
	Long: `
FROM and TO are each a file of games or the address of a PostgreSQL database, such as
postgres://lascabot@127.0.0.1/lascabot. Stop the bot first, and every worker. The move
can be stopped, or killed, and goes on when the same command is run again. At the end
it compares both stores, value by value. From then on no bot runs on FROM any more,
which keeps its games as they were; a later move back brings it up to date.

It refuses while a bot has the file open, or while a process of lascabot is connected
to the database; one that it does not see, or that comes later, can change nothing.
Damaged games are not moved: it names the first and stops, and the bot may go on with
FROM. TO must be empty, or hold what an earlier move between the two has put there.`,
	Least: 2, Most: 2,
	Setup: func(*cli.Flags) cli.Action {
		return func(ctx context.Context, c *cli.Call) (err error) {
			if place(c.Args[0]) == place(c.Args[1]) {
				return cli.Refuse("FROM and TO are the same: %s", place(c.Args[0]))
			}
			from, err := openToMove(ctx, c.Args[0], true)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, from.Close()) }()
			to, err := openToMove(ctx, c.Args[1], false)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, to.Close()) }()
			count, sum, err := move(ctx, from, to, place(c.Args[0]), place(c.Args[1]))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.Out, "%s: now holds what %s held: values moved or there already: %d, SHA-256 of both %x\n",
				place(c.Args[1]), place(c.Args[0]), count, sum)
			return err
		}
	},
}

// place returns what may be shown of an argument of move-store.
func place(arg string) string {
	if config.IsDatabase(arg) {
		return pgstore.Name(arg)
	}
	if path, err := filepath.Abs(arg); err == nil {
		return path // the notes are read from other folders
	}
	return arg
}

// openToMove opens one side of a move. A bot that serves a file has it locked; one that
// serves a database shows there.
func openToMove(ctx context.Context, arg string, existing bool) (games, error) {
	if config.IsDatabase(arg) {
		s, err := openDatabase(ctx, config.NewSecret(arg), pgstore.Options{Existing: existing, Moving: true})
		if err != nil {
			return nil, err
		}
		n, err := s.Others(ctx)
		if err == nil && n > 0 {
			err = fmt.Errorf("%w: lascabot has %d connections to %s: stop every bot, worker and command that uses it (behind a PgBouncer connections stay for a while: name the server itself)",
				storage.ErrInUse, n, place(arg))
		}
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		return s, nil
	}
	if err := alone(arg); err != nil {
		return nil, err
	}
	s, err := boltstore.Open(arg, boltstore.Options{Log: quiet(), Existing: existing})
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no file of games %s: %w", arg, fs.ErrNotExist)
	}
	return s, err
}

// notMoved returns an error if a store is one that a move has left, or has not filled
// yet.
func notMoved(ctx context.Context, s storage.Store, where string) error {
	moving, err := s.State(ctx, stored.MovingNote)
	if err != nil {
		return err
	}
	if moving != nil {
		return fmt.Errorf("%w: the move of the games from %s to %s is not finished: run \"lascabot move-store\" again", errMoved, moving, where)
	}
	moved, err := s.State(ctx, stored.MovedNote)
	if err != nil || moved == nil {
		return err
	}
	return fmt.Errorf("%w: the games of %s were moved to %s; go on there, or move them back with \"lascabot move-store\"", errMoved, where, moved)
}

// errMoved says that the games are elsewhere.
var errMoved = errors.New("these are not the games to serve")

// move makes what one store holds the same as what another holds, and compares them. It
// returns how many values they hold and a hash of all.
func move(ctx context.Context, from, to games, fromName, toName string) (count int, sum []byte, err error) {
	leave, thaw, err := from.Freeze(ctx)
	if err != nil {
		return 0, nil, err
	}
	defer thaw()
	if err := begin(ctx, from, to, fromName, toName); err != nil {
		return 0, nil, err
	}
	if err := alike(ctx, from, to); err != nil {
		return 0, nil, err
	}
	count, sum, err = compared(ctx, from, to)
	if err != nil {
		return 0, nil, err
	}
	if err := leave(ctx, stored.MovedNote, []byte(toName)); err != nil {
		return 0, nil, err
	}
	if err := to.SaveState(ctx, stored.MovedNote, nil); err != nil {
		return 0, nil, err
	}
	return count, sum, to.SaveState(ctx, stored.MovingNote, nil)
}

// begin returns an error unless games may be moved, and notes in the store that is to be
// filled that they are.
func begin(ctx context.Context, from, to games, fromName, toName string) error {
	mark, thaw, err := to.Freeze(ctx)
	if err != nil {
		return err
	}
	defer thaw()
	moved, err := from.State(ctx, stored.MovedNote)
	if err != nil {
		return err
	}
	moving, err := to.State(ctx, stored.MovingNote)
	if err != nil {
		return err
	}
	left, err := to.State(ctx, stored.MovedNote)
	switch {
	case err != nil:
		return err
	case string(moved) == toName && moving == nil:
		return fmt.Errorf("%w: the games of %s were moved to %s before; to bring them back, give the two the other way round", errMoved, fromName, toName)
	case moved != nil && string(moved) != toName:
		return fmt.Errorf("%w: the games of %s were moved to %s", errMoved, fromName, moved)
	case moving != nil && string(moving) != fromName:
		return fmt.Errorf("%w: a move from %s to %s is not finished", errMoved, moving, toName)
	case moving == nil && string(left) != fromName:
		if err := empty(ctx, to, toName); err != nil {
			return err
		}
	}
	if back, err := from.State(ctx, stored.MovingNote); err != nil || back != nil {
		return errors.Join(err, notMoved(ctx, from, fromName))
	}
	return mark(ctx, stored.MovingNote, []byte(fromName))
}

// empty returns an error unless a store holds no more than notes.
func empty(ctx context.Context, s games, name string) error {
	for v, err := range s.Values(ctx) {
		if err != nil {
			return err
		}
		if !bytes.Equal(v.Kind, stored.Notes) {
			return cli.Refuse("%s holds games already: give a new file or an empty database", name)
		}
	}
	return nil
}

// own reports whether a value is a note about moves, which belongs to its store alone.
func own(v stored.Value) bool {
	return bytes.Equal(v.Kind, stored.Notes) && (string(v.Key) == stored.MovingNote || string(v.Key) == stored.MovedNote)
}

// contents returns what a store holds, but for notes about moves, as a pair of functions
// that gives it piece by piece: the zero value at the end.
func contents(ctx context.Context, s games) (next func() (stored.Value, error), stop func()) {
	pull, stop := iter.Pull2(s.Values(ctx))
	return func() (stored.Value, error) {
		for {
			v, err, ok := pull()
			if !ok || err != nil {
				return stored.Value{}, err
			}
			if !own(v) {
				return v, nil
			}
		}
	}, stop
}

// before compares the places of two values in the order of a store; the zero value is the
// last of all.
func before(a, b stored.Value) int {
	return cmpKind(a.Kind) - cmpKind(b.Kind)
}

func cmpKind(kind []byte) int {
	for i, k := range stored.Kinds() {
		if bytes.Equal(k, kind) {
			return i
		}
	}
	return len(stored.Kinds())
}

// alike copies what one store holds to another and removes what the other holds besides.
func alike(ctx context.Context, from, to games) error {
	source, stopSource := contents(ctx, from)
	defer stopSource()
	// The other is read a batch ahead of what is written, which comes before that.
	target, stopTarget := contents(ctx, to)
	defer stopTarget()
	var put, gone []stored.Value
	flush := func(least int) error {
		if len(put)+len(gone) < least {
			return nil
		}
		err := to.Replace(ctx, put, gone)
		put, gone = nil, nil
		return err
	}
	a, err := source()
	if err != nil {
		return err
	}
	b, err := target()
	for err == nil && (a.Kind != nil || b.Kind != nil) {
		order := before(a, b)
		if order == 0 {
			order = bytes.Compare(a.Key, b.Key)
		}
		if order <= 0 {
			if order < 0 || !bytes.Equal(a.Sealed, b.Sealed) {
				if err := a.Check(); err != nil {
					return fmt.Errorf("%w; \"lascabot check\" names all that are damaged: put a sound copy in place, or move the others as text with \"lascabot games export\" and \"import\"", err)
				}
				put = append(put, a)
			}
			if a, err = source(); err != nil {
				return err
			}
		} else {
			gone = append(gone, b)
		}
		if order >= 0 {
			b, err = target()
		}
		if err == nil {
			err = flush(moveBatch)
		}
	}
	if err != nil {
		return err
	}
	return flush(1)
}

// errDiffer says that a move has not brought about what it should have.
var errDiffer = errors.New("the two do not hold the same; nothing is lost, and no bot runs on the new one: run the command again, and tell the authors if it says this again")

// compared compares two stores by the number of their values and a hash of all.
func compared(ctx context.Context, from, to games) (count int, sum []byte, err error) {
	count, sum, err = digest(ctx, from)
	if err != nil {
		return 0, nil, err
	}
	other, otherSum, err := digest(ctx, to)
	if err == nil && (count != other || !bytes.Equal(sum, otherSum)) {
		err = fmt.Errorf("%w (%d values with the hash %x, %d with %x)", errDiffer, count, sum, other, otherSum)
	}
	return count, sum, err
}

func digest(ctx context.Context, s games) (count int, sum []byte, err error) {
	next, stop := contents(ctx, s)
	defer stop()
	h := sha256.New()
	for {
		v, err := next()
		if err != nil || v.Kind == nil {
			return count, h.Sum(nil), err
		}
		count++
		for _, part := range [][]byte{v.Kind, v.Key, v.Sealed} {
			writePart(h, part)
		}
	}
}

// writePart adds bytes to a hash so that no two lists of parts look the same.
func writePart(h hash.Hash, part []byte) {
	fmt.Fprintf(h, "%d:", len(part))
	h.Write(part)
}
