package boltstore

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// oldFile makes a file of an older schema with n games, settings and a note.
func oldFile(t *testing.T, schema, n int) (path string, records []storage.Record) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "games.db")
	s, err := Open(path, Options{})
	must(t, err)
	for i := range n {
		r := storagetest.Challenge(t, match.ID(fmt.Sprintf("m%05d", i)), i)
		if i%2 == 0 {
			r.Match = storagetest.Apply(t, r.Match, match.Accept{By: engine.Black}, match.Resign{By: engine.White})
		}
		records = append(records, r.Normal())
	}
	_, err = s.CreateAll(t.Context(), records)
	must(t, err)
	must(t, s.SaveSettings(t.Context(), "u1", storage.Settings{Theme: "dark"}))
	must(t, s.SaveState(t.Context(), "note", []byte("\x02 looks like a value with a checksum")))
	must(t, s.Close())
	edit(t, path, func(tx *bolt.Tx) error {
		if schema == 1 {
			must(t, errors.Join(tx.DeleteBucket(stateBucket), tx.DeleteBucket(dueBucket(storage.DueRemoval))))
		}
		return makeOld(tx, fmt.Sprint(schema))
	})
	return path, records
}

// sameGames compares the games of a file, settings and a note with what oldFile has
// made.
func sameGames(t *testing.T, s *Store, records []storage.Record, hasNote bool) {
	t.Helper()
	i := 0
	for r, err := range s.All(t.Context()) {
		must(t, err)
		if d := cmp.Diff(records[i], r); d != "" {
			t.Fatal(d)
		}
		i++
	}
	if i != len(records) {
		t.Errorf("%d games, want %d", i, len(records))
	}
	if set, err := s.Settings(t.Context(), "u1"); err != nil || set.Theme != "dark" {
		t.Errorf("settings %+v, %v", set, err)
	}
	if !hasNote {
		return
	}
	if note, err := s.State(t.Context(), "note"); err != nil || string(note) != "\x02 looks like a value with a checksum" {
		t.Errorf("the note is %q, %v", note, err)
	}
}

func TestOldFilesGetChecksums(t *testing.T) {
	for _, schema := range []int{1, 2} {
		path, records := oldFile(t, schema, 2*sealedAtOnce+10)
		var log strings.Builder
		s, err := Open(path, Options{Log: textLog(&log)})
		must(t, err)
		sameGames(t, s, records, schema == 2)
		must(t, s.view(t.Context(), func(tx *bolt.Tx) error {
			for _, name := range [][]byte{gamesBucket, settingsBucket, stateBucket} {
				for c, k, v := cursor(tx.Bucket(name)); k != nil; k, v = c.Next() {
					if _, err := unseal(sealedSchema, name, k, v); err != nil {
						t.Errorf("%s %s: %v", name, k, err)
					}
				}
			}
			return nil
		}))
		must(t, s.Check(t.Context()))
		must(t, s.Close())
		if !strings.Contains(log.String(), "up to date") {
			t.Errorf("the log does not say so: %s", log.String())
		}
	}
}

// TestAnUpdateOfTheFileThatIsKilledGoesOn ends the update after each of its
// transactions, which is all that a kill can do.
func TestAnUpdateOfTheFileThatIsKilledGoesOn(t *testing.T) {
	for killedAfter := range 4 {
		path, records := oldFile(t, 2, 2*sealedAtOnce+10)
		edit(t, path, func(*bolt.Tx) error { return nil })
		for range killedAfter {
			edit(t, path, func(tx *bolt.Tx) error { _, err := migrate(tx, migrations); return err })
		}
		s, err := Open(path, Options{ReadOnly: true})
		must(t, err)
		if want := map[bool]int{true: 2, false: len(migrations)}[killedAfter < 3]; s.schema != want {
			t.Errorf("after %d transactions the schema is %d", killedAfter, s.schema)
		}
		sameGames(t, s, records, true)
		must(t, s.Check(t.Context()))
		must(t, s.Close())
		s, err = Open(path, Options{})
		must(t, err)
		sameGames(t, s, records, true)
		must(t, errors.Join(s.Check(t.Context()), s.Close()))
	}
}

// TestLookingChangesNothing reads files of every schema, and one that is being
// brought up to date, without changing a byte.
func TestLookingChangesNothing(t *testing.T) {
	files := map[string]func(t *testing.T) (string, []storage.Record){}
	for schema := 1; schema <= len(migrations); schema++ {
		files[fmt.Sprintf("schema %d", schema)] = func(t *testing.T) (string, []storage.Record) {
			path, records := oldFile(t, min(schema, 2), 5)
			if schema > 2 {
				s, err := Open(path, Options{})
				must(t, err)
				must(t, s.Close())
			}
			return path, records
		}
	}
	files["half of it up to date"] = func(t *testing.T) (string, []storage.Record) {
		path, records := oldFile(t, 2, sealedAtOnce+5)
		edit(t, path, func(tx *bolt.Tx) error { _, err := migrate(tx, migrations); return err })
		return path, records
	}
	for name, make := range files {
		t.Run(name, func(t *testing.T) {
			path, records := make(t)
			before, err := os.ReadFile(path)
			must(t, err)
			must(t, os.Chmod(path, 0o400))
			s, err := Open(path, Options{ReadOnly: true})
			must(t, err)
			other, err := Open(path, Options{ReadOnly: true})
			must(t, err)
			must(t, other.Close())
			sameGames(t, s, records, s.schema > 1)
			must(t, s.Check(t.Context()))
			copied := filepath.Join(t.TempDir(), "copy.db")
			must(t, s.BackupFile(t.Context(), copied))
			if err := s.SaveSettings(t.Context(), "u1", storage.Settings{}); err == nil {
				t.Error("something was written")
			}
			schema := s.schema
			must(t, s.Close())
			must(t, Verify(t.Context(), path))
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, before) {
				t.Errorf("the file has changed, %v", err)
			}
			must(t, Verify(t.Context(), copied))
			s, err = Open(copied, Options{ReadOnly: true})
			must(t, err)
			defer s.Close()
			if s.schema != schema {
				t.Errorf("the copy has schema %d", s.schema)
			}
			sameGames(t, s, records, s.schema > 1)
		})
	}
	t.Run("a file that a bot has open", func(t *testing.T) {
		s := mustOpen(t, filepath.Join(t.TempDir(), "games.db"))
		if _, err := Open(s.path, Options{ReadOnly: true}); !errors.Is(err, storage.ErrInUse) {
			t.Errorf("error %v", err)
		}
	})
}

// TestUnknownFieldsAreRefused checks that a record of a newer version is not read as
// if the field did not exist: the next save would drop it. Files of old versions may
// hold fields that have been given up.
func TestUnknownFieldsAreRefused(t *testing.T) {
	r := storagetest.Challenge(t, "m", 0)
	value, err := stored.EncodeRecord(new(r.Normal()))
	must(t, err)
	text := bytes.Replace(value[stored.HeadLen:], []byte(`{"match":{`), []byte(`{"match":{"clock":5,`), 1)
	if len(text) == len(value)-stored.HeadLen {
		t.Fatalf("no field was added to %s", text)
	}
	_, err = decodeRecord(sealedSchema, "m", stored.Seal(gamesBucket, []byte("m"), text))
	if !errors.Is(err, storage.ErrDamaged) || !strings.Contains(err.Error(), "clock") || !strings.Contains(err.Error(), "version") {
		t.Errorf("error %v", err)
	}
	old, err := decodeRecord(2, "m", append([]byte{stored.OldForm}, text...))
	if err != nil || cmp.Diff(r.Normal(), old) != "" {
		t.Errorf("the old form: %v", err)
	}
	if _, err := decodeRecord(sealedSchema, "m", append([]byte{stored.OldForm}, text...)); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("the old form in a new file: %v", err)
	}
	if _, err := decodeSettings(sealedSchema, "u", stored.Seal(settingsBucket, []byte("u"), []byte(`{"colour":1}`))); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("settings: %v", err)
	}
}

// TestWhatWasDamagedBeforeStaysDamaged checks that a record without a checksum that
// cannot be read does not become sound by getting one.
func TestWhatWasDamagedBeforeStaysDamaged(t *testing.T) {
	path, _ := oldFile(t, 2, 3)
	putGame(t, path, "m00001", []byte("\x01{"))
	s, err := Open(path, Options{})
	must(t, err)
	defer s.Close()
	if _, err := s.Load(t.Context(), "m00001"); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("error %v", err)
	}
	if _, err := s.Load(t.Context(), "m00002"); err != nil {
		t.Error(err)
	}
}

// TestADamagedNoteIsNamed checks that notes are protected too.
func TestADamagedNoteIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s, err := Open(path, Options{})
	must(t, err)
	must(t, errors.Join(s.SaveState(t.Context(), "n", []byte("text")), s.Close()))
	edit(t, path, func(tx *bolt.Tx) error {
		b := tx.Bucket(stateBucket)
		return b.Put([]byte("n"), bytes.Replace(b.Get([]byte("n")), []byte("text"), []byte("test"), 1))
	})
	s, err = Open(path, Options{})
	must(t, err)
	defer s.Close()
	if _, err := s.State(t.Context(), "n"); !errors.Is(err, storage.ErrDamaged) || !strings.Contains(err.Error(), "under n") {
		t.Errorf("error %v", err)
	}
	if err := s.Check(t.Context()); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("Check: %v", err)
	}
	must(t, s.SaveState(t.Context(), "n", []byte("text")))
	must(t, s.Check(t.Context()))
}

// TestAGameThatIsDamagedIsNotMissedInSilence checks the lists that search values
// without decoding them.
func TestAGameThatIsDamagedIsNotMissedInSilence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	s, err := Open(path, Options{})
	must(t, err)
	must(t, errors.Join(s.Create(t.Context(), storagetest.Challenge(t, "m", 0)), s.Close()))
	edit(t, path, func(tx *bolt.Tx) error {
		b := tx.Bucket(gamesBucket)
		return b.Put([]byte("m"), bytes.Replace(b.Get([]byte("m")), []byte(`"user":"ann"`), []byte(`"user":"anm"`), 1))
	})
	var log strings.Builder
	s, err = Open(path, Options{Log: textLog(&log)})
	must(t, err)
	defer s.Close()
	if list, err := s.ListOf(t.Context(), storage.Of{User: "ann"}, "", 10); err != nil || list != nil {
		t.Errorf("%v, %v", list, err)
	}
	if !strings.Contains(log.String(), "match=m") {
		t.Errorf("the log does not name the game: %s", log.String())
	}
}
