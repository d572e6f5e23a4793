package view_test

import (
	"fmt"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/render"
)

func ExampleAlt() {
	board := engine.Setup{Turn: engine.Black, Number: 30}
	board.Stacks[8] = engine.StackOf(engine.WhiteOfficer, engine.BlackSoldier, engine.BlackSoldier)
	board.Stacks[22] = engine.StackOf(engine.BlackSoldier)
	for _, locale := range []string{"en", "de"} {
		fmt.Println(view.Alt(i18n.For(locale), render.Scene{Board: board}))
	}
	// Output:
	// Lasca board. White is at the bottom. Black to move. White: c3 officer over 2 black soldiers. Black: c7 soldier.
	// Lasca-Brett. Weiß ist unten. Schwarz ist am Zug. Weiß: c3 Offizier, darunter 2 schwarze Soldaten. Schwarz: c7 Soldat.
}

func ExampleEscape() {
	fmt.Println(view.Escape("**Ann** # 1"))
	// Output: \*\*Ann\*\* \# 1
}

func ExampleCleanName() {
	fmt.Printf("%q\n", view.CleanName(" Ann\u202e \t of\u200b  Cleves"))
	// Output: "Ann of Cleves"
}

// A position is enough to show a board with buttons: it needs no stored game. Intent
// decides what the buttons ask for.
func ExampleTurn() {
	setup, err := notation.ParsePosition("b,,,/,,/,,,/,,/,w,,/,,/,,,w w", engine.Kawu)
	if err != nil {
		panic(err)
	}
	pos, err := setup.Position()
	if err != nil {
		panic(err)
	}
	c3, _ := engine.ParseSquare("c3")
	for _, path := range [][]engine.Square{nil, {c3}} {
		turn := view.Turn{
			Position: pos, Who: "Ann", Path: path,
			Intent: func(path []engine.Square) intent.Intent { return intent.Step{Path: path} },
		}
		l := i18n.For("en")
		fmt.Println(turn.Prompt(l))
		for _, button := range turn.Rows(l)[0] {
			fmt.Printf("  [%s] leads to %v\n", button.Label, button.Intent.(intent.Step).Path)
		}
		fmt.Println(view.Alt(l, turn.Scene(render.Wood)))
	}
	// Output:
	// Ann, your move.
	//   [c3] leads to [c3]
	//   [g1→f2] leads to [g1 f2]
	// Lasca board. White is at the bottom. White to move. White: g1 soldier; c3 soldier. Black: a7 soldier.
	// Ann: **c3** → where?
	//   [b4] leads to [c3 b4]
	//   [d4] leads to [c3 d4]
	//   [← Back] leads to []
	// Lasca board. White is at the bottom. White to move. Selected: c3. It can go to b4 or d4. White: g1 soldier; c3 soldier. Black: a7 soldier.
}
