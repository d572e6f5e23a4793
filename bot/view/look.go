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
	Theme   render.Theme
	Letters bool // in letters instead of a picture
}

// LookFrom turns a stored choice into a look. A theme that is not known any more
// falls back to the default.
func LookFrom(s storage.Settings) Look {
	theme, err := render.ParseTheme(s.Theme)
	if err != nil {
		theme = render.Wood
	}
	return Look{Theme: theme, Letters: s.Text}
}

// Sample returns a board that shows a new look to the person who chose it, for
// everyone on the server or for that person.
func Sample(l i18n.Lang, look Look, everyone bool) Message {
	key := i18n.LookDone
	if everyone {
		key = i18n.LookServer
	}
	msg := Said(l, key)
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

// lookRow offers the other ways to see private boards.
func lookRow(l i18n.Lang, look Look) Row {
	var row Row
	for _, theme := range render.Themes() {
		row = append(row, Button{
			Label: l.T(themeNames[theme]), Intent: intent.Look{Theme: theme.String()},
			Disabled: look.Theme == theme && !look.Letters,
		})
	}
	if look.Letters {
		return append(row, Button{Label: l.T(i18n.ButtonPictures), Emoji: "🖼️", Intent: intent.Look{Text: "off"}})
	}
	return append(row, Button{Label: l.T(i18n.ButtonLetters), Emoji: "🔤", Intent: intent.Look{Text: "on"}})
}

// show puts a board into a message: as a picture with its words, or in letters.
// name is the picture's file name without its ending.
func show(msg *Message, l i18n.Lang, look Look, s render.Scene, name string) {
	if look.Letters {
		msg.Text = clip(msg.Text+"\n"+Letters(l, s.Board, s.Bottom), MaxText)
		return
	}
	msg.Picture = &Picture{Scene: s, Alt: Alt(l, s), Name: name + ".png"}
}
