package ai

import (
	"context"
	"testing"

	"github.com/lascabot/lascabot/engine"
)

// ending is a set-up of bare columns.
func ending(t *testing.T, turn engine.Color, columns map[engine.Square]engine.Piece) (engine.Position, bool) {
	t.Helper()
	s := engine.Setup{Turn: turn, Number: 1}
	for sq, p := range columns {
		s.Stacks[sq] = engine.StackOf(p)
	}
	p, err := s.Position()
	return p, err == nil
}

func searchEnding(t *testing.T, s *Searcher, p engine.Position, depth int) Report {
	t.Helper()
	r, err := s.Search(context.Background(), Task{Position: p, Limits: Limits{Depth: depth}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// LASCA.md's exact rule: the side to move wins exactly when the two officers
// stand on ranks of different parity, in at most ten plies.
func TestOneOfficerEachIsDecidedByTheParityOfRanks(t *testing.T) {
	s := NewSearcher(1 << 20)
	n := 0
	for a := range engine.Square(engine.NumSquares) {
		for b := range engine.Square(engine.NumSquares) {
			if a == b {
				continue
			}
			n++
			p, ok := ending(t, engine.Black, map[engine.Square]engine.Piece{a: engine.WhiteOfficer, b: engine.BlackOfficer})
			if !ok {
				t.Fatal("set-up refused")
			}
			if !p.HasMoves() {
				t.Fatalf("no moves: %v %v", a, b)
			}
			r := searchEnding(t, s, p, 12)
			plies, wins := r.Score.Win()
			_, loses := r.Score.Loss()
			if want := (a.Rank()+b.Rank())%2 != 0; wins != want || loses == want {
				t.Errorf("white %v, black %v, black to move: %v, want a win: %v", a, b, r.Score, want)
			} else if wins && plies > 10 {
				t.Errorf("white %v, black %v: won in %d plies, at most 10 are needed", a, b, plies)
			}
		}
	}
	if n != 600 {
		t.Errorf("%d positions, want 600", n)
	}
}

// Counts of LASCA.md 4.3: a pair of officers to move wins but for 22 of 6,900
// positions; to the single one to move 736 are won.
func TestTwoOfficersAgainstOne(t *testing.T) {
	if testing.Short() {
		t.Skip("13,800 searches")
	}
	s := NewSearcher(1 << 20)
	var saved [2]int // by the side to move: positions that the pair does not win
	total := 0
	for a := range engine.Square(engine.NumSquares) {
		for b := range a {
			for c := range engine.Square(engine.NumSquares) {
				if c == a || c == b {
					continue
				}
				total++
				for turn := engine.White; turn <= engine.Black; turn++ {
					p, _ := ending(t, turn, map[engine.Square]engine.Piece{a: engine.WhiteOfficer, b: engine.WhiteOfficer, c: engine.BlackOfficer})
					if !p.HasMoves() { // only the single officer can be blocked
						continue
					}
					r := searchEnding(t, s, p, 18)
					_, wins := r.Score.Win()
					_, loses := r.Score.Loss()
					if !wins && !loses {
						t.Errorf("%v %v against %v, %v to move: %v, but nothing is drawn", a, b, c, turn, r.Score)
					}
					if wins != (turn == engine.White) {
						saved[turn]++
					}
				}
			}
		}
	}
	if total != 6900 || saved != [2]int{22, 736} {
		t.Errorf("of %d the pair fails in %v, want [22 736]", total, saved)
	}
}
