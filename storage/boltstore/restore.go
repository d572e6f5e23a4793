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

// Verify opens a file of games that is not in use, checks it as [Store.Check]
// does and closes it. The error is that of [Open], with Existing, or of Check.
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

// Restore puts a copy in the place of a file. The copy is read and checked first
// and stays where it is. What is at path, sound or damaged, is kept under
// another name in the same folder, which is returned, "" when there was nothing.
// The error wraps storage.ErrDamaged or storage.ErrSchema when the copy is no
// use, storage.ErrInUse when the file is in use; then nothing has changed.
func Restore(ctx context.Context, path, from string, now time.Time) (kept string, err error) {
	if here, err := os.Stat(path); err == nil {
		if there, err := os.Stat(from); err == nil && os.SameFile(here, there) {
			return "", fmt.Errorf("%s: this is the file itself, not a copy", from)
		}
		s, err := Open(path, Options{Existing: true, Log: slog.New(slog.DiscardHandler)})
		if errors.Is(err, storage.ErrInUse) {
			return "", err
		}
		if err == nil {
			if err := s.Close(); err != nil {
				return "", err
			}
		}
	}
	// It is checked as it lies on this disk, and brought to the present schema
	// here rather than in the copy.
	ready := path + ".restoring"
	if err := os.Remove(ready); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
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
		return "", err
	}
	defer func() {
		if err != nil {
			os.Remove(ready)
		}
	}()
	if err := Verify(ctx, ready); err != nil {
		// The person knows the copy by its own name.
		return "", &renamed{strings.ReplaceAll(err.Error(), ready, from), err}
	}
	if _, err := os.Lstat(path); err == nil {
		base := filepath.Base(path)
		ext := filepath.Ext(base)
		kept = filepath.Join(filepath.Dir(path), strings.TrimSuffix(base, ext)+"-replaced-"+now.UTC().Format(copyTime)+ext)
		if _, err := os.Lstat(kept); err == nil {
			return "", fmt.Errorf("%s: %w", kept, fs.ErrExist)
		}
		if err := os.Rename(path, kept); err != nil {
			return "", err
		}
	}
	if err := os.Rename(ready, path); err != nil {
		if kept != "" {
			err = errors.Join(err, os.Rename(kept, path))
		}
		return "", err
	}
	return kept, syncFolder(path)
}

// renamed is an error with another text.
type renamed struct {
	text string
	error
}

func (r *renamed) Error() string { return r.text }
func (r *renamed) Unwrap() error { return r.error }
