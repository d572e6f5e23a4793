package discord

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
)

// buttons makes n buttons that differ.
func buttons(n, first int) view.Row {
	var row view.Row
	for i := range n {
		row = append(row, view.Button{Label: "x", Intent: intent.Rules{Page: first + i}})
	}
	return row
}

func TestEncodeSaysWhatItMends(t *testing.T) {
	m, _ := full()
	if _, _, faults := encode(m, []byte("x")); faults != nil {
		t.Errorf("a good message: %q", faults)
	}
	long := strings.Repeat("ä", 3000)
	for name, c := range map[string]struct {
		m    view.Message
		says string
	}{
		"nothing":                     {view.Message{}, "nothing in it"},
		"long text":                   {view.Message{Text: long}, "text has 3000 of at most 2000 characters"},
		"long label":                  {view.Message{Rows: []view.Row{{{Label: long, Intent: intent.Help{}}}}}, "label has 3000 of at most 80"},
		"long picture description":    {view.Message{Picture: &view.Picture{Name: "a.png", Alt: long}}, "description of a.png"},
		"long file description":       {view.Message{File: &view.File{Name: "a.gif", Alt: long}}, "description of a.gif has 3000 of at most 1024"},
		"picture without description": {view.Message{Picture: &view.Picture{Name: "a.png"}}, "without a description"},
		"picture without name":        {view.Message{Picture: &view.Picture{Alt: "x"}}, "without a name"},
		"file without name":           {view.Message{File: &view.File{}}, "without a name"},
		"rows":                        {view.Message{Rows: []view.Row{buttons(1, 0), buttons(1, 1), buttons(1, 2), buttons(1, 3), buttons(1, 4), buttons(1, 5)}}, "6 rows of at most 5"},
		"row":                         {view.Message{Rows: []view.Row{buttons(6, 0)}}, "6 buttons of at most 5"},
		"the same button twice":       {view.Message{Rows: []view.Row{buttons(1, 0), buttons(1, 0)}}, "another one has its custom ID"},
		"blank button":                {view.Message{Rows: []view.Row{{{Intent: intent.Help{}}}}}, "neither label nor emoji"},
		"button for a command":        {view.Message{Rows: []view.Row{{{Label: "x", Intent: intent.Move{Text: "c3"}}}}}, "intent.Move cannot stand behind a button"},
		"button for nothing":          {view.Message{Rows: []view.Row{{{Label: "x"}}}}, "cannot stand behind a button"},
		"odd user":                    {view.Message{Text: "x", Notify: []match.UserID{"@everyone"}}, "not a user to notify"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, faults := encode(c.m, []byte("x"))
			if len(faults) != 1 || !strings.Contains(faults[0], c.says) {
				t.Errorf("%q, want one with %q", faults, c.says)
			}
		})
	}
}

// anyMessage draws messages, most of them beyond some limit.
func anyMessage(t *rapid.T) view.Message {
	text := rapid.OneOf(rapid.StringN(0, 20, -1), rapid.StringN(1990, 2010, -1), rapid.StringN(70, 90, -1))
	m := view.Message{Text: text.Draw(t, "text"), Private: rapid.Bool().Draw(t, "private")}
	for range rapid.IntRange(0, 7).Draw(t, "rows") {
		var row view.Row
		for range rapid.IntRange(0, 7).Draw(t, "buttons") {
			row = append(row, view.Button{
				Label: text.Draw(t, "label"), Style: view.Style(rapid.Uint8Range(0, 5).Draw(t, "style")),
				Intent: rapid.SampledFrom([]intent.Intent{nil, intent.Help{}, intent.Move{}, intent.Hint{Ref: intent.Ref{Game: "1"}}, intent.Rules{Page: 3}, intent.Rules{Page: -1}}).Draw(t, "intent"),
			})
		}
		m.Rows = append(m.Rows, row)
	}
	for i := range rapid.IntRange(0, 120).Draw(t, "notified") {
		m.Notify = append(m.Notify, match.UserID(fmt.Sprint(i)))
	}
	if rapid.Bool().Draw(t, "picture") {
		m.Picture = &view.Picture{Alt: text.Draw(t, "alt"), Name: "a.png"}
	}
	return m
}

func TestEncodeNeverBreaksLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMessage(t)
		msg, files, faults := encode(m, []byte("x"))
		data, err := json.Marshal(msg)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range []string{`"components":[`, `"attachments":[`, `"parse":[]`, `"users":[`} {
			if !strings.Contains(string(data), list) {
				t.Fatalf("%s is not in %s", list, data)
			}
		}
		runes := utf8.RuneCountInString
		if runes(msg.Content) > 2000 || len(msg.Components) > 5 || len(msg.AllowedMentions.Users) > 100 || len(files) != len(msg.Attachments) {
			t.Fatalf("breaks a limit: %s", data)
		}
		seen := map[string]bool{}
		for _, row := range msg.Components {
			if n := len(row.Components); n < 1 || n > 5 {
				t.Fatalf("%d buttons", n)
			}
			for _, b := range row.Components {
				if seen[b.CustomID] || len(b.CustomID) < 1 || len(b.CustomID) > 100 || runes(b.Label) > 80 || b.Label == "" && b.Emoji == nil || b.Style < 1 || b.Style > 4 {
					t.Fatalf("button %+v", b)
				}
				seen[b.CustomID] = true
			}
		}
		for _, a := range msg.Attachments {
			if runes(a.Description) > 1024 {
				t.Fatalf("%d characters of description", runes(a.Description))
			}
		}
		if faults == nil && utf8.ValidString(m.Text) && msg.Content != m.Text {
			t.Fatal("cut without a word")
		}
	})
}

func TestEncodeChoices(t *testing.T) {
	var many []view.Choice
	for i := range 40 {
		many = append(many, view.Choice{Name: strings.Repeat("ä", 101), Value: fmt.Sprint(i)})
	}
	many[3].Name, many[4].Value = "\t ", strings.Repeat("x", 101)
	got := encodeChoices(many)
	if len(got) != 25 || got[3].Value != "5" {
		t.Errorf("%d choices, the fourth is %+v", len(got), got[3])
	}
	for _, c := range got {
		if utf8.RuneCountInString(c.Name) != 100 {
			t.Errorf("a name of %d characters", utf8.RuneCountInString(c.Name))
		}
	}
}
