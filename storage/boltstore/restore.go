package boltstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lascabot/lascabot/storage"
)

// Verify opens a file of games that no bot uses, checks it as [Store.Check] does, and
// closes it. It changes nothing. The error is that of [Open], with ReadOnly set, or
// of Check.
func Verify(ctx context.Context, path string) error {
	s, err := Open(path, Options{ReadOnly: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	if err = s.Check(ctx); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return errors.Join(err, s.Close())
}

// Restore puts a copy in place of a file. It first reads and checks the copy, which
// stays where it is, unless it is a rescue copy of the file ([Rescued]): that is not
// needed any more and is removed. The file at path, intact or damaged, gets another
// name in the same folder; Restore returns that name, or "" when there was no file. The
// new file is brought up to date and says that it was restored ([storage.RestoredNote]). The
// error wraps storage.ErrBroken, storage.ErrDamaged or storage.ErrSchema when the copy
// cannot be used, and storage.ErrInUse when the file is in use. On an error nothing
// has changed.
func Restore(ctx context.Context, path, from string, now time.Time) (kept string, err error) {
	rescued, err := Rescued(path)
	if err != nil {
		return "", err
	}
	name := path
	if path, err = resolve(path); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if err := replaceable(path, from); err != nil {
		return "", err
	}
	ready := path + ".restoring"
	if err := prepare(ctx, ready, from); err != nil {
		return "", err
	}
	if err := noteRestored(ctx, ready, now); err != nil {
		os.Remove(ready)
		return "", &renamed{strings.ReplaceAll(err.Error(), ready, path), err}
	}
	defer func() {
		if err != nil {
			os.Remove(ready)
		}
	}()
	if kept, err = setAside(path, now); err != nil {
		return "", err
	}
	if err := os.Rename(ready, path); err != nil {
		if kept != "" {
			err = errors.Join(err, os.Rename(kept, path))
		}
		return "", err
	}
	if err := syncFolder(path); err != nil {
		return kept, err
	}
	for _, copied := range rescued {
		if same(copied, from) {
			return kept, os.Remove(copied)
		}
	}
	return kept, nil
}

// same reports whether two paths lead to one file.
func same(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// replaceable returns an error when the copy is the file at path itself, or when that
// file is in use.
func replaceable(path, from string) error {
	if _, err := os.Stat(path); err != nil {
		return nil // there is nothing to replace
	}
	if same(path, from) {
		return fmt.Errorf("%s: this is the file itself, not a copy", from)
	}
	s, err := Open(path, Options{ReadOnly: true, Log: slog.New(slog.DiscardHandler)})
	switch {
	case errors.Is(err, storage.ErrInUse):
		return err
	case err != nil:
		return nil // a damaged file is what Restore is for
	}
	return s.Close()
}

// prepare makes a new file from a copy and checks it there: the check covers what is
// on this disk. When prepare fails, there is no new file.
func prepare(ctx context.Context, ready, from string) error {
	f, size, err := openCopy(from)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	defer f.Close()
	if err := os.Remove(ready); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := WriteNew(ready, func(to *os.File) error {
		_, err := io.CopyN(to, &contextReader{ctx, f}, size)
		return err
	}); err != nil {
		return err
	}
	if err := Verify(ctx, ready); err != nil {
		os.Remove(ready)
		// The operator knows the copy by its own name.
		return &renamed{strings.ReplaceAll(err.Error(), ready, from), err}
	}
	return nil
}

// noteRestored leaves the note in a copy that it is older than what people have been shown.
// That also brings it up to date.
func noteRestored(ctx context.Context, path string, now time.Time) error {
	note, err := json.Marshal(now.UTC())
	if err != nil {
		return err
	}
	s, err := Open(path, Options{Existing: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	return errors.Join(s.SaveState(ctx, storage.RestoredNote, note), s.Close())
}

// openCopy opens a copy and returns how many bytes of it are to be copied. Its first
// pages say so: whatever has none is not copied to the end of the disk.
func openCopy(from string) (f *os.File, size int64, err error) {
	path, err := resolve(from) // opening a pipe would wait for somebody who writes
	if err != nil {
		return nil, 0, err
	}
	if f, err = os.Open(path); err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	r, err := readRoots(f)
	if err != nil {
		return nil, 0, broken(err)
	}
	m := r.latest()
	if uint64(info.Size())/uint64(m.pageSize) < m.pages {
		return nil, 0, broken(fmt.Errorf("it has only %d of its %d pages", info.Size()/int64(m.pageSize), m.pages))
	}
	size = int64(m.pages) * int64(m.pageSize) // what follows is not in use
	return f, size, nil
}

// contextReader stops reading when its context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}

// setAside gives the file at path another name in the same folder. It returns that
// name, or "" when there is no file.
func setAside(path string, now time.Time) (kept string, err error) {
	if _, err := os.Lstat(path); err != nil {
		return "", nil
	}
	kept = filepath.Join(filepath.Dir(path), besideName(path, "replaced-", now))
	if _, err := os.Lstat(kept); err == nil {
		return "", fmt.Errorf("%s: %w", kept, fs.ErrExist)
	}
	return kept, os.Rename(path, kept)
}

// renamed is an error with another text.
type renamed struct {
	text string
	error
}

func (r *renamed) Error() string { return r.text }
func (r *renamed) Unwrap() error { return r.error }
