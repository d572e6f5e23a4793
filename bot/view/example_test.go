package view_test

import (
	"fmt"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
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
