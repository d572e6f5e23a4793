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

// mapSize is how much of the file bbolt maps at once, in bytes. To map more, it has to
// wait until nobody reads, and whoever wants to read then waits too; so it must never
// come to that. Only addresses are spent: memory and disk are used as the file grows.
// Windows would make the file that large.
const mapSize = 1 << (28 + 6*(^uint(0)>>63)) // 16 GiB, or 256 MiB on a machine of 32 bits

// growSize is by how much the file grows, in bytes. Each time costs a sync.
const growSize = 1 << 20

// Options are the options of [Open]. The zero value is usable.
type Options struct {
	// Log receives failures that no caller sees, such as the damaged records that
	// a list leaves out; nil stands for slog.Default.
	Log *slog.Logger
	// Existing makes Open fail with fs.ErrNotExist when there is no file.
	Existing bool
	// ReadOnly opens a file, which must exist, as it is, of whatever schema, and
	// changes nothing: writes fail. Others may read the file meanwhile.
	ReadOnly bool
	// Failed, if not nil, is called once with an error that wraps
	// storage.ErrBroken or storage.ErrReplaced when the store notices that nothing
	// can be stored any more, whatever is tried: it should be closed. It is called
	// by any goroutine and must not call the store. After ErrReplaced there is a
	// copy of all that was stored, which the error names (see [Rescued]); as long
	// as that cannot be written, Failed is not called.
	Failed func(error)
}

// Store is a [storage.Store] in a file. Make one with [Open].
type Store struct {
	path     string // without links
	name     string // as it was given
	existing bool
	readOnly bool
	log      *slog.Logger
	failed   func(error)
	db       *bolt.DB
	file     *os.File // the file that db has open
	pageSize int64
	schema   int // of the file

	mu     sync.RWMutex // every call holds it for reading, Close for writing
	closed bool
	write  lock   // the current writer or Check holds it
	queue  queue  // the writes that wait for it
	last   uint64 // the last transaction that was written; write guards it

	opened  atomic.Bool           // Open has returned
	failure atomic.Pointer[error] // why there are no more writes
	stuck   atomic.Bool           // bbolt still holds its locks after a panic

	look             chan struct{} // makes watch look at once; has a buffer of one
	closing, watched chan struct{} // end watch; nil when nothing is watched
	closeOnce        sync.Once
	rescuing         sync.Mutex
	rescued          bool // there is a rescue copy; rescuing guards it
}

var _ storage.Store = (*Store)(nil)

// Open opens a file of games. If there is no file, it creates one that only its owner
// can read; the folder must exist. Open waits a second for another process to
// release the file, reads every page, and brings a file of an older schema up to date.
// The error wraps [storage.ErrInUse], [storage.ErrSchema], [storage.ErrBroken] (also
// for a file that is empty or belongs to another program), or an error of package os.
func Open(path string, o Options) (*Store, error) {
	s := &Store{
		name: path, existing: o.Existing || o.ReadOnly, readOnly: o.ReadOnly, log: o.Log, write: make(lock, 1), look: make(chan struct{}, 1),
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	var err error
	if s.path, err = resolve(path); err == nil {
		err = s.open()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.failed = o.Failed
	s.opened.Store(true)
	if !s.readOnly {
		s.closing, s.watched = make(chan struct{}), make(chan struct{})
		go s.watch()
	}
	return s, nil
}

func (s *Store) open() (err error) {
	defer func() {
		if err != nil {
			s.release()
		}
	}()
	created, err := s.openDB(mapSize)
	if err != nil {
		return err
	}
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	found, err := readPages(&scan{}, s.file, info.Size())
	if err != nil {
		return err
	}
	if fault := found.fault(); fault != nil {
		s.log.Warn("a part of the file of games is damaged; going on without it", "file", s.path, "err", fault)
	}
	s.pageSize = int64(found.latest().pageSize)
	if err := s.view(context.Background(), func(tx *bolt.Tx) (err error) {
		s.schema, err = schemaOf(tx, len(migrations))
		return err
	}); err != nil {
		return err
	}
	if s.readOnly && s.schema == 0 {
		return broken(errors.New("it was created but never used; start the bot to make it usable"))
	}
	if !s.readOnly {
		if err := s.bringUpToDate(); err != nil {
			return err
		}
	}
	if err := s.view(context.Background(), func(tx *bolt.Tx) error { return hasBuckets(tx, s.schema) }); err != nil {
		return err
	}
	if created {
		return syncFolder(s.path)
	}
	return nil
}

// bringUpToDate takes all migrations that the file has not had.
func (s *Store) bringUpToDate() error {
	from := s.schema
	for more := true; more; {
		err := s.update(context.Background(), func(tx *bolt.Tx) (err error) {
			more, err = migrate(tx, migrations)
			return err
		})
		if err != nil {
			return err
		}
	}
	if s.schema = len(migrations); from > 0 && from < s.schema {
		s.log.Info("brought the file of games up to date", "file", s.path, "from_schema", from, "to_schema", s.schema)
	}
	return nil
}

// openDB opens the file with bbolt, which maps a number of bytes at least. It reports
// whether it has created the file.
func (s *Store) openDB(mapped uint) (created bool, err error) {
	options := bolt.Options{
		Timeout: lockWait, ReadOnly: s.readOnly,
		OpenFile: func(path string, flag int, mode os.FileMode) (*os.File, error) {
			f, isNew, err := openFile(path, flag, mode, s.existing)
			s.file, created = f, created || isNew
			return f, err
		},
	}
	if !s.readOnly && runtime.GOOS != "windows" {
		options.InitialMmapSize = int(mapped)
	}
	open := func() error {
		return protect(func() (err error) {
			s.db, err = bolt.Open(s.path, fileMode, &options)
			return err
		})
	}
	err = open()
	if options.InitialMmapSize > 0 && errors.Is(err, syscall.ENOMEM) { // the process may not have so many addresses
		s.log.Warn("cannot reserve addresses for the file of games; long readings may hold up writes", "bytes", mapped)
		options.InitialMmapSize = 0
		err = open()
	}
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return created, fmt.Errorf("another copy is running: %w; stop it, or choose another file", storage.ErrInUse)
	case err == nil:
		s.db.AllocSize = growSize
	case errors.Is(err, storage.ErrBroken):
	case errors.As(err, new(*fs.PathError)), errors.As(err, new(syscall.Errno)): // the system's error
	default: // bbolt's error for a file that it does not understand
		err = broken(err)
	}
	return created, err
}

// resolve returns the path of a file without the links in it, since what is related
// to the file lies beside it. There need be no file, but whatever is there must be
// one.
func resolve(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return "", errors.New("this is a folder, not a file of games; name a file in it")
	case err == nil && !info.Mode().IsRegular():
		return "", errors.New("this is not a file, but a device, a pipe or a socket")
	case err == nil:
		return filepath.EvalSymlinks(path)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if to, err := os.Readlink(path); err == nil {
		return "", fmt.Errorf("this is a link to %s, which does not exist: is a disk missing? Otherwise remove the link", to)
	}
	return path, nil
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
	if err != nil {
		return nil, false, err
	}
	if info, err := f.Stat(); err == nil && info.Size() == 0 {
		f.Close()
		// bbolt would turn it into a new store, and games that were lost to a full
		// disk or a bad copy would look like a fresh start.
		return nil, false, broken(errors.New("the file is empty; restore a copy, or delete it to start without games"))
	}
	return f, false, nil
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

// Close implements [storage.Store]. When the file was deleted or replaced meanwhile,
// it makes a rescue copy first, unless there is one; the error says whether it failed.
func (s *Store) Close() error {
	var err error
	s.closeOnce.Do(func() {
		if s.closing != nil {
			close(s.closing)
			<-s.watched
			err = s.examine()
		}
	})
	if s.stuck.Load() {
		return errors.Join(err, s.release()) // whoever waits for bbolt's locks never comes back
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return storage.ErrClosed
	}
	s.closed = true
	return errors.Join(err, s.release())
}
