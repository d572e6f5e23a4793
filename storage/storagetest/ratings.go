package storagetest

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Rated returns the record of a finished rated match between "ann" (White), who won,
// and "bob".
func Rated(t testing.TB, id match.ID, minutes int) storage.Record {
	r := record(t, match.New{
		ID: id, Seats: [2]match.Seat{{User: "ann", Name: "Ann"}, {User: "bob", Name: "Bob"}}, Terms: match.Terms{Rated: true},
	}, minutes)
	r.Match = Apply(t, Play(t, Apply(t, r.Match, match.Accept{By: engine.Black}), 2), match.Resign{By: engine.Black})
	return r
}

func dueRating(t *testing.T, s storage.Store) {
	listed := func(want ...match.ID) {
		t.Helper()
		isList(t, "rating", due(t, s, storage.DueRating), nil, want...)
	}
	casual := Challenge(t, "casual", 0)
	casual.Match = Apply(t, Play(t, Apply(t, casual.Match, match.Accept{By: engine.Black}), 2), match.Resign{By: engine.Black})
	create(t, s, Rated(t, "late", 9), Rated(t, "m", 1), casual)
	listed("m", "late")
	must(t, s.Rate(t.Context(), "m", nil, nil))
	listed("late")
	isErr(t, "Rate again", s.Rate(t.Context(), "m", nil, nil), storage.ErrConflict)
	isErr(t, "Rate no game", s.Rate(t.Context(), "n", nil, nil), storage.ErrNotFound)
	want := Rated(t, "m", 1)
	want.Counted = true
	same(t, s, want)
	must(t, s.Forget(t.Context(), "late", "ann"))
	listed("late")
	must(t, s.Delete(t.Context(), "late", load(t, s, "late").Match.Version))
	listed()
	create(t, s, Challenge(t, "open", 0))
	isErr(t, "Rate before the end", s.Rate(t.Context(), "open", nil, nil), storage.ErrConflict)
}

func rating(value float64, games int) storage.Rating {
	return storage.Rating{Value: value, Deviation: 80.5, Volatility: 0.06, Games: games, Last: Epoch}
}

func changed(scope string, u match.UserID, prev, next storage.Rating) storage.RatingChange {
	return storage.RatingChange{Scope: scope, User: u, Prev: prev, Next: next}
}

func ratings(t *testing.T, s storage.Store) {
	is := func(scope string, u match.UserID, want storage.Rating) {
		t.Helper()
		got, err := s.Rating(t.Context(), scope, u)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s in %s: %v\n%s", u, scope, err, d)
		}
	}
	one, two, none := rating(1600, 1), rating(1700.25, 2), storage.Rating{}
	create(t, s, Rated(t, "a", 0), Rated(t, "b", 1), Rated(t, "c", 2))
	is("g", "ann", none)
	is("", "", none)
	must(t, s.Rate(t.Context(), "a", []storage.RatingChange{changed("g", "ann", none, one), changed(storage.Overall, "ann", none, two)}, nil))
	is("g", "ann", one)
	is(storage.Overall, "ann", two)
	is("g", "an", none)
	is("ga", "nn", none)
	// Whoever has not seen the latest rating changes nothing, the other rating neither.
	isErr(t, "Rate by the slower writer", s.Rate(t.Context(), "b", []storage.RatingChange{
		changed("g", "bob", none, one), changed(storage.Overall, "ann", one, two),
	}, map[match.UserID]storage.Outcome{"ann": {}}), storage.ErrConflict)
	is("g", "bob", none)
	if load(t, s, "b").Counted {
		t.Error("a refused result was counted")
	}
	list, err := s.Outcomes(t.Context(), "ann", 9)
	isList(t, "outcomes", list, err)
	must(t, s.Rate(t.Context(), "b", []storage.RatingChange{changed("g", "ann", one, two)}, nil))
	is("g", "ann", two)
	for name, bad := range map[string]storage.RatingChange{
		"no scope":      changed("", "eve", none, one),
		"nobody":        changed("g", "", none, one),
		"the deleted":   changed("g", storage.Deleted, none, one),
		"not a number":  changed("g", "eve", none, rating(math.NaN(), 1)),
		"without limit": changed("g", "eve", none, rating(math.Inf(1), 1)),
	} {
		if err := s.Rate(t.Context(), "c", []storage.RatingChange{bad}, nil); err == nil {
			t.Errorf("stored a rating: %s", name)
		}
	}
}

func ranking(t *testing.T, s storage.Store) {
	set := func(scope string, u match.UserID, prev, next storage.Rating) {
		t.Helper()
		id := match.ID(fmt.Sprint(scope, u, next.Value))
		create(t, s, Rated(t, id, 0))
		must(t, s.Rate(t.Context(), id, []storage.RatingChange{changed(scope, u, prev, next)}, nil))
	}
	is := func(scope string, offset, limit, total int, want ...match.UserID) {
		t.Helper()
		list, n, err := s.Ranking(t.Context(), scope, offset, limit)
		var got []match.UserID
		for _, r := range list {
			got = append(got, r.User)
			if stored, err := s.Rating(t.Context(), scope, r.User); err != nil || !stored.Equal(r.Rating) {
				t.Errorf("%s has %+v, ranked with %+v", r.User, stored, r.Rating)
			}
		}
		isList(t, "ranking", got, err, want...)
		if n != total {
			t.Errorf("%d in all, want %d", n, total)
		}
	}
	is("g", 0, 9, 0)
	none := storage.Rating{}
	set("g", "ann", none, rating(1500, 1))
	set("g", "bob", none, rating(-3, 1))
	set("g", "cyd", none, rating(1500.5, 1))
	set("g", "dan", none, rating(-4, 1))
	set("g", "eve", none, rating(0, 1))
	set("g", "abe", none, rating(1500, 1)) // equal
	set("gg", "fay", none, rating(9999, 1))
	is("g", 0, 9, 6, "cyd", "abe", "ann", "eve", "bob", "dan")
	is("g", 1, 2, 6, "abe", "ann")
	is("g", 5, 2, 6, "dan")
	is("g", 6, 2, 6)
	is("g", -1, 1, 6, "cyd")
	is("g", 0, 0, 6)
	is("g", 0, -1, 6)
	is("gg", 0, 9, 1, "fay")
	is("", 0, 9, 0)
	set("g", "dan", rating(-4, 1), rating(1600, 2))
	is("g", 0, 9, 6, "dan", "cyd", "abe", "ann", "eve", "bob")
	must(t, s.ForgetRatings(t.Context(), "cyd"))
	is("g", 0, 9, 5, "dan", "abe", "ann", "eve", "bob")
}

func forgetScope(t *testing.T, s storage.Store) {
	one := rating(1600, 1)
	create(t, s, Rated(t, "m", 1), Rated(t, "n", 2), Rated(t, "else", 3))
	here := storage.Outcome{Scope: "here", Opponent: "bob", Result: engine.WhiteWins, After: 1510, AfterHere: 1600}
	there := here
	there.Opponent = "ann"
	must(t, s.Rate(t.Context(), "m", []storage.RatingChange{
		{Scope: "here", User: "ann", Next: one}, {Scope: storage.Overall, User: "ann", Next: one}, {Scope: "here", User: "bob", Next: one},
	}, map[match.UserID]storage.Outcome{"ann": here, "bob": there}))
	here.Scope, there.Scope = "there", "there"
	must(t, s.Rate(t.Context(), "n", []storage.RatingChange{{Scope: "there", User: "ann", Next: one}},
		map[match.UserID]storage.Outcome{"ann": here, "bob": there}))
	guilds, err := s.Guilds(t.Context())
	isList(t, "servers", guilds, err, "g", "here", "there")
	must(t, s.ForgetScope(t.Context(), "here"))
	must(t, s.ForgetScope(t.Context(), "nowhere"))
	for scope, want := range map[string]storage.Rating{"here": {}, "there": one, storage.Overall: one} {
		if got, err := s.Rating(t.Context(), scope, "ann"); err != nil || !got.Equal(want) {
			t.Errorf("in %s: %+v, %v", scope, got, err)
		}
	}
	_, n, err := s.Ranking(t.Context(), "here", 0, 9)
	must(t, err)
	if n != 0 {
		t.Errorf("%d are ranked", n)
	}
	for _, u := range []match.UserID{"ann", "bob"} {
		list, err := s.Outcomes(t.Context(), u, 9)
		if err != nil || len(list) != 2 || list[0].Scope != "there" || list[0].AfterHere != 1600 || list[1].Scope != "" || list[1].AfterHere != 0 || list[1].After != 1510 {
			t.Errorf("%s: %+v, %v", u, list, err)
		}
	}
	guilds, err = s.Guilds(t.Context())
	isList(t, "servers", guilds, err, "g", "there")
}

// whatChanged tests that a record keeps what it has changed in its place, until one of
// its people leaves, and that its screen is behind until it shows that.
func whatChanged(t *testing.T, s storage.Store) {
	r := Rated(t, "m", 1)
	r.Place.Guild = "g"
	r.Screen = storage.Screen{Channel: "c", Message: "1", Version: r.Match.Version}
	create(t, s, r)
	behind := func(want ...match.ID) {
		t.Helper()
		isList(t, "behind", due(t, s, storage.DueScreen), nil, want...)
	}
	behind()
	changes := []storage.RatingChange{
		{Scope: storage.Overall, User: "ann", Next: rating(1700, 9)}, {Scope: "g", User: "ann", Next: rating(1610, 1)},
		{Scope: "g", User: "bob", Next: rating(1390, 1)},
	}
	must(t, s.Rate(t.Context(), "m", changes, nil))
	behind("m")
	if got, want := load(t, s, "m").Ratings, [2]storage.Shift{{To: 1610}, {To: 1390}}; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	r.Screen.Counted = true
	must(t, s.Shown(t.Context(), "m", r.Screen))
	behind()
	must(t, s.Forget(t.Context(), "m", "ann"))
	if got, want := load(t, s, "m").Ratings, [2]storage.Shift{{}, {To: 1390}}; got != want {
		t.Errorf("after one has left: %+v, want %+v", got, want)
	}
	// Who has left while a result was being counted gets no rating.
	create(t, s, Rated(t, "left", 2))
	must(t, s.Forget(t.Context(), "left", "ann"))
	isErr(t, "Rate for somebody who has left", s.Rate(t.Context(), "left", changes[:1], nil), storage.ErrConflict)
	must(t, s.Rate(t.Context(), "left", nil, nil))
}

func outcomes(t *testing.T, s storage.Store) {
	outcome := func(opponent match.UserID, c engine.Color) storage.Outcome {
		return storage.Outcome{
			Scope: "g", Opponent: opponent, Colour: c, Rules: engine.Kawu, Result: engine.WhiteWins, Ending: match.Resignation,
			Moves: 2, Column: 4, Jump: 3, After: 1510.5, AfterHere: 1490,
		}
	}
	rate := func(id match.ID, minutes int, list map[match.UserID]storage.Outcome) {
		t.Helper()
		create(t, s, Rated(t, id, minutes))
		must(t, s.Rate(t.Context(), id, nil, list))
	}
	is := func(u match.UserID, limit int, want ...storage.Outcome) {
		t.Helper()
		got, err := s.Outcomes(t.Context(), u, limit)
		isList(t, "outcomes of "+string(u), got, err, want...)
	}
	is("ann", 9)
	rate("late", 20, map[match.UserID]storage.Outcome{"ann": outcome("bob", engine.White), "bob": outcome("ann", engine.Black)})
	rate("a", 10, map[match.UserID]storage.Outcome{"ann": outcome("an", engine.White), "an": outcome("ann", engine.Black)})
	machine := outcome("", engine.White)
	machine.Level = 5
	rate("b", 15, map[match.UserID]storage.Outcome{"ann": machine})
	want := func(o storage.Outcome, id match.ID, minutes int) storage.Outcome {
		o.Game, o.At = id, Rated(t, id, minutes).Match.Changed
		return o
	}
	late, a, b := want(outcome("bob", engine.White), "late", 20), want(outcome("an", engine.White), "a", 10), want(machine, "b", 15)
	is("ann", 9, late, b, a)
	is("ann", 2, late, b)
	is("ann", 0)
	is("ann", -1)
	is("an", 9, want(outcome("ann", engine.Black), "a", 10))
	is("", 9)
	// The list outlives the game.
	must(t, s.Delete(t.Context(), "late", load(t, s, "late").Match.Version))
	is("ann", 1, late)

	create(t, s, Rated(t, "c", 30))
	for name, bad := range map[string]map[match.UserID]storage.Outcome{
		"an opponent without one": {"ann": outcome("bob", engine.White)},
		"of nobody":               {"": outcome("", engine.White)},
		"of the deleted":          {storage.Deleted: outcome("", engine.White)},
		"of no colour":            {"ann": outcome("", 2)},
	} {
		if err := s.Rate(t.Context(), "c", nil, bad); err == nil {
			t.Errorf("stored an outcome: %s", name)
		}
	}

	one := rating(1600, 1)
	must(t, s.Rate(t.Context(), "c", []storage.RatingChange{
		changed("g", "ann", storage.Rating{}, one), changed(storage.Overall, "ann", storage.Rating{}, one), changed("g", "bob", storage.Rating{}, one),
	}, nil))
	must(t, s.ForgetRatings(t.Context(), ""))
	must(t, s.ForgetRatings(t.Context(), storage.Deleted))
	is("ann", 9, late, b, a)
	must(t, s.ForgetRatings(t.Context(), "ann"))
	must(t, s.ForgetRatings(t.Context(), "ann"))
	is("ann", 9)
	is("bob", 9, want(outcome(storage.Deleted, engine.Black), "late", 20))
	is("an", 9, want(outcome(storage.Deleted, engine.Black), "a", 10))
	for _, scope := range []string{"g", storage.Overall} {
		if got, err := s.Rating(t.Context(), scope, "ann"); err != nil || !got.Equal(storage.Rating{}) {
			t.Errorf("%+v is left in %s, %v", got, scope, err)
		}
	}
	if got, err := s.Rating(t.Context(), "g", "bob"); err != nil || !got.Equal(one) {
		t.Errorf("the opponent's rating became %+v, %v", got, err)
	}
	must(t, s.ForgetRatings(t.Context(), "bob"))
	is("bob", 9)
}

func dueClock(t *testing.T, s storage.Store) {
	at := func(before time.Time, want ...match.ID) {
		t.Helper()
		list, err := s.ListDue(t.Context(), storage.DueClock, before, 10)
		isList(t, "clock", list, err, want...)
	}
	never := record(t, match.New{
		ID: "never", Seats: [2]match.Seat{{User: "ann"}, {User: "bob"}}, Terms: match.Terms{Days: match.NoLimit},
	}, 0)
	create(t, s, Challenge(t, "m", 1), Challenge(t, "n", 2), never, AgainstMachine(t, "machine", 0, true))
	at(farFuture) // a challenge has no turn
	for _, id := range []match.ID{"m", "n", "never"} {
		change(t, s, id, match.Accept{By: engine.Black})
	}
	m := load(t, s, "m").Match
	at(m.Changed)
	at(m.Changed.Add(1), "m")
	at(farFuture, "m", "n")
	next := Epoch.Add(36 * time.Hour)
	must(t, s.SaveClock(t.Context(), "m", m.Moved.Add(-1), storage.Clock{Next: next})) // a turn that is over
	at(farFuture, "m", "n")
	must(t, s.SaveClock(t.Context(), "m", m.Moved, storage.Clock{Next: next, Sent: 1}))
	if got, want := load(t, s, "m").Clock, (storage.Clock{Turn: m.Moved, Next: next, Sent: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	at(farFuture, "n", "m")
	at(next, "n")
	must(t, s.SaveClock(t.Context(), "n", load(t, s, "n").Match.Moved, storage.Clock{})) // nothing more to say
	at(farFuture, "m")
	change(t, s, "m", match.OfferDraw{By: engine.White}) // the turn goes on
	at(farFuture, "m")
	must(t, s.Save(t.Context(), Play(t, load(t, s, "m").Match, 1), load(t, s, "m").Match.Version))
	at(next, "m") // a new turn, which nobody has looked at
	change(t, s, "m", match.Resign{By: engine.Black})
	at(farFuture)
	must(t, s.SaveClock(t.Context(), "m", load(t, s, "m").Match.Moved, storage.Clock{Sent: 9}))
	if got := load(t, s, "m").Clock; got.Sent == 9 {
		t.Error("told about the time of a game that is over")
	}
	isErr(t, "SaveClock in no game", s.SaveClock(t.Context(), "x", Epoch, storage.Clock{}), storage.ErrNotFound)
}

func lines(t *testing.T, s storage.Store) {
	isLines := func(want [2][]storage.Line) {
		t.Helper()
		if d := cmp.Diff(want, load(t, s, "m").Lines); d != "" {
			t.Error(d)
		}
	}
	r := Challenge(t, "m", 0)
	r.Match = Play(t, Apply(t, r.Match, match.Accept{By: engine.Black}), 3) // Black is to move
	create(t, s, r)
	moves := r.Match.Moves
	white := []storage.Line{{Ply: 3, Moves: []engine.Move{moves[1], moves[0]}}, {Ply: 3, Moves: []engine.Move{moves[1]}}}
	black := []storage.Line{{Ply: 4, Moves: []engine.Move{moves[0], moves[1]}}}
	v := r.Match.Version
	isErr(t, "SaveLines of an old version", s.SaveLines(t.Context(), "m", v-1, engine.White, white), storage.ErrConflict)
	isErr(t, "SaveLines in no game", s.SaveLines(t.Context(), "x", v, engine.White, white), storage.ErrNotFound)
	must(t, s.SaveLines(t.Context(), "m", v, engine.White, white))
	must(t, s.SaveLines(t.Context(), "m", v, engine.Black, black))
	both := [2][]storage.Line{white, black}
	isLines(both)
	if got := load(t, s, "m").Match.Version; got != v {
		t.Errorf("the version became %d after %d", got, v)
	}
	many := make([]storage.Line, storage.MaxLines+1)
	for i := range many {
		many[i] = white[0]
	}
	for name, bad := range map[string][]storage.Line{
		"an empty line": {{Ply: 3}}, "a line that begins with an own move": {{Ply: 4, Moves: moves}}, "one before the game": {{Ply: -1, Moves: moves}},
		"too long a line": {{Ply: 3, Moves: make([]engine.Move, storage.MaxLinePlies+1)}}, "too many lines": many,
	} {
		if err := s.SaveLines(t.Context(), "m", v, engine.White, bad); err == nil {
			t.Errorf("stored %s", name)
		}
	}
	if err := s.SaveLines(t.Context(), "m", v, 2, white); err == nil {
		t.Error("stored lines of no side")
	}
	isLines(both)
	got := load(t, s, "m")
	got.Lines[0][0].Moves[0] = 0 // what was returned
	isLines(both)
	change(t, s, "m", match.OfferDraw{By: engine.White})
	m := load(t, s, "m").Match
	must(t, s.Save(t.Context(), Play(t, m, 1), m.Version))
	isLines(both) // the game goes on
	change(t, s, "m", match.RequestUndo{By: engine.White, To: 2})
	isLines(both)
	change(t, s, "m", match.AcceptUndo{By: engine.Black})
	isLines([2][]storage.Line{}) // they were answers to another game
	must(t, s.SaveLines(t.Context(), "m", load(t, s, "m").Match.Version, engine.Black, []storage.Line{{Ply: 2, Moves: moves[:1]}}))
	must(t, s.SaveLines(t.Context(), "m", load(t, s, "m").Match.Version, engine.Black, []storage.Line{}))
	isLines([2][]storage.Line{})

	must(t, s.SaveLines(t.Context(), "m", load(t, s, "m").Match.Version, engine.Black, []storage.Line{{Ply: 2, Moves: moves[:1]}}))
	change(t, s, "m", match.SetBack{Shown: 99})
	isLines([2][]storage.Line{}) // perhaps they had been dropped
	must(t, s.SaveLines(t.Context(), "m", load(t, s, "m").Match.Version, engine.Black, []storage.Line{{Ply: 2, Moves: moves[:1]}}))
	change(t, s, "m", match.Resign{By: engine.White})
	isLines([2][]storage.Line{})
	if err := s.SaveLines(t.Context(), "m", load(t, s, "m").Match.Version, engine.White, []storage.Line{{Ply: 3, Moves: moves[:1]}}); err == nil {
		t.Error("stored lines in a game that is over")
	}
}

func openChallenges(t *testing.T, s storage.Store) {
	open := func(id match.ID) storage.Record {
		return record(t, match.New{ID: id, Seats: [2]match.Seat{{User: "ann", Name: "Ann"}}, Open: true}, 0)
	}
	create(t, s, open("m"), open("n"))
	same(t, s, open("m"))
	list, err := s.ListByUser(t.Context(), "ann", 9)
	isList(t, "ann", ids(list), err, "n", "m")
	list, err = s.ListByUser(t.Context(), "", 9)
	isList(t, "nobody", ids(list), err)
	isList(t, "expiry", due(t, s, storage.DueExpiry), nil, "m", "n")
	change(t, s, "m", match.Join{Seat: match.Seat{User: "bob", Name: "Bob"}})
	list, err = s.ListByUser(t.Context(), "bob", 9)
	isList(t, "bob", ids(list), err, "m")
	change(t, s, "n", match.Withdraw{By: engine.White})
	isErr(t, "Forget of the only person", s.Forget(t.Context(), "n", "ann"), storage.ErrConflict)
	must(t, s.Forget(t.Context(), "n", ""))
	list, err = s.ListOf(t.Context(), storage.Of{User: "ann"}, "", 9)
	isList(t, "all of ann's", ids(list), err, "m", "n")
}

func moved(t *testing.T, s storage.Store) {
	create(t, s, Challenge(t, "m", 0), Challenge(t, "n", 1))
	must(t, s.Shown(t.Context(), "m", storage.Screen{Channel: "c1", Message: "x", Version: 1}))
	want := load(t, s, "m")
	from, to := want.Place, storage.Place{Guild: "another", Channel: "thread", Locale: "fr", Thread: storage.ThreadOpen, Parent: "c1"}
	want.Place = storage.Place{Guild: from.Guild, Channel: "thread", Locale: from.Locale, Thread: storage.ThreadOpen, Parent: "c1"}
	must(t, s.Move(t.Context(), "m", from, to))
	same(t, s, want)
	isErr(t, "Move from where it is not", s.Move(t.Context(), "m", from, from), storage.ErrConflict)
	isErr(t, "Move of another state", s.Move(t.Context(), "m", storage.Place{Channel: "thread"}, from), storage.ErrConflict)
	same(t, s, want)
	list, err := s.ListByChannel(t.Context(), "c1", 9)
	isList(t, "where it was", ids(list), err, "n")
	list, err = s.ListByChannel(t.Context(), "thread", 9)
	isList(t, "where it is", ids(list), err, "m")
	isErr(t, "Move of no game", s.Move(t.Context(), "x", from, to), storage.ErrNotFound)
	isList(t, "to be shown in the thread", due(t, s, storage.DueScreen), nil, "m", "n")
	must(t, s.Shown(t.Context(), "m", storage.Screen{Channel: "thread", Message: "y", Version: 1}))
	isList(t, "to be shown", due(t, s, storage.DueScreen), nil, "n")
	change(t, s, "m", match.Withdraw{By: engine.White})
	over := load(t, s, "m")
	must(t, s.Shown(t.Context(), "m", storage.Screen{Channel: "thread", Message: "y", Version: over.Match.Version, Quiet: Epoch}))
	isList(t, "not before everybody knows", due(t, s, storage.DueScreen), nil, "n")
	must(t, s.Shown(t.Context(), "m", storage.Screen{Channel: "thread", Message: "y", Version: over.Match.Version}))
	isList(t, "to be archived", due(t, s, storage.DueScreen), nil, "n", "m")
	must(t, s.Move(t.Context(), "m", over.Place, storage.Place{Channel: "thread", Thread: storage.ThreadClosed, Parent: "c1"}))
	isList(t, "archived", due(t, s, storage.DueScreen), nil, "n")
}
