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

// copyTime is the format of the time in a copy's name, which is in UTC.
const copyTime = "20060102-150405"

// partMark is in the name of a file that is being written.
const partMark = ".part-"

// Copies are the copies of one file in a folder. A copy of games.db is called
// games-20260301-120000.db, after its time in UTC. Other files in the folder are not
// touched.
type Copies struct {
	Of     string // the file
	Folder string // created when the first copy is taken
	Keep   int    // the number of copies to keep; 1 when it is less
}

// Copy is one copy.
type Copy struct {
	Path string
	At   time.Time // when it was taken, in whole seconds
}

// name returns the name of a copy that is taken at a time.
func (c Copies) name(at time.Time) string {
	base := filepath.Base(c.Of)
	ext := filepath.Ext(base)
	return strings.TrimSuffix(base, ext) + "-" + at.UTC().Format(copyTime) + ext
}

// timeOf reads the time in the name of a copy, and returns false for other names.
func (c Copies) timeOf(name string) (at time.Time, ok bool) {
	begin := len(c.name(time.Time{})) - len(copyTime) - len(filepath.Ext(c.Of))
	if len(name) < begin+len(copyTime) {
		return at, false
	}
	at, err := time.Parse(copyTime, name[begin:begin+len(copyTime)])
	return at, err == nil && name == c.name(at)
}

// sweep removes the remains of interrupted copies.
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

// List returns the copies, the latest first, and nil when the folder does not
// exist.
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

// take takes a copy and then removes the oldest ones beyond Keep. When taking the
// copy fails, no older copy is lost. Only one process at a time may do this.
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

// Run takes copies at intervals until ctx ends: the first when the latest copy is
// one interval old, or at once when there is no copy. When a copy fails, Run logs it
// and tries again after a tenth of the interval.
func (c Copies) Run(ctx context.Context, s *Store, every time.Duration, log *slog.Logger) {
	wait := time.Duration(0)
	if list, err := c.List(); err == nil && len(list) > 0 {
		// A clock that was set back must not delay the next copy for long.
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
			log.ErrorContext(ctx, "could not copy the games; will retry", "folder", c.Folder, "again_in", wait, "err", err)
		default:
			wait = every
			log.InfoContext(ctx, "copied the games", "file", taken.Path, "took", time.Since(begin))
		}
	}
}

// BackupFile writes a copy, as [Store.Backup] does, to a new file, as [WriteNew]
// does.
func (s *Store) BackupFile(ctx context.Context, path string) error {
	return WriteNew(path, func(f *os.File) error { return s.Backup(ctx, f) })
}

// WriteNew creates a file that only its owner can read. If the file already exists,
// the error wraps fs.ErrExist. The file appears under its name once it is complete
// and on disk; when write fails, there is no file.
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
	// A link does not replace a file that another process may have put there in the
	// meantime. Where there are no links, a rename must do.
	if err := os.Link(f.Name(), path); err == nil {
		os.Remove(f.Name())
	} else if errors.Is(err, fs.ErrExist) {
		return err
	} else if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncFolder(path)
}
