package view_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
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
			m.ID = match.ID(strings.Repeat("9", 17) + strconv.Itoa(100+i))
			r := storage.Record{Match: m}
			if i%3 > 0 {
				r.Place.Guild = "9876543210987654321"
				r.Screen = storage.Screen{Channel: "9876543210987654321", Message: "9876543210987654321"}
			}
			list = append(list, r)
		}
		for _, l := range languages() {
			for page := range (len(list) + 4) / 5 {
				for _, msg := range []view.Message{view.Games(l, ann, list, page), view.Watching(l, "stranger", list, page)} {
					keeps(t, msg)
					if strings.HasSuffix(msg.Text, "…") {
						t.Errorf("a line is cut: %s", msg.Text)
					}
				}
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

// longest returns games with the longest lines.
func longest(t *testing.T, n int) (list []storage.Record) {
	const id = "9876543210987654321"
	name := strings.Repeat("*", 40)
	m := after(t, matchOf(true, engine.White, engine.Kawu, [2]string{name, name}), match.Accept{By: engine.Black})
	for i := range n {
		m.ID = match.ID(id[:16] + strconv.Itoa(100+i))
		list = append(list, storage.Record{
			Match: m, Place: storage.Place{Guild: id},
			Screen: storage.Screen{Channel: id, Message: id, Turn: m.Moved, Told: m.Moved},
		})
	}
	return list
}

func TestAllGamesAreOnThePages(t *testing.T) {
	list := longest(t, 47)
	for _, l := range languages() {
		seen := map[match.ID]bool{}
		for page := 0; ; page++ {
			msg := view.Games(l, ann, list, page)
			keeps(t, msg)
			if n := strings.Count(msg.Text, "<t:"); n != 5 && page < 9 {
				t.Errorf("%d deadlines on page %d", n, page)
			}
			next := false
			for _, b := range buttons(msg) {
				switch in := b.Intent.(type) {
				case intent.OwnBoard:
					seen[in.Game] = true
				case intent.Games:
					next = next || in.Page == page+1 && !b.Disabled
				}
			}
			if !next {
				break
			}
		}
		if len(seen) != len(list) {
			t.Errorf("%d of %d games have a button", len(seen), len(list))
		}
		if last, far := view.Games(l, ann, list, 9), view.Games(l, ann, list, 99); last.Text != far.Text {
			t.Errorf("behind the last page is\n%s", far.Text)
		}
	}
}

func TestListsWithoutPagesAreShortenedByWholeLines(t *testing.T) {
	list := longest(t, 30)
	for _, l := range languages() {
		msg := view.NoGameHere(l, ann, list)
		lines := strings.Split(msg.Text, "\n")
		games := lines[2 : len(lines)-1]
		for _, line := range games {
			if !strings.HasSuffix(line, "/"+list[0].Screen.Message) {
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

func TestOfGamesThatWaitTheOneWithTheLeastTimeComesFirst(t *testing.T) {
	list := longest(t, 4)
	for i, ago := range []time.Duration{0, -time.Hour, -time.Minute, 0} {
		list[i].Screen.Told = list[i].Match.Moved.Add(ago)
		list[i].Match.Moved = list[i].Screen.Told
		list[i].Screen.Turn = list[i].Match.Moved
	}
	list[0].Match.Terms.Days = match.NoLimit
	var order string
	for _, c := range view.GameChoices(i18n.For("en"), ann, list, "") {
		order += c.Value[len(c.Value)-1:]
	}
	if order != "1230" {
		t.Errorf("order %s", order)
	}
}

func TestTheNextGameIsOfferedWhereThereIsRoom(t *testing.T) {
	l := i18n.For("en")
	rapid.Check(t, func(t *rapid.T) {
		m := matches().Draw(t, "match")
		look := view.Look{Moves: rapid.Bool().Draw(t, "moves")}
		r := storage.Record{Match: m, Place: storage.Place{Channel: "1"}}
		msg := view.Copy(l, look, &r, nil)
		before := len(buttons(msg))
		view.OfferNext(l, &msg, intent.Ref{Game: m.ID, Copy: true}, 0)
		if len(buttons(msg)) != before {
			t.Fatal("offered although none waits")
		}
		view.OfferNext(l, &msg, intent.Ref{Game: m.ID, Copy: true}, 3)
		keeps(t, msg)
		if full := view.MaxRows * view.MaxButtons; before < full-5 && len(buttons(msg)) != before+1 {
			t.Fatalf("not offered beside %d buttons", before)
		}
	})
}

func TestWatchersSeeNoButtonThatActsOrJudgesARunningGame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := matches().Filter(func(m match.Match) bool { return m.Phase != match.Proposed }).Draw(t, "match")
		r := storage.Record{Match: m, Place: storage.Place{Channel: "1"}}
		for _, l := range languages() {
			for _, look := range []view.Look{{}, {Boards: view.InLetters}} {
				for _, side := range []engine.Color{engine.White, engine.Black} {
					msg := view.Watch(l, look, &r, side)
					keeps(t, msg)
					if !msg.Private {
						t.Fatal("not private")
					}
					for _, b := range buttons(msg) {
						judges := false
						switch b.Intent.(type) {
						case intent.Watch, intent.Replay, intent.GameText:
						case intent.Film, intent.Review:
							judges = true
						default:
							t.Fatalf("a button for %T", b.Intent)
						}
						if judges && m.Phase == match.Playing || !b.Intent.About().Copy {
							t.Fatalf("a button for %#v", b.Intent)
						}
					}
				}
			}
		}
	})
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
	if text := view.Games(l, ben, list, 0).Text; !strings.Contains(text, l.T(i18n.GamesAnswer)) {
		t.Errorf("no word that the challenge waits for Ben's answer: %s", text)
	}
}
