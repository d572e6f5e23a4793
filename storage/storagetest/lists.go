package storagetest

import (
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

func dueMachine(t *testing.T, s storage.Store) {
	listed := func(want ...match.ID) {
		t.Helper()
		isList(t, "machine", due(t, s, storage.DueMachine), nil, want...)
	}
	create(t, s, AgainstMachine(t, "m", 0, true), AgainstMachine(t, "n", 1, false), Challenge(t, "c", 2))
	listed("n")
	change(t, s, "m", match.OfferDraw{By: engine.White}) // after a minute, as n
	listed("m", "n")
	change(t, s, "m", match.DeclineDraw{By: engine.Black})
	listed("n")
	m := load(t, s, "m").Match
	must(t, s.Save(t.Context(), Play(t, m, 1), m.Version))
	listed("n", "m")
	change(t, s, "n", match.Resign{By: engine.Black})
	listed("m")
}

func dueScreen(t *testing.T, s storage.Store) {
	listed := func(want ...match.ID) {
		t.Helper()
		isList(t, "screen", due(t, s, storage.DueScreen), nil, want...)
	}
	show := func(id match.ID, version uint64) {
		t.Helper()
		must(t, s.Shown(t.Context(), id, storage.Screen{Channel: "c1", Message: "x", Version: version}))
	}
	create(t, s, Challenge(t, "m", 0), Challenge(t, "n", 1))
	listed("m", "n")
	show("m", 1)
	listed("n")
	change(t, s, "m", match.Accept{By: engine.Black})
	listed("m", "n")
	show("n", 1)
	change(t, s, "m", match.Resign{By: engine.Black}) // a finished game is shown too
	listed("m")
	show("m", 2) // late
	listed("m")
	show("m", 3)
	listed()
}

func dueOutside(t *testing.T, s storage.Store) {
	r := Challenge(t, "m", 0)
	r.Place = storage.Place{Outside: storage.OutsideDM, Channel: "c1"}
	r.Match.Terms.Days = 1
	create(t, s, r)
	check := func() {
		t.Helper()
		for _, kind := range []storage.Due{storage.DueScreen, storage.DueReminder, storage.DueClock} {
			list, err := s.ListDue(t.Context(), kind, farFuture, 10)
			isList(t, string(kind), list, err)
		}
	}
	check()
	must(t, s.Shown(t.Context(), "m", storage.Screen{Channel: "c1", Message: "x", Version: 1, Quiet: Epoch, Again: Epoch}))
	check()
	change(t, s, "m", match.Accept{By: engine.Black})
	check()
	must(t, s.Shown(t.Context(), "m", storage.Screen{Channel: "c1", Message: "x", Version: 2, Quiet: Epoch}))
	check()
	if got := load(t, s, "m").Place; got != r.Place {
		t.Errorf("%+v is stored", got)
	}
}

func waitingScreens(t *testing.T, s storage.Store) {
	listed := func(limit int, want ...match.ID) {
		t.Helper()
		list, err := s.ListDue(t.Context(), storage.DueScreen, time.Time{}, limit)
		isList(t, "screen", list, err, want...)
	}
	again := Epoch.Add(time.Hour)
	waits := storage.Screen{Channel: "c1", Message: "x", Version: 1, Refused: 2, Again: again}
	create(t, s, Challenge(t, "m", 0), Challenge(t, "n", 1), Challenge(t, "o", 2))
	must(t, s.Shown(t.Context(), "m", waits))
	must(t, s.Shown(t.Context(), "n", storage.Screen{Channel: "c1", Message: "y", Version: 1}))
	if got := load(t, s, "m").Screen; got != waits {
		t.Errorf("%+v is stored", got)
	}
	listed(10, "o", "m") // although m shows its newest version, and is older
	change(t, s, "m", match.Accept{By: engine.Black})
	change(t, s, "n", match.Accept{By: engine.Black})
	listed(10, "n", "o", "m")
	listed(2, "n", "o")
	must(t, s.Shown(t.Context(), "m", storage.Screen{Channel: "c1", Message: "x", Version: 2}))
	listed(10, "n", "o")
}

func dueExpiry(t *testing.T, s storage.Store) {
	at := func(before time.Time, want ...match.ID) {
		t.Helper()
		list, err := s.ListDue(t.Context(), storage.DueExpiry, before, 10)
		isList(t, "expiry", list, err, want...)
	}
	late := Challenge(t, "late", 0) // created first, expires last
	late.Match.Expires = late.Match.Expires.Add(time.Hour)
	create(t, s, late, Challenge(t, "m", 1), Challenge(t, "n", 2), Challenge(t, "o", 3), AgainstMachine(t, "p", 4, true))
	change(t, s, "o", match.Accept{By: engine.Black})
	at(Epoch)
	expires := load(t, s, "m").Match.Expires
	at(expires)
	at(expires.Add(1), "m")
	at(expires.Add(time.Minute+1), "m", "n")
	at(farFuture, "m", "n", "late")
	if next, err := load(t, s, "m").Match.Apply(match.Expire{}, expires.Add(1)); err != nil {
		t.Errorf("a listed challenge does not expire: %v", err)
	} else {
		must(t, s.Save(t.Context(), next, 1))
	}
	at(farFuture, "n", "late")
}

func dueReminder(t *testing.T, s storage.Store) {
	at := func(before time.Time, want ...match.ID) {
		t.Helper()
		list, err := s.ListDue(t.Context(), storage.DueReminder, before, 10)
		isList(t, "reminder", list, err, want...)
	}
	shown := func(id match.ID, version uint64, quiet time.Time) {
		t.Helper()
		must(t, s.Shown(t.Context(), id, storage.Screen{Channel: "c1", Message: "x", Version: version, Quiet: quiet}))
	}
	create(t, s, Challenge(t, "m", 0), Challenge(t, "n", 1), Challenge(t, "o", 2))
	at(farFuture) // records without a screen, as those of older programs, remind nobody
	one, two := Epoch.Add(time.Hour), Epoch.Add(2*time.Hour)
	shown("m", 1, two)
	shown("n", 1, one)
	shown("o", 1, time.Time{})
	at(one)
	at(one.Add(1), "n")
	at(farFuture, "n", "m")
	shown("n", 1, time.Time{}) // they have been notified
	at(farFuture, "m")
	change(t, s, "m", match.Accept{By: engine.Black}) // the screen is behind
	at(farFuture)
	shown("m", 2, two)
	at(farFuture, "m")
	change(t, s, "m", match.Resign{By: engine.Black})
	at(farFuture)
	shown("m", 3, two) // the other may not know of the end
	at(farFuture, "m")
	must(t, s.Forget(t.Context(), "m", "bob")) // who has resigned
	at(farFuture, "m")
	create(t, s, Challenge(t, "p", 3))
	change(t, s, "p", match.Decline{By: engine.Black})
	shown("p", 2, one)
	at(farFuture, "p", "m")
	must(t, s.Forget(t.Context(), "p", "ann")) // whom it was for
	at(farFuture, "m")
	shown("m", 3, time.Time{})
	at(farFuture)
}

func removal(t *testing.T, s storage.Store) {
	at := func(before time.Time, want ...match.ID) {
		t.Helper()
		list, err := s.ListDue(t.Context(), storage.DueRemoval, before, 10)
		isList(t, "removal", list, err, want...)
	}
	create(t, s, Challenge(t, "late", 10), Challenge(t, "m", 1), Challenge(t, "on", 0))
	at(farFuture)
	change(t, s, "late", match.Decline{By: engine.Black})
	change(t, s, "m", match.Withdraw{By: engine.White})
	change(t, s, "on", match.Accept{By: engine.Black})
	m := load(t, s, "m").Match
	at(m.Changed)
	at(m.Changed.Add(1), "m")
	at(farFuture, "m", "late")
	must(t, s.Delete(t.Context(), "m", m.Version))
	at(farFuture, "late")
	_, err := s.Load(t.Context(), "m")
	isErr(t, "Load", err, storage.ErrNotFound)
	isErr(t, "Delete again", s.Delete(t.Context(), "m", m.Version), storage.ErrNotFound)
	isErr(t, "Save", s.Save(t.Context(), Apply(t, Challenge(t, "m", 1).Match, match.Accept{By: engine.Black}), 1), storage.ErrNotFound)
	isList(t, "screen", due(t, s, storage.DueScreen), nil, "on", "late")
}

func removeOld(t *testing.T, s storage.Store) {
	create(t, s, Challenge(t, "m", 0))
	change(t, s, "m", match.Accept{By: engine.Black})
	r := load(t, s, "m")
	isErr(t, "Delete", s.Delete(t.Context(), "m", 1), storage.ErrConflict)
	same(t, s, r)
	must(t, s.Delete(t.Context(), "m", 2)) // although it is still running
	for _, kind := range storage.Dues() {
		isList(t, string(kind), due(t, s, kind), nil)
	}
	list, err := s.ListByUser(t.Context(), "bob", 10)
	isList(t, "person", ids(list), err)
	list, err = s.ListByChannel(t.Context(), "c1", 10)
	isList(t, "channel", ids(list), err)
}

func dueOrder(t *testing.T, s storage.Store) {
	create(t, s, AgainstMachine(t, "b", 2, false), AgainstMachine(t, "z", 1, false), AgainstMachine(t, "a", 3, false))
	for _, kind := range []storage.Due{storage.DueMachine, storage.DueScreen} {
		for limit, want := range map[int][]match.ID{-1: nil, 0: nil, 1: {"z"}, 2: {"z", "b"}, 3: {"z", "b", "a"}, 4: {"z", "b", "a"}} {
			list, err := s.ListDue(t.Context(), kind, time.Time{}, limit)
			isList(t, string(kind), list, err, want...)
		}
	}
	if _, err := s.ListDue(t.Context(), "lunch", farFuture, 1); err == nil {
		t.Error("an unknown kind was listed")
	}
}

// testList checks a list that has all games of Challenge.
func testList(t *testing.T, s storage.Store, list func(limit int) ([]storage.Record, error)) {
	listed := func(limit int, want ...match.ID) {
		t.Helper()
		got, err := list(limit)
		isList(t, "list", ids(got), err, want...)
		for _, r := range got {
			same(t, s, r)
		}
	}
	listed(10)
	create(t, s, Challenge(t, "b", 0), Challenge(t, "z", 10), Challenge(t, "a", 20))
	for limit, want := range [][]match.ID{{}, {"a"}, {"a", "z"}, {"a", "z", "b"}, {"a", "z", "b"}} {
		listed(limit, append([]match.ID(nil), want...)...)
	}
	listed(-1)
	change(t, s, "z", match.Accept{By: engine.Black}) // at 11
	change(t, s, "b", match.Accept{By: engine.Black})
	listed(10, "a", "z", "b")
	m := load(t, s, "b").Match
	must(t, s.Save(t.Context(), Play(t, m, 25), m.Version)) // at 26
	listed(10, "b", "a", "z")
	change(t, s, "a", match.Decline{By: engine.Black})
	change(t, s, "b", match.Resign{By: engine.White})
	listed(10, "z")
	same(t, s, load(t, s, "b")) // over, but still stored
}

func byUser(t *testing.T, s storage.Store) {
	create(t, s, AgainstMachine(t, "m", 100, true)) // not bob's
	testList(t, s, func(limit int) ([]storage.Record, error) { return s.ListByUser(t.Context(), "bob", limit) })
	list, err := s.ListByUser(t.Context(), "ann", 10)
	isList(t, "ann", ids(list), err, "m", "z")
	list, err = s.ListByUser(t.Context(), "", 10)
	isList(t, "the machine", ids(list), err)
}

func byChannel(t *testing.T, s storage.Store) {
	elsewhere := Challenge(t, "m", 100)
	elsewhere.Place.Channel = "c2"
	create(t, s, elsewhere)
	testList(t, s, func(limit int) ([]storage.Record, error) { return s.ListByChannel(t.Context(), "c1", limit) })
}

func similarNames(t *testing.T, s storage.Store) {
	names := []string{"1", "11", "1\x00", "1\x00\x00", "2", "é", "1é"}
	for i, name := range names {
		r := Challenge(t, match.ID("m"+name), i)
		r.Match.Seats[1].User, r.Place.Channel = match.UserID(name), name
		create(t, s, r)
	}
	for _, name := range names {
		for _, limit := range []int{1, 10} {
			list, err := s.ListByUser(t.Context(), match.UserID(name), limit)
			isList(t, "person "+name, ids(list), err, match.ID("m"+name))
			list, err = s.ListByChannel(t.Context(), name, limit)
			isList(t, "channel "+name, ids(list), err, match.ID("m"+name))
		}
	}
}

func anyCentury(t *testing.T, s storage.Store) {
	for id, at := range map[match.ID]time.Time{
		"a": {}, "b": time.Unix(-1, 0), "c": time.Unix(0, 0), "d": time.Unix(0, 1), "e": Epoch, "f": time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		r := Challenge(t, id, 0)
		r.Match.Changed = at
		create(t, s, r)
	}
	isList(t, "screen", due(t, s, storage.DueScreen), nil, "a", "b", "c", "d", "e", "f")
	list, err := s.ListByChannel(t.Context(), "c1", 10)
	isList(t, "channel", ids(list), err, "f", "e", "d", "c", "b", "a")
}
