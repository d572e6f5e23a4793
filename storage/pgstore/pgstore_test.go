package pgstore_test

import (
	"sync"
	"testing"

	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/pgstore"
	"github.com/lascabot/lascabot/storage/pgstore/pgtest"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// opener opens one database for each folder, by an address made of its own.
func opener(behind func(url string) string) storagetest.Opener {
	var mu sync.Mutex
	urls := map[string]string{}
	return func(t testing.TB, folder string) storage.Store {
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		if urls[folder] == "" {
			urls[folder] = behind(pgtest.New(t))
		}
		s, err := pgstore.Open(t.Context(), urls[folder], pgstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
}

func plain(url string) string { return url }

func TestContract(t *testing.T) {
	pgtest.Server(t)
	storagetest.Run(t, opener(plain))
	t.Run("games are kept after a store is closed", func(t *testing.T) { storagetest.RunReopen(t, opener(plain)) })
}
