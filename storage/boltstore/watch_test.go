package boltstore

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// watched opens a store with the game "m". What the store tells its owner comes from
// the channel.
func watched(t *testing.T) (s *Store, told chan error, log *safeBuffer) {
	t.Helper()
	told, log = make(chan error, 10), &safeBuffer{}
	folder := filepath.Join(t.TempDir(), "data")
	must(t, os.Mkdir(folder, 0o700))
	s, err := Open(filepath.Join(folder, "games.db"), Options{Log: textLog(log), Failed: func(err error) { told <- err }})
	must(t, err)
	must(t, s.Create(t.Context(), storagetest.Challenge(t, "m", 0)))
	return s, told, log
}

// hasRescue checks that there is one rescue copy and that it has the game "m".
func hasRescue(t *testing.T, path string) {
	t.Helper()
	list, err := Rescued(path)
	if err != nil || len(list) != 1 {
		t.Fatalf("rescue copies: %v, %v", list, err)
	}
	must(t, Verify(t.Context(), list[0]))
	s, err := Open(list[0], Options{ReadOnly: true})
	must(t, err)
	defer s.Close()
	if _, err := s.Load(t.Context(), "m"); err != nil {
		t.Error(err)
	}
}

// losses are the ways in which a file is lost while it is open.
var losses = map[string]func(t *testing.T, path string) error{
	"deleted": func(t *testing.T, path string) error { return os.Remove(path) },
	"moved":   func(t *testing.T, path string) error { return os.Rename(path, path+".old") },
	"replaced": func(t *testing.T, path string) error {
		other := filepath.Join(t.TempDir(), "other.db")
		s, err := Open(other, Options{})
		must(t, err)
		return errors.Join(s.Close(), os.Rename(other, path))
	},
	"deleted with its folder": func(t *testing.T, path string) error { return os.RemoveAll(filepath.Dir(path)) },
	"replaced by a link that leads nowhere": func(t *testing.T, path string) error {
		return errors.Join(os.Remove(path), os.Symlink("nowhere", path))
	},
}

func TestALostFileIsNoticedAtTheNextWrite(t *testing.T) {
	for name, lose := range losses {
		t.Run(name, func(t *testing.T) {
			s, told, log := watched(t)
			must(t, lose(t, s.path))
			r := storagetest.Challenge(t, "n", 1)
			if err := s.Create(t.Context(), r); !errors.Is(err, storage.ErrReplaced) || !strings.Contains(err.Error(), s.path) {
				t.Errorf("a write: %v", err)
			}
			err := <-told
			if !errors.Is(err, storage.ErrReplaced) || !strings.Contains(err.Error(), "games-rescued-") {
				t.Errorf("told %v", err)
			}
			if !strings.Contains(log.String(), "level=ERROR") {
				t.Errorf("the log has no error: %s", log.String())
			}
			hasRescue(t, s.path)
			if _, err := s.Load(t.Context(), "m"); err != nil {
				t.Errorf("a read: %v", err)
			}
			if err := s.Create(t.Context(), r); !errors.Is(err, storage.ErrReplaced) {
				t.Errorf("a later write: %v", err)
			}
			must(t, s.Close())
			hasRescue(t, s.path)
			if len(told) > 0 {
				t.Errorf("told again: %v", <-told)
			}
		})
	}
}

func TestALostFileIsNoticedWhenNobodyWrites(t *testing.T) {
	for name, lose := range losses {
		t.Run(name, func(t *testing.T) {
			s, told, _ := watched(t)
			must(t, lose(t, s.path))
			must(t, s.examine()) // as its timer does
			if err := <-told; !errors.Is(err, storage.ErrReplaced) {
				t.Errorf("told %v", err)
			}
			hasRescue(t, s.path)
			must(t, s.Close())
		})
	}
	if watchEvery > 10*time.Second {
		t.Errorf("the timer takes %v", watchEvery)
	}
}

func TestALostFileIsRescuedAtTheStop(t *testing.T) {
	for name, lose := range losses {
		t.Run(name, func(t *testing.T) {
			s, _, _ := watched(t)
			must(t, lose(t, s.path))
			must(t, s.Close())
			hasRescue(t, s.path)
		})
	}
}

// TestALostFileThatComesBackIsNotUsed checks that a store does not go on when its file
// is at its place again: somebody may have written to it.
func TestALostFileThatComesBackIsNotUsed(t *testing.T) {
	s, told, _ := watched(t)
	must(t, os.Rename(s.path, s.path+".old"))
	err := s.SaveSettings(t.Context(), "u", storage.Settings{Text: true})
	must(t, os.Rename(s.path+".old", s.path))
	if !errors.Is(err, storage.ErrReplaced) || !errors.Is(<-told, storage.ErrReplaced) {
		t.Errorf("error %v", err)
	}
	if err := s.SaveSettings(t.Context(), "u", storage.Settings{Text: true}); !errors.Is(err, storage.ErrReplaced) {
		t.Errorf("a later write: %v", err)
	}
	must(t, s.Close())
	hasRescue(t, s.path)
}

// TestALinkIsFollowed checks that a store whose file is reached through a link notices
// when the link leads elsewhere, and that the rescue copy lies beside the file.
func TestALinkIsFollowed(t *testing.T) {
	folder, link := t.TempDir(), filepath.Join(t.TempDir(), "link.db")
	must(t, os.Symlink(filepath.Join(folder, "games.db"), link))
	if _, err := Open(link, Options{}); err == nil || !strings.Contains(err.Error(), "which does not exist") {
		t.Errorf("a link that leads nowhere: %v", err)
	}
	mustOpen(t, filepath.Join(folder, "games.db")).Close()
	mustOpen(t, filepath.Join(folder, "other.db")).Close()
	s, err := Open(link, Options{Log: textLog(&safeBuffer{})})
	must(t, err)
	must(t, s.Create(t.Context(), storagetest.Challenge(t, "m", 0)))
	must(t, errors.Join(os.Remove(link), os.Symlink(filepath.Join(folder, "other.db"), link)))
	if err := s.SaveSettings(t.Context(), "u", storage.Settings{Text: true}); !errors.Is(err, storage.ErrReplaced) {
		t.Errorf("error %v", err)
	}
	must(t, s.Close())
	hasRescue(t, filepath.Join(folder, "games.db"))
}

// TestARescueCopyIsTriedUntilItSucceeds checks that the owner is told to stop only when
// there is a copy, since the process is all that holds the games.
func TestARescueCopyIsTriedUntilItSucceeds(t *testing.T) {
	s, told, _ := watched(t)
	folder := filepath.Dir(s.path)
	must(t, os.RemoveAll(folder))
	must(t, os.WriteFile(folder, nil, 0o600))
	for range 2 {
		if err := s.examine(); !errors.Is(err, storage.ErrReplaced) {
			t.Errorf("error %v", err)
		}
	}
	if len(told) > 0 {
		t.Errorf("told %v", <-told)
	}
	must(t, os.Remove(folder))
	must(t, s.examine())
	if err := <-told; !errors.Is(err, storage.ErrReplaced) {
		t.Errorf("told %v", err)
	}
	hasRescue(t, s.path)
	must(t, s.Close())
}

// TestWhatWasAcknowledgedIsInTheRescueCopy loses the file while several people play.
func TestWhatWasAcknowledgedIsInTheRescueCopy(t *testing.T) {
	s, told, _ := watched(t)
	type saved struct {
		id      match.ID
		version uint64
	}
	results := make(chan saved, 8)
	for i := range 8 {
		go func() {
			r := storagetest.Challenge(t, match.ID(rune('a'+i)), i)
			last := saved{id: r.Match.ID}
			if s.Create(t.Context(), r) == nil {
				last.version = 1
				for m := storagetest.Apply(t, r.Match, match.Accept{By: engine.Black}); s.Save(t.Context(), m, m.Version-1) == nil; {
					last.version = m.Version
					m.Version++ // not a real game, but a real version
				}
			}
			results <- last
		}()
	}
	must(t, os.Remove(s.path))
	<-told
	list, err := Rescued(s.path)
	must(t, err)
	copied, err := Open(list[0], Options{ReadOnly: true})
	must(t, err)
	defer copied.Close()
	for range 8 {
		last := <-results
		if last.version == 0 {
			continue
		}
		if r, err := copied.Load(t.Context(), last.id); err != nil || r.Match.Version < last.version {
			t.Errorf("match %s has version %d, %v; %d was acknowledged", last.id, r.Match.Version, err, last.version)
		}
	}
	must(t, s.Close())
}

func TestARescueCopyIsPutInPlace(t *testing.T) {
	s, _, _ := watched(t)
	path := s.path
	must(t, os.Remove(path))
	must(t, s.Close())
	list, err := Rescued(path)
	must(t, err)
	if _, err := Restore(t.Context(), path, list[0], time.Now()); err != nil {
		t.Fatal(err)
	}
	if list, err := Rescued(path); err != nil || list != nil {
		t.Errorf("left %v, %v", list, err)
	}
	s = mustOpen(t, path)
	if _, err := s.Load(t.Context(), "m"); err != nil {
		t.Error(err)
	}
}

// breaks are the ways in which a file is broken while it is open.
var breaks = map[string]func(t *testing.T, s *Store) error{
	"cut to nothing": func(t *testing.T, s *Store) error { return os.Truncate(s.path, 0) },
	"cut to a page":  func(t *testing.T, s *Store) error { return os.Truncate(s.path, s.pageSize) },
	"cut to its roots": func(t *testing.T, s *Store) error {
		return os.Truncate(s.path, 2*s.pageSize)
	},
	"zeros in its pages": func(t *testing.T, s *Store) error {
		return overwrite(s.path, make([]byte, 1<<20), 2*s.pageSize)
	},
	"another file in it": func(t *testing.T, s *Store) error {
		other := filepath.Join(t.TempDir(), "other.db")
		o, err := Open(other, Options{})
		must(t, err)
		must(t, errors.Join(o.SaveState(t.Context(), "x", []byte("x")), o.SaveState(t.Context(), "x", []byte("y")), o.Close()))
		data, err := os.ReadFile(other)
		must(t, err)
		return overwrite(s.path, data, 0)
	},
	"zeros in its roots": func(t *testing.T, s *Store) error {
		return overwrite(s.path, make([]byte, 2*s.pageSize), 0)
	},
}

func overwrite(path string, data []byte, at int64) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, at)
	return errors.Join(err, f.Close())
}

// TestAFileBrokenWhileRunningStopsTheStore breaks the file and then reads, writes, or
// does nothing. The error is about the file, not about one game.
func TestAFileBrokenWhileRunningStopsTheStore(t *testing.T) {
	for name, damage := range breaks {
		for what, do := range map[string]func(s *Store) error{
			"read": func(s *Store) error { _, err := s.Load(t.Context(), "m"); return err },
			"write": func(s *Store) error {
				return s.Shown(t.Context(), "m", storage.Screen{Channel: "c", Message: "x", Version: 1})
			},
			"nothing": func(s *Store) error { _ = s.examine(); return s.SaveState(t.Context(), "n", nil) },
		} {
			t.Run(name+", "+what, func(t *testing.T) {
				s, told, _ := watched(t)
				must(t, damage(t, s))
				err := do(s)
				if what == "read" && name == "another file in it" {
					must(t, s.examine()) // it reads well
					err = s.SaveState(t.Context(), "n", nil)
				}
				if !errors.Is(err, storage.ErrBroken) || errors.Is(err, storage.ErrDamaged) {
					t.Errorf("error %v", err)
				}
				if err := <-told; !errors.Is(err, storage.ErrBroken) {
					t.Errorf("told %v", err)
				}
				if err := s.Create(t.Context(), storagetest.Challenge(t, "n", 1)); !errors.Is(err, storage.ErrBroken) {
					t.Errorf("a later write: %v", err)
				}
				if err := s.Close(); err != nil && !errors.Is(err, storage.ErrBroken) {
					t.Errorf("Close: %v", err)
				}
				if list, err := Rescued(s.path); err != nil || list != nil {
					t.Errorf("a rescue copy of a broken file: %v, %v", list, err)
				}
				if len(told) > 0 {
					t.Errorf("told again: %v", <-told)
				}
			})
		}
	}
}

// safeBuffer is a buffer that several goroutines may use.
type safeBuffer struct {
	mu   sync.Mutex
	data bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.String()
}
