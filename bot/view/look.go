package view

import (
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// Look is how somebody wants to see boards.
type Look struct {
	Theme  render.Theme // of pictures
	Boards Boards
	Moves  bool // with whole moves as buttons, where they are few enough
	// Emoji are for boards in the application's emoji; nil is an empty set.
	Emoji *EmojiSet
}

// Boards is what boards are made of.
type Boards int

// The zero value is a picture. A board in emoji is in letters if it needs an emoji that
// is not there, or does not fit its message.
const (
	InPictures Boards = iota
	InEmoji
	InLetters
)

// WithoutFiles returns the look for where no picture may be sent.
func (k Look) WithoutFiles() Look {
	if k.Boards == InPictures {
		k.Boards = InEmoji
	}
	return k
}

// LookFrom turns a stored choice into a look. A theme that is not known any more
// falls back to the default. emoji are those that the application has, or nil.
func LookFrom(s storage.Settings, emoji *EmojiSet) Look {
	theme, err := render.ParseTheme(s.Theme)
	if err != nil {
		theme = render.Wood
	}
	look := Look{Theme: theme, Moves: s.Buttons == storage.Moves, Emoji: emoji}
	switch {
	case s.Text:
		look.Boards = InLetters
	case s.Emoji:
		look.Boards = InEmoji
	}
	return look
}

// Sample returns a board that shows a new look to the person who chose it, and says
// which boards change: for everyone, the server's, otherwise the person's, of
// which running ones change at once.
func Sample(l i18n.Lang, look Look, everyone bool, running int) Message {
	msg := Said(l, i18n.LookServer)
	if !everyone {
		msg = Said(l, i18n.LookDone)
		if running > 0 {
			msg.Text += " " + l.N(i18n.LookRunning, running)
		}
		msg.Text += " " + l.T(i18n.LookPeople)
	}
	msg.Text += "\n" + l.T(map[bool]i18n.Key{false: i18n.LookColumns, true: i18n.LookMoves}[look.Moves])
	t := Turn{Position: engine.Start(engine.Kawu)}
	show(&msg, l, look, t.Scene(look.Theme), "lasca-look-"+look.Theme.String())
	return msg
}

// themeNames are what people call the themes.
var themeNames = map[render.Theme]i18n.Key{
	render.Wood:     i18n.ButtonThemeWood,
	render.Dark:     i18n.ButtonThemeDark,
	render.Contrast: i18n.ButtonThemeSharp,
}

// lookRow offers the other ways to see one's boards.
func lookRow(l i18n.Lang, look Look) Row {
	var row Row
	if look.Boards == InPictures {
		for _, theme := range render.Themes() {
			if theme != look.Theme {
				row = append(row, Button{Label: l.T(themeNames[theme]), Intent: intent.Look{Theme: theme.String()}})
			}
		}
	} else {
		row = append(row, Button{Label: l.T(i18n.ButtonPictures), Emoji: "🖼️", Intent: intent.Look{Boards: intent.Pictures}})
	}
	if look.Boards != InEmoji {
		row = append(row, Button{Label: l.T(i18n.ButtonEmoji), Emoji: "🟡", Intent: intent.Look{Boards: intent.InEmoji}})
	}
	if look.Boards != InLetters {
		row = append(row, Button{Label: l.T(i18n.ButtonLetters), Emoji: "🔤", Intent: intent.Look{Boards: intent.Letters}})
	}
	if look.Moves {
		return append(row, Button{Label: l.T(i18n.ButtonColumns), Intent: intent.Look{Buttons: storage.Columns}})
	}
	return append(row, Button{Label: l.T(i18n.ButtonMoves), Intent: intent.Look{Buttons: storage.Moves}})
}

// newsRoom is what [News] may add to a message.
const newsRoom = 200

// show puts a board into a message: as a picture with its words, in emoji, or in
// letters.
// name is the picture's file name without its ending.
func show(msg *Message, l i18n.Lang, look Look, s render.Scene, name string) {
	if look.Boards == InEmoji {
		board, ok := look.Emoji.Emoji(l, s)
		if text := msg.Text + "\n" + board; ok && length(text) <= MaxText-newsRoom {
			msg.Text = text
			return
		}
	}
	if look.Boards != InPictures {
		msg.Text = clip(msg.Text+"\n"+Letters(l, drawn(s).Board, s.Bottom), MaxText)
		return
	}
	msg.Picture = &Picture{Scene: s, Alt: Alt(l, s), Name: name + ".png"}
}
