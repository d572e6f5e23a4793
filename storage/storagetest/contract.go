package storagetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Opener opens the store in a folder, or an empty store when the folder is empty. It
// fails the test when that is not possible. The contract closes the store.
type Opener func(t testing.TB, folder string) storage.Store

// Run runs the contract that every store must meet.
func Run(t *testing.T, open Opener) {
	tests := []struct {
		name string
		test func(*testing.T, storage.Store)
	}{
		{"every record is returned as it was stored", roundTrip},
		{"a record is stored in its normal form", normalForm},
		{"a match is created once", createTwice},
		{"a match that is not stored is not found", notFound},
		{"a match of an old version is not saved", saveOld},
		{"a match that cannot be loaded again is not stored", refuseBroken},
		{"one of a hundred writers wins each version", hundredWriters},
		{"saving does not change the place or the screen", saveKeepsTheRest},
		{"a save does not bring an old name back", saveKeepsNames},
		{"a save does not bring back who has left", seatsStay},
		{"a change is made only while that holds on which it was decided", basis},
		{"what is shown never goes back", shownNeverGoesBack},
		{"a returned record belongs to the caller", copies},
		{"work of the machine is listed while it has some", dueMachine},
		{"screens that are behind are listed until they are shown", dueScreen},
		{"screens that wait for a time are listed after those that changed before it", waitingScreens},
		{"where the bot is not, nothing is to be shown, reminded of or told", dueOutside},
		{"challenges are listed when they expire", dueExpiry},
		{"reminders are listed by when somebody was asked", dueReminder},
		{"the time of a turn is looked at when it is due, and of a new one at once", dueClock},
		{"lines go with the game that they answer", lines},
		{"the seat of an open challenge is nobody's until somebody joins", openChallenges},
		{"a game goes on in another channel", moved},
		{"a finished game that counts is listed until it is in the ratings", dueRating},
		{"a rating follows the one that is stored", ratings},
		{"the ranking is by rating", ranking},
		{"outcomes outlive games, and name nobody who is forgotten", outcomes},
		{"a server that is forgotten leaves no ratings, and outcomes without its name", forgetScope},
		{"a record keeps what its result has changed, and its screen is behind until it shows that", whatChanged},
		{"games are counted by phase", counts},
		{"work is listed oldest change first", dueOrder},
		{"a person's unfinished games are listed latest change first", byUser},
		{"a channel's unfinished games are listed latest change first", byChannel},
		{"similar names are told apart", similarNames},
		{"times sort in any century", anyCentury},
		{"settings are kept and removed", settings},
		{"finished games are listed by age and removed", removal},
		{"a game that has changed is not removed", removeOld},
		{"notes are kept and removed", states},
		{"everything of a person or a server is listed", listOf},
		{"it is found among many others too", listManyOf},
		{"a person is forgotten in finished games", forget},
		{"keys of settings are listed by prefix", settingsKeys},
		{"a context that has ended stops every call", endedContext},
		{"a closed store refuses every call", closedStore},
		{"closing waits for calls", closeWhileBusy},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t, t.TempDir())
			tt.test(t, s)
			if err := s.Close(); err != nil && !errors.Is(err, storage.ErrClosed) {
				t.Errorf("Close: %v", err)
			}
		})
	}
}

// RunReopen runs the contract that a store must also meet when it keeps its games
// after it is closed.
func RunReopen(t *testing.T, open Opener) {
	folder := t.TempDir()
	before := map[storage.Due][]match.ID{}
	s := open(t, folder)
	all := kinds(t)
	for _, r := range all {
		create(t, s, r)
	}
	must(t, s.SaveSettings(t.Context(), "u", storage.Settings{Theme: "dark"}))
	must(t, s.SaveState(t.Context(), "n", []byte{0, 1}))
	create(t, s, Rated(t, "rated", 0))
	must(t, s.Rate(t.Context(), "rated", []storage.RatingChange{{Scope: "g", User: "ann", Next: rating(1600, 1)}},
		map[match.UserID]storage.Outcome{"ann": {Jump: 3}}))
	for _, kind := range storage.Dues() {
		if before[kind] = due(t, s, kind); len(before[kind]) == 0 {
			t.Fatalf("no work is due: %s", kind)
		}
	}
	must(t, s.Close())

	s = open(t, folder)
	for _, kind := range storage.Dues() {
		if d := cmp.Diff(before[kind], due(t, s, kind)); d != "" {
			t.Errorf("%s changed by reopening:\n%s", kind, d)
		}
	}
	for _, r := range all {
		same(t, s, r)
	}
	if v, err := s.Settings(t.Context(), "u"); err != nil || v.Theme != "dark" {
		t.Errorf("settings after reopening: %+v, %v", v, err)
	}
	if v, err := s.Rating(t.Context(), "g", "ann"); err != nil || !v.Equal(rating(1600, 1)) {
		t.Errorf("the rating after reopening: %+v, %v", v, err)
	}
	if v, err := s.Outcomes(t.Context(), "ann", 2); err != nil || len(v) != 1 || v[0].Jump != 3 {
		t.Errorf("the outcomes after reopening: %+v, %v", v, err)
	}
	if v, err := s.State(t.Context(), "n"); err != nil || string(v) != "\x00\x01" {
		t.Errorf("the note after reopening: %q, %v", v, err)
	}
	must(t, s.Close())
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func create(t testing.TB, s storage.Store, records ...storage.Record) {
	t.Helper()
	for _, r := range records {
		must(t, s.Create(t.Context(), r))
	}
}

func load(t testing.TB, s storage.Store, id match.ID) storage.Record {
	t.Helper()
	r, err := s.Load(t.Context(), id)
	must(t, err)
	return r
}

// same checks what is stored under the record's ID.
func same(t testing.TB, s storage.Store, want storage.Record) {
	t.Helper()
	if d := cmp.Diff(want.Normal(), load(t, s, want.Match.ID)); d != "" {
		t.Errorf("match %s is not as it was stored:\n%s", want.Match.ID, d)
	}
}

// change applies commands to a stored match and saves it.
func change(t testing.TB, s storage.Store, id match.ID, commands ...match.Command) match.Match {
	t.Helper()
	m := load(t, s, id).Match
	next := Apply(t, m, commands...)
	must(t, s.Save(t.Context(), next, m.Version))
	return next
}

var farFuture = Epoch.AddDate(10, 0, 0)

func due(t testing.TB, s storage.Store, kind storage.Due) []match.ID {
	t.Helper()
	ids, err := s.ListDue(t.Context(), kind, farFuture, 100)
	must(t, err)
	return ids
}

func isErr(t testing.TB, call string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v, want %v", call, err, want)
	}
}

func isList[T any](t testing.TB, what string, got []T, err error, want ...T) {
	t.Helper()
	must(t, err)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func ids(records []storage.Record) (list []match.ID) {
	for _, r := range records {
		list = append(list, r.Match.ID)
	}
	return list
}

func roundTrip(t *testing.T, s storage.Store) {
	all := kinds(t)
	create(t, s, all...)
	for _, r := range all {
		same(t, s, r)
	}
}

func normalForm(t *testing.T, s storage.Store) {
	r := Challenge(t, "m", 0)
	now := time.Now().In(time.FixedZone("somewhere", 3*3600)) // with a monotonic reading
	r.Match.Changed, r.Match.Seen[0] = now, now
	r.Match.Moves = []engine.Move{}
	create(t, s, r)
	got := load(t, s, "m").Match
	if got.Changed != now.Round(0).UTC() || got.Seen[0] != got.Changed || got.Moves != nil {
		t.Errorf("%v, %v, %v", got.Changed, got.Seen[0], got.Moves)
	}
	must(t, s.Shown(t.Context(), "m", storage.Screen{Version: 1, Turn: now, Told: now, Quiet: now}))
	if screen := load(t, s, "m").Screen; screen.Turn != got.Changed || screen.Told != got.Changed || screen.Quiet != got.Changed {
		t.Errorf("%+v", screen)
	}
}

func createTwice(t *testing.T, s storage.Store) {
	r := Challenge(t, "m", 0)
	create(t, s, r)
	other := AgainstMachine(t, "m", 5, false)
	isErr(t, "Create", s.Create(t.Context(), other), storage.ErrExists)
	same(t, s, r)
	isList(t, "machine", due(t, s, storage.DueMachine), nil)
}

func notFound(t *testing.T, s storage.Store) {
	create(t, s, Challenge(t, "m", 0))
	for _, id := range []match.ID{"", "M", "mm", match.ID(strings.Repeat("x", 40_000))} {
		_, err := s.Load(t.Context(), id)
		isErr(t, "Load", err, storage.ErrNotFound)
		r := Challenge(t, "m", 0)
		r.Match.ID = id
		isErr(t, "Save", s.Save(t.Context(), Apply(t, r.Match, match.Accept{By: engine.Black}), 1), storage.ErrNotFound)
		isErr(t, "Shown", s.Shown(t.Context(), id, storage.Screen{Version: 1}), storage.ErrNotFound)
	}
}

func saveOld(t *testing.T, s storage.Store) {
	r := Challenge(t, "m", 0)
	create(t, s, r)
	v2 := Apply(t, r.Match, match.Accept{By: engine.Black})
	v3 := Play(t, v2, 1)
	isErr(t, "Save too early", s.Save(t.Context(), v3, 2), storage.ErrConflict)
	must(t, s.Save(t.Context(), v2, 1))
	isErr(t, "Save again", s.Save(t.Context(), v2, 1), storage.ErrConflict)
	declined := Apply(t, r.Match, match.Decline{By: engine.Black})
	isErr(t, "Save by the slower writer", s.Save(t.Context(), declined, 1), storage.ErrConflict)
	if err := s.Save(t.Context(), v2, 2); err == nil || errors.Is(err, storage.ErrConflict) {
		t.Errorf("Save of the same version: %v", err)
	}
	r.Match = v2
	same(t, s, r)
	must(t, s.Save(t.Context(), v3, 2))
	r.Match = v3
	same(t, s, r)
}

func refuseBroken(t *testing.T, s storage.Store) {
	for name, spoil := range map[string]func(*storage.Record){
		"no ID":                    func(r *storage.Record) { r.Match.ID = "" },
		"a long ID":                func(r *storage.Record) { r.Match.ID = match.ID(strings.Repeat("x", storage.MaxKey+1)) },
		"an ID that is not UTF-8":  func(r *storage.Record) { r.Match.ID = "\xff" },
		"a long person":            func(r *storage.Record) { r.Match.Seats[0].User = match.UserID(strings.Repeat("x", 70_000)) },
		"a name that is not UTF-8": func(r *storage.Record) { r.Match.Seats[0].Name = "\xff" },
		"a long channel":           func(r *storage.Record) { r.Place.Channel = strings.Repeat("x", 70_000) },
		"no version":               func(r *storage.Record) { r.Match.Version = 0 },
		"malformed moves":          func(r *storage.Record) { r.Match.Phase, r.Match.Moves = match.Playing, []engine.Move{7} },
	} {
		r := Challenge(t, "m", 0)
		spoil(&r)
		if err := s.Create(t.Context(), r); err == nil {
			t.Errorf("created with %s", name)
		}
	}
	r := Challenge(t, "m", 0)
	create(t, s, r)
	m := Play(t, Apply(t, r.Match, match.Accept{By: engine.Black}), 3)
	m.Moves = m.Moves[1:]
	if err := s.Save(t.Context(), m, 1); err == nil {
		t.Error("saved with illegal moves")
	}
	if err := s.Shown(t.Context(), "m", storage.Screen{Message: "\xff", Version: 1}); err == nil {
		t.Error("shown in a message whose ID is not UTF-8")
	}
	same(t, s, r)
}

func hundredWriters(t *testing.T, s storage.Store) {
	const writers, versions = 100, 12
	r := Challenge(t, "m", 0)
	create(t, s, r)
	change(t, s, "m", match.Accept{By: engine.Black})
	var (
		wins [2 + versions]atomic.Int64
		all  sync.WaitGroup
	)
	for range writers {
		all.Go(func() {
			for {
				r, err := s.Load(t.Context(), "m")
				if err != nil || r.Match.Version >= 2+versions-1 {
					if err != nil {
						t.Error(err)
					}
					return
				}
				pos := r.Match.Game().Position()
				next, err := r.Match.Apply(match.Play{By: r.Match.Turn(), Move: pos.AppendMoves(nil)[0]}, Epoch)
				if err != nil {
					t.Error(err)
					return
				}
				switch err := s.Save(t.Context(), next, r.Match.Version); {
				case err == nil:
					wins[next.Version].Add(1)
				case !errors.Is(err, storage.ErrConflict):
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	for v := 3; v < len(wins); v++ {
		if n := wins[v].Load(); n != 1 {
			t.Errorf("version %d was saved %d times", v, n)
		}
	}
	if got := load(t, s, "m").Match; len(got.Moves) != versions-1 {
		t.Errorf("%d moves are stored, %d were saved", len(got.Moves), versions-1)
	}
}

func saveKeepsTheRest(t *testing.T, s storage.Store) {
	r := Challenge(t, "m", 0)
	create(t, s, r)
	r.Screen = storage.Screen{Channel: "c1", Message: "x", Version: 1}
	must(t, s.Shown(t.Context(), "m", r.Screen))
	r.Match = change(t, s, "m", match.Accept{By: engine.Black})
	same(t, s, r)
}

// saveKeepsNames saves matches that were loaded before somebody was renamed.
func saveKeepsNames(t *testing.T, s storage.Store) {
	r := Challenge(t, "m", 0)
	create(t, s, r)
	for i, c := range []match.Command{match.Accept{By: engine.Black}, match.OfferDraw{By: engine.White}, match.DeclineDraw{By: engine.Black}} {
		loaded := load(t, s, "m").Match
		names := [2]string{fmt.Sprint("Anna ", i), fmt.Sprint("Bobby ", i)}
		must(t, s.Rename(t.Context(), "m", "ann", names[0]))
		must(t, s.Rename(t.Context(), "m", "bob", names[1]))
		next := Apply(t, loaded, c)
		must(t, s.Save(t.Context(), next, loaded.Version))
		next.Seats[0].Name, next.Seats[1].Name = names[0], names[1]
		r.Match = next
		same(t, s, r)
	}
	open := Challenge(t, "open", 0) // whoever takes an empty seat brings the name along
	open.Match.Seats[1], open.Match.Open = match.Seat{}, true
	create(t, s, open)
	open.Match = change(t, s, "open", match.Join{Seat: match.Seat{User: "bob", Name: "Bob"}})
	same(t, s, open)
}

func shownNeverGoesBack(t *testing.T, s storage.Store) {
	r := Challenge(t, "m", 0)
	create(t, s, r)
	r.Match = change(t, s, "m", match.Accept{By: engine.Black})
	for _, tt := range []struct {
		screen storage.Screen
		wins   bool
	}{
		{storage.Screen{Channel: "c1", Message: "a", Version: 1}, true},
		{storage.Screen{Channel: "c1", Message: "a", Version: 2}, true},
		{storage.Screen{Channel: "c1", Message: "b", Version: 1}, false},
		{storage.Screen{Channel: "c1", Message: "c", Version: 2}, true}, // the same board in a new message
		{storage.Screen{}, false},
		{storage.Screen{Channel: "c1", Message: "c", Version: 2, Turn: Epoch, Told: Epoch.Add(1), Quiet: Epoch.Add(2)}, true}, // it only says more
	} {
		must(t, s.Shown(t.Context(), "m", tt.screen))
		if tt.wins {
			r.Screen = tt.screen
		}
		same(t, s, r)
	}
}

func copies(t *testing.T, s storage.Store) {
	one := func() storage.Record {
		r := Challenge(t, "m", 0)
		r.Match = Apply(t, Play(t, Apply(t, r.Match, match.Accept{By: engine.Black}), 4),
			match.OfferDraw{By: engine.White}, match.RequestUndo{By: engine.White, To: 2})
		r.Match.Notice = &match.Notice{Kind: match.TakenBack}
		return r
	}
	r, want := one(), one() // which share nothing
	create(t, s, r)
	spoil := func(m *match.Match) {
		m.Moves[0], m.Offer.By, m.Request.To, m.Notice.By = 0, engine.Black, 0, engine.Black
	}
	spoil(&r.Match) // what was given
	same(t, s, want)
	got := load(t, s, "m")
	spoil(&got.Match) // what was returned
	same(t, s, want)
	list, err := s.ListByUser(t.Context(), "ann", 1)
	must(t, err)
	spoil(&list[0].Match)
	same(t, s, want)
	saved := Apply(t, one().Match, match.DeclineUndo{By: engine.Black})
	want.Match = Apply(t, one().Match, match.DeclineUndo{By: engine.Black})
	must(t, s.Save(t.Context(), saved, saved.Version-1))
	saved.Moves[0], saved.Offer.By = 0, engine.Black // what was saved
	same(t, s, want)
}
