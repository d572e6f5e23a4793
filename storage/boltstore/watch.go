package boltstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/lascabot/lascabot/storage"
)

const (
	// watchEvery is how often a store that nobody writes to looks whether its file
	// is still where it was.
	watchEvery = 5 * time.Second
	// rescueAgain is how long it waits after a rescue copy that failed.
	rescueAgain = 30 * time.Second
)

// rescueMark is in the name of a rescue copy, before its time.
const rescueMark = "rescued-"

// lost returns an error when the file that is open is no longer the one at the
// store's path. It returns nil when the system does not say, as while a network
// disk is away.
func (s *Store) lost() error {
	now, err := os.Stat(s.name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("%s: %w: nothing is there", s.name, storage.ErrReplaced)
	}
	own, ownErr := s.file.Stat()
	if err != nil || ownErr != nil || os.SameFile(now, own) {
		return nil
	}
	return fmt.Errorf("%s: %w: another file is there", s.name, storage.ErrReplaced)
}

// watch looks after the file until the store is closed.
func (s *Store) watch() {
	defer close(s.watched)
	wait := watchEvery
	for {
		t := time.NewTimer(wait)
		select {
		case <-s.closing:
			t.Stop()
			return
		case <-s.look:
			t.Stop()
		case <-t.C:
		}
		if wait = watchEvery; s.examine() != nil {
			wait = rescueAgain
		}
	}
}

// examine looks whether the file is sound and at its place, and makes a rescue copy
// when it is not at its place. While it returns an error there is no such copy, and
// what is stored exists only as long as this process.
func (s *Store) examine() error {
	s.rescuing.Lock()
	defer s.rescuing.Unlock()
	if s.rescued {
		return nil
	}
	// What is being written must be in the copy. After that nothing is written.
	if err := s.write.lock(context.Background()); err != nil {
		return err
	}
	err := s.diagnose()
	s.write.unlock()
	if !errors.Is(err, storage.ErrReplaced) {
		return nil
	}
	path, rescueErr := s.rescue(time.Now())
	if rescueErr != nil {
		s.log.Error("could not write a rescue copy of the games, which exist nowhere else; will retry until this process ends", "again_in", rescueAgain, "err", rescueErr)
		return fmt.Errorf("%w; no rescue copy could be written: %w", err, rescueErr)
	}
	s.rescued = true
	s.log.Error("wrote a rescue copy of the games", "copy", path)
	s.tell(fmt.Errorf("%w; all games are in %s, and \"lascabot restore %[2]s\" puts it in place", err, path))
	return nil
}

// diagnose returns what keeps the store from writing, and notes it. The caller holds
// s.write.
func (s *Store) diagnose() error {
	if failure := s.failure.Load(); failure != nil {
		return *failure // even if all looks well again: somebody may have used the file meanwhile
	}
	err := s.writable()
	if err != nil {
		return err
	}
	r, err := readRoots(s.file)
	if err == nil && r.latest().txid != s.last {
		err = errForeign
	}
	if err != nil {
		err = broken(err)
		s.fail(err)
	}
	return err
}

// rescue writes a copy of the file that is open beside the place where it was.
func (s *Store) rescue(now time.Time) (path string, err error) {
	folder := filepath.Dir(s.path)
	if err := os.MkdirAll(folder, 0o700); err != nil { // the whole folder may be gone
		return "", err
	}
	path = filepath.Join(folder, besideName(s.path, rescueMark, now))
	return path, s.BackupFile(context.Background(), path)
}

// besideName returns the name of a file that is related to another: games.db becomes
// games-rescued-20260301-120000.db.
func besideName(path, mark string, at time.Time) string {
	base := filepath.Base(path)
	ext := filepath.Ext(base)
	return strings.TrimSuffix(base, ext) + "-" + mark + at.UTC().Format(copyTime) + ext
}

// Rescued returns the rescue copies of a file, the oldest first. A store writes one
// when its file is deleted or replaced while it is open; the copy holds everything
// that was stored. It stays until [Restore] has put it in place or somebody removes
// it.
func Rescued(path string) ([]string, error) {
	if to, err := resolve(path); err == nil {
		path = to
	}
	folder := filepath.Dir(path)
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []string
	begin := len(besideName(path, rescueMark, time.Time{})) - len(copyTime) - len(filepath.Ext(path))
	for _, e := range entries {
		name := e.Name()
		if len(name) < begin+len(copyTime) || !e.Type().IsRegular() {
			continue
		}
		at, err := time.Parse(copyTime, name[begin:begin+len(copyTime)])
		if err == nil && name == besideName(path, rescueMark, at) {
			list = append(list, filepath.Join(folder, name))
		}
	}
	slices.Sort(list)
	return list, err
}
