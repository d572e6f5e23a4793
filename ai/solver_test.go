package ai

import (
	"testing"

	"github.com/lascabot/lascabot/engine"
)

// endings holds all positions with a number of white and black pieces, with every
// column that they can form and either side to move, and their exact values: a
// win or loss in the plies that it takes with best play, or 0 for a draw.
// Repetition and the 60 plies are ignored. They matter only to positions that are
// drawn anyway: best play repeats nothing, and no win takes 60 plies.
type endings struct {
	positions []engine.Position
	values    []Score
	at        map[engine.Key]int32
}

// solveEndings finds the values by retrograde analysis: what is won or lost in n
// plies follows from what is won or lost in fewer.
func solveEndings(t testing.TB, rules engine.Rules, whites, blacks int) *endings {
	t.Helper()
	e := &endings{at: map[engine.Key]int32{}}
	columns := columnsOf(whites, blacks)
	var place func(s *engine.Setup, sq engine.Square, whites, blacks int)
	place = func(s *engine.Setup, sq engine.Square, whites, blacks int) {
		if whites+blacks == 0 {
			for s.Turn = engine.White; s.Turn <= engine.Black; s.Turn++ {
				if p, err := s.Position(); err == nil {
					e.at[p.Key()] = int32(len(e.positions))
					e.positions = append(e.positions, p)
				}
			}
			return
		}
		if !sq.Valid() {
			return
		}
		for _, c := range columns {
			if c.whites <= whites && c.blacks <= blacks {
				s.Stacks[sq] = c.stack
				place(s, sq+1, whites-c.whites, blacks-c.blacks)
			}
		}
		s.Stacks[sq] = 0
	}
	place(&engine.Setup{Number: 1, Rules: rules}, 0, whites, blacks)

	next := make([][]int32, len(e.positions))
	var moves []engine.Move
	for i := range e.positions {
		moves = e.positions[i].AppendMoves(moves[:0])
		next[i] = make([]int32, len(moves))
		for k, m := range moves {
			next[i][k] = e.after(t, &e.positions[i], m)
		}
	}
	e.values = make([]Score, len(e.positions))
	for plies, found := 0, true; found; plies++ {
		found = false
		for i, after := range next {
			if e.values[i] != 0 {
				continue
			}
			wins, loses := false, true
			for _, k := range after {
				wins = wins || plies > 0 && e.values[k] == LossIn(plies-1)
				loses = loses && e.values[k] > 0 && e.values[k] != WinIn(plies)
			}
			if wins {
				e.values[i], found = WinIn(plies), true
			} else if loses {
				e.values[i], found = LossIn(plies), true
			}
		}
	}
	return e
}

// after returns the index of the position after a legal move.
func (e *endings) after(t testing.TB, p *engine.Position, m engine.Move) int32 {
	t.Helper()
	q := *p
	q.MakeUnchecked(m)
	i, ok := e.at[q.Key()]
	if !ok {
		t.Fatalf("%v in %v leads out of the endings", m, p)
	}
	return i
}

// played returns the value of a position after a move, for the side that plays
// the move.
func (e *endings) played(t testing.TB, p *engine.Position, m engine.Move) Score {
	t.Helper()
	v := e.values[e.after(t, p, m)]
	if plies, ok := v.Win(); ok {
		return LossIn(plies + 1)
	}
	if plies, ok := v.Loss(); ok {
		return WinIn(plies + 1)
	}
	return 0
}

// pile is a column, or no column, with the number of its pieces.
type pile struct {
	stack          engine.Stack
	whites, blacks int
}

// columnsOf returns the empty square and every column of at most so many white
// and black pieces.
func columnsOf(whites, blacks int) []pile {
	all := []pile{{}}
	var add func(pieces []engine.Piece, whites, blacks int)
	add = func(pieces []engine.Piece, w, b int) {
		for p := engine.WhiteSoldier; p <= engine.BlackOfficer; p++ {
			w, b := w, b
			if p.Color() == engine.White {
				w++
			} else {
				b++
			}
			if w <= whites && b <= blacks {
				longer := append(pieces[:len(pieces):len(pieces)], p)
				all = append(all, pile{engine.StackOf(longer...), w, b})
				add(longer, w, b)
			}
		}
	}
	add(nil, 0, 0)
	return all
}

// material names the pieces of both sides, prisoners included, the side with more
// pieces first: "Os v O" for an officer and a soldier against an officer,
// whatever their colours.
func material(p *engine.Position) string {
	var kinds [2]string
	for _, rank := range []func(engine.Color) engine.Piece{engine.Officer, engine.Soldier} {
		for sq := range engine.Square(engine.NumSquares) {
			for piece := range p.Stack(sq).All() {
				switch c := piece.Color(); {
				case piece != rank(c):
				case piece.IsOfficer():
					kinds[c] += "O"
				default:
					kinds[c] += "s"
				}
			}
		}
	}
	first := stronger(p)
	return kinds[first] + " v " + kinds[first.Other()]
}

// stronger returns the side with more pieces, White when both have as many.
func stronger(p *engine.Position) engine.Color {
	more := 0
	for sq := range engine.Square(engine.NumSquares) {
		for piece := range p.Stack(sq).All() {
			more += 1 - 2*int(piece.Color())
		}
	}
	if more < 0 {
		return engine.Black
	}
	return engine.White
}

// towers reports whether a column is higher than one piece.
func towers(p *engine.Position) bool {
	for sq := range engine.Square(engine.NumSquares) {
		if p.Stack(sq).Height() > 1 {
			return true
		}
	}
	return false
}
