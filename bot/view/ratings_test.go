package view_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/rating"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// ratedGame is a rated game between Ann and Ben that Ben has resigned.
func ratedGame(t *testing.T) storage.Record {
	m := matchOf(true, engine.White, engine.Kawu, [2]string{"Ann", "Ben"})
	m.Terms.Rated = true
	m = moves(t, after(t, m, match.Accept{By: engine.Black}), "c3-d4", "e5xc3")
	return storage.Record{Match: after(t, m, match.Resign{By: engine.Black}), Counted: true}
}

func statsOf(own bool) play.Stats {
	r := rating.Rating{Value: 1611.7, Deviation: 88.2, Volatility: 0.06}
	st := play.Stats{
		Of: ann, Name: "Ann", Own: own, Guild: "7", Rating: r, Games: 34, Rank: 3, Ranked: 12,
		Values: []float64{1500, 1600, 1640.4, 1611.7}, First: 32, Best: 2, BestAt: time.Date(2026, 3, 9, 23, 0, 0, 0, time.UTC),
		Total: play.Tally{Wins: 20, Draws: 4, Losses: 10}, Colours: [2]play.Tally{{Wins: 11, Losses: 4}, {Wins: 9, Draws: 4, Losses: 6}},
		Rules:  map[engine.Rules]play.Tally{engine.Kawu: {Wins: 19, Draws: 4, Losses: 10}, engine.Lasker: {Wins: 1}},
		Column: 9, Jump: 4,
	}
	st.Levels[3], st.Levels[4] = play.Tally{Wins: 5, Losses: 1}, play.Tally{Wins: 2, Losses: 1}
	if own {
		st.Overall = &rating.Rating{Value: 1580, Deviation: 130}
		st.Opponents = []play.Against{{Opponent: match.Seat{User: "2", Name: "Ben"}, Tally: play.Tally{Wins: 13, Draws: 4, Losses: 8}}, {Opponent: match.Seat{User: storage.Deleted}}}
		st.Next, st.NextBecause = 5, 4
	}
	return st
}

func ranks(n int) play.Leaderboard {
	b := play.Leaderboard{Pages: 2, All: n}
	for i := range min(n, play.PageRanks) {
		b.List = append(b.List, play.Ranked{User: match.UserID(fmt.Sprint(i)), Name: fmt.Sprintf("P%d", i), Rank: i + 1, Games: i + 1, Rating: rating.Rating{Value: 1700 - float64(i)}})
	}
	if n > 0 {
		b.List[len(b.List)-1].Rank = 0
		b.List[len(b.List)-1].Rating.Deviation = 200
		b.Own = &b.List[1]
	}
	return b
}

// addRatings adds the messages about ratings to those that are compared.
func addRatings(t *testing.T, l i18n.Lang, add func(string, view.Message)) {
	r := ratedGame(t)
	asked := matchOf(true, engine.White, engine.Kawu, [2]string{"Ann", "Ben"})
	asked.Terms.Rated = true
	add("rated challenge", view.Game(l, view.Look{}, &asked, nil))
	asked = moves(t, after(t, asked, match.Accept{By: engine.Black}), "c3-d4", "e5xc3")
	add("undo of a rated game asked for", view.Game(l, view.Look{}, ptr(after(t, asked, match.RequestUndo{By: engine.White, To: 0})), nil))
	machine := matchOf(false, engine.White, engine.Kawu, [2]string{"Ann"})
	machine.Terms.Rated = true
	add("rated game against the machine", view.Game(l, view.Look{}, &machine, nil))
	r.Ratings = [2]storage.Shift{{From: 1500.4, To: 1512.6}, {To: 1488.1}}
	add("rated and over", view.GameOf(l, view.Look{}, &r, nil))
	r.Ratings = [2]storage.Shift{}
	add("not to count any more", view.GameOf(l, view.Look{}, &r, nil))
	for _, show := range []bool{false, true} {
		msg, _ := view.Stats(l, view.Look{}, statsOf(true), show)
		add(fmt.Sprintf("stats, to all: %t", show), msg)
		add(fmt.Sprintf("leaderboard, to all: %t", show), view.Leaderboard(l, ranks(13), true, show))
	}
	others, _ := view.Stats(l, view.Look{}, statsOf(false), false)
	add("somebody else's stats", others)
	none, _ := view.Stats(l, view.Look{}, play.Stats{Name: "Ann", Own: true}, false)
	add("no stats", none)
	add("leaderboard of nobody", view.Leaderboard(l, play.Leaderboard{}, true, false))
	add("leaderboard in direct messages", view.Leaderboard(l, ranks(3), false, false))
	add("stats in direct messages", view.Problem(l, play.ErrNoStats, nil))
}

func ptr[T any](v T) *T { return &v }

func TestRatingChangesNameNobodyWhoHasLeft(t *testing.T) {
	for _, l := range languages() {
		r := ratedGame(t)
		r.Match.Seats[engine.White] = match.Seat{User: storage.Deleted}
		r.Ratings = [2]storage.Shift{{}, {From: 1500, To: 1488}}
		if msg := view.GameOf(l, view.Look{}, &r, nil); !strings.Contains(msg.Text, "Ben **1488** (−12)") || strings.Contains(msg.Text, "**0**") {
			t.Errorf("%s", msg.Text)
		}
		r.Ratings = [2]storage.Shift{}
		if msg := view.GameOf(l, view.Look{}, &r, nil); strings.Contains(msg.Text, l.T(i18n.RatingNot, "Most", play.MaxRated)) {
			t.Errorf("%s", msg.Text)
		}
	}
}

func TestUncountedGameSaysNothingOfRatings(t *testing.T) {
	r := ratedGame(t)
	r.Counted = false
	for _, l := range languages() {
		if got, want := view.GameOf(l, view.Look{}, &r, nil).Text, view.Game(l, view.Look{}, &r.Match, nil).Text; got != want {
			t.Errorf("%s", got)
		}
	}
}

// Names come from outside: on a leaderboard they notify nobody and format nothing, and
// a page of the longest fits.
func TestNamesOnALeaderboardAreHarmless(t *testing.T) {
	b := ranks(play.PageRanks)
	for i := range b.List {
		b.List[i].Name = "<@1>@everyone" + strings.Repeat("*_", 9)
	}
	for _, l := range languages() {
		msg := view.Leaderboard(l, b, true, true)
		keeps(t, msg)
		if strings.Contains(msg.Text, "<@1") || strings.Contains(msg.Text, "@everyone") || len(msg.Notify) > 0 {
			t.Errorf("%s", msg.Text)
		}
	}
}

func TestGraphOfRatingsShowsThem(t *testing.T) {
	msg, spec := view.Stats(i18n.For("en"), view.Look{Theme: render.Dark}, statsOf(true), false)
	if len(spec.Values) != 4 || spec.First != 32 || spec.Theme != render.Dark || msg.File == nil ||
		msg.File.Alt != "Graph of the rating: from 1500 to 1612 over 3 games. The highest was 1640, on 2026-03-09." {
		t.Errorf("%+v, %+v", spec, msg.File)
	}
}
