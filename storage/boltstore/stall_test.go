package boltstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// inBubble runs a test on a clock that advances whenever everybody waits.
func inBubble(t *testing.T, f func(t *testing.T, s *Store)) {
	path := filepath.Join(t.TempDir(), "games.db")
	synctest.Test(t, func(t *testing.T) {
		s, err := Open(path, Options{Log: textLog(&safeBuffer{})})
		must(t, err)
		must(t, s.Create(t.Context(), storagetest.Challenge(t, "m", 0)))
		f(t, s)
		must(t, s.Check(t.Context()))
		must(t, s.Close())
	})
}

// hanging is a writer that takes a number of bytes and then no more, until it is
// released.
type hanging struct {
	takes   int
	entered chan struct{} // closed when it hangs
	release chan struct{}
}

func newHanging(takes int) *hanging {
	return &hanging{takes, make(chan struct{}), make(chan struct{})}
}

func (h *hanging) Write(b []byte) (int, error) {
	if h.takes -= len(b); h.takes < 0 {
		close(h.entered)
		<-h.release
		return 0, errors.New("the writer was released")
	}
	return len(b), nil
}

// fill stores so much that the file grows far beyond what bbolt maps by itself.
func fill(t *testing.T, s *Store, from int) {
	t.Helper()
	for i := range 40 {
		must(t, s.SaveState(t.Context(), fmt.Sprint("n", from+i), make([]byte, storage.MaxState)))
	}
}

// TestAStalledCopyHoldsUpNobody stops taking a copy in the middle. Meanwhile games are
// read and written, and the file grows.
func TestAStalledCopyHoldsUpNobody(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		fill(t, s, 0)
		h := newHanging(2 * int(s.pageSize))
		begin, result := time.Now(), make(chan error, 1)
		go func() { result <- s.Backup(t.Context(), h) }()
		<-h.entered
		fill(t, s, 1000)
		if _, err := s.Load(t.Context(), "m"); err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took > 0 {
			t.Errorf("a store with a stalled copy waited %v", took)
		}
		if err := <-result; !errors.Is(err, ErrStalled) {
			t.Errorf("error %v", err)
		}
		if took := time.Since(begin); took != stallTime {
			t.Errorf("it was given up after %v", took)
		}
		close(h.release)
	})
}

// TestASlowCopyIsGivenUp takes a copy bit by bit for ever.
func TestASlowCopyIsGivenUp(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		fill(t, s, 0)
		fill(t, s, 1000)
		begin := time.Now()
		err := s.Backup(t.Context(), writerFunc(func(b []byte) (int, error) {
			time.Sleep(stallTime - time.Second) // on the bubble's clock
			return len(b), nil
		}))
		if !errors.Is(err, ErrStalled) {
			t.Errorf("error %v", err)
		}
		if took := time.Since(begin); took > backupTime+stallTime {
			t.Errorf("it took %v", took)
		}
		time.Sleep(stallTime) // until the writer has ended
	})
}

// TestAHungFolderHoldsUpNobody has a folder of copies that does not answer, when the
// file is made or when it is written.
func TestAHungFolderHoldsUpNobody(t *testing.T) {
	for name, hang := range map[string]func(context.Context, *Store, io.Writer) error{
		"made":    func(_ context.Context, _ *Store, w io.Writer) error { _, err := w.Write(nil); return err },
		"written": func(ctx context.Context, s *Store, w io.Writer) error { return s.Backup(ctx, w) },
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			inBubble(t, func(t *testing.T, s *Store) {
				fill(t, s, 0)
				h := newHanging(-1)
				if name == "written" {
					h.takes = 4096
				}
				tries, log := 0, &safeBuffer{}
				c := Copies{Of: "games.db", Folder: folder, Keep: 2, write: func(ctx context.Context, s *Store, _ string) error {
					if tries++; tries == 1 {
						err := hang(ctx, s, h)
						<-h.release // as closing and removing the file hang too
						return err
					}
					return nil
				}}
				ctx, stop := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() {
					defer close(done)
					c.Run(ctx, s, time.Hour, textLog(log))
				}()
				<-h.entered
				begin := time.Now()
				fill(t, s, 1000)
				if took := time.Since(begin); took > 0 {
					t.Errorf("a write waited %v", took)
				}
				time.Sleep(5 * time.Hour) // on the bubble's clock
				if tries != 1 {
					t.Errorf("%d copies are being made at once", tries)
				}
				if !strings.Contains(log.String(), "does not answer") {
					t.Errorf("the log does not say so: %s", log.String())
				}
				begin = time.Now()
				stop()
				<-done
				if took := time.Since(begin); took > leaveCopy {
					t.Errorf("the stop took %v", took)
				}
				close(h.release)
			})
		})
	}
}

// TestADiskThatDoesNotAnswerKeepsNobodyForEver has a write under way that does not
// end. Whoever waits for it, or behind it, is told when their time is up.
func TestADiskThatDoesNotAnswerKeepsNobodyForEver(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		release := make(chan struct{})
		entered := make(chan struct{})
		first := make(chan error, 1)
		go func() {
			first <- s.update(t.Context(), func(*bolt.Tx) error { close(entered); <-release; return nil })
		}()
		<-entered
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := s.Create(ctx, storagetest.Challenge(t, "n", 1))
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, storage.ErrNotWritten) {
			t.Errorf("a write that had to wait: %v", err)
		}
		if _, err := s.Load(t.Context(), "m"); err != nil {
			t.Errorf("a read: %v", err)
		}
		close(release)
		must(t, <-first)
		if _, err := s.Load(t.Context(), "n"); !errors.Is(err, storage.ErrNotFound) {
			t.Errorf("what was given up was written: %v", err)
		}
	})
}

// TestAWriteThatIsUnderWayMayHaveHappened gives up a write that another one has taken
// along to the disk.
func TestAWriteThatIsUnderWayMayHaveHappened(t *testing.T) {
	inBubble(t, func(t *testing.T, s *Store) {
		entered, release := make(chan struct{}), make(chan struct{})
		enter := sync.OnceFunc(func() { close(entered) }) // it runs again without the other
		must(t, s.write.lock(t.Context()))
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan error, 2)
		go func() {
			results <- s.update(t.Context(), func(*bolt.Tx) error { enter(); <-release; return nil })
		}()
		synctest.Wait()
		second := make(chan error, 1)
		go func() { second <- s.Create(ctx, storagetest.Challenge(t, "n", 1)) }()
		synctest.Wait()
		s.write.unlock()
		<-entered
		cancel()
		if err := <-second; !errors.Is(err, storage.ErrNotWritten) || !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		close(release)
		must(t, <-results)
	})
}

func TestCopiesFromTheFutureAreSetAside(t *testing.T) {
	folder := t.TempDir()
	s := mustOpen(t, filepath.Join(t.TempDir(), "games.db"))
	c := Copies{Of: "games.db", Folder: folder, Keep: 2}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, ahead := range []time.Duration{365 * 24 * time.Hour, 2 * 365 * 24 * time.Hour} {
		must(t, c.take(t.Context(), s, at.Add(ahead)).err)
	}
	for i := range 4 {
		r := c.take(t.Context(), s, at.Add(time.Duration(i)*time.Hour))
		must(t, r.err)
		if err := Verify(t.Context(), r.taken.Path); err != nil {
			t.Errorf("the copy that was just made: %v", err)
		}
		want := []string{filepath.Join(folder, "games-20280229-120000-ahead.db"), filepath.Join(folder, "games-20270301-120000-ahead.db")}
		if i > 0 {
			want = nil
		}
		if d := cmp.Diff(want, r.aside); d != "" {
			t.Errorf("set aside: %s", d)
		}
	}
	want := []string{"games-20260301-140000.db", "games-20260301-150000.db", "games-20270301-120000-ahead.db", "games-20280229-120000-ahead.db"}
	if d := cmp.Diff(want, names(t, folder)); d != "" {
		t.Error(d)
	}
	must(t, Verify(t.Context(), filepath.Join(folder, want[3])))
}

// TestACopyThatCannotBeSetAsideDoesNotRemoveTheNewOne has the new name taken already.
func TestACopyThatCannotBeSetAsideDoesNotRemoveTheNewOne(t *testing.T) {
	folder := t.TempDir()
	s := mustOpen(t, filepath.Join(t.TempDir(), "games.db"))
	for _, name := range []string{"games-20270301-120000.db", "games-20270301-120000-ahead.db"} {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte("x"), 0o600))
	}
	r := Copies{Of: "games.db", Folder: folder, Keep: 1}.take(t.Context(), s, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	if r.err == nil || !strings.Contains(r.err.Error(), "20270301") {
		t.Errorf("error %v", r.err)
	}
	if !slices.Contains(names(t, folder), "games-20260301-120000.db") {
		t.Error("the new copy is gone")
	}
}

// TestACopyFromTheFutureIsNamedInTheLog also checks that it does not delay the first
// copy.
func TestACopyFromTheFutureIsNamedInTheLog(t *testing.T) {
	folder := t.TempDir()
	inBubble(t, func(t *testing.T, s *Store) { // whose clock begins in the year 2000
		must(t, os.WriteFile(filepath.Join(folder, "games-20270301-120000.db"), []byte("x"), 0o600))
		log := &safeBuffer{}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		c := Copies{Of: "games.db", Folder: folder, Keep: 1}
		c.Run(ctx, s, 24*time.Hour, textLog(log))
		if list, err := c.List(); err != nil || len(list) != 1 || list[0].At.Year() != 2000 {
			t.Errorf("copies %v, %v", list, err)
		}
		if !strings.Contains(log.String(), "games-20270301-120000-ahead.db") || !strings.Contains(log.String(), "games-2000") {
			t.Errorf("the log does not name it: %s", log.String())
		}
	})
}

// TestACopyHoldsNothingThatWasDeleted looks for a name in the copy's bytes.
func TestACopyHoldsNothingThatWasDeleted(t *testing.T) {
	folder := t.TempDir()
	s := mustOpen(t, filepath.Join(folder, "games.db"))
	const name = "A name that is looked for"
	for i := range 30 {
		r := storagetest.Challenge(t, match.ID(fmt.Sprint("x", i)), i)
		r.Match.Seats[0].Name = name
		must(t, s.Create(t.Context(), r))
	}
	for i := range 30 {
		must(t, s.Delete(t.Context(), match.ID(fmt.Sprint("x", i)), 1))
	}
	copied := filepath.Join(folder, "copy.db")
	must(t, s.BackupFile(t.Context(), copied))
	for path, want := range map[string]bool{s.path: true, copied: false} {
		data, err := os.ReadFile(path)
		must(t, err)
		if strings.Contains(string(data), name) != want {
			t.Errorf("%s: found %v, want %v", path, !want, want)
		}
	}
}
