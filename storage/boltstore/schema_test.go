package boltstore

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/storage"
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
		return errors.Join(meta.Put(schemaKey, []byte(number)), meta.Put(sealKey, seal(metaBucket, sealKey, []byte(number))))
	})
}

// makeOld gives all values of a file the form that they had before sealedSchema.
func makeOld(tx *bolt.Tx, number string) error {
	if err := tx.DeleteBucket([]byte("due reminder")); err != nil {
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
				old[string(k)] = append([]byte{oldForm}, text...)
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
