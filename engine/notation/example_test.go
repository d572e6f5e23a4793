package notation_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
)

func ExampleParsePosition() {
	setup, err := notation.ParsePosition("b,b,b,b/b,b,b/b,bw,,b/,,/w,w,w,w/w,,w/w,w,w,w w", engine.Kawu)
	fmt.Println(notation.FormatPosition(setup), err)

	_, err = notation.ParsePosition("b,b,b,b/b,b/b,q,,b/,,/w,w,w,w/w,,w/w,w,w,w", engine.Kawu)
	fmt.Println(err)
	// Output:
	// b,b,b,b/b,b,b/b,bw,,b/,,/w,w,w,w/w,,w/w,w,w,w w 0 1 <nil>
	// not a position: rank 6 has 2 squares instead of 3; write a comma between squares; unknown letter "q" on c5; pieces are w, b, W and B; the side to move is missing; write w or b after the board
}

func ExampleFindMove() {
	pos := engine.Start(engine.Kawu)
	for _, text := range []string{"C3 d4", "9:13", "c3-c4", "e5-d4", "a1-b2", "c3-e5"} {
		m, err := notation.FindMove(&pos, text)
		var why *notation.MoveError
		if errors.As(err, &why) {
			fmt.Println(why)
			continue
		}
		fmt.Println(m)
	}
	// Output:
	// c3-d4
	// c3-d4
	// c4 is a light square; Lasca is played on the dark ones
	// the column on e5 is not yours; you can move a3, c3, e3, g3
	// the column on a1 cannot move; you can move a3, c3, e3, g3
	// c3-e5 is not possible; from c3 there is c3-b4, c3-d4
}

func ExampleReadGame() {
	game, err := notation.ReadGame(strings.NewReader(`
		{Lasker's numbers, no tags}
		1. 9-13 17-9 2. 5-13!? 16-12 *`))
	if err != nil {
		fmt.Println(err)
		return
	}
	game.Tags = []notation.Tag{{Name: "White", Value: "Ada"}, {Name: "Black", Value: "Bo"}}
	fmt.Print(notation.FormatGame(game))

	_, err = notation.ReadGame(strings.NewReader("1. c3-d4 c5-b4"))
	fmt.Println(err)
	// Output:
	// [White "Ada"]
	// [Black "Bo"]
	// [Result "*"]
	// [Rules "kawu"]
	//
	// 1. c3-d4 e5xc3 2. b2xd4 c5-b4 *
	// line 1: move 1 of black, "c5-b4": you must capture; the columns that can are e5
}
