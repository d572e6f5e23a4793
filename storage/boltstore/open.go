package boltstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/lascabot/lascabot/storage"
)

// lockWait is how long Open waits for another process to release the file: long
// enough for an overlapping restart, and short enough that an operator soon learns
// why the start failed.
const lockWait = time.Second

// fileMode hides people's names and games from other users of the machine.
const fileMode = 0o600

// Options are the options of [Open]. The zero value is usable.
type Options struct {
	// Log receives failures that no caller sees, such as the damaged records that
	// a list leaves out; nil stands for slog.Default.
	Log *slog.Logger
	// Existing makes Open fail with fs.ErrNotExist when there is no file.
	Existing bool
}

// Store is a [storage.Store] in a file. Make one with [Open].
type Store struct {
	path     string
	existing bool
	log      *slog.Logger
	db       *bolt.DB
	file     *os.File // the file that db has open

	mu     sync.RWMutex // every call holds it for reading, Close for writing
	closed bool
	write  sync.Mutex  // the current writer or Check holds it
	queue  queue       // the writes that wait for it
	broken atomic.Bool // a write has panicked; there are no more writes
	stuck  atomic.Bool // and bbolt still holds its locks
}

var _ storage.Store = (*Store)(nil)

// Open opens a file of games. If there is no file, it creates one that only its owner
// can read; the folder must exist. Open waits a second for another process to
// release the file, and reads the whole file once. The error wraps
// [storage.ErrInUse], [storage.ErrSchema], [storage.ErrDamaged] (also for anything
// that is not a file of games, such as a folder or an empty file), or an error of
// package os.
func Open(path string, o Options) (*Store, error) {
	s := &Store{path: path, existing: o.Existing, log: o.Log}
	if s.log == nil {
		s.log = slog.Default()
	}
	if err := s.open(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func (s *Store) open() (err error) {
	defer func() {
		if err != nil {
			s.release()
		}
	}()
	created := false
	err = protect(func() (err error) {
		s.db, err = bolt.Open(s.path, fileMode, &bolt.Options{
			Timeout: lockWait,
			OpenFile: func(path string, flag int, mode os.FileMode) (*os.File, error) {
				f, isNew, err := openFile(path, flag, mode, s.existing)
				s.file, created = f, isNew
				return f, err
			},
		})
		return err
	})
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return fmt.Errorf("another copy is running: %w; stop it, or choose another file", storage.ErrInUse)
	case err == nil, errors.Is(err, storage.ErrDamaged):
	case errors.As(err, new(*fs.PathError)), errors.As(err, new(syscall.Errno)): // the system's error
	default: // bbolt's error for a file that it does not understand
		err = damaged(err)
	}
	if err != nil {
		return err
	}
	if err := s.view(context.Background(), s.readAll); err != nil {
		return err
	}
	if err := s.update(context.Background(), func(tx *bolt.Tx) error { return migrate(tx, migrations) }); err != nil {
		return err
	}
	if err := s.view(context.Background(), hasBuckets); err != nil {
		return err
	}
	if created {
		return syncFolder(s.path)
	}
	return nil
}

// openFile opens the file of a store and reports whether it has created it.
func openFile(path string, flag int, mode os.FileMode, existing bool) (f *os.File, created bool, err error) {
	f, err = os.OpenFile(path, flag&^os.O_CREATE, mode)
	if !existing && errors.Is(err, fs.ErrNotExist) {
		if f, err = os.OpenFile(path, flag|os.O_CREATE|os.O_EXCL, mode); err == nil {
			err = giveToOwner(f)
		}
		return f, true, err
	}
	info, statErr := os.Stat(path)
	if statErr == nil && !info.Mode().IsRegular() {
		err = damaged(errors.New("this is not a file"))
	} else if err == nil && statErr == nil && info.Size() == 0 {
		// bbolt would turn it into a new store, and games that were lost to a full
		// disk or a bad copy would look like a fresh start.
		err = damaged(errors.New("the file is empty; restore a copy, or delete it to start without games"))
	}
	if err != nil && f != nil {
		f.Close()
		f = nil
	}
	return f, false, err
}

// syncFolder writes the name of a new file to disk, where the system can do that.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// release closes the file.
func (s *Store) release() error {
	switch {
	case s.db != nil && !s.stuck.Load():
		return protect(s.db.Close)
	case s.file != nil:
		// Closing the database would wait forever. The mapping, and with it the lock
		// on the file, stays until the process ends.
		return s.file.Close()
	}
	return nil
}

// Close implements [storage.Store].
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return storage.ErrClosed
	}
	s.closed = true
	return s.release()
}
