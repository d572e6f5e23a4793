package storagetest

import (
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// writes returns a call of every method that takes a basis, for a store that holds the
// challenge "m".
func writes(t *testing.T, s storage.Store) map[string]func(on ...storage.Basis) error {
	next := Apply(t, Challenge(t, "m", 0).Match, match.Accept{By: engine.Black})
	return map[string]func(on ...storage.Basis) error{
		"Create": func(on ...storage.Basis) error { return s.Create(t.Context(), Challenge(t, "n", 0), on...) },
		"Save":   func(on ...storage.Basis) error { return s.Save(t.Context(), next, 1, on...) },
		"SaveSettings": func(on ...storage.Basis) error {
			return s.SaveSettings(t.Context(), "u", storage.Settings{Theme: "x"}, on...)
		},
		"SaveState": func(on ...storage.Basis) error { return s.SaveState(t.Context(), "n", []byte("x"), on...) },
	}
}

func basis(t *testing.T, s storage.Store) {
	m := Challenge(t, "m", 0)
	create(t, s, m)
	over := Challenge(t, "over", 1)
	over.Match = Apply(t, over.Match, match.Decline{By: engine.Black})
	create(t, s, over)
	must(t, s.SaveState(t.Context(), "note", []byte("a")))
	note := func(key, value string) storage.Basis {
		if value == "" {
			return storage.Basis{Notes: map[string][]byte{key: nil}}
		}
		return storage.Basis{Notes: map[string][]byte{key: []byte(value)}}
	}
	games := func(u match.UserID, known ...match.ID) storage.Basis {
		return storage.Basis{People: []match.UserID{u}, Games: known}
	}
	good := note("note", "a")
	for what, bad := range map[string]storage.Basis{
		"another note":                     note("note", "b"),
		"a note that was not there":        note("note", ""),
		"a note that is gone":              note("none", "a"),
		"a game that was not known":        games("ann"),
		"one of several, in another order": {People: []match.UserID{"zoe", "bob"}, Games: []match.ID{"over", "x"}},
	} {
		for name, write := range writes(t, s) {
			isErr(t, name+" on "+what, write(bad), storage.ErrConflict)
			isErr(t, name+" on "+what+" besides what holds", write(good, bad), storage.ErrConflict)
		}
	}
	same(t, s, m)
	if set, err := s.Settings(t.Context(), "u"); err != nil || !set.IsZero() {
		t.Errorf("%+v, %v", set, err)
	}
	if text, err := s.State(t.Context(), "n"); err != nil || text != nil {
		t.Errorf("%q, %v", text, err)
	}
	for _, write := range writes(t, s) {
		must(t, write(good, note("none", ""), storage.Basis{People: []match.UserID{"ann", "bob", "zoe"}, Games: []match.ID{"m", "n", "gone"}}))
	}
	must(t, s.SaveState(t.Context(), "note", []byte("b"), good)) // on itself
	isErr(t, "a note on what it was", s.SaveState(t.Context(), "note", []byte("c"), good), storage.ErrConflict)
}

// Nobody's seat is given to somebody else, nor back to who has left it.
func seatsStay(t *testing.T, s storage.Store) {
	r := Challenge(t, "m", 0)
	r.Match = Apply(t, r.Match, match.Accept{By: engine.Black}, match.Resign{By: engine.White})
	create(t, s, r)
	later := r.Match
	later.Version++
	must(t, s.Forget(t.Context(), "m", "ann"))
	isErr(t, "a save that was begun before somebody left", s.Save(t.Context(), later, r.Match.Version), storage.ErrConflict)
	got, err := s.Load(t.Context(), "m")
	if must(t, err); got.Match.Seats[engine.White].User != storage.Deleted {
		t.Errorf("%+v", got.Match.Seats)
	}
}
