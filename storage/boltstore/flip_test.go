package boltstore

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
	"github.com/lascabot/lascabot/storage/stored"
)

// smallFile makes a file that has everything a file can have, in pages of 1 KiB: large
// and small buckets, branches, values over several pages, free pages. It returns the
// file and a copy of it.
func smallFile(t *testing.T) (file, copied []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.db")
	db, err := bolt.Open(path, 0o600, &bolt.Options{PageSize: minPageSize})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		r := storagetest.Challenge(t, match.ID(fmt.Sprint("m", i)), i)
		must(t, s.Create(t.Context(), r))
		r.Match = storagetest.Play(t, storagetest.Apply(t, r.Match, match.Accept{By: engine.Black}), 3*i)
		must(t, s.Save(t.Context(), r.Match, 1))
	}
	over := storagetest.Challenge(t, "over", 9)
	over.Match = storagetest.Apply(t, over.Match, match.Decline{By: engine.Black})
	must(t, s.Create(t.Context(), over))
	must(t, s.SaveSettings(t.Context(), "u1", storage.Settings{Theme: "dark"}))
	must(t, s.SaveState(t.Context(), "note", bytes.Repeat([]byte("n"), 3000)))
	must(t, s.SaveState(t.Context(), "other", []byte("x")))
	copyPath := path + "-copy"
	must(t, s.BackupFile(t.Context(), copyPath))
	must(t, s.Close())
	if file, err = os.ReadFile(path); err == nil {
		copied, err = os.ReadFile(copyPath)
	}
	must(t, err)
	return file, copied
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// layout returns the kinds of pages that a sound file has, the pages that are not in
// use, and everything that it stores.
func layout(t *testing.T, file []byte) (m meta, kinds map[string]int, free []uint64, stored string) {
	t.Helper()
	var all bytes.Buffer
	s := scan{strict: true, first: metaBucket, item: func(bucket, key, value []byte) error {
		fmt.Fprintf(&all, "%q %q %q\n", bucket, key, value)
		return nil
	}}
	r, err := readPages(&s, bytes.NewReader(file), int64(len(file)))
	must(t, err)
	kinds = map[string]int{"free": len(s.free)}
	m = r.latest()
	for id := range m.pages {
		page := file[id*uint64(m.pageSize):]
		switch kind := order.Uint16(page[8:]); {
		case slices.Contains(s.free, id):
		case order.Uint32(page[12:]) > 0:
			kinds["long"]++
		case kind == branchPage:
			kinds["branch"]++
		case kind == leafPage:
			kinds["leaf"]++
		}
	}
	return m, kinds, s.free, all.String()
}

// TestEveryFlippedByteIsDetected changes every byte of a small file. Check finds each
// change in a page that is in use. The pages that are not in use hold remains that
// nothing reads: a change there changes nothing that is stored.
func TestEveryFlippedByteIsDetected(t *testing.T) {
	t.Parallel()
	file, _ := smallFile(t)
	m, kinds, free, stored := layout(t, file)
	if kinds["branch"] == 0 || kinds["leaf"] == 0 || kinds["long"] == 0 || kinds["free"] == 0 {
		t.Fatalf("the file has too little: %v", kinds)
	}
	used := int(m.pages) * int(m.pageSize)
	detected, dead := 0, 0
	for at := 0; at < len(file); at += step(at, used) {
		bad := bytes.Clone(file)
		bad[at] ^= flip(at)
		switch err := inspect(t.Context(), bytes.NewReader(bad), int64(len(bad))); {
		case errors.Is(err, storage.ErrBroken), errors.Is(err, storage.ErrDamaged), errors.Is(err, storage.ErrSchema):
			detected++
		case err != nil:
			t.Errorf("byte %d: %v", at, err)
		default:
			if page := uint64(at) / uint64(m.pageSize); page < m.pages && !slices.Contains(free, page) {
				t.Errorf("byte %d of page %d, which is in use, can be %#x", at%int(m.pageSize), page, bad[at])
			}
			dead++
			if dead%50 == 0 || at < used {
				if _, _, _, now := layout(t, bad); now != stored {
					t.Errorf("byte %d changes what is stored", at)
				}
			}
		}
	}
	t.Logf("%v: %d changes detected, %d in pages that are not in use, which nothing reads", kinds, detected, dead)
}

// TestEveryFlippedByteOfACopyIsDetected does the same with a copy, in which there is
// no exception.
func TestEveryFlippedByteOfACopyIsDetected(t *testing.T) {
	t.Parallel()
	_, copied := smallFile(t)
	must(t, inspect(t.Context(), bytes.NewReader(copied), int64(len(copied))))
	n := 0
	for at := 0; at < len(copied); at += step(at, len(copied)) {
		bad := bytes.Clone(copied)
		bad[at] ^= flip(at)
		n++
		if err := inspect(t.Context(), bytes.NewReader(bad), int64(len(bad))); err == nil {
			t.Errorf("byte %d of page %d can be %#x", at%minPageSize, at/minPageSize, bad[at])
		}
	}
	t.Logf("%d of %d changes detected", n, n)
}

// step is how far it is to the next byte that is changed: in short tests not every
// byte, and far fewer behind the last page.
func step(at, used int) int {
	n := 1
	if testing.Short() {
		n = 29
	}
	if at >= used {
		n *= 101
	}
	return n
}

// flip returns the bits of a byte that are changed: one, or all.
func flip(at int) byte {
	if at%9 == 8 {
		return 0xff
	}
	return 1 << (at % 9)
}

// TestEveryBitOfAValueIsProtected changes every bit of a stored value, and the key
// and the bucket under which it is looked for.
func TestEveryBitOfAValueIsProtected(t *testing.T) {
	r := storagetest.Challenge(t, "m", 0)
	value, err := stored.EncodeRecord(new(r.Normal()))
	must(t, err)
	for i := range 8 * len(value) {
		bad := bytes.Clone(value)
		bad[i/8] ^= 1 << (i % 8)
		if _, err := decodeRecord(sealedSchema, "m", bad); !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("bit %d: %v", i, err)
		}
	}
	if _, err := unseal(sealedSchema, gamesBucket, []byte("n"), value); err == nil {
		t.Error("the value is accepted under another key")
	}
	if _, err := unseal(sealedSchema, settingsBucket, []byte("m"), value); err == nil {
		t.Error("the value is accepted in another bucket")
	}
}

// TestCheckAcceptsWhateverTheStoreWrites writes, changes and deletes at random, so
// that pages split and merge. What Check refuses must never be what bbolt wrote.
func TestCheckAcceptsWhateverTheStoreWrites(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "games.db")
	db, err := bolt.Open(path, 0o600, &bolt.Options{PageSize: minPageSize, NoSync: true})
	must(t, err)
	defer db.Close()
	must(t, db.Update(func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("b")); return err }))
	rounds := 3000
	if testing.Short() {
		rounds = 100
	}
	rng := newRand(7)
	for round := range rounds {
		must(t, db.Update(func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte("b"))
			for range 1 + rng.IntN(60) {
				key := []byte(fmt.Sprintf("%0*d", 1+rng.IntN(8), rng.IntN(900)))
				var err error
				if rng.IntN(900) > 300+500*((round/40)%2) { // now more of these, now of those
					err = b.Put(key, bytes.Repeat([]byte("v"), rng.IntN(300)))
				} else {
					err = b.Delete(key)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}))
		file, err := os.ReadFile(path)
		must(t, err)
		s := scan{strict: true}
		if _, err := readPages(&s, bytes.NewReader(file), int64(len(file))); err != nil {
			t.Fatalf("after %d rounds: %v", round, err)
		}
	}
}

// TestARootThatCannotBeReadIsNamed damages the root of the latest transaction. bbolt
// goes on with the one before, which must not pass unnoticed.
func TestARootThatCannotBeReadIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s, err := Open(path, Options{})
	must(t, err)
	must(t, cmp.Or(s.Create(t.Context(), storagetest.Challenge(t, "m", 0)), s.Close()))
	file, err := os.ReadFile(path)
	must(t, err)
	r, err := readRoots(bytes.NewReader(file))
	must(t, err)
	at := 0
	if r.latest() == r.meta[1] {
		at = int(r.meta[0].pageSize)
	}
	file[at+metaTxid] ^= 1
	path = writeFile(t, file)
	if err := Verify(t.Context(), path); !errors.Is(err, storage.ErrBroken) {
		t.Errorf("error %v", err)
	}
	log := &bytes.Buffer{}
	if s, err = Open(path, Options{Log: textLog(log)}); err != nil {
		t.Fatal(err)
	}
	must(t, s.Close())
	if !bytes.Contains(log.Bytes(), []byte("the latest change may be missing")) {
		t.Errorf("the log does not say so: %s", log)
	}
}

// newRand returns a random number generator that is the same in every run.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }
