package view_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
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
// Whoever is mentioned in it has to be notified, and nobody else.
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

var (
	escaped  = regexp.MustCompile(`\\.`)
	channels = regexp.MustCompile(`<#(8|9)>`) // those that settings name in tests
)

// readable fails unless people can read a text, Discord takes it, and no name has
// broken out of its place in it.
func readable(t tb, what, text string, most int) {
	t.Helper()
	fits(t, what, text, most)
	bare := channels.ReplaceAllString(escaped.ReplaceAllString(text, ""), "")
	for i, bad := range []string{"<no value>", "%!(", "Square(", "Theme(", "@everyone", "@here", "<@&", "<#", "</", "]("} {
		if i >= 4 && what == "label" {
			break // there nothing is a mention or a link
		}
		if strings.Contains(bare, bad) {
			t.Errorf("%s: has %q: %q", what, bad, text)
		}
	}
	if strings.Count(text, "\u2068") != strings.Count(text, "\u2069") {
		t.Errorf("%s: an isolate is left open: %q", what, text)
	}
}

// private fails unless a message also is for one person alone.
func private(t tb, msg view.Message) {
	t.Helper()
	keeps(t, msg)
	if !msg.Private || len(msg.Notify) > 0 {
		t.Errorf("not private: %q", msg.Text)
	}
}

// fits fails unless Discord takes a text and shows it as it is.
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

// buttons returns the buttons of a message in order.
func buttons(msg view.Message) []view.Button { return slices.Concat(msg.Rows...) }

// steps returns the intents of the buttons that enter a move, without Back.
func steps(msg view.Message, at []engine.Square) []intent.Step {
	var list []intent.Step
	for _, b := range buttons(msg) {
		if s, ok := b.Intent.(intent.Step); ok && len(s.Path) > len(at) {
			list = append(list, s)
		}
	}
	return list
}

func typeName(v any) string { return fmt.Sprintf("%T", v) }

// intents returns the types of the intents of the buttons that can be pressed.
func intents(msg view.Message) map[string]bool {
	kinds := map[string]bool{}
	for _, b := range buttons(msg) {
		if !b.Disabled {
			kinds[strings.TrimPrefix(typeName(b.Intent), "intent.")] = true
		}
	}
	return kinds
}

func TestPrivateMessagesKeepDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, look := matches().Draw(t, "match"), looks().Draw(t, "look")
		seat := engine.Color(rapid.IntRange(0, 1).Draw(t, "seat"))
		now := start.Add(time.Duration(rapid.IntRange(0, 200).Draw(t, "hours")) * time.Hour)
		for _, l := range languages() {
			for _, msg := range []view.Message{
				view.More(l, look, timed(m), seat, now), view.MySide(l, look, &m, seat), view.AskResign(l, &m, seat),
				view.Sample(l, look, true, 0), view.Sample(l, look, false, 0), view.Sample(l, look, false, 50), view.Help(l, look),
			} {
				private(t, msg)
			}
			for page := -1; page < 7; page++ {
				private(t, view.Rules(l, look, page))
			}
		}
	})
}
