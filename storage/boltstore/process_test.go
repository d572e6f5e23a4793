package boltstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// childTask tells the test binary to act as another process: what to do, and with
// which file.
const childTask, childFile = "BOLTSTORE_TEST_TASK", "BOLTSTORE_TEST_FILE"

func TestMain(m *testing.M) {
	switch os.Getenv(childTask) {
	case "":
		os.Exit(m.Run())
	case "hold":
		holdFile(os.Getenv(childFile))
	case "write":
		writeForever(os.Getenv(childFile))
	}
}

// child starts another process and returns its output line by line. The process is
// killed at the end of the test.
func child(t *testing.T, task, path string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childTask+"="+task, childFile+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return cmd, bufio.NewScanner(out)
}

// fail ends a child process with an error.
func fail(err error) {
	fmt.Fprintln(os.Stderr, "child:", err)
	os.Exit(1)
}

// holdFile keeps a store open until the process is killed.
func holdFile(path string) {
	if _, err := Open(path, Options{}); err != nil {
		fail(err)
	}
	fmt.Println("open")
	io.Copy(io.Discard, os.Stdin)
}

// writeForever plays several games, one ply of each in turn, and prints every save
// that was acknowledged, until the process is killed.
func writeForever(path string) {
	ctx := context.Background()
	s, err := Open(path, Options{})
	if err != nil {
		fail(err)
	}
	t := childT{}
	for i := 0; ; i++ {
		var games []match.Match
		for j := range 3 {
			r := storagetest.Challenge(t, match.ID(fmt.Sprintf("%d-%d-%d", os.Getpid(), i, j)), i)
			if err := s.Create(ctx, r); err != nil {
				fail(err)
			}
			fmt.Println(r.Match.ID, 1)
			games = append(games, storagetest.Apply(t, r.Match, match.Accept{By: engine.Black}))
		}
		for range 20 {
			for j, m := range games {
				if err := s.Save(ctx, m, m.Version-1); err != nil {
					fail(err)
				}
				fmt.Println(m.ID, m.Version)
				if m.Phase == match.Playing {
					games[j] = storagetest.Play(t, m, 1)
				}
			}
		}
	}
}

// childT lets the contract's helpers run in a process without tests.
type childT struct{ testing.TB }

func (childT) Helper()                   {}
func (childT) Fatal(args ...any)         { fail(errors.New(fmt.Sprint(args...))) }
func (childT) Fatalf(f string, a ...any) { fail(fmt.Errorf(f, a...)) }

func TestASecondProcessIsToldThatTheFileIsInUse(t *testing.T) {
	t.Parallel()
	if lockWait > 2*time.Second {
		t.Errorf("the message takes %v", lockWait)
	}
	path := filepath.Join(t.TempDir(), "games.db")
	cmd, out := child(t, "hold", path)
	if !out.Scan() {
		t.Fatal("the child did not open the file")
	}
	_, err := Open(path, Options{})
	if !errors.Is(err, storage.ErrInUse) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "another copy is running") {
		t.Errorf("error %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	mustOpen(t, path)
}

func TestASecondStoreInThisProcessIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "games.db")
	s := mustOpen(t, path)
	if _, err := Open(path, Options{}); !errors.Is(err, storage.ErrInUse) {
		t.Errorf("error %v", err)
	}
	if err := s.SaveSettings(t.Context(), "u", storage.Settings{Text: true}); err != nil {
		t.Errorf("the first store no longer works: %v", err)
	}
}

func TestWhatWasAcknowledgedSurvivesAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	acknowledged := map[match.ID]uint64{}
	for _, lines := range []int{1, 40, 77, 150} {
		cmd, out := child(t, "write", path)
		for n := 0; out.Scan(); n++ { // including what was printed until the kill took effect
			var id match.ID
			var version uint64
			if _, err := fmt.Sscan(out.Text(), &id, &version); err != nil {
				t.Fatalf("%q: %v", out.Text(), err)
			}
			acknowledged[id] = max(acknowledged[id], version)
			if n == lines {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		cmd.Wait()
		s, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for id, version := range acknowledged {
			if r, err := s.Load(t.Context(), id); err != nil || r.Match.Version < version {
				t.Errorf("match %s: version %d, %v; %d was acknowledged", id, r.Match.Version, err, version)
			}
		}
		if err := s.Check(t.Context()); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(acknowledged) < 4 {
		t.Errorf("only %d games", len(acknowledged))
	}
}
