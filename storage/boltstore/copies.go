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

	write func(ctx context.Context, s *Store, path string) error // instead of Store.BackupFile, in tests
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

// aheadMark is at the end of the name of a copy that is dated in the future.
const aheadMark = "-ahead"

// setAsideAhead gives the copies that are dated after now other names, and returns
// these. A clock that was ahead made them. They are no longer among the copies, or
// the copies of years to come would be older than they and be removed at once; the
// newest would not be the newest.
func (c Copies) setAsideAhead(now time.Time) (aside []string, err error) {
	list, err := c.List()
	for _, found := range list {
		if !found.At.After(now) {
			continue
		}
		ext := filepath.Ext(found.Path)
		to := strings.TrimSuffix(found.Path, ext) + aheadMark + ext
		if _, statErr := os.Lstat(to); statErr == nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", to, fs.ErrExist))
		} else if renameErr := os.Rename(found.Path, to); renameErr != nil {
			err = errors.Join(err, renameErr)
		} else {
			aside = append(aside, to)
		}
	}
	return aside, err
}

// result is what taking a copy has come to.
type result struct {
	taken Copy
	aside []string // copies from the future, by their new names
	err   error
}

// take takes a copy and then removes the oldest ones beyond Keep. When taking the
// copy fails, no older copy is lost. Only one process at a time may do this.
func (c Copies) take(ctx context.Context, s *Store, now time.Time) (r result) {
	if r.err = os.MkdirAll(c.Folder, 0o700); r.err != nil {
		return r
	}
	if r.err = c.sweep(); r.err != nil {
		return r
	}
	at := now.UTC().Truncate(time.Second)
	var asideErr error
	r.aside, asideErr = c.setAsideAhead(at)
	taken := Copy{filepath.Join(c.Folder, c.name(now)), at}
	write := c.write
	if write == nil {
		write = func(ctx context.Context, s *Store, path string) error { return s.BackupFile(ctx, path) }
	}
	if err := write(ctx, s, taken.Path); err != nil {
		r.err = errors.Join(err, asideErr)
		return r
	}
	r.taken = taken
	list, err := c.List()
	if r.err = errors.Join(err, asideErr); err != nil {
		return r
	}
	list = slices.DeleteFunc(list, func(old Copy) bool { return !old.At.Before(at) })
	for _, old := range list[min(len(list), max(c.Keep, 1)-1):] {
		r.err = errors.Join(r.err, os.Remove(old.Path))
	}
	return r
}

const (
	// slowCopy is after how long a copy that is still being made is mentioned.
	slowCopy = time.Minute
	// leaveCopy is how long Run waits for a copy to end when it is told to stop.
	leaveCopy = 3 * time.Second
)

// Run takes copies at intervals until ctx ends: the first when the latest copy is
// one interval old, or at once when there is no copy. When a copy fails, Run logs it
// and tries again after a tenth of the interval. It never waits for a folder that does
// not answer: it says so, takes no other copy meanwhile, and when ctx ends it leaves
// after three seconds.
func (c Copies) Run(ctx context.Context, s *Store, every time.Duration, log *slog.Logger) {
	waits := make(chan time.Duration, 1)
	go func() { waits <- c.untilNext(every) }() // the folder may not answer
	wait := time.Duration(0)
	select {
	case wait = <-waits:
	case <-ctx.Done():
		return
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
		results := make(chan result, 1)
		go func() { results <- c.take(ctx, s, begin) }()
		r, ok := c.await(ctx, results, log)
		if !ok {
			return
		}
		for _, path := range r.aside {
			log.WarnContext(ctx, "set a copy aside that is dated in the future: a clock was ahead", "copy", path)
		}
		wait = every
		if r.taken.Path != "" {
			log.InfoContext(ctx, "copied the games", "file", r.taken.Path, "took", time.Since(begin))
		}
		if r.err != nil {
			wait = every / 10
			log.ErrorContext(ctx, "could not copy the games, or not remove old copies; will retry", "folder", c.Folder, "again_in", wait, "err", r.err)
		}
	}
}

// untilNext returns how long it is until the next copy is due.
func (c Copies) untilNext(every time.Duration) time.Duration {
	list, err := c.List()
	now := time.Now()
	list = slices.DeleteFunc(list, func(found Copy) bool { return found.At.After(now) })
	if err != nil || len(list) == 0 {
		return 0
	}
	return list[0].At.Add(every).Sub(now)
}

// await waits for the result of a copy, and returns false when ctx has ended.
func (c Copies) await(ctx context.Context, results <-chan result, log *slog.Logger) (r result, ok bool) {
	slow := time.NewTimer(slowCopy)
	defer slow.Stop()
	for {
		select {
		case r = <-results:
			return r, ctx.Err() == nil
		case <-slow.C:
			log.ErrorContext(ctx, "a copy of the games takes long: the folder does not answer, or slowly", "folder", c.Folder)
		case <-ctx.Done():
			leave := time.NewTimer(leaveCopy)
			defer leave.Stop()
			select {
			case <-results:
			case <-leave.C:
				log.WarnContext(ctx, "left a copy of the games unfinished: the folder does not answer", "folder", c.Folder)
			}
			return r, false
		}
	}
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
