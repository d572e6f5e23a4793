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
	Moves   bool // with whole moves as buttons, where they are few enough
}

// LookFrom turns a stored choice into a look. A theme that is not known any more
// falls back to the default.
func LookFrom(s storage.Settings) Look {
	theme, err := render.ParseTheme(s.Theme)
	if err != nil {
		theme = render.Wood
	}
	return Look{Theme: theme, Letters: s.Text, Moves: s.Buttons == storage.Moves}
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
	for _, theme := range render.Themes() {
		row = append(row, Button{
			Label: l.T(themeNames[theme]), Intent: intent.Look{Theme: theme.String()},
			Disabled: look.Theme == theme && !look.Letters,
		})
	}
	if look.Letters {
		row = append(row, Button{Label: l.T(i18n.ButtonPictures), Emoji: "🖼️", Intent: intent.Look{Text: "off"}})
	} else {
		row = append(row, Button{Label: l.T(i18n.ButtonLetters), Emoji: "🔤", Intent: intent.Look{Text: "on"}})
	}
	if look.Moves {
		return append(row, Button{Label: l.T(i18n.ButtonColumns), Intent: intent.Look{Buttons: storage.Columns}})
	}
	return append(row, Button{Label: l.T(i18n.ButtonMoves), Intent: intent.Look{Buttons: storage.Moves}})
}

// show puts a board into a message: as a picture with its words, or in letters.
// name is the picture's file name without its ending.
func show(msg *Message, l i18n.Lang, look Look, s render.Scene, name string) {
	if look.Letters {
		msg.Text = clip(msg.Text+"\n"+Letters(l, drawn(s).Board, s.Bottom), MaxText)
		return
	}
	msg.Picture = &Picture{Scene: s, Alt: Alt(l, s), Name: name + ".png"}
}
