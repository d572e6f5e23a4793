package boltstore

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// opened opens the store in a folder. At the end of the test it closes the store and
// checks the file.
func opened(t testing.TB, folder string) storage.Store {
	return mustOpen(t, filepath.Join(folder, "games.db"))
}

func mustOpen(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		checkFile(t, path)
	})
	return s
}

// checkFile runs the store's and bbolt's checks on a closed file.
func checkFile(t testing.TB, path string) {
	t.Helper()
	s, err := Open(path, Options{})
	if err != nil {
		t.Errorf("opening the file to check it: %v", err)
		return
	}
	defer s.Close()
	if err := s.Check(context.Background()); err != nil { // the test's own context has ended when cleanup runs
		t.Errorf("the file after the test: %v", err)
	}
}

func TestContract(t *testing.T) { storagetest.Run(t, opened) }

func TestReopening(t *testing.T) { storagetest.RunReopen(t, opened) }
