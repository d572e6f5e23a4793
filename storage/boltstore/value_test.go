package boltstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
	"github.com/lascabot/lascabot/storage/stored"
)

// FuzzDecodeRecord checks that any bytes are either refused with ErrDamaged or give a
// record that survives encoding and decoding, and on whose match every method may be
// called.
func FuzzDecodeRecord(f *testing.F) {
	r := storagetest.Challenge(f, "m", 0)
	add := func(r storage.Record) {
		text, err := json.Marshal(r.Normal())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	add(r)
	r.Match = storagetest.Apply(f, storagetest.Play(f, storagetest.Apply(f, r.Match, match.Accept{By: engine.Black}), 6),
		match.OfferDraw{By: engine.White}, match.RequestUndo{By: engine.Black, To: 3})
	r.Screen = storage.Screen{Channel: "c", Message: "x", Version: 3}
	add(r)
	r.Match = storagetest.Apply(f, r.Match, match.Resign{By: engine.White})
	add(r)
	f.Add([]byte{})
	f.Add([]byte("{}"))
	if changed, err := r.Forget("ann"); !changed || err != nil {
		f.Fatal(err)
	}
	add(r)
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := decodeRecord(sealedSchema, "m", text); !errors.Is(err, storage.ErrDamaged) {
			t.Fatalf("without a checksum: %v", err)
		}
		if len(text)%2 == 0 {
			old, oldErr := decodeRecord(2, "m", append([]byte{stored.OldForm}, text...))
			if r, err := decodeRecord(2, "m", stored.Seal(gamesBucket, []byte("m"), text)); err == nil && (oldErr != nil || cmp.Diff(r, old) != "") {
				t.Fatalf("the old form is read in another way: %v", oldErr)
			}
		}
		r, err := decodeRecord(sealedSchema, "m", stored.Seal(gamesBucket, []byte("m"), text))
		if err != nil {
			if !errors.Is(err, storage.ErrDamaged) {
				t.Fatalf("error %v", err)
			}
			return
		}
		again, err := stored.EncodeRecord(&r)
		if err != nil {
			t.Fatal(err)
		}
		same, err := decodeRecord(sealedSchema, "m", again)
		if err != nil {
			t.Fatalf("%q: %v", again, err)
		}
		if d := cmp.Diff(r, same); d != "" {
			t.Fatal(d)
		}
		m := r.Match
		m.Game()
		m.MachineDue()
		indexKeys(&r)
		for c := range m.Seats {
			by := engine.Color(c)
			for _, command := range []match.Command{match.Accept{By: by}, match.AcceptDraw{By: by}, match.DeclineDraw{By: by}, match.AcceptUndo{By: by}, match.Claim{By: by, Told: m.Moved}} {
				if next, err := m.Apply(command, time.Time{}); err == nil {
					if err := next.Check(); err != nil {
						t.Fatalf("after %T: %v", command, err)
					}
				}
			}
		}
	})
}

// TestKeysSortAsTimesDo checks the order of the indexes.
func TestKeysSortAsTimesDo(t *testing.T) {
	times := rapid.Custom(func(t *rapid.T) time.Time {
		return time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns"))
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := times.Draw(t, "a"), times.Draw(t, "b")
		if rapid.Bool().Draw(t, "same second") {
			b = time.Unix(a.Unix(), int64(b.Nanosecond()))
		}
		if got, want := bytes.Compare(stored.AppendTime(nil, a), stored.AppendTime(nil, b)), a.Compare(b); got != want {
			t.Fatalf("%v and %v compare %d, their keys %d", a, b, want, got)
		}
	})
}
