package play

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/rating"
	"github.com/lascabot/lascabot/storage"
)

// ending is how a game in these tests is made and ends.
type ending struct {
	white, black match.Seat
	guild        string
	casual       bool
	plies        int // 2 if 0
	by           []match.Command
}

var (
	annSeat = match.Seat{User: ann.ID, Name: ann.Name}
	benSeat = match.Seat{User: ben.ID, Name: ben.Name}
	resigns = []match.Command{match.Resign{By: engine.Black}}
)

// over stores a game that has ended now.
func (b *bench) over(id match.ID, e ending) storage.Record {
	b.t.Helper()
	n := match.New{ID: id, Seats: [2]match.Seat{e.white, e.black}, Terms: match.Terms{Rated: !e.casual}, Expires: b.now.Add(time.Hour)}
	if e.white.Machine() {
		n.By = engine.Black
	}
	m, err := match.Start(n, b.now)
	do := func(c match.Command) {
		if err == nil {
			m, err = m.Apply(c, b.now)
		}
	}
	if m.Phase == match.Proposed {
		do(match.Accept{By: engine.Black})
	}
	plies := e.plies
	if plies == 0 {
		plies = 2
	}
	for range plies {
		p := m.Game().Position()
		do(match.Play{By: m.Turn(), Move: p.Moves()[0]})
	}
	for _, c := range e.by {
		do(c)
	}
	r := storage.Record{Match: m, Place: storage.Place{Guild: e.guild, Channel: "8"}}
	if err == nil {
		err = b.store.Create(context.Background(), r)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b *bench) rating(scope string, u match.UserID) storage.Rating {
	b.t.Helper()
	r, err := b.store.Rating(context.Background(), scope, u)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b *bench) outcomes(u match.UserID) []storage.Outcome {
	b.t.Helper()
	list, err := b.store.Outcomes(context.Background(), u, math.MaxInt)
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

func TestWhatCounts(t *testing.T) {
	aborted := []match.Command{match.Abort{By: engine.White}}
	for name, c := range map[string]struct {
		ending
		want bool
	}{
		"a rated game on a server":         {ending{annSeat, benSeat, "7", false, 0, resigns}, true},
		"a rated game in direct messages":  {ending{annSeat, match.Seat{Level: 3}, "", false, 0, []match.Command{match.Resign{By: engine.White}}}, true},
		"a casual game":                    {ending{annSeat, benSeat, "7", true, 0, resigns}, false},
		"one that only White has moved in": {ending{annSeat, benSeat, "7", false, 1, resigns}, false},
		"one that was called off":          {ending{annSeat, benSeat, "7", false, 1, aborted}, false},
		"one that a moderator ended":       {ending{annSeat, benSeat, "7", false, 0, []match.Command{match.Stop{}}}, false},
		"one with a move taken back": {ending{annSeat, benSeat, "7", false, 4, []match.Command{
			match.RequestUndo{By: engine.White, To: 2}, match.AcceptUndo{By: engine.Black}, match.Resign{By: engine.Black},
		}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.over("m", c.ending)
			b.count(t.Context())
			r, err := b.Load(t.Context(), "m")
			if n := len(b.outcomes(ann.ID)); err != nil || r.Counted != c.want || (n == 1) != c.want || b.rating(storage.Overall, ann.ID).Games != n {
				t.Errorf("counted: %t, %d outcomes, %v", r.Counted, n, err)
			}
			if here := b.rating("7", ann.ID).Games == 1; here != (c.want && c.guild == "7") {
				t.Errorf("counted on the server: %t", here)
			}
		})
	}
}

func TestResultChangesBothSidesAndTheBoardSaysSo(t *testing.T) {
	b := newBench(t)
	b.over("m", ending{white: annSeat, black: benSeat, guild: "7", by: resigns})
	b.count(t.Context())
	a, o := b.rating("7", ann.ID), b.rating("7", ben.ID)
	if a.Value <= 1500 || math.Abs(a.Value+o.Value-3000) > 1e-9 || a.Name != "Ann" || !a.Last.Equal(b.now) {
		t.Errorf("%+v and %+v", a, o)
	}
	r, _ := b.Load(t.Context(), "m")
	if want := [2]storage.Shift{{To: a.Value}, {To: o.Value}}; r.Ratings != want || !slices.Equal(b.refreshed, []match.ID{"m"}) {
		t.Errorf("%+v, want %+v; refreshed: %q", r.Ratings, want, b.refreshed)
	}
	list := b.outcomes(ben.ID)
	want := []storage.Outcome{{
		Game: "m", At: b.now, Scope: "7", Opponent: ann.ID, Colour: engine.Black, Result: engine.WhiteWins, Ending: match.Resignation,
		Moves: 2, Column: 2, Jump: 1, After: o.Value, AfterHere: o.Value,
	}}
	if d := cmp.Diff(want, list); d != "" {
		t.Error(d)
	}
}

func TestLevelsAreFixedPoints(t *testing.T) {
	b := newBench(t)
	b.over("m", ending{white: match.Seat{Level: 6}, black: annSeat, by: []match.Command{match.Resign{By: engine.White}}})
	b.count(t.Context())
	want := rating.New().Played(0, rating.Game{Opponent: rating.Level(engine.Kawu, 6), Score: rating.Win}).Value
	if got := b.rating(storage.Overall, ann.ID); got.Value != want {
		t.Errorf("%v, want %v", got.Value, want)
	}
	if _, n, err := b.store.Ranking(t.Context(), storage.Overall, 0, 9); n != 1 || err != nil {
		t.Errorf("%d have a rating, %v", n, err)
	}
}

func TestOnlyTheFirstResultsOfADayCount(t *testing.T) {
	t.Run("between the same two", func(t *testing.T) {
		b := newBench(t)
		for i := range MaxRated + 2 {
			b.over(match.ID(fmt.Sprint("m", i)), ending{white: annSeat, black: benSeat, guild: "7", by: resigns})
			b.count(t.Context())
			b.now = b.now.Add(time.Minute)
		}
		if n := b.rating("7", ann.ID).Games; n != MaxRated || len(b.outcomes(ann.ID)) != n {
			t.Errorf("%d games count", n)
		}
		if r, _ := b.Load(t.Context(), "m6"); !r.Counted || r.Ratings != [2]storage.Shift{} {
			t.Errorf("the last one: %+v", r)
		}
		b.over("level", ending{white: annSeat, black: match.Seat{Level: 1}, guild: "7", by: resigns[:0:0]})
		b.over("cleo", ending{white: annSeat, black: match.Seat{User: "3"}, guild: "7", by: resigns})
		b.now = b.now.Add(24 * time.Hour)
		b.over("tomorrow", ending{white: benSeat, black: annSeat, guild: "7", by: resigns})
		b.count(t.Context())
		if n := b.rating("7", ann.ID).Games; n != MaxRated+2 {
			t.Errorf("with another and on the next day: %d games", n)
		}
	})
	t.Run("on one server and on another, overall together", func(t *testing.T) {
		b := newBench(t)
		for i := range 2 * MaxRated {
			b.over(match.ID(fmt.Sprint("m", i)), ending{white: annSeat, black: benSeat, guild: fmt.Sprint(7 + i/MaxRated), by: resigns})
			b.now = b.now.Add(time.Minute)
		}
		b.count(t.Context())
		for scope, want := range map[string]int{"7": MaxRated, "8": MaxRated, storage.Overall: MaxRated} {
			if n := b.rating(scope, ben.ID).Games; n != want {
				t.Errorf("%s: %d games, want %d", scope, n, want)
			}
		}
	})
}

func TestGamesThatAreStoredAgainCountNoSecondTime(t *testing.T) {
	b := newBench(t)
	r := b.over("m", ending{white: annSeat, black: benSeat, guild: "7", by: resigns})
	b.count(t.Context())
	before := b.rating("7", ann.ID)
	if err := b.store.Delete(t.Context(), "m", r.Match.Version); err != nil {
		t.Fatal(err)
	}
	if err := b.store.Create(t.Context(), r); err != nil { // imported from a text
		t.Fatal(err)
	}
	b.count(t.Context())
	if got, _ := b.Load(t.Context(), "m"); !got.Counted || !b.rating("7", ann.ID).Equal(before) || len(b.outcomes(ann.ID)) != 1 {
		t.Errorf("%+v after %+v", b.rating("7", ann.ID), before)
	}
}

// flaky is a store that sometimes fails to rate, before or after it has.
type flaky struct {
	storage.Store
	fail func() (before, after bool)
}

var errFlaky = errors.New("the disk hangs")

func (s *flaky) Rate(ctx context.Context, id match.ID, c []storage.RatingChange, o map[match.UserID]storage.Outcome) error {
	before, after := s.fail()
	if before {
		return errFlaky
	}
	err := s.Store.Rate(ctx, id, c, o)
	if after {
		return errFlaky
	}
	return err
}

// TestRatingsAreWhatTheResultsSay plays random games and counts them with a store that
// fails and a program that is killed, and computes the ratings anew from the games, as
// plainly as can be.
func TestRatingsAreWhatTheResultsSay(t *testing.T) {
	people := []match.Seat{annSeat, benSeat, {User: "3", Name: "Cleo"}, {Level: 1}, {Level: 7}}
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t)
		b.store = &flaky{b.store, func() (bool, bool) {
			return rapid.IntRange(0, 9).Draw(rt, "before") == 0, rapid.IntRange(0, 9).Draw(rt, "after") == 0
		}}
		b.Service = b.restarted()
		var games []storage.Record
		for i := range rapid.IntRange(1, 30).Draw(rt, "games") {
			white := rapid.IntRange(0, 2).Draw(rt, "white")
			black := rapid.IntRange(0, len(people)-1).Filter(func(n int) bool { return n != white }).Draw(rt, "black")
			e := ending{white: people[white], black: people[black], guild: rapid.SampledFrom([]string{"", "7", "8"}).Draw(rt, "guild")}
			switch {
			case rapid.Bool().Draw(rt, "White resigns"):
				e.by = []match.Command{match.Resign{By: engine.White}}
			case e.black.Machine() || rapid.Bool().Draw(rt, "drawn"):
				e.by = []match.Command{match.OfferDraw{By: engine.White}, match.AcceptDraw{By: engine.Black}}
			default:
				e.by = resigns
			}
			games = append(games, b.over(match.ID(fmt.Sprintf("m%02d", i)), e))
			b.now = b.now.Add(time.Duration(rapid.SampledFrom([]int{1, 60, 60 * 24, 60 * 24 * 90}).Draw(rt, "minutes")) * time.Minute)
			switch rapid.IntRange(0, 3).Draw(rt, "then") {
			case 0:
				b.count(rt.Context())
			case 1:
				b.Service = b.restarted()
			}
		}
		b.store = b.store.(*flaky).Store
		b.Service = b.restarted()
		b.count(rt.Context())
		b.count(rt.Context())

		want, changed := replayed(games)
		for scope, list := range want {
			for u, r := range list {
				got := Known(b.rating(scope, u))
				if got != r {
					rt.Errorf("%s in %s: %+v, want %+v", u, scope, got, r)
				}
			}
		}
		for u, n := range changed {
			list := b.outcomes(u)
			if len(list) != n {
				rt.Errorf("%s has %d outcomes, want %d", u, len(list), n)
			}
			if newest := list[0]; newest.After != want[storage.Overall][u].Value {
				rt.Errorf("%s's newest outcome says %v, the rating is %v", u, newest.After, want[storage.Overall][u].Value)
			}
		}
		if ids, err := b.store.ListDue(rt.Context(), storage.DueRating, b.now, 99); len(ids) > 0 || err != nil {
			rt.Errorf("still due: %q, %v", ids, err)
		}
	})
}

// replayed computes the ratings in each scope from games in the order of their ends,
// and how many results of each person have changed something.
func replayed(games []storage.Record) (map[string]map[match.UserID]rating.Rating, map[match.UserID]int) {
	ratings := map[string]map[match.UserID]rating.Rating{}
	last := map[string]time.Time{}
	seen := map[string]int{}
	changed := map[match.UserID]int{}
	for _, g := range games {
		m := &g.Match
		pair := []string{fmt.Sprint(m.Seats[0].User, m.Seats[0].Level), fmt.Sprint(m.Seats[1].User, m.Seats[1].Level)}
		slices.Sort(pair)
		anything := false
		for _, scope := range []string{storage.Overall, g.Place.Guild} {
			key := fmt.Sprint(pair, scope, m.Changed.Format("2006-01-02"))
			if scope == "" || seen[key] == MaxRated {
				continue
			}
			seen[key]++
			anything = true
			if ratings[scope] == nil {
				ratings[scope] = map[match.UserID]rating.Rating{}
			}
			var before, at [2]rating.Rating
			var since [2]time.Duration
			for c, seat := range m.Seats {
				if seat.Machine() {
					at[c] = rating.Level(m.Rules, seat.Level)
					continue
				}
				before[c] = rating.New()
				if r, ok := ratings[scope][seat.User]; ok {
					before[c], since[c] = r, m.Changed.Sub(last[scope+string(seat.User)])
				}
				at[c] = before[c].After(since[c])
			}
			for c, seat := range m.Seats {
				if seat.Machine() {
					continue
				}
				score := map[engine.Result]float64{engine.Draw: 0.5, engine.Wins(engine.Color(c)): 1}[m.Result]
				ratings[scope][seat.User] = before[c].Played(since[c], rating.Game{Opponent: at[1-c], Score: score})
				last[scope+string(seat.User)] = m.Changed
			}
		}
		for _, seat := range m.Seats {
			if anything && !seat.Machine() {
				changed[seat.User]++
			}
		}
	}
	return ratings, changed
}

func TestDeletedPersonLeavesTheOthersRatingsAsTheyAre(t *testing.T) {
	b := newBench(t)
	b.over("before", ending{white: annSeat, black: benSeat, guild: "7", by: resigns})
	b.count(t.Context())
	b.over("due", ending{white: benSeat, black: annSeat, guild: "7", by: resigns}) // and not counted yet
	won := after(&match.Match{Seats: [2]match.Seat{benSeat, annSeat}, Result: engine.WhiteWins, Changed: b.now}, engine.White,
		[2]storage.Rating{b.rating("7", ben.ID), b.rating("7", ann.ID)})
	b.now = b.now.Add(time.Minute)
	if _, err := b.DeleteData(t.Context(), ann.ID, intent.DeleteData{Of: ann.ID}, b.now); err != nil {
		t.Fatal(err)
	}
	b.count(t.Context())
	if r := b.rating("7", ben.ID); !r.Equal(won) {
		t.Errorf("Ben's: %+v", r)
	}
	for _, scope := range []string{"7", storage.Overall} {
		if r := b.rating(scope, ann.ID); !r.Equal(storage.Rating{}) {
			t.Errorf("Ann's in %s: %+v", scope, r)
		}
	}
	list := b.outcomes(ben.ID)
	if len(list) != 2 || list[0].Opponent != storage.Deleted || list[1].Opponent != storage.Deleted || len(b.outcomes(ann.ID)) != 0 {
		t.Errorf("%+v", list)
	}
	st, err := b.Stats(t.Context(), ben, intent.Stats{})
	if err != nil || len(st.Opponents) != 1 || st.Opponents[0].Opponent.User != storage.Deleted || st.Opponents[0].Games() != 2 {
		t.Errorf("%+v, %v", st.Opponents, err)
	}
	if d, err := b.Stored(t.Context(), ann.ID); err != nil || !d.Nothing() {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestRemovedServersRatingsAreDeleted(t *testing.T) {
	b := clubs(t, "1", "2")
	for i, g := range []string{"1", "2"} {
		b.over(match.ID(g), ending{white: annSeat, black: benSeat, guild: g, by: resigns})
		b.now = b.now.Add(time.Duration(i) * time.Minute)
	}
	b.count(t.Context())
	b.Present([]string{"1"})
	b.after(0)
	b.after(month)
	b.after(time.Minute)
	b.kept("1")
	if r := b.rating("2", ann.ID); r.Games != 0 {
		t.Errorf("%+v", r)
	}
	if b.rating("1", ann.ID).Games != 1 || b.rating(storage.Overall, ann.ID).Games != 2 {
		t.Error("other ratings have changed")
	}
	for _, o := range b.outcomes(ann.ID) {
		if o.Scope == "2" {
			t.Errorf("%+v", o)
		}
	}
}

func TestStakes(t *testing.T) {
	ctx := context.Background()
	challenge := func(t *testing.T, b *bench, s intent.Stakes) storage.Record {
		t.Helper()
		r, err := b.Challenge(ctx, asks(ann, "9"), intent.Challenge{User: ben.ID, Name: ben.Name, Side: intent.White, Terms: intent.Terms{Stakes: s}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Run("as the challenger says, else as the server has it, else casual", func(t *testing.T) {
		for _, server := range []bool{false, true} {
			for stakes, want := range map[intent.Stakes]bool{intent.Usual: server, intent.Rated: true, intent.Casual: false} {
				b := newBench(t)
				if err := b.store.SaveSettings(ctx, guildKey(room.Guild), storage.Settings{Rated: server}); err != nil {
					t.Fatal(err)
				}
				if r := challenge(t, b, stakes); r.Match.Terms.Rated != want {
					t.Errorf("%q on a server that rates: %t: %+v", stakes, server, r.Match.Terms)
				}
			}
		}
	})
	t.Run("two who want different stakes do not meet", func(t *testing.T) {
		b := newBench(t)
		challenge(t, b, intent.Rated)
		_, err := b.Challenge(ctx, asks(ben, "10"), intent.Challenge{User: ann.ID, Name: ann.Name, Side: intent.Black, Terms: intent.Terms{Stakes: intent.Casual}})
		if !errors.Is(err, ErrWaits) {
			t.Errorf("%v", err)
		}
	})
	t.Run("a rematch has those of the game", func(t *testing.T) {
		b := newBench(t)
		r := b.over("1", ending{white: annSeat, black: benSeat, guild: "7", by: resigns})
		again, err := b.Rematch(ctx, ann, intent.Ref{Game: r.Match.ID})
		if err != nil || !again.Match.Terms.Rated {
			t.Errorf("%+v, %v", again.Match.Terms, err)
		}
	})
	t.Run("a rated game against the machine becomes casual by an undo", func(t *testing.T) {
		for _, rated := range []bool{true, false} {
			b := newBench(t)
			r, err := b.Play(ctx, asks(ann, "9"), intent.Play{Level: 1, Side: intent.White, Rated: rated})
			if err != nil || r.Match.Terms.Rated != rated {
				t.Fatal(r.Match.Terms, err)
			}
			r, _, _ = b.step(ann, r, "c3", "d4")
			r, _, err = b.Act(ctx, ann, intent.Undo{Ref: intent.Ref{Game: "9"}})
			if err != nil || r.Match.Terms.Rated {
				t.Errorf("undo, rated before: %t: %+v, %v", rated, r.Match.Terms, err)
			}
		}
	})
}
