package view

import (
	"fmt"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/render"
)

// helpBoard shows columns of every kind.
var helpBoard = board(",,,/bb,Bw,bww/,,,/Wb,wbbb,b/,,,/w,ww,wwbb/,,, w")

// Help returns the page that says how to start and how to read a column.
func Help(l i18n.Lang, look Look) Message {
	msg := Said(l, i18n.HelpText)
	msg.Rows = []Row{{
		playButton(l),
		{Label: l.T(i18n.ButtonRules), Emoji: "📖", Intent: intent.Rules{}},
		{Label: l.T(i18n.ButtonGames), Intent: intent.Games{}},
	}}
	show(&msg, l, look, render.Scene{Board: helpBoard, Theme: look.Theme}, "lasca-help")
	return msg
}

// rulesPage is one page of the rules: its text and the board beside it.
type rulesPage struct {
	text  i18n.Key
	scene render.Scene
}

// rulesPages are the pages of the rules.
var rulesPages = []rulesPage{
	{i18n.Rules1, render.Scene{Board: engine.StartSetup(engine.Kawu)}},
	{i18n.Rules2, render.Scene{
		Board:  board(",,,/b,,/,,,b/,,/,w,W,/,,/,,, w"),
		Picked: squares("e3"), Targets: squares("d4", "f4", "d2", "f2"),
	}},
	{i18n.Rules3, render.Scene{
		Board: board("b,,,/,,b/,,,/,bw,/,w,,/,,/,,,w w"),
		Must:  squares("c3"), Hint: must(engine.ParseMove("c3xe5xg7")),
	}},
	{i18n.Rules4, render.Scene{
		Board: board("b,,,Wbb/,,/,,,/,w,/,,,/,,/,,,w b"),
		Last:  must(engine.ParseMove("c3xe5xg7")),
	}},
	{i18n.Rules5, render.Scene{
		Board:  board(",,,bb/,,/,,,/,,/,b,,/bw,,/w,,, w"),
		Result: engine.BlackWins,
	}},
}

// Rules returns a page of the rules, counted from 0. For a page that does not exist
// it returns the nearest one.
func Rules(l i18n.Lang, look Look, page int) Message {
	page = min(max(page, 0), len(rulesPages)-1)
	p := rulesPages[page]
	p.scene.Theme = look.Theme
	msg := Said(l, p.text)
	msg.Text += "\n" + l.T(i18n.RulesPages, "Page", page+1, "Pages", len(rulesPages))
	msg.Rows = []Row{{
		{Label: l.T(i18n.ButtonPrevious), Intent: intent.Rules{Page: max(page-1, 0)}, Disabled: page == 0},
		{Label: l.T(i18n.ButtonNext), Style: Primary, Intent: intent.Rules{Page: page + 1}, Disabled: page == len(rulesPages)-1},
		playButton(l),
	}}
	show(&msg, l, look, p.scene, fmt.Sprintf("lasca-rules-%d", page+1))
	return msg
}

// board, squares and must read the fixed boards above; a mistake in one stops the
// program at once.

func board(text string) engine.Setup { return must(notation.ParsePosition(text, engine.Kawu)) }

func squares(names ...string) (set render.SquareSet) {
	for _, name := range names {
		set.Add(must(engine.ParseSquare(name)))
	}
	return set
}

func must[T any](v T, err error) T {
	if err != nil {
		panic("view: a board of the rules: " + err.Error())
	}
	return v
}
