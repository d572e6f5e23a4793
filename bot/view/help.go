package view

import (
	"fmt"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/render"
)

// Help is one screen: how to start, and how to read a column.
func Help(l i18n.Lang, look Look) Message {
	msg := Message{
		Text: l.T(i18n.HelpText), Private: true,
		Rows: []Row{{
			playButton(l),
			{Label: l.T(i18n.ButtonRules), Emoji: "📖", Intent: intent.Rules{}},
			{Label: l.T(i18n.ButtonGames), Intent: intent.Games{}},
		}},
	}
	show(&msg, l, look, render.Scene{Board: boardOf(map[string]string{
		"b2": "w", "d2": "ww", "f2": "wwbb", "b4": "Wb", "d4": "wbbb", "f4": "b", "b6": "bb", "d6": "Bw", "f6": "bww",
	}), Theme: look.Theme}, "lasca-help")
	return msg
}

// rulesPage is one page of the rules: its text and the board beside it.
type rulesPage struct {
	text  i18n.Key
	scene render.Scene
}

// rulesPages are the five pages of the rules.
var rulesPages = []rulesPage{
	{i18n.Rules1, render.Scene{Board: engine.StartSetup(engine.Kawu)}},
	{i18n.Rules2, render.Scene{
		Board:  boardOf(map[string]string{"c3": "w", "e3": "W", "b6": "b", "g5": "b"}),
		Picked: set("e3"), Targets: set("d4", "f4", "d2", "f2"),
	}},
	{i18n.Rules3, render.Scene{
		Board: boardOf(map[string]string{"c3": "w", "d4": "bw", "f6": "b", "a7": "b", "g1": "w"}),
		Must:  set("c3"), Hint: move("c3", "e5", "g7"),
	}},
	{i18n.Rules4, render.Scene{
		Board: toMove(engine.Black, boardOf(map[string]string{"g7": "Wbb", "d4": "w", "a7": "b", "g1": "w"})),
		Last:  move("c3", "e5", "g7"),
	}},
	{i18n.Rules5, render.Scene{
		Board: boardOf(map[string]string{"a1": "w", "b2": "bw", "c3": "b", "g7": "bb"}), Result: engine.BlackWins,
	}},
}

// Rules is a page of the rules, counted from 0; pages that do not exist are the
// nearest that does.
func Rules(l i18n.Lang, look Look, page int) Message {
	page = min(max(page, 0), len(rulesPages)-1)
	p := rulesPages[page]
	p.scene.Theme = look.Theme
	msg := Message{
		Text:    l.T(p.text) + "\n" + l.T(i18n.RulesPages, "Page", page+1, "Pages", len(rulesPages)),
		Private: true,
		Rows: []Row{{
			{Label: l.T(i18n.ButtonPrevious), Intent: intent.Rules{Page: max(page-1, 0)}, Disabled: page == 0},
			{Label: l.T(i18n.ButtonNext), Style: Primary, Intent: intent.Rules{Page: page + 1}, Disabled: page == len(rulesPages)-1},
			playButton(l),
		}},
	}
	show(&msg, l, look, p.scene, fmt.Sprintf("lasca-rules-%d", page+1))
	return msg
}

func toMove(c engine.Color, s engine.Setup) engine.Setup {
	s.Turn = c
	return s
}

// boardOf sets up columns by the names of their squares, White to move. It is
// for the boards above, which are fixed: a fault in one is a fault of the
// program.
func boardOf(columns map[string]string) engine.Setup {
	s := engine.Setup{Number: 1}
	for name, letters := range columns {
		sq, err := engine.ParseSquare(name)
		if err != nil {
			panic(err)
		}
		var pieces []engine.Piece
		for i := range len(letters) {
			p, ok := engine.PieceOf(letters[i])
			if !ok {
				panic("view: no piece " + letters)
			}
			pieces = append(pieces, p)
		}
		s.Stacks[sq] = engine.StackOf(pieces...)
	}
	return s
}

func set(squares ...string) render.SquareSet { return render.Squares(path(squares)...) }

func move(squares ...string) engine.Move {
	m, err := engine.NewMove(path(squares)...)
	if err != nil {
		panic(err)
	}
	return m
}

func path(squares []string) []engine.Square {
	list := make([]engine.Square, len(squares))
	for i, name := range squares {
		sq, err := engine.ParseSquare(name)
		if err != nil {
			panic(err)
		}
		list[i] = sq
	}
	return list
}
