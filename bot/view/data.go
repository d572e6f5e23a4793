package view

import (
	"math"
	"strconv"
	"time"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
)

// Keeping says for how long things are kept; 0 is for ever, of Copies that none
// are made by the program.
type Keeping struct {
	Finished time.Duration // games after their end
	Removed  time.Duration // what is stored of a server, after the application was removed from it
	Copies   time.Duration // copies of everything
}

// MyData tells one person what is stored of them and for how long. look is what
// the person has chosen of it.
func MyData(l i18n.Lang, look Look, d play.Stored, k Keeping) Message {
	msg := Message{Private: true}
	if d.Nothing() {
		msg.Text = l.T(i18n.DataNothing)
	} else {
		msg.Text = l.T(i18n.DataTitle)
		if d.Running+d.Open+d.Finished > 0 {
			msg.Text += "\n" + l.T(i18n.DataGames, "Since", date(d.Since), "Running", l.N(i18n.DataRunning, d.Running),
				"Open", l.N(i18n.DataOpen, d.Open), "Finished", l.N(i18n.DataFinished, d.Finished)) + " " + l.T(i18n.DataEach)
		}
		if words := lookWords(l, look, d); words != "" {
			msg.Text += "\n" + l.T(i18n.DataLook, "Look", words)
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

// lookWords says how somebody has chosen to see boards, "" when it was left open.
func lookWords(l i18n.Lang, look Look, d play.Stored) string {
	if d.Settings.Text {
		return l.T(i18n.ButtonLetters)
	}
	if d.Settings.Theme == "" {
		return ""
	}
	return l.T(map[render.Theme]i18n.Key{
		render.Wood: i18n.ButtonThemeWood, render.Dark: i18n.ButtonThemeDark, render.Contrast: i18n.ButtonThemeSharp,
	}[look.Theme])
}

// ExportData gives a person the file with what is stored of them, in which so
// many games found no room.
func ExportData(l i18n.Lang, file []byte, left int) Message {
	msg := Said(l, i18n.DataExport)
	if left > 0 {
		msg.Text += "\n" + l.N(i18n.DataExportCut, left)
	}
	msg.File = &File{Name: "lasca-data.json", Data: file}
	return msg
}

// AskDeleteData asks a person whether to delete what is stored of them. again
// says that it was asked before, too long ago for the answer to count.
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

// DataDeleted tells a person that what was stored of them, if any was, is
// deleted, and what remains nevertheless.
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

// date writes a time so that each reader sees the day in words.
func date(t time.Time) string { return "<t:" + strconv.FormatInt(t.Unix(), 10) + ":D>" }
