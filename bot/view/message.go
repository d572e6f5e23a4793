package view

import (
	"strings"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
)

// Message is what a person or a channel sees, as plain values.
type Message struct {
	Text    string         // Discord's markdown, at most MaxText characters
	Notify  []match.UserID // whom a mention in Text notifies; other mentions only show the name
	Picture *Picture       // at most one
	File    *File          // at most one, besides the picture
	Rows    []Row          // at most MaxRows
	Private bool           // for the person who asked alone
}

// Picture is a board to draw, with its words.
type Picture struct {
	Scene render.Scene
	Alt   string // the picture in words, 1 to MaxAlt characters
	Name  string // file name, different for each position so that no client shows an old picture
}

// File is something to attach as it is. Whoever gets the message fills in Data
// where it is nil.
type File struct {
	Name string
	Alt  string // what a picture shows, in words, at most MaxAlt characters; "" for text
	Data []byte
}

// Note adds words for people below a board. It reports false, and changes nothing, if the
// message has no room for them.
func (m *Message) Note(text string) bool {
	if length(m.Text)+length(text) > MaxText {
		return false
	}
	m.Text += text
	return true
}

// InText moves a message's file of plain text into its text, for where nothing can be
// attached. It reports false, and changes nothing, if the text does not fit.
func (m *Message) InText() bool {
	text := m.Text + "\n```\n" + strings.ReplaceAll(string(m.File.Data), "`", "'") + "\n```"
	if length(text) > MaxText {
		return false
	}
	m.Text, m.File = text, nil
	return true
}

// Row is a row of buttons, at most MaxButtons.
type Row []Button

// Button is a button. Its intent becomes its custom ID.
type Button struct {
	Label    string // at most MaxLabel characters
	Emoji    string // one Unicode emoji, or ""
	Style    Style
	Intent   intent.Intent
	Disabled bool
}

// Style is how a button stands out.
type Style uint8

// The styles, named as Discord does.
const (
	Secondary Style = iota
	Primary
	Success
	Danger
)

// Discord's limits on a message and on suggestions: MaxText, MaxAlt, MaxLabel and
// MaxChoice in characters, the others in counts. Discord does not say what a
// character is. Here it is a UTF-16 unit, which gives the highest count of all
// plausible definitions.
const (
	MaxText    = 2000
	MaxAlt     = 1024
	MaxLabel   = 80
	MaxRows    = 5
	MaxButtons = 5
	MaxChoice  = 100
	MaxChoices = 25
)

// Choice is one suggestion for an option that somebody is typing. Both fields have
// 1 to MaxChoice characters.
type Choice struct{ Name, Value string }

// Said returns a private sentence without buttons. data are as for [i18n.Lang.T].
func Said(l i18n.Lang, key i18n.Key, data ...any) Message {
	return Message{Text: l.T(key, data...), Private: true}
}
