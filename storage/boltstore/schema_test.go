package boltstore

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
	"github.com/lascabot/lascabot/storage/stored"
)

func textLog(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

func TestAFileOfANewerProgramIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	setSchema(t, path, "99")
	if _, err := Open(path, Options{}); !errors.Is(err, storage.ErrSchema) || !strings.Contains(err.Error(), "99") || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	// The file has been released and has not changed.
	setSchema(t, path, strconv.Itoa(len(migrations)))
	mustOpen(t, path)
}

// setSchema writes a schema number, behind the store's back.
func setSchema(t *testing.T, path, number string) {
	t.Helper()
	edit(t, path, func(tx *bolt.Tx) error {
		meta := tx.Bucket(metaBucket)
		return errors.Join(meta.Put(schemaKey, []byte(number)), meta.Put(sealKey, stored.Seal(metaBucket, sealKey, []byte(number))))
	})
}

// goBack removes what came with the schemas after one, which has checksums, and writes
// its number.
func goBack(tx *bolt.Tx, schema int) error {
	number := []byte(strconv.Itoa(schema))
	meta := tx.Bucket(metaBucket)
	return errors.Join(removeLater(tx, schema), meta.Put(schemaKey, number), meta.Put(sealKey, stored.Seal(metaBucket, sealKey, number)))
}

// removeLater removes the buckets that came with the schemas after one.
func removeLater(tx *bolt.Tx, schema int) error {
	old := bucketsOf(schema)
	for _, name := range bucketsOf(len(migrations)) {
		if slices.ContainsFunc(old, func(b []byte) bool { return bytes.Equal(b, name) }) {
			continue
		}
		if err := tx.DeleteBucket(name); err != nil {
			return err
		}
	}
	return nil
}

// TestTheFourthSchemaIndexesReminders opens a file with the third schema.
func TestTheFourthSchemaIndexesReminders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s, err := Open(path, Options{})
	must(t, err)
	must(t, errors.Join(s.Create(t.Context(), storagetest.Challenge(t, "on", 0)), s.Close()))
	edit(t, path, func(tx *bolt.Tx) error { return goBack(tx, 3) })
	s, err = Open(path, Options{})
	must(t, err)
	defer s.Close()
	must(t, s.Shown(t.Context(), "on", storage.Screen{Channel: "c1", Message: "x", Version: 1, Quiet: storagetest.Epoch}))
	list, err := s.ListDue(t.Context(), storage.DueReminder, storagetest.Epoch.Add(1), 10)
	must(t, err)
	if d := cmp.Diff([]match.ID{"on"}, list); d != "" {
		t.Error(d)
	}
	must(t, s.Check(t.Context()))
}

// TestTheFifthSchemaListsTheTurnsOfGamesUnderWay opens a file with the fourth schema,
// whose games know no terms: three days for a move, and casual.
func TestTheFifthSchemaListsTheTurnsOfGamesUnderWay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s, err := Open(path, Options{})
	must(t, err)
	on, over := storagetest.Challenge(t, "on", 1), storagetest.Challenge(t, "over", 2)
	on.Match = storagetest.Play(t, storagetest.Apply(t, on.Match, match.Accept{By: engine.Black}), 3)
	over.Match = storagetest.Apply(t, storagetest.Play(t, storagetest.Apply(t, over.Match, match.Accept{By: engine.Black}), 3), match.Resign{By: engine.White})
	records := []storage.Record{on, over, storagetest.Challenge(t, "asked", 0), storagetest.AgainstMachine(t, "machine", 0, true)}
	for _, r := range records {
		must(t, s.Create(t.Context(), r))
	}
	must(t, s.SaveSettings(t.Context(), "u", storage.Settings{Theme: "dark"}))
	must(t, s.Close())
	putGame(t, path, "bad", []byte(`junk "phase":"playing"`))
	edit(t, path, func(tx *bolt.Tx) error { return goBack(tx, 4) })

	s, err = Open(path, Options{ReadOnly: true})
	must(t, err)
	if n, _, err := s.Ranking(t.Context(), "g", 0, 1); err != nil || n != nil {
		t.Errorf("%v, %v", n, err)
	}
	if r, err := s.Rating(t.Context(), "g", "ann"); err != nil || r.Games != 0 {
		t.Errorf("%v, %v", r, err)
	}
	if list, err := s.Outcomes(t.Context(), "ann", 1); err != nil || list != nil {
		t.Errorf("%v, %v", list, err)
	}
	must(t, s.Close())

	s, err = Open(path, Options{})
	must(t, err)
	defer s.Close()
	list, err := s.ListDue(t.Context(), storage.DueClock, on.Match.Changed.Add(1), 10)
	must(t, err)
	if d := cmp.Diff([]match.ID{"on"}, list); d != "" {
		t.Error(d)
	}
	list, err = s.ListDue(t.Context(), storage.DueRating, time.Time{}, 10)
	must(t, err)
	if list != nil {
		t.Errorf("%v count", list)
	}
	for _, want := range records {
		got, err := s.Load(t.Context(), want.Match.ID)
		if d := cmp.Diff(want.Normal(), got); d != "" || err != nil {
			t.Error(d, err)
		}
	}
	next := storagetest.Apply(t, on.Match, match.Resign{By: engine.White})
	must(t, s.Save(t.Context(), next, on.Match.Version))
	must(t, s.Delete(t.Context(), "machine", 1))
	if err := s.Check(t.Context()); !errors.Is(err, storage.ErrDamaged) || strings.Contains(err.Error(), "index") {
		t.Errorf("all but the damaged game is sound, but: %v", err)
	}
}

// makeOld gives all values of a file the form that they had before sealedSchema.
func makeOld(tx *bolt.Tx, number string) error {
	if err := removeLater(tx, 2); err != nil {
		return err
	}
	for _, name := range [][]byte{gamesBucket, settingsBucket, stateBucket} {
		b := tx.Bucket(name)
		if b == nil {
			continue
		}
		old := map[string][]byte{}
		for c, k, v := cursor(b); k != nil; k, v = c.Next() {
			if text, err := unseal(sealedSchema, name, k, v); err != nil {
				continue
			} else if bytes.Equal(name, stateBucket) {
				old[string(k)] = clone(text)
			} else {
				old[string(k)] = append([]byte{stored.OldForm}, text...)
			}
		}
		if err := putAll(b, old); err != nil {
			return err
		}
	}
	meta := tx.Bucket(metaBucket)
	return errors.Join(meta.Delete(sealKey), meta.Put(schemaKey, []byte(number)))
}

func TestMigrations(t *testing.T) {
	var done []string
	step := func(name string, err error) migration {
		return once(func(tx *bolt.Tx) error {
			done = append(done, name)
			if _, e := tx.CreateBucket([]byte(name)); e != nil {
				return e
			}
			return err
		})
	}
	db, err := bolt.Open(filepath.Join(t.TempDir(), "games.db"), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run := func(steps ...migration) (int, string, error) {
		done = nil
		err := db.Update(func(tx *bolt.Tx) error { _, err := migrate(tx, steps); return err })
		n := 0
		db.View(func(tx *bolt.Tx) (err error) { n, err = schemaOf(tx, 9); return err })
		return n, strings.Join(done, " "), err
	}
	one, two, three := step("one", nil), step("two", nil), step("three", nil)
	if n, did, err := run(one); n != 1 || did != "one" || err != nil {
		t.Errorf("a new file: schema %d, did %q, %v", n, did, err)
	}
	if n, did, err := run(one); n != 1 || did != "" || err != nil {
		t.Errorf("a file with this schema: schema %d, did %q, %v", n, did, err)
	}
	broken := errors.New("broken")
	if n, _, err := run(one, two, step("three", broken)); n != 1 || !errors.Is(err, broken) {
		t.Errorf("a step that fails: schema %d, %v", n, err)
	}
	// The second step was rolled back, so it can run again.
	if n, did, err := run(one, two, three); n != 3 || did != "two three" || err != nil {
		t.Errorf("two steps behind: schema %d, did %q, %v", n, did, err)
	}
	if _, did, err := run(one, two); did != "" || !errors.Is(err, storage.ErrSchema) {
		t.Errorf("an older program: did %q, %v", did, err)
	}
}
