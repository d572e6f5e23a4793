package render

import (
	"strings"

	"github.com/lascabot/lascabot/engine"
)

// sample is a scene that shows one thing. The gallery shows the samples, palettes
// are made from them, and tests compare them.
type sample struct {
	name  string
	about string
	scene Scene
}

// place returns the position with the given columns, such as "a7:b c7:Wbb". It
// panics if they are wrong, since they are part of the program.
func place(turn engine.Color, columns string) engine.Setup {
	s := engine.Setup{Turn: turn}
	for _, c := range strings.Fields(columns) {
		name, letters, _ := strings.Cut(c, ":")
		sq, err := engine.ParseSquare(name)
		if err != nil {
			panic(err)
		}
		var pieces []engine.Piece
		for i := range len(letters) {
			p, ok := engine.PieceOf(letters[i])
			if !ok {
				panic("render: unknown piece " + letters[i:])
			}
			pieces = append(pieces, p)
		}
		s.Stacks[sq] = engine.StackOf(pieces...)
	}
	return s
}

// path returns the move with the given text, 0 if it is empty. Like place, it
// panics.
func path(text string) engine.Move {
	if text == "" {
		return 0
	}
	m, err := engine.ParseMove(text)
	if err != nil {
		panic(err)
	}
	return m
}

// squares returns the set of the named squares. Like place, it panics.
func squares(names string) SquareSet {
	var s SquareSet
	for _, n := range strings.Fields(names) {
		sq, err := engine.ParseSquare(n)
		if err != nil {
			panic(err)
		}
		s.Add(sq)
	}
	return s
}

// samples returns every sample in the default theme and width.
func samples() []sample {
	w, b := engine.White, engine.Black
	start := engine.StartSetup(engine.Kawu)
	middle := place(b, "a7:b c7:Wbb g7:Wbbb d6:b a3:bww d2:Ww g3:w a1:w c1:w g1:Bbbww")
	four := place(w, "c7:b e7:Wbb g7:b b6:b f6:b a5:w e5:b d4:Bwwww b4:w f4:b a3:bw b2:w a1:w c1:Bw")
	after := place(b, "a7:WbbbbBb c7:b g7:b a5:w e5:b b4:w d4:wwww a3:bw b2:w a1:w c1:Bw")
	hunted := place(b, "c7:Wbb e7:W f6:Wbb g3:BwwWW d2:Bb a1:Bw c1:B e1:BW g1:Bww")
	// Columns of all heights: more pieces than a game has, which does not matter.
	var heights strings.Builder
	for n := 1; n <= engine.MaxHeight; n++ {
		column := "WWwwwwwwwwwbbbbbbbbBBB"
		if n%2 == 0 {
			column = "BbbbbbbbWwwwwWwwwbbBwb"
		}
		// One half from either end of the column: every height shows both sides.
		heights.WriteString(engine.Square(n).String() + ":" + column[:(n+1)/2] + column[engine.MaxHeight-n/2:] + " ")
	}
	return []sample{
		{"start", "The beginning of a game.", Scene{Board: start}},
		{"middle", "A middle game.", Scene{Board: middle}},
		{"message", "What a message usually shows: the last move with its captures, and who must capture.", Scene{
			Board: place(b, "e7:b g7:b f6:wbb a5:Wbbbbb c5:wb b4:w a3:w c3:w g3:w f2:w a1:w c1:w g1:w"),
			Last:  path("b2xd4xf6"), Must: squares("e7 g7")}},
		{"reply", "Against the program, the last two moves are marked, the earlier one weaker.", Scene{
			Board: place(w, "a7:b c7:b e7:b g7:b b6:b d6:b f6:b a5:b c5:b f4:b g5:b d4:w a3:w e3:w g3:w b2:w d2:w f2:w a1:w c1:w e1:w g1:w"),
			Last:  path("e5-f4"), Previous: path("c3-d4"), Must: squares("g3")}},
		{"recapture", "A recapture: the squares of the earlier move are only tinted, since it has the same line.", Scene{
			Board: place(w, "a7:b c7:b e7:b g7:b b6:b f6:b a5:b c3:bw g5:b f4:b a3:w e3:w g3:w b2:w d2:w f2:w a1:w c1:w e1:w g1:w"),
			Last:  path("e5xc3"), Previous: path("c3-d4"), Must: squares("b2 d2")}},
		{"tall", "Tall columns, also on the far rank.", Scene{
			Board: place(b, "e7:BWwwwWwW f4:WwwwbbBBbBbbb d4:B")}},
		{"path", "A capture from four columns; one of them still has pieces.", Scene{Board: after, Last: path("e7xg5xe3xc5xa7")}},
		{"select", "A column is selected. It may land on two squares.", Scene{
			Board: hunted, Picked: squares("g3"), Targets: squares("f4 f2")}},
		{"partial", "The second jump of a capture is being chosen.", Scene{
			Board: four, Partial: path("e7xg5xe3"), Targets: squares("c5")}},
		{"circle", "A capture may end where it started: the frame of the column's own square is dashed.", Scene{
			Board:  place(w, "d2:Wb c3:bw c5:b e5:bb e3:b a7:b g1:w"),
			Picked: squares("d2"), Targets: squares("d2 b4")}},
		{"must", "Three columns must capture.", Scene{
			Board: place(w, "c7:Wbb e7:b d6:b f6:bb g5:wb d4:bw c3:w e3:wb b2:bww f2:w c1:Bww g1:w"),
			Must:  squares("c7 c3 e3")}},
		{"hint", "A hint. It lies under the pieces, so it does not hide them.", Scene{Board: four, Hint: path("e7xg5xe3xc5xa7")}},
		{"hint-step", "A hint of a quiet move.", Scene{Board: start, Hint: path("c3-d4")}},
		{"line", "A forced capture, jump by jump.", Scene{Board: four, Line: [MaxLine]engine.Move{path("e7xg5xe3xc5xa7")}}},
		{"line-plies", "A forced line of four plies.", Scene{
			Board: place(w, "a7:b c7:b b6:bb f6:b g5:b a3:w c3:ww e3:w d2:Wb g1:w"),
			Line:  [MaxLine]engine.Move{path("e3-d4"), path("g5-f4"), path("d4-e5"), path("f6xd4xb2")}}},
		{"black-bottom", "Black at the bottom.", Scene{Board: middle, Bottom: b, Last: path("f2-g3")}},
		{"white-wins", "The end of a game.", Scene{
			Board: place(b, "b6:WwwwW e5:W b4:W b2:W a1:WwwbbbbBBBBBBb"), Result: engine.WhiteWins}},
		{"black-wins", "Black has won.", Scene{
			Board: place(w, "c7:b d4:Bww e3:BBw b2:Bwwb g1:Bw"), Last: path("c5xe3"), Bottom: b, Result: engine.BlackWins}},
		{"draw", "A draw.", Scene{Board: place(w, "a7:W b6:WWbb g1:BBBww f2:B"), Result: engine.Draw}},
		{"height-21", "The tallest column that play can produce.", Scene{Board: place(w, "e3:WwwWwwwwwwWbbbbbbBbbB d4:b")}},
		{"height-22", "All 22 pieces in one column, which only a set-up has.", Scene{Board: place(w, "d4:BbWwbwbwbwBwbwbWbwbwbw")}},
		{"columns-22", "Twenty-two columns of one piece.", Scene{
			Board: place(w, "a7:b c7:b e7:B g7:b b6:b d6:b f6:b a5:b c5:b e5:b g5:b b4:w f4:w a3:W c3:w e3:w g3:w b2:w f2:w a1:w c1:W g1:w")}},
		{"heights", "Every height from 1 to 22. These are more pieces than a game has.", Scene{Board: place(w, heights.String())}},
		{"to-and-fro", "Ten jumps back and forth over two columns.", Scene{
			Board: place(b, "d6:WWwwwwwbbbbbBbbbbb e5:WWww"), Last: path("d6xf4xd2xf4xd2xf4xd2xf4xd6xf4xd6")}},
		{"eleven", "Eleven jumps, the most that are possible.", Scene{
			Board: place(b, "c3:WWwwwwwbbbbbBbbbbbbb d4:w f2:w"), Last: path("a1xc3xe5xg3xe1xc3xe5xc7xa5xc3xe5xc3")}},
	}
}

// sampleGraph is a game of forty moves that turned four times.
func sampleGraph() GraphSpec {
	values := make([]float64, 80)
	level := 0.02
	for i := range values {
		switch i {
		case 17:
			level = -0.3
		case 31:
			level = 0.22
		case 45:
			level = -0.12
		case 61:
			level = -0.7
		}
		// A small ripple, as a program's scores have.
		level += 0.012 * float64((i*7)%5-2)
		if i > 61 {
			level -= 0.013
		}
		values[i] = max(-0.97, level)
	}
	return GraphSpec{Values: values, Turning: []int{17, 31, 45, 61}, Shown: 45}
}

// sampleRatings are those of a newcomer in 34 games.
func sampleRatings() RatingsSpec {
	values := []float64{1500}
	for i := range 34 {
		v := values[i]
		step := 90 / (1 + 0.15*float64(i))
		if i%3 == 1 || i > 24 && i%2 == 0 {
			step = -step
		}
		values = append(values, v+step)
	}
	return RatingsSpec{Values: values}
}

// sampleGame returns the first plies of a game of 123 plies. It is always the same
// game, plays the longest capture wherever there is one, and has one of ten jumps.
func sampleGame(plies int) (engine.Position, []engine.Move, engine.Result) {
	start := engine.Start(engine.Kawu)
	g := engine.NewGame(start)
	seed := uint32(535203442)
	for len(g.Moves()) < plies {
		if r, _ := g.Result(); r != engine.Ongoing {
			break
		}
		pos := g.Position()
		moves := pos.AppendMoves(nil)
		seed ^= seed << 13
		seed ^= seed >> 17
		seed ^= seed << 5
		best := moves[int(seed>>8)%len(moves)]
		for _, m := range moves {
			if m.Jumps() > best.Jumps() {
				best = m
			}
		}
		if err := g.Play(best); err != nil {
			panic(err)
		}
	}
	r, _ := g.Result()
	return start, g.Moves(), r
}

// sampleCapture returns a position and a capture from four columns.
func sampleCapture() (engine.Position, engine.Move) {
	s := place(engine.White, "c7:b e7:Wbb g7:b b6:b f6:b a5:w e5:b d4:Bwwww b4:w f4:b a3:bw b2:w a1:w c1:Bw")
	s.Number = 1
	pos, err := s.Position()
	if err != nil {
		panic(err)
	}
	return pos, path("e7xg5xe3xc5xa7")
}
