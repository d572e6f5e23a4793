package engine_test

import (
	"fmt"

	"github.com/lascabot/lascabot/engine"
)

func ExamplePosition_Moves() {
	p := engine.Start(engine.Kawu)
	for _, m := range p.Moves() {
		fmt.Println(m)
	}
	// Unordered output:
	// a3-b4
	// c3-b4
	// c3-d4
	// e3-d4
	// e3-f4
	// g3-f4
}

func ExamplePosition_Play() {
	p := engine.Start(engine.Kawu)
	m, err := engine.ParseMove("c3-d4")
	if err != nil {
		fmt.Println(err)
		return
	}
	if p, err = p.Play(m); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Turn(), p.MustCapture(), p.Moves())

	_, err = p.Play(m)
	fmt.Println(err)
	// Output:
	// black true [e5xc3]
	// illegal move: c3-d4
}

func ExamplePosition_Continue() {
	// A person enters a capture square by square.
	s := engine.Setup{Number: 1}
	put := func(name string, pieces ...engine.Piece) {
		sq, err := engine.ParseSquare(name)
		if err != nil {
			panic(err)
		}
		s.Stacks[sq] = engine.StackOf(pieces...)
	}
	put("c3", engine.WhiteSoldier)
	put("d4", engine.BlackSoldier, engine.WhiteSoldier)
	put("d6", engine.BlackOfficer)
	put("f6", engine.BlackSoldier)
	p, err := s.Position()
	if err != nil {
		fmt.Println(err)
		return
	}
	var path []engine.Square
	for {
		next, moves := p.Continue(path)
		fmt.Println(path, next, len(moves))
		if len(next) == 0 {
			break
		}
		path = append(path, next[0])
	}
	// Output:
	// [] [c3] 2
	// [c3] [e5] 2
	// [c3 e5] [c7 g7] 2
	// [c3 e5 c7] [] 1
}

func ExampleStack() {
	column := engine.StackOf(engine.WhiteOfficer, engine.WhiteSoldier, engine.BlackSoldier)
	fmt.Println(column, column.Height(), column.Lives())
	for piece := range column.All() {
		fmt.Print(piece.Color(), " ")
	}
	fmt.Println()
	// Output:
	// Wwb 3 2
	// white white black
}

func ExampleGame() {
	g := engine.NewGame(engine.Start(engine.Kawu))
	for _, text := range []string{"c3-d4", "e5xc3", "b2xd4"} {
		m, err := engine.ParseMove(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := g.Play(m); err != nil {
			fmt.Println(err)
			return
		}
	}
	p := g.Position()
	result, _ := g.Result()
	fmt.Println(p.Turn(), p.Stack(12), result)
	// Output: black wb *
}

func ExamplePerft() {
	for depth := range 8 {
		fmt.Print(engine.Perft(engine.Start(engine.Kawu), depth), " ")
	}
	fmt.Println()
	// Output: 1 6 6 18 54 116 324 846
}

func ExamplePerftByPly() {
	var counts [7]uint64
	engine.PerftByPly(engine.Start(engine.Kawu), counts[:])
	fmt.Println(counts)
	// Output: [6 6 18 54 116 324 846]
}
