package enginetest

import (
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine"
)

// SetupFromBytes turns any bytes into a legal set-up, with columns of mixed colours
// in any order, either side to move and any ruleset. The same bytes give the same
// set-up.
func SetupFromBytes(data []byte) engine.Setup {
	s := engine.Setup{Number: 1}
	if len(data) > 0 {
		s.Rules = engine.Rules(data[0] % engine.NumRules)
		s.Turn = engine.Color(data[0] / 3 % 2)
		s.Quiet = int(data[0] / 6)
		data = data[1:]
	}
	var columns [engine.NumSquares][]engine.Piece
	var count [2]int
	for _, b := range data {
		piece := engine.Piece(b % 4)
		if count[piece.Color()] == engine.MaxPieces {
			continue
		}
		count[piece.Color()]++
		sq := b / 4 % engine.NumSquares
		columns[sq] = append(columns[sq], piece)
	}
	for i, pieces := range columns {
		if len(pieces) == 0 {
			continue
		}
		if c := pieces[0].Color(); c == engine.White && engine.Square(i).Rank() == 6 || c == engine.Black && engine.Square(i).Rank() == 0 {
			pieces[0] = engine.Officer(c)
		}
		s.Stacks[i] = engine.StackOf(pieces...)
	}
	return s
}

// PlayoutFromBytes plays from the usual start, one legal move per byte, until the
// bytes or the moves run out. It returns every position on the way, including the
// start. The first byte chooses the ruleset.
func PlayoutFromBytes(data []byte) (positions []engine.Position, moves []engine.Move) {
	var rules engine.Rules
	if len(data) > 0 {
		rules = engine.Rules(data[0] % engine.NumRules)
		data = data[1:]
	}
	p := engine.Start(rules)
	positions = append(positions, p)
	for _, b := range data {
		legal := p.Moves()
		if len(legal) == 0 {
			break
		}
		m := legal[int(b)%len(legal)]
		p.MakeUnchecked(m)
		moves = append(moves, m)
		positions = append(positions, p)
	}
	return positions, moves
}

// Setups draws legal set-ups. About half of them have high, mixed columns on few
// squares.
func Setups() *rapid.Generator[engine.Setup] {
	return rapid.Custom(func(t *rapid.T) engine.Setup {
		data := rapid.SliceOfN(rapid.Byte(), 1, 30).Draw(t, "pieces")
		if rapid.Bool().Draw(t, "few squares") {
			for i, b := range data[1:] {
				data[i+1] = b%4 + b/4%8*12 // eight squares instead of 25
			}
		}
		return SetupFromBytes(data)
	})
}

// Playouts draws the bytes of games for [PlayoutFromBytes], of up to 120 plies.
func Playouts() *rapid.Generator[[]byte] { return rapid.SliceOfN(rapid.Byte(), 1, 121) }

// Positions draws legal positions: set-ups, and positions reached by play from the
// usual start.
func Positions() *rapid.Generator[engine.Position] {
	return rapid.OneOf(
		rapid.Map(Setups(), func(s engine.Setup) engine.Position {
			p, err := s.Position()
			if err != nil {
				panic(err) // SetupFromBytes promises legal set-ups
			}
			return p
		}),
		rapid.Map(Playouts(), func(data []byte) engine.Position {
			positions, _ := PlayoutFromBytes(data)
			return positions[len(positions)-1]
		}),
	)
}
