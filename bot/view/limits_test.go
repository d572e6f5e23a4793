package view_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// tb is what testing and rapid share.
type tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

var mentions = regexp.MustCompile(`<@!?(\w+)>`)

var fileName = regexp.MustCompile(`^[A-Za-z0-9-]+\.(png|gif|txt|json)$`)

func units(text string) int { return len(utf16.Encode([]rune(text))) }

// keeps fails unless a message keeps every limit and promise that all share.
func keeps(t tb, msg view.Message) {
	t.Helper()
	readable(t, "text", msg.Text, view.MaxText)
	if len(msg.Rows) > view.MaxRows {
		t.Errorf("%d rows", len(msg.Rows))
	}
	seen := map[string]bool{}
	for _, row := range msg.Rows {
		if len(row) == 0 || len(row) > view.MaxButtons {
			t.Errorf("a row of %d buttons", len(row))
		}
		for _, b := range row {
			readable(t, "label", b.Label, view.MaxLabel)
			if units(b.Emoji) > 4 {
				t.Errorf("%q is not one emoji", b.Emoji)
			}
			id := intent.CustomID(b.Intent)
			if seen[id] {
				t.Errorf("two buttons have the custom ID %q, the second is %q", id, b.Label)
			}
			seen[id] = true
		}
	}
	if p := msg.Picture; p != nil {
		readable(t, "alt text", p.Alt, view.MaxAlt)
		if !fileName.MatchString(p.Name) {
			t.Errorf("picture named %q", p.Name)
		}
	}
	if f := msg.File; f != nil {
		if !fileName.MatchString(f.Name) {
			t.Errorf("file named %q", f.Name)
		}
		if strings.HasSuffix(f.Name, ".gif") {
			readable(t, "the animation's alt text", f.Alt, view.MaxAlt)
		}
	}
	var mentioned []match.UserID
	for _, found := range mentions.FindAllStringSubmatch(msg.Text, -1) {
		if u := match.UserID(found[1]); !slices.Contains(mentioned, u) {
			mentioned = append(mentioned, u)
		}
	}
	slices.Sort(mentioned)
	notified := slices.Sorted(slices.Values(msg.Notify))
	if !slices.Equal(mentioned, notified) {
		t.Errorf("mentioned are %v, notified %v:\n%s", mentioned, notified, msg.Text)
	}
}

var escaped = regexp.MustCompile(`\\.`)

// readable fails unless a text is one that people can read, Discord takes and
// no name has broken out in.
func readable(t tb, what, text string, most int) {
	t.Helper()
	fits(t, what, text, most)
	bare := escaped.ReplaceAllString(text, "")
	for _, bad := range []string{"<no value>", "%!(", "@everyone", "@here", "<@&", "<#", "</", "](", "Square(", "Theme("} {
		if strings.Contains(bare, bad) {
			t.Errorf("%s: has %q: %q", what, bad, text)
		}
	}
	if strings.Count(text, "\u2068") != strings.Count(text, "\u2069") {
		t.Errorf("%s: an isolate is left open: %q", what, text)
	}
}

// fits fails unless a text is one that Discord takes and that shows as it is.
func fits(t tb, what, text string, most int) {
	t.Helper()
	switch n := units(text); {
	case strings.TrimSpace(text) == "":
		t.Errorf("%s: empty", what)
	case n > most:
		t.Errorf("%s: %d characters, at most %d are allowed", what, n, most)
	case !utf8.ValidString(text):
		t.Errorf("%s: not UTF-8: %q", what, text)
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' || r >= '\u202a' && r <= '\u202e' {
			t.Errorf("%s: has the character %U: %q", what, r, text)
		}
	}
}

func TestBoardMessageKeepsDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, look := matches().Draw(t, "match"), looks().Draw(t, "look")
		for _, l := range languages() {
			for _, path := range prefixes(&m) {
				keeps(t, view.Game(l, look, &m, path))
			}
		}
	})
}

func TestPrivateMessagesKeepDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, look := matches().Draw(t, "match"), looks().Draw(t, "look")
		seat := engine.Color(rapid.IntRange(0, 1).Draw(t, "seat"))
		now := start.Add(time.Duration(rapid.IntRange(0, 200).Draw(t, "hours")) * time.Hour)
		for _, l := range languages() {
			private := []view.Message{
				view.More(l, look, &m, seat, now), view.MySide(l, look, &m, seat), view.AskResign(l, &m, seat),
				view.Sample(l, look, true), view.Sample(l, look, false), view.GameText(l, &m, "text"), view.Film(l, &m, nil),
				view.Help(l, look), view.Said(l, i18n.Done),
			}
			for page := -1; page < 7; page++ {
				private = append(private, view.Rules(l, look, page))
			}
			for _, msg := range private {
				keeps(t, msg)
				if !msg.Private || len(msg.Notify) > 0 {
					t.Errorf("not private: %q", msg.Text)
				}
			}
		}
	})
}

func TestHintKeepsDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, look := played().Draw(t, "match"), looks().Draw(t, "look")
		g := m.Game()
		pos := g.Position()
		r := ai.Report{Score: ai.Score(rapid.OneOf(
			rapid.Int32Range(-400, 400), rapid.Int32Range(30900, 30999), rapid.Int32Range(-30999, -30900)).Draw(t, "score"))}
		for range rapid.IntRange(1, 8).Draw(t, "plies") {
			legal := pos.Moves()
			if len(legal) == 0 {
				break
			}
			mv := rapid.SampledFrom(legal).Draw(t, "move")
			pos.MakeUnchecked(mv)
			r.PV = append(r.PV, mv)
		}
		r.Best = r.PV[0]
		for _, l := range languages() {
			msg := view.Hint(l, look, &m, r)
			keeps(t, msg)
			if !msg.Private {
				t.Errorf("a hint that everybody sees")
			}
			if step, ok := msg.Rows[0][0].Intent.(intent.Step); !ok || !slices.Equal(step.Path, r.Best.Path()) {
				t.Errorf("the button does not play %v", r.Best)
			}
			if !strings.Contains(msg.Text, "**"+r.Best.String()+"**") {
				t.Errorf("%v is not named: %s", r.Best, msg.Text)
			}
		}
	})
}

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

func TestGamesThatWaitForThePersonComeFirst(t *testing.T) {
	on := after(t, matchOf(true, engine.White, engine.Kawu, [2]string{"Ann", "Ben"}), match.Accept{By: engine.Black})
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
	if got := order(ben, ""); got != "132" {
		t.Errorf("for Ben: %s", got)
	}
	if got := order(ann, " BEN "); got != "213" {
		t.Errorf("by name: %s", got)
	}
	if got := order(ann, "Eve"); got != "" {
		t.Errorf("by a name that nobody has: %s", got)
	}
	if text := view.Games(l, ben, list).Text; !strings.Contains(text, l.T(i18n.GamesAnswer)) {
		t.Errorf("the challenge is not told as one to answer: %s", text)
	}
}

// TestDataMessagesKeepDiscordsLimits makes every message about stored data.
func TestDataMessagesKeepDiscordsLimits(t *testing.T) {
	const day = 24 * time.Hour
	many := play.Stored{Settings: storage.Settings{Theme: "contrast"}, Running: 50, Open: 50, Finished: 1e9, Since: time.Unix(1<<33, 0)}
	letters, one := many, play.Stored{Finished: 1, Since: time.Unix(1, 0)}
	letters.Settings.Text = true
	for _, l := range languages() {
		for _, k := range []view.Keeping{{}, {Finished: time.Hour, Removed: day, Copies: day}, {Finished: 36500 * day, Removed: 36500 * day, Copies: 36500 * day}} {
			for _, d := range []play.Stored{{}, many, letters, one} {
				m := view.MyData(l, view.Look{Theme: render.Contrast, Letters: d.Settings.Text}, d, k)
				keeps(t, m)
				if !m.Private || (len(m.Rows) > 0) == d.Nothing() {
					t.Errorf("%+v", m)
				}
			}
			for _, any := range []bool{true, false} {
				keeps(t, view.DataDeleted(l, any, k))
			}
		}
		for _, again := range []bool{true, false} {
			m := view.AskDeleteData(l, "9876543210987654321", again)
			keeps(t, m)
			if m.Rows[0][0].Style != view.Danger || m.Rows[0][0].Intent != (intent.DeleteData{Of: "9876543210987654321"}) {
				t.Errorf("%+v", m.Rows)
			}
		}
		for _, left := range []int{0, 1, 1e9} {
			m := view.ExportData(l, []byte("{}"), left)
			keeps(t, m)
			if !m.Private || strings.Contains(m.Text, "\n") != (left > 0) {
				t.Errorf("%+v", m)
			}
		}
	}
}

// TestBug62Names holds what is shown of those who have no name to be shown.
func TestBug62Names(t *testing.T) {
	for tag, want := range map[string][3]string{"en": {"deleted player", "a player", "a player"}, "de": {"gelöschte Person", "jemand", "jemand"}} {
		l := i18n.For(tag)
		for i, s := range []match.Seat{{User: storage.Deleted}, {User: "9876543210987654321"}, {User: "9876543210987654321", Name: "9876543210987654321"}} {
			if got := view.PlayerName(l, s); got != want[i] {
				t.Errorf("%s: %+v is called %q, want %q", tag, s, got, want[i])
			}
		}
		if got := view.PlayerName(l, match.Seat{User: "1", Name: "*Ann*"}); got != "*Ann*" {
			t.Errorf("%q", got)
		}
		m := after(t, matchOf(true, engine.White, engine.Kawu, [2]string{"Ann", "Ben"}), match.Accept{By: engine.Black}, match.Resign{By: engine.Black})
		r := storage.Record{Match: m}
		if changed, err := r.Forget(ben); !changed || err != nil {
			t.Fatal(changed, err)
		}
		msg := view.Game(l, view.Look{}, &r.Match, nil)
		keeps(t, msg)
		if !strings.Contains(msg.Text, want[0]) || strings.Contains(msg.Text, "Ben") || len(msg.Notify) > 0 || strings.Contains(msg.Text, "<@") {
			t.Errorf("%+v", msg)
		}
		for _, row := range msg.Rows {
			for _, b := range row {
				if _, rematch := b.Intent.(intent.Rematch); rematch {
					t.Error("a rematch is offered")
				}
			}
		}
	}
}

func TestProblemsKeepDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := storage.Record{Match: matches().Draw(t, "match")}
		typed := rapid.OneOf(names(), rapid.StringMatching(`[a-g][1-7][-x ][a-g][1-7]([x ][a-g][1-7])?`)).Draw(t, "typed")
		g := r.Match.Game()
		pos := g.Position()
		list := []error{errors.New("a fault")}
		if _, err := notation.FindMove(&pos, typed); err != nil {
			list = append(list, err)
		}
		for _, e := range exported {
			list = append(list, e.err)
		}
		for _, l := range languages() {
			for _, err := range list {
				for _, rec := range []*storage.Record{nil, {}, &r} {
					msg := view.Problem(l, err, rec)
					keeps(t, msg)
					if !msg.Private {
						t.Errorf("%v is told to everybody", err)
					}
				}
			}
		}
	})
}
