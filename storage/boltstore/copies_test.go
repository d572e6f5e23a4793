package boltstore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// names returns the names of the files in a folder.
func names(t *testing.T, folder string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestOnlyTheLatestCopiesAreKept(t *testing.T) {
	folder := t.TempDir()
	s := mustOpen(t, filepath.Join(t.TempDir(), "games.db"))
	c := Copies{Of: "/some/where/games.db", Folder: folder, Keep: 2}
	others := []string{"games-20200101-000000.txt", "games-20201301-000000.db", "games.db", "mygames-20200101-000000.db", "notes.part-1"}
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	left := filepath.Join(folder, "games-20200101-000000.db.part-7") // left by a killed process
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 5, time.FixedZone("", 3600))
	for i := range 4 {
		r := c.take(t.Context(), s, at.Add(time.Duration(i)*time.Hour))
		if r.err != nil || r.aside != nil {
			t.Fatal(r)
		}
		taken := r.taken
		if err := Verify(t.Context(), taken.Path); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(taken.Path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others can read it: %v, %v", info.Mode(), err)
		}
	}
	want := append([]string{"games-20260301-130000.db", "games-20260301-140000.db"}, others...)
	for _, name := range names(t, folder) {
		if i := strings.Index(strings.Join(want, " ")+" ", name+" "); i < 0 {
			t.Errorf("%s has not been removed", name)
		}
	}
	if n := len(names(t, folder)); n != len(want) {
		t.Errorf("%d files, want %d", n, len(want))
	}
	list, err := c.List()
	if err != nil || len(list) != 2 || list[0].At != time.Date(2026, 3, 1, 14, 0, 0, 0, time.UTC) {
		t.Errorf("list %v, %v", list, err)
	}
	if err := c.take(t.Context(), s, at.Add(3*time.Hour)).err; !errors.Is(err, fs.ErrExist) {
		t.Errorf("a copy was overwritten: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.take(ended, s, at.Add(9*time.Hour)).err; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if n := len(names(t, folder)); n != len(want) {
		t.Errorf("a copy that failed left %v", names(t, folder))
	}
}

func TestCopiesAreTakenAtIntervals(t *testing.T) {
	path, folder := filepath.Join(t.TempDir(), "games.db"), filepath.Join(t.TempDir(), "copies")
	synctest.Test(t, func(t *testing.T) {
		s, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		c := Copies{Of: path, Folder: folder, Keep: 10}
		run := func(d time.Duration) {
			ctx, cancel := context.WithTimeout(t.Context(), d)
			defer cancel()
			c.Run(ctx, s, 24*time.Hour, textLog(new(strings.Builder)))
		}
		count := func(what string, want int) {
			t.Helper()
			list, err := c.List()
			if err != nil || len(list) != want {
				t.Errorf("%s: %d copies, want %d, %v", what, len(list), want, err)
			}
		}
		run(time.Hour)
		count("the first at once", 1)
		run(22 * time.Hour) // a restart does not restart the interval
		count("after 23 hours", 1)
		run(2 * time.Hour)
		count("after 25 hours", 2)
		run(72 * time.Hour)
		count("after three days more", 5)

		// After a folder that cannot be written, Run does not wait for a whole day.
		if err := os.Rename(folder, folder+"-away"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(folder, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.Run(ctx, s, 24*time.Hour, textLog(new(strings.Builder)))
		}()
		time.Sleep(25 * time.Hour) // on the bubble's clock
		if err := errors.Join(os.Remove(folder), os.Rename(folder+"-away", folder)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Hour)
		cancel()
		<-done
		count("after the folder is back", 6)
	})
}

func TestRestoring(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	copied := func(t *testing.T, id match.ID) string {
		path := filepath.Join(t.TempDir(), "copy.db")
		s, err := Open(filepath.Join(t.TempDir(), "games.db"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Create(t.Context(), storagetest.Challenge(t, id, 0)), s.BackupFile(t.Context(), path), s.Close()); err != nil {
			t.Fatal(err)
		}
		return path
	}
	holds := func(t *testing.T, path string, id match.ID) {
		t.Helper()
		s := mustOpen(t, path)
		if _, err := s.Load(t.Context(), id); err != nil {
			t.Error(err)
		}
		var when time.Time
		note, err := s.State(t.Context(), storage.RestoredNote)
		if err == nil {
			err = json.Unmarshal(note, &when)
		}
		if err != nil || !when.Equal(at) {
			t.Errorf("it does not say that it was restored: %q, %v", note, err)
		}
	}
	t.Run("in place of nothing", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		kept, err := Restore(t.Context(), path, copied(t, "m"), at)
		if kept != "" || err != nil {
			t.Errorf("%q, %v", kept, err)
		}
		holds(t, path, "m")
	})
	for name, before := range map[string][]byte{"a damaged file": bytes.Repeat([]byte("?"), 70_000), "an empty file": {}} {
		t.Run("in place of "+name+", which is kept", func(t *testing.T) {
			path := writeFile(t, before)
			kept, err := Restore(t.Context(), path, copied(t, "m"), at)
			if err != nil || filepath.Base(kept) != "games-replaced-20260301-120000.db" {
				t.Fatalf("%q, %v", kept, err)
			}
			if now, err := os.ReadFile(kept); err != nil || !bytes.Equal(now, before) {
				t.Errorf("it was changed: %v", err)
			}
			holds(t, path, "m")
			if d := cmp.Diff([]string{"games-replaced-20260301-120000.db", "games.db"}, names(t, filepath.Dir(path))); d != "" {
				t.Error(d)
			}
		})
	}
	t.Run("a file in use is not touched", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "games.db")
		mustOpen(t, path)
		if _, err := Restore(t.Context(), path, copied(t, "m"), at); !errors.Is(err, storage.ErrInUse) {
			t.Errorf("error %v", err)
		}
		if n := names(t, filepath.Dir(path)); len(n) != 1 {
			t.Errorf("left %v", n)
		}
	})
	t.Run("a copy that cannot be used changes nothing", func(t *testing.T) {
		good := copied(t, "m")
		data, err := os.ReadFile(good)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "games.db")
		mustOpen(t, path).Close()
		putGame(t, good, "bad", []byte("junk"))
		for what, from := range map[string]string{
			"half of it": writeFile(t, data[:len(data)/2]), "a damaged record": good,
			"nothing": filepath.Join(t.TempDir(), "no.db"), "a folder": t.TempDir(), "the file itself": path,
		} {
			_, err := Restore(t.Context(), path, from, at)
			if err == nil || !strings.Contains(err.Error(), from) || strings.Contains(err.Error(), ".restoring") {
				t.Errorf("%s: %v", what, err)
			}
		}
		if n := names(t, filepath.Dir(path)); len(n) != 1 {
			t.Errorf("left %v", n)
		}
	})
	t.Run("two in one second do not overwrite each other", func(t *testing.T) {
		path := writeFile(t, []byte("first"))
		if _, err := Restore(t.Context(), path, copied(t, "m"), at); err != nil {
			t.Fatal(err)
		}
		if _, err := Restore(t.Context(), path, copied(t, "n"), at); !errors.Is(err, fs.ErrExist) {
			t.Errorf("error %v", err)
		}
		holds(t, path, "m")
	})
}

func TestAFileThatMustExistIsNotCreated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	if _, err := Open(path, Options{Existing: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if n := names(t, filepath.Dir(path)); n != nil {
		t.Errorf("there is %v", n)
	}
}

func TestAllGivesEveryRecordOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var records []storage.Record
	for i := range 2*page + 1 {
		records = append(records, storagetest.Challenge(t, match.ID(strings.Repeat("x", i+1)), i))
	}
	if n, err := s.CreateAll(t.Context(), records); n != len(records) || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	if n, err := s.CreateAll(t.Context(), records[:5]); n != 0 || err != nil {
		t.Errorf("stored again: %d, %v", n, err)
	}
	bad := storagetest.Challenge(t, "bad", 0)
	bad.Match.Version = 0
	if _, err := s.CreateAll(t.Context(), []storage.Record{storagetest.Challenge(t, "new", 0), bad}); err == nil || !strings.Contains(err.Error(), "bad") {
		t.Errorf("error %v", err)
	}
	i := 0
	for r, err := range s.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(records[i].Normal(), r); d != "" {
			t.Fatal(d)
		}
		i++
	}
	if i != len(records) {
		t.Errorf("%d records", i)
	}
	for range s.All(t.Context()) {
		break
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	putGame(t, path, "a", []byte("junk"))
	if s, err = Open(path, Options{}); err != nil {
		t.Fatal(err)
	}
	faults := 0
	for _, err := range s.All(t.Context()) {
		if err != nil {
			faults++
			if !errors.Is(err, storage.ErrDamaged) {
				t.Error(err)
			}
		}
	}
	if faults != 1 {
		t.Errorf("%d faults", faults)
	}
	s.Close()
	for _, err := range s.All(t.Context()) {
		if !errors.Is(err, storage.ErrClosed) {
			t.Errorf("error %v", err)
		}
	}
}

// TestTheSecondSchemaIndexesFinishedGames opens a file with the first schema.
func TestTheSecondSchemaIndexesFinishedGames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	over := storagetest.Challenge(t, "over", 0)
	over.Match = storagetest.Apply(t, over.Match, match.Decline{By: engine.Black})
	if err := errors.Join(s.Create(t.Context(), over), s.Create(t.Context(), storagetest.Challenge(t, "on", 0)), s.Close()); err != nil {
		t.Fatal(err)
	}
	putGame(t, path, "bad", []byte("junk"))
	edit(t, path, func(tx *bolt.Tx) error {
		return errors.Join(tx.DeleteBucket([]byte("state")), tx.DeleteBucket([]byte("due removal")), makeOld(tx, "1"))
	})
	if s, err = Open(path, Options{}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	list, err := s.ListDue(t.Context(), storage.DueRemoval, over.Match.Changed.Add(1), 10)
	if d := cmp.Diff([]match.ID{"over"}, list); d != "" || err != nil {
		t.Error(d, err)
	}
	if err := s.SaveState(t.Context(), "n", []byte("x")); err != nil {
		t.Error(err)
	}
}
