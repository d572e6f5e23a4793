package play

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/rating"
	"github.com/lascabot/lascabot/storage"
)

// ended stores games of Ann against levels, one a day, and counts them. A letter says
// how each ends: w, d or l.
func (b *bench) ended(level int, results string) {
	b.t.Helper()
	for _, c := range results {
		by := map[rune][]match.Command{
			'w': {match.Resign{By: engine.Black}}, 'l': {match.Resign{By: engine.White}},
			'd': {match.OfferDraw{By: engine.White}, match.AcceptDraw{By: engine.Black}},
		}[c]
		b.over(match.ID(fmt.Sprint("g", b.now.Unix())), ending{white: annSeat, black: match.Seat{Level: level}, guild: "7", by: by})
		b.now = b.now.Add(24 * time.Hour)
	}
	b.count(b.t.Context())
}

func TestNextLevelFollowsFromResults(t *testing.T) {
	for _, c := range []struct {
		name          string
		played        func(*bench)
		next, because int
	}{
		{"near the rating at first", func(b *bench) { b.ended(3, "d") }, 3, 0},
		{"near the rating after losses", func(b *bench) { b.ended(3, "lll") }, 2, 0},
		{"above the level that lost two of three", func(b *bench) { b.ended(4, "lwwl") }, 5, 4},
		{"by the last three", func(b *bench) { b.ended(4, "wwlll"); b.ended(2, "ww") }, 3, 2},
		{"by the highest level", func(b *bench) { b.ended(6, "ww"); b.ended(3, "www") }, 7, 6},
		{"not by draws", func(b *bench) { b.ended(6, "ddd"); b.ended(1, "wlw") }, 2, 1},
		{"the strongest has none above", func(b *bench) { b.ended(8, "ww") }, 8, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			c.played(b)
			st, err := b.Stats(t.Context(), ann, intent.Stats{})
			if err != nil || st.Next != c.next || st.NextBecause != c.because {
				t.Errorf("level %d because of %d at %v, want %d because of %d, %v", st.Next, st.NextBecause, st.Rating.Value, c.next, c.because, err)
			}
		})
	}
}

func TestStatsAddUp(t *testing.T) {
	b := newBench(t)
	b.ended(3, "wdl")
	b.over("ben", ending{white: benSeat, black: annSeat, guild: "7", by: resigns})
	b.now = b.now.Add(time.Hour)
	b.over("elsewhere", ending{white: annSeat, black: benSeat, guild: "8", by: resigns})
	b.count(t.Context())
	st, err := b.Stats(t.Context(), ann, intent.Stats{})
	if err != nil {
		t.Fatal(err)
	}
	if st.Total != (Tally{1, 1, 2}) || st.Levels[3] != (Tally{1, 1, 1}) || st.Colours != [2]Tally{{1, 1, 1}, {0, 0, 1}} || st.Rules[engine.Kawu] != st.Total {
		t.Errorf("%+v", st)
	}
	if len(st.Values) != 5 || st.Values[0] != rating.New().Value || st.Values[4] != b.rating("7", ann.ID).Value || st.First != 1 || st.Best != 1 {
		t.Errorf("%v from %d, best %d", st.Values, st.First, st.Best)
	}
	if len(st.Opponents) != 1 || st.Opponents[0].Tally != (Tally{0, 0, 1}) || st.Opponents[0].Opponent.Name != "Ben" {
		t.Errorf("%+v", st.Opponents)
	}
	dm := ann
	dm.Place = storage.Place{Channel: "dm"}
	if all, err := b.Stats(t.Context(), dm, intent.Stats{}); err != nil || all.Total != (Tally{2, 1, 2}) || all.Overall != nil {
		t.Errorf("in direct messages: %+v, %v", all, err)
	}
	if st.Overall.Value == st.Rating.Value {
		t.Error("overall is the same as on the server")
	}
}

func TestOthersSeeWhatWasPlayedOnTheirServerAndNotAgainstWhom(t *testing.T) {
	b := newBench(t)
	b.over("here", ending{white: benSeat, black: annSeat, guild: "7", by: resigns})
	b.now = b.now.Add(time.Hour)
	b.over("there", ending{white: annSeat, black: benSeat, guild: "8", by: resigns})
	b.count(t.Context())
	in := intent.Stats{User: ann.ID, Name: "Ann"}
	st, err := b.Stats(t.Context(), ben, in)
	if err != nil || st.Own || st.Total != (Tally{0, 0, 1}) || st.Opponents != nil || st.Overall != nil || st.Next != 0 {
		t.Errorf("%+v, %v", st, err)
	}
	dm := ben
	dm.Place = storage.Place{Channel: "dm"}
	if _, err := b.Stats(t.Context(), dm, in); !errors.Is(err, ErrNoStats) {
		t.Errorf("in direct messages: %v", err)
	}
	in.User = ben.ID
	if st, err := b.Stats(t.Context(), ben, in); err != nil || !st.Own {
		t.Errorf("who names themselves: %+v, %v", st, err)
	}
}

func TestLeaderboardRanksThoseWhoseRatingIsSettled(t *testing.T) {
	b := newBench(t)
	cleo := match.Seat{User: "3", Name: "Cleo"}
	for range 6 { // Ann and Ben settle; Cleo beats both once
		for i := range MaxRated {
			by := engine.Black
			if i%2 == 1 {
				by = engine.White
			}
			b.over(match.ID(fmt.Sprint("g", b.now.Unix())), ending{white: annSeat, black: benSeat, guild: "7", by: []match.Command{match.Resign{By: by}}})
			b.now = b.now.Add(time.Second)
		}
		b.now = b.now.Add(24 * time.Hour)
	}
	b.over("a", ending{white: cleo, black: annSeat, guild: "7", by: resigns})
	b.over("b", ending{white: cleo, black: benSeat, guild: "7", by: resigns})
	b.count(t.Context())
	l, err := b.Leaderboard(t.Context(), Caller{ID: cleo.User, Place: room}, 99)
	if err != nil || len(l.List) != 3 || l.Page != 0 || l.Pages != 1 {
		t.Fatalf("%+v, %v", l, err)
	}
	if l.List[0].Rank != 1 || l.List[1].Rank != 2 || l.List[2].Name != "Cleo" || l.List[2].Rank != 0 || l.Own != &l.List[2] && *l.Own != l.List[2] {
		t.Errorf("%+v", l)
	}
	b.now = b.now.AddDate(20, 0, 0)
	if l, _ := b.Leaderboard(t.Context(), ann, 0); l.Own.Rank != 0 {
		t.Errorf("after twenty years: %+v", l.Own)
	}
	dm := ann
	dm.Place = storage.Place{Channel: "dm"}
	if l, err := b.Leaderboard(t.Context(), dm, 0); err != nil || l.List != nil || l.Own == nil || l.All != 3 {
		t.Errorf("in direct messages: %+v, %v", l, err)
	}
}

func TestLeaderboardHasPages(t *testing.T) {
	b := newBench(t)
	for i := range PageRanks + 1 {
		b.over(match.ID(fmt.Sprint("g", i)), ending{white: match.Seat{User: match.UserID(fmt.Sprint("u", i))}, black: match.Seat{Level: 3}, guild: "7", by: resigns})
	}
	b.count(t.Context())
	for page, want := range map[int]int{-1: PageRanks, 0: PageRanks, 1: 1, 7: 1} {
		if l, err := b.Leaderboard(t.Context(), ann, page); err != nil || len(l.List) != want || l.Pages != 2 || l.Own != nil {
			t.Errorf("page %d: %+v, %v", page, l, err)
		}
	}
}
