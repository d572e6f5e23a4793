package boltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
	"github.com/lascabot/lascabot/storage/stored"
)

const pageSize = 4096

// soundFile writes a file with some games. It returns the bytes of the file and the
// games.
func soundFile(t testing.TB) ([]byte, []storage.Record) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var records []storage.Record
	for i := range 30 {
		r := storagetest.Challenge(t, match.ID(fmt.Sprint("m", i)), i)
		if err := s.Create(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		r.Match = storagetest.Play(t, storagetest.Apply(t, r.Match, match.Accept{By: engine.Black}), i%12)
		if err := s.Save(t.Context(), r.Match, 1); err != nil {
			t.Fatal(err)
		}
		records = append(records, r.Normal())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := readRoots(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return data[:r.latest().pages*pageSize], records // what follows is not in use
}

// use opens a file that may be damaged and does everything with it that the program
// does. It returns the error of Open, which must wrap ErrBroken; other errors may wrap ErrDamaged
// error.
func use(t *testing.T, what string, data []byte, records []storage.Record) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		if !errors.Is(err, storage.ErrBroken) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", what, err)
		}
		if f, err := os.OpenFile(path, os.O_RDWR, 0); err != nil {
			t.Errorf("%s: %v", what, err)
		} else {
			f.Close()
		}
		return err
	}
	ctx := t.Context()
	allowed := func(call string, err error) {
		if err != nil && !errors.Is(err, storage.ErrDamaged) && !errors.Is(err, storage.ErrBroken) && !errors.Is(err, storage.ErrNotFound) && !errors.Is(err, storage.ErrConflict) {
			t.Errorf("%s: %s: %v", what, call, err)
		}
	}
	for _, r := range records {
		_, err := s.Load(ctx, r.Match.ID)
		allowed("Load", err)
	}
	_, err = s.ListByChannel(ctx, "c1", 100)
	allowed("ListByChannel", err)
	_, err = s.ListDue(ctx, storage.DueScreen, storagetest.Epoch, 100)
	allowed("ListDue", err)
	allowed("Check", s.Check(ctx))
	for _, r := range records[:2] {
		allowed("Save", s.Save(ctx, storagetest.Apply(t, r.Match, match.Resign{By: engine.White}), r.Match.Version))
	}
	allowed("Close", s.Close())
	return nil
}

func TestATruncatedFileIsRefused(t *testing.T) {
	data, records := soundFile(t)
	used := len(data)
	db, err := bolt.Open(writeFile(t, data), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	db.View(func(tx *bolt.Tx) error { used = int(tx.Size()); return nil })
	db.Close()
	for n := 0; n < used; n += pageSize / 2 {
		what := fmt.Sprintf("%d of %d bytes", n, used)
		if err := use(t, what, data[:n], records); err == nil {
			t.Errorf("%s: Open accepts it", what)
		}
	}
	if err := use(t, "untouched", data, records); err != nil {
		t.Errorf("the untouched file: %v", err)
	}
}

func writeFile(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDamagedPagesDoNotPanic(t *testing.T) {
	t.Parallel()
	data, records := soundFile(t)
	rng := rand.New(rand.NewPCG(1, 2))
	garbage := func(b []byte) {
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
	}
	refused := 0
	for at := 0; at < len(data); at += pageSize {
		for name, spoil := range map[string]func([]byte){
			"zeros":                            func(b []byte) { clear(b) },
			"garbage":                          garbage,
			"garbage after the header":         func(b []byte) { garbage(b[16:]) },
			"garbage in the index of the page": func(b []byte) { garbage(b[16:256]) },
			"ones":                             func(b []byte) { copy(b, bytes.Repeat([]byte{0xff}, len(b))) },
			"another page":                     func(b []byte) { copy(b, data[(at+3*pageSize)%len(data):]) },
		} {
			bad := bytes.Clone(data)
			spoil(bad[at : at+pageSize])
			if use(t, fmt.Sprintf("page %d: %s", at/pageSize, name), bad, records) != nil {
				refused++
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

func TestFlippedBitsDoNotPanic(t *testing.T) {
	t.Parallel()
	data, records := soundFile(t)
	rng := rand.New(rand.NewPCG(3, 4))
	tries := 120
	if testing.Short() {
		tries = 30
	}
	for i := range tries {
		bad := bytes.Clone(data)
		at := rng.IntN(len(bad))
		if i%2 == 0 { // the header and the table of a page, where the pointers are
			at = at/pageSize*pageSize + rng.IntN(128)
		}
		bad[at] ^= 1 << rng.IntN(8)
		use(t, fmt.Sprintf("bit in byte %d of page %d", at%pageSize, at/pageSize), bad, records)
	}
}

// TestACircleOfPagesIsRefused makes a branch point to itself, which bbolt would
// follow forever.
func TestACircleOfPagesIsRefused(t *testing.T) {
	data, records := soundFile(t)
	circles := 0
	for at := 2 * pageSize; at < len(data); at += pageSize {
		if order.Uint16(data[at+8:]) != branchPage {
			continue
		}
		bad := bytes.Clone(data)
		order.PutUint64(bad[at+headerLen+8:], uint64(at/pageSize))
		if err := use(t, "a circle", bad, records); err != nil {
			circles++ // a page that is not in use may hold anything
		}
	}
	if circles == 0 {
		t.Error("no circle was refused")
	}
}

// TestAnEndlessFreeListIsRefused gives the page that lists the free pages a wrong
// length, to which bbolt would count.
func TestAnEndlessFreeListIsRefused(t *testing.T) {
	data, records := soundFile(t)
	refused := 0
	for at := 2 * pageSize; at < len(data); at += pageSize {
		if order.Uint16(data[at+8:]) != freePage {
			continue
		}
		bad := bytes.Clone(data)
		order.PutUint32(bad[at+12:], 1<<31)
		if err := use(t, "an endless list", bad, records); err != nil {
			refused++ // the other lists are no longer in use
		}
	}
	if refused != 1 {
		t.Errorf("%d were refused", refused)
	}
}

func TestWhatIsNotAStoreIsRefused(t *testing.T) {
	for name, data := range map[string][]byte{
		"an empty file": {},
		"a byte":        {1},
		"a text":        []byte(strings.Repeat("These are no games. ", 1000)),
		"zeros":         make([]byte, 64<<10),
		"a short text":  []byte("no games"),
		"a picture":     append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 10_000)...),
	} {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, data)
			_, err := Open(path, Options{})
			if !errors.Is(err, storage.ErrBroken) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v", err)
			}
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, data) {
				t.Errorf("the file has changed: %d bytes, was %d, %v", len(now), len(data), err)
			}
		})
	}
	t.Run("a folder", func(t *testing.T) {
		if _, err := Open(t.TempDir(), Options{}); err == nil || errors.Is(err, storage.ErrBroken) || !strings.Contains(err.Error(), "this is a folder") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a file in a folder that does not exist", func(t *testing.T) {
		if _, err := Open(filepath.Join(t.TempDir(), "no", "games.db"), Options{}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a database of another program", func(t *testing.T) {
		for _, bucket := range []string{"widgets", "meta"} {
			path := filepath.Join(t.TempDir(), "other.db")
			edit(t, path, func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte(bucket)); return err })
			if _, err := Open(path, Options{}); !errors.Is(err, storage.ErrBroken) {
				t.Errorf("%s: error %v", bucket, err)
			}
		}
	})
	t.Run("a store without one of its buckets", func(t *testing.T) {
		for _, name := range append(indexBuckets(), gamesBucket, settingsBucket, stateBucket) {
			path := filepath.Join(t.TempDir(), "games.db")
			mustOpen(t, path).Close()
			edit(t, path, func(tx *bolt.Tx) error { return tx.DeleteBucket(name) })
			if _, err := Open(path, Options{}); !errors.Is(err, storage.ErrBroken) {
				t.Errorf("%s: error %v", name, err)
			}
			os.Remove(path)
			mustOpen(t, path).Close()
		}
	})
}

// edit changes a file behind the store's back.
func edit(t testing.TB, path string, f func(*bolt.Tx) error) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: lockWait})
	if err == nil {
		err = db.Update(f)
		db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestOnlyTheOwnerReadsTheFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system does not protect files by their mode")
	}
	path := filepath.Join(t.TempDir(), "games.db")
	mustOpen(t, path)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// putGame stores bytes as the record of a match, behind the store's back.
func putGame(t testing.TB, path string, id string, value []byte) {
	t.Helper()
	edit(t, path, func(tx *bolt.Tx) error { return tx.Bucket(gamesBucket).Put([]byte(id), value) })
}

// sealed makes a change of the text in the record of the match "bad", with a checksum
// that fits.
func sealed(change func([]byte) []byte) func([]byte) []byte {
	return func(value []byte) []byte {
		return stored.Seal(gamesBucket, []byte("bad"), change(bytes.Clone(value[stored.HeadLen:])))
	}
}

func TestADamagedRecordAffectsOnlyItsGame(t *testing.T) {
	for name, spoil := range map[string]func([]byte) []byte{
		"no value":                 func([]byte) []byte { return []byte{} },
		"another form":             func(v []byte) []byte { return append([]byte{9}, v[1:]...) },
		"half of it":               func(v []byte) []byte { return v[:len(v)/2] },
		"zeros":                    func(v []byte) []byte { return make([]byte, len(v)) },
		"no object":                sealed(func([]byte) []byte { return []byte("null") }),
		"more behind it":           sealed(func(v []byte) []byte { return append(v, '}') }),
		"a move that is not legal": sealed(func(v []byte) []byte { return bytes.Replace(v, []byte(`"moves":["`), []byte(`"moves":["a1-b2","`), 1) }),
		"another game's":           sealed(func(v []byte) []byte { return bytes.Replace(v, []byte(`"id":"bad"`), []byte(`"id":"good"`), 1) }),
		"an unknown side":          sealed(func(v []byte) []byte { return bytes.Replace(v, []byte(`"by":0`), []byte(`"by":7`), 1) }),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "games.db")
			s, err := Open(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			good, bad := storagetest.Challenge(t, "good", 0), storagetest.Challenge(t, "bad", 1)
			good.Match = storagetest.Play(t, storagetest.Apply(t, good.Match, match.Accept{By: engine.Black}), 3)
			bad.Match = storagetest.Play(t, storagetest.Apply(t, bad.Match, match.Accept{By: engine.Black}), 3)
			for _, r := range []storage.Record{good, bad} {
				if err := s.Create(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			s.Close()
			value, err := stored.EncodeRecord(new(bad.Normal()))
			if err != nil {
				t.Fatal(err)
			}
			spoilt := spoil(bytes.Clone(value))
			if bytes.Equal(value, spoilt) {
				t.Fatal("the value has not changed")
			}
			putGame(t, path, "bad", spoilt)
			var log strings.Builder
			if s, err = Open(path, Options{Log: textLog(&log)}); err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			isDamaged := func(call string, err error) {
				t.Helper()
				if !errors.Is(err, storage.ErrDamaged) || !strings.Contains(err.Error(), "bad") {
					t.Errorf("%s: %v", call, err)
				}
			}
			_, err = s.Load(t.Context(), "bad")
			isDamaged("Load", err)
			isDamaged("Save", s.Save(t.Context(), storagetest.Play(t, bad.Match, 1), bad.Match.Version))
			isDamaged("Shown", s.Shown(t.Context(), "bad", storage.Screen{Version: 9}))
			isDamaged("Check", s.Check(t.Context()))
			list, err := s.ListByChannel(t.Context(), "c1", 10)
			if err != nil || len(list) != 1 || list[0].Match.ID != "good" {
				t.Errorf("the list has %d games, %v", len(list), err)
			}
			on := storage.Basis{People: []match.UserID{"ann", "bob"}, Games: []match.ID{"good"}}
			if err := s.Create(t.Context(), storagetest.Challenge(t, "new", 2), on); err != nil {
				t.Errorf("a new game of people with a damaged one: %v", err)
			}
			if !strings.Contains(log.String(), "match=bad") {
				t.Errorf("the log does not name the game: %s", log.String())
			}
			if err := s.Save(t.Context(), storagetest.Play(t, good.Match, 1), good.Match.Version); err != nil {
				t.Errorf("the other game: %v", err)
			}
			if err := s.Create(t.Context(), bad); !errors.Is(err, storage.ErrExists) {
				t.Errorf("a damaged game was overwritten: %v", err)
			}
		})
	}
}

func TestDamagedSettingsAreNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	mustOpen(t, path).Close()
	edit(t, path, func(tx *bolt.Tx) error {
		return tx.Bucket(settingsBucket).Put([]byte("u7"), stored.Seal(settingsBucket, []byte("u7"), []byte("{")))
	})
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(path)
	defer s.Close()
	if _, err := s.Settings(t.Context(), "u7"); !errors.Is(err, storage.ErrDamaged) || !strings.Contains(err.Error(), "u7") {
		t.Errorf("error %v", err)
	}
	if err := s.Check(t.Context()); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("Check: %v", err)
	}
	if err := s.SaveSettings(t.Context(), "u7", storage.Settings{}); err != nil {
		t.Errorf("new settings cannot be saved: %v", err)
	}
}

func TestCheckComparesTheIndexesWithTheRecords(t *testing.T) {
	for name, spoil := range map[string]func(*bolt.Tx, indexKey) error{
		"a key is missing":           func(tx *bolt.Tx, k indexKey) error { return tx.Bucket([]byte(k.bucket)).Delete([]byte(k.key)) },
		"a key belongs to no record": func(tx *bolt.Tx, k indexKey) error { return tx.Bucket([]byte(k.bucket)).Put([]byte(k.key+"x"), nil) },
	} {
		r := storagetest.Challenge(t, "m", 0)
		for _, key := range indexKeys(&r) {
			t.Run(name+" in "+key.bucket, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "games.db")
				s, err := Open(path, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if err := errors.Join(s.Create(t.Context(), r), s.Check(t.Context()), s.Close()); err != nil {
					t.Fatal(err)
				}
				edit(t, path, func(tx *bolt.Tx) error { return spoil(tx, key) })
				if s, err = Open(path, Options{}); err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				if err := s.Check(t.Context()); !errors.Is(err, storage.ErrDamaged) || !strings.Contains(err.Error(), key.bucket) {
					t.Errorf("error %v", err)
				}
			})
		}
	}
}

func TestNothingIsWrittenAfterAPanicInAWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s, err := Open(path, Options{Log: textLog(new(strings.Builder))})
	if err != nil {
		t.Fatal(err)
	}
	r := storagetest.Challenge(t, "m", 0)
	if err := s.Create(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	err = s.update(t.Context(), func(*bolt.Tx) error { panic("page 7: assertion failed") })
	if !errors.Is(err, storage.ErrBroken) || !strings.Contains(err.Error(), "page 7") {
		t.Errorf("error %v", err)
	}
	if err := s.Shown(t.Context(), "m", storage.Screen{Version: 1}); !errors.Is(err, storage.ErrBroken) {
		t.Errorf("a later write: %v", err)
	}
	if got, err := s.Load(t.Context(), "m"); err != nil || cmp.Diff(r.Normal(), got) != "" {
		t.Errorf("a later read: %+v, %v", got, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if s, err = Open(path, Options{}); err != nil { // the lock has been released
		t.Fatal(err)
	}
	if err := errors.Join(s.Check(context.Background()), s.Close()); err != nil {
		t.Error(err)
	}
}
