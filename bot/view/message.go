package view

import (
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
)

// Message is what a person or a channel sees, as plain values. The edge turns
// it into Discord's form and the scene into a picture.
type Message struct {
	Text    string         // Discord's markdown, at most MaxText characters
	Notify  []match.UserID // whose mention in Text reaches them; all others are only shown
	Picture *Picture       // at most one
	File    *File          // at most one, besides the picture
	Rows    []Row          // at most MaxRows
	Private bool           // for the person who asked alone
}

// Picture is a board to be drawn, with its words.
type Picture struct {
	Scene render.Scene
	Alt   string // the picture in words, 1 to MaxAlt characters
	Name  string // file name, new for each position so that no client shows an old one
}

// File is something to be attached as it is.
type File struct {
	Name string
	Alt  string // what it is, in words, at most MaxAlt characters; "" for text files
	Data []byte
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

// Style is a button's weight.
type Style uint8

// The weights.
const (
	Secondary Style = iota
	Primary
	Success
	Danger
)

// Discord's limits on a message and on suggestions, in characters and counts. It
// does not say what a character is; here those of UTF-16 are counted, the most
// of all ways to count that come into question.
const (
	MaxText    = 2000
	MaxAlt     = 1024
	MaxLabel   = 80
	MaxRows    = 5
	MaxButtons = 5
	MaxChoice  = 100
	MaxChoices = 25
)

// Choice is one suggestion for an option that is being typed. Both are 1 to
// MaxChoice characters.
type Choice struct{ Name, Value string }
