package view

import (
	"math"
	"strings"
	"time"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Keeping says how long things are kept.
type Keeping struct {
	Finished time.Duration // games, after their end; 0 is forever
	Removed  time.Duration // a server's data, after the application was removed from it; 0 is forever
	Copies   time.Duration // backups; 0 if the program makes none
}

// MyData tells one person what is stored about them and for how long.
func MyData(l i18n.Lang, d play.Stored, k Keeping) Message {
	msg := Said(l, i18n.DataNothing)
	if !d.Nothing() {
		msg = Said(l, i18n.DataTitle)
		if kinds := gameKinds(l, d); kinds != "" {
			msg.Text += "\n" + l.T(i18n.DataGames, "Since", date(d.Since), "Kinds", kinds) + " " + l.T(i18n.DataEach)
		}
		if d.Rated > 0 {
			msg.Text += "\n" + l.N(i18n.DataRated, d.Rated)
		}
		if words := lookWords(l, d.Settings); words != "" {
			msg.Text += "\n" + l.T(i18n.DataLook, "Look", words)
		}
		if d.Blocked > 0 {
			msg.Text += "\n" + l.N(i18n.DataBlocked, d.Blocked)
		}
		msg.Rows = []Row{{
			{Label: l.T(i18n.ButtonExport), Emoji: "📄", Intent: intent.ExportData{}},
			{Label: l.T(i18n.ButtonDelete), Style: Danger, Intent: intent.AskDeleteData{}},
		}}
	}
	keep := l.T(i18n.DataKeepEver)
	if k.Finished > 0 {
		keep = l.N(i18n.DataKeepFinished, days(k.Finished))
	}
	msg.Text += "\n" + keep
	if k.Removed > 0 {
		msg.Text += " " + l.N(i18n.DataKeepRemoved, days(k.Removed))
	}
	if k.Copies > 0 {
		msg.Text += " " + l.N(i18n.DataKeepCopies, days(k.Copies))
	}
	msg.Text += "\n" + l.T(i18n.DataNot)
	return msg
}

// gameKinds counts the games of each kind that there are, "" if there are none.
func gameKinds(l i18n.Lang, d play.Stored) string {
	var kinds []string
	for _, kind := range []struct {
		key i18n.Key
		n   int
	}{{i18n.DataRunning, d.Running}, {i18n.DataOpen, d.Open}, {i18n.DataFinished, d.Finished}} {
		if kind.n > 0 {
			kinds = append(kinds, l.N(kind.key, kind.n))
		}
	}
	return strings.Join(kinds, ", ")
}

// lookWords says how somebody has chosen to see boards, "" if they never chose.
func lookWords(l i18n.Lang, s storage.Settings) string {
	var words []string
	switch {
	case s.Text:
		words = append(words, l.T(i18n.ButtonLetters))
	case s.Emoji:
		words = append(words, l.T(i18n.ButtonEmoji))
	case s.Theme != "":
		words = append(words, l.T(themeNames[LookFrom(s, nil).Theme]))
	}
	switch s.Buttons {
	case storage.Columns:
		words = append(words, l.T(i18n.ButtonColumns))
	case storage.Moves:
		words = append(words, l.T(i18n.ButtonMoves))
	}
	return strings.Join(words, ", ")
}

// ExportData gives a person the file with what is stored about them. left is how
// many games did not fit.
func ExportData(l i18n.Lang, file []byte, left int) Message {
	msg := Said(l, i18n.DataExport)
	if left > 0 {
		msg.Text += "\n" + l.N(i18n.DataExportCut, left)
	}
	msg.File = &File{Name: "lasca-data.json", Data: file}
	return msg
}

// AskDeleteData asks a person whether to delete what is stored about them. again
// says that they were asked before, too long ago for the answer to count.
func AskDeleteData(l i18n.Lang, who match.UserID, again bool) Message {
	msg := Said(l, i18n.DataAsk)
	if again {
		msg.Text = l.T(i18n.DataAskAgain) + "\n" + msg.Text
	}
	msg.Rows = []Row{{
		{Label: l.T(i18n.ButtonYesDelete), Style: Danger, Intent: intent.DeleteData{Of: who}},
		{Label: l.T(i18n.ButtonNoDelete), Intent: intent.KeepData{}},
	}}
	return msg
}

// DataDeleted tells a person that what was stored about them, if any was, is
// deleted, and what remains anyway.
func DataDeleted(l i18n.Lang, any bool, k Keeping) Message {
	if !any {
		return Said(l, i18n.DataNothing)
	}
	msg := Said(l, i18n.DataDeleted)
	msg.Text += "\n" + l.T(i18n.DataRemains) + " "
	if k.Copies > 0 {
		msg.Text += l.N(i18n.DataRemainCopies, days(k.Copies))
	} else {
		msg.Text += l.T(i18n.DataRemainOthers)
	}
	return msg
}

// days counts a time in days, rounded up.
func days(d time.Duration) int { return int(math.Ceil(d.Hours() / 24)) }
