package boltstore

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// smallDisk mounts a disk of 512 KiB.
func smallDisk(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("none", folder, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("only root can mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// TestAFullDisk checks what a store promises when the disk is full: acknowledged
// saves can still be read, nothing is half written, and once there is space again
// everything works without a restart.
func TestAFullDisk(t *testing.T) {
	folder := smallDisk(t)
	path := filepath.Join(folder, "games.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := storagetest.Challenge(t, "m", 0)
	if err := s.Create(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(folder, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 200<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	stored := []storage.Record{r.Normal()}
	for i := 0; ; i++ {
		if i > 10_000 {
			t.Fatal("the disk does not fill up")
		}
		next := storagetest.Challenge(t, match.ID(string(rune('a'+i%26))+string(rune('a'+i/26))), i)
		next.Place.Guild = string(bytes.Repeat([]byte("g"), 200))
		if err = s.Create(t.Context(), next); err != nil {
			break
		}
		stored = append(stored, next.Normal())
	}
	if !errors.Is(err, storage.ErrNotWritten) || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("after %d games: %v", len(stored), err)
	}
	t.Logf("full after %d games: %v", len(stored), err)
	same := func() {
		t.Helper()
		for _, want := range stored {
			got, err := s.Load(t.Context(), want.Match.ID)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatal(d)
			}
		}
		if err := s.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	same()
	next := storagetest.Apply(t, r.Match, match.Accept{By: engine.Black})
	for range 20 { // as people keep trying
		if err := s.Save(t.Context(), next, 1); err == nil {
			stored[0].Match = next
			break // this just fitted
		} else if !errors.Is(err, storage.ErrNotWritten) {
			t.Fatal(err)
		}
	}
	same()
	copies := Copies{Of: path, Folder: filepath.Join(folder, "copies"), Keep: 1}
	if r := copies.take(t.Context(), s, storagetest.Epoch); r.err == nil {
		t.Error("a copy fitted on the full disk")
	}
	if left, _ := os.ReadDir(filepath.Join(folder, "copies")); len(left) > 0 {
		t.Errorf("a failed copy has left %v", left)
	}

	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if stored[0].Match.Version == 1 {
		if err := s.Save(t.Context(), next, 1); err != nil {
			t.Fatalf("there is space again, but: %v", err)
		}
		stored[0].Match = next
	}
	stored[0] = stored[0].Normal()
	for range 30 {
		next = storagetest.Play(t, next, 1)
		if err := s.Save(t.Context(), next, next.Version-1); err != nil {
			t.Fatal(err)
		}
	}
	stored[0].Match = next
	stored[0] = stored[0].Normal()
	same()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(path, Options{}); err != nil {
		t.Fatal(err)
	}
	same()
	must(t, s.Close())
}

// TestAReadOnlyDiskIsNamed checks that Open says what is wrong.
func TestAReadOnlyDiskIsNamed(t *testing.T) {
	folder := smallDisk(t)
	path := filepath.Join(folder, "games.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if err := syscall.Mount("none", folder, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "size=512k"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{}); !errors.Is(err, syscall.EROFS) || errors.Is(err, storage.ErrBroken) {
		t.Errorf("error %v", err)
	}
}

// TestFilesThatRootCreatesBelongToTheBot checks that an operator who restores as root
// does not lock out the bot, which runs as another user.
func TestFilesThatRootCreatesBelongToTheBot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can do this")
	}
	folder := t.TempDir()
	if err := os.Chown(folder, 4711, 4712); err != nil {
		t.Fatal(err)
	}
	path, copied := filepath.Join(folder, "games.db"), filepath.Join(folder, "copy.db")
	s := mustOpen(t, path)
	if err := errors.Join(s.BackupFile(t.Context(), copied), s.Close(), os.Remove(path)); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), path, copied, storagetest.Epoch); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, copied} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if o := info.Sys().(*syscall.Stat_t); o.Uid != 4711 || o.Gid != 4712 || info.Mode().Perm() != 0o600 {
			t.Errorf("%s belongs to %d:%d, mode %v", name, o.Uid, o.Gid, info.Mode())
		}
	}
}
