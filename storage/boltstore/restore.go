package boltstore

import (
	"context"
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

// Verify opens a file of games that is not in use, checks it as [Store.Check] does,
// and closes it. The error is that of [Open], with Existing set, or of Check.
func Verify(ctx context.Context, path string) error {
	s, err := Open(path, Options{Existing: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	if err = s.Check(ctx); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return errors.Join(err, s.Close())
}

// Restore puts a copy in place of a file. It first reads and checks the copy, which
// stays where it is. The file at path, intact or damaged, gets another name in the
// same folder; Restore returns that name, or "" when there was no file. The error
// wraps storage.ErrDamaged or storage.ErrSchema when the copy cannot be used, and
// storage.ErrInUse when the file is in use. On an error nothing has changed.
func Restore(ctx context.Context, path, from string, now time.Time) (kept string, err error) {
	if err := replaceable(path, from); err != nil {
		return "", err
	}
	ready := path + ".restoring"
	if err := prepare(ctx, ready, from); err != nil {
		return "", err
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
	return kept, syncFolder(path)
}

// replaceable returns an error when the copy is the file at path itself, or when that
// file is in use.
func replaceable(path, from string) error {
	here, err := os.Stat(path)
	if err != nil {
		return nil // there is nothing to replace
	}
	if there, err := os.Stat(from); err == nil && os.SameFile(here, there) {
		return fmt.Errorf("%s: this is the file itself, not a copy", from)
	}
	s, err := Open(path, Options{Existing: true, Log: slog.New(slog.DiscardHandler)})
	switch {
	case errors.Is(err, storage.ErrInUse):
		return err
	case err != nil:
		return nil // a damaged file is what Restore is for
	}
	return s.Close()
}

// prepare makes a new file from a copy and checks it there: the check covers what is
// on this disk, and migrates the new file to the current schema rather than the
// copy. When prepare fails, there is no new file.
func prepare(ctx context.Context, ready, from string) error {
	if err := os.Remove(ready); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := WriteNew(ready, func(to *os.File) error {
		f, err := os.Open(from)
		if err != nil {
			return err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return fmt.Errorf("%s: this is a folder", from)
		}
		_, err = io.Copy(to, f)
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

// setAside gives the file at path another name in the same folder. It returns that
// name, or "" when there is no file.
func setAside(path string, now time.Time) (kept string, err error) {
	if _, err := os.Lstat(path); err != nil {
		return "", nil
	}
	base := filepath.Base(path)
	ext := filepath.Ext(base)
	kept = filepath.Join(filepath.Dir(path), strings.TrimSuffix(base, ext)+"-replaced-"+now.UTC().Format(copyTime)+ext)
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
