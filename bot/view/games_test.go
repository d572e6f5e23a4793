package view_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

func TestListsOfGamesKeepDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []storage.Record
		for i, m := range rapid.SliceOfN(matches(), 0, 30).Draw(t, "games") {
			if m.Phase == match.Finished {
				continue
			}
			r := storage.Record{Match: m}
			if i%3 > 0 {
				r.Place.Guild = "9876543210987654321"
				r.Screen = storage.Screen{Channel: "9876543210987654321", Message: "9876543210987654321"}
			}
			list = append(list, r)
		}
		for _, l := range languages() {
			msg := view.Games(l, ann, list)
			keeps(t, msg)
			if strings.HasSuffix(msg.Text, "…") {
				t.Errorf("a line is cut: %s", msg.Text)
			}
			choices := view.GameChoices(l, ann, list, "")
			if want := min(len(list), view.MaxChoices); len(choices) != want {
				t.Errorf("%d choices of %d games, want %d", len(choices), len(list), want)
			}
			for _, c := range choices {
				fits(t, "choice", c.Name, view.MaxChoice)
				fits(t, "value", c.Value, view.MaxChoice)
			}
		}
	})
}

// TestLongListsAreShortenedByWholeLines lists more games than fit, with the
// longest lines.
func TestLongListsAreShortenedByWholeLines(t *testing.T) {
	const id = "9876543210987654321"
	name := strings.Repeat("*", 40)
	var list []storage.Record
	for range 30 {
		list = append(list, storage.Record{
			Match: matchOf(true, engine.White, engine.Kawu, [2]string{name, name}),
			Place: storage.Place{Guild: id}, Screen: storage.Screen{Channel: id, Message: id},
		})
	}
	for _, l := range languages() {
		msg := view.Games(l, ann, list)
		keeps(t, msg)
		lines := strings.Split(msg.Text, "\n")
		games := lines[1 : len(lines)-1]
		for _, line := range games {
			if !strings.HasSuffix(line, "/"+id) {
				t.Errorf("a line is cut: %s", line)
			}
		}
		if want := l.N(i18n.GamesMore, len(list)-len(games)); lines[len(lines)-1] != want || len(games) == 0 {
			t.Errorf("%d of %d games are listed, and then %q", len(games), len(list), lines[len(lines)-1])
		}
		if n := len(view.GameChoices(l, ann, list, "")); n != view.MaxChoices {
			t.Errorf("%d choices", n)
		}
	}
}

func TestRunningGamesComeBeforeChallengesAndThoseThatWaitForThePersonFirst(t *testing.T) {
	on := running(t)
	theirs, mine := storage.Record{Match: moves(t, on, "c3-d4")}, storage.Record{Match: on}
	asked := storage.Record{Match: matchOf(true, engine.White, engine.Kawu, [2]string{"Ann", "Ben"})}
	theirs.Match.ID, mine.Match.ID, asked.Match.ID = "1", "2", "3"
	l := i18n.For("en")
	list := []storage.Record{theirs, mine, asked}
	order := func(who match.UserID, typed string) (ids string) {
		for _, c := range view.GameChoices(l, who, list, typed) {
			ids += c.Value
		}
		return ids
	}
	if got := order(ann, ""); got != "213" {
		t.Errorf("for Ann: %s", got)
	}
	list = []storage.Record{asked, mine, theirs}
	if got := order(ben, ""); got != "123" {
		t.Errorf("for Ben: %s", got)
	}
	if got := order(ann, " BEN "); got != "213" {
		t.Errorf("by name: %s", got)
	}
	if got := order(ann, "Eve"); got != "" {
		t.Errorf("by a name that nobody has: %s", got)
	}
	if text := view.Games(l, ben, list).Text; !strings.Contains(text, l.T(i18n.GamesAnswer)) {
		t.Errorf("no word that the challenge waits for Ben's answer: %s", text)
	}
}
