package boltstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// copyTime is the part of a copy's name that says when it was taken, in UTC.
const copyTime = "20060102-150405"

// partMark is in the name of a file that is being written.
const partMark = ".part-"

// Copies are the copies of one file in a folder: of games.db they are called
// games-20260301-120000.db, by the time in UTC. Other files in the folder are
// left alone.
type Copies struct {
	Of     string // the file
	Folder string // made when the first copy is taken
	Keep   int    // how many are kept, at least 1
}

// Copy is one copy.
type Copy struct {
	Path string
	At   time.Time // when it was taken, in whole seconds
}

// name returns the name of the copy of a time.
func (c Copies) name(at time.Time) string {
	base := filepath.Base(c.Of)
	ext := filepath.Ext(base)
	return strings.TrimSuffix(base, ext) + "-" + at.UTC().Format(copyTime) + ext
}

// timeOf reads the time in the name of a copy.
func (c Copies) timeOf(name string) (at time.Time, ok bool) {
	begin := len(c.name(time.Time{})) - len(copyTime) - len(filepath.Ext(c.Of))
	if len(name) < begin+len(copyTime) {
		return at, false
	}
	at, err := time.Parse(copyTime, name[begin:begin+len(copyTime)])
	return at, err == nil && name == c.name(at)
}

// sweep removes what copies that were interrupted have left.
func (c Copies) sweep() error {
	entries, err := os.ReadDir(c.Folder)
	for _, e := range entries {
		name, _, part := strings.Cut(e.Name(), partMark)
		if _, ok := c.timeOf(name); ok && part {
			err = errors.Join(err, os.Remove(filepath.Join(c.Folder, e.Name())))
		}
	}
	return err
}

// List returns the copies, newest first; none when there is no folder.
func (c Copies) List() ([]Copy, error) {
	entries, err := os.ReadDir(c.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Copy
	for _, e := range entries {
		if at, ok := c.timeOf(e.Name()); ok && e.Type().IsRegular() {
			list = append(list, Copy{filepath.Join(c.Folder, e.Name()), at})
		}
	}
	slices.SortFunc(list, func(a, b Copy) int { return b.At.Compare(a.At) })
	return list, nil
}

// take takes a copy and removes those that are too many, the oldest first. When
// it fails, no older copy is lost. One process at a time may do this.
func (c Copies) take(ctx context.Context, s *Store, now time.Time) (Copy, error) {
	if err := os.MkdirAll(c.Folder, 0o700); err != nil {
		return Copy{}, err
	}
	if err := c.sweep(); err != nil {
		return Copy{}, err
	}
	taken := Copy{filepath.Join(c.Folder, c.name(now)), now.UTC().Truncate(time.Second)}
	if err := s.BackupFile(ctx, taken.Path); err != nil {
		return Copy{}, err
	}
	list, err := c.List()
	if err != nil {
		return taken, err
	}
	for _, old := range list[min(len(list), max(c.Keep, 1)):] {
		err = errors.Join(err, os.Remove(old.Path))
	}
	return taken, err
}

// Run takes copies at intervals until ctx ends: the first when the newest one is
// that old, or at once when there is none. A copy that fails is logged and tried
// again after a tenth of the interval.
func (c Copies) Run(ctx context.Context, s *Store, every time.Duration, log *slog.Logger) {
	wait := time.Duration(0)
	if list, err := c.List(); err == nil && len(list) > 0 {
		// A clock that was set back must not put the next one off for long.
		wait = min(every, time.Until(list[0].At.Add(every)))
	}
	for {
		t := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			t.Stop()
			return
		case <-t.C:
		}
		begin := time.Now()
		taken, err := c.take(ctx, s, begin)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			wait = every / 10
			log.ErrorContext(ctx, "no copy of the games was taken", "folder", c.Folder, "again_in", wait, "err", err)
		default:
			wait = every
			log.InfoContext(ctx, "copy of the games taken", "file", taken.Path, "took", time.Since(begin))
		}
	}
}

// BackupFile writes a copy as [Store.Backup] does to a file that there must not
// be yet. The file appears when it is whole and on disk, never half written.
func (s *Store) BackupFile(ctx context.Context, path string) error {
	return WriteNew(path, func(f *os.File) error { return s.Backup(ctx, f) })
}

// WriteNew makes a file, readable by its owner only, that there must not be yet;
// the error wraps fs.ErrExist. It appears under its name when it is whole and on
// disk; when write fails there is no file.
func WriteNew(path string, write func(*os.File) error) (err error) {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+partMark+"*") // of mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := giveToOwner(f); err != nil {
		return err
	}
	if err := write(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	// A link does not replace what another process may have put there
	// meanwhile; where there are no links, a rename has to do.
	if err := os.Link(f.Name(), path); err == nil {
		os.Remove(f.Name())
	} else if errors.Is(err, fs.ErrExist) {
		return err
	} else if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncFolder(path)
}
