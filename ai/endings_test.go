package ai

import (
	"fmt"
	"os"
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

// endingNodes are enough to prove the value of every position with three pieces.
// The strongest level has fewer. It need not prove the value, but must play as
// well.
const endingNodes = 100_000

// TestSmallEndings solves all positions with at most three pieces. It compares the
// solver with known results, and the program with the solver.
//
// It asks the program about a sample. LASCA_ENDINGS=all makes it ask about every
// position, which takes some ten minutes on one core:
//
//	LASCA_ENDINGS=all go test -run TestSmallEndings -timeout 3h -v ./ai
func TestSmallEndings(t *testing.T) {
	all := false
	switch text := os.Getenv("LASCA_ENDINGS"); text {
	case "":
	case "all":
		all = true
	default:
		t.Fatalf("LASCA_ENDINGS is %q; the only value it takes is all", text)
	}
	s := NewSearcher(smallTable)
	for _, rules := range engine.AllRules() {
		for _, pieces := range [][2]int{{1, 1}, {2, 1}, {1, 2}} {
			t.Run(fmt.Sprintf("%v %d v %d", rules, pieces[0], pieces[1]), func(t *testing.T) {
				// Neighbouring positions differ in the side to move. Odd steps
				// meet both sides.
				step, games := 131, 2003
				switch bare := pieces == [2]int{1, 1}; {
				case all:
					step, games = 1, 101
				case testing.Short() || raceDetector:
					step, games = 509, 20011
					if bare {
						step, games = 31, 401
					}
				case bare && rules == engine.Kawu:
					step, games = 1, 101
				case bare:
					step, games = 7, 101
				case rules != engine.Kawu: // the rulesets differ in little
					step = 523
				}
				e := solveEndings(t, rules, pieces[0], pieces[1])
				checkKnownEndings(t, e)
				checkMovesInEndings(t, s, e, step)
				checkWonEndings(t, s, e, games)
			})
		}
	}
}

// knownEnding is what an independent program found by exhaustive search for some
// material without towers, under all rulesets.
type knownEnding struct {
	positions int // for each side to move, 0 when not known
	plies     int // to the end, at most
	// fails counts the positions that the stronger side does not win, when it
	// is to move and when the other side is; -1 when only the share is known.
	fails [2]int
	share float64 // of the positions that the stronger side wins when it is to move
}

var knownEndings = map[string]knownEnding{
	"O v O":  {positions: 600, plies: 10, fails: [2]int{-1, -1}}, // and see parity below
	"O v s":  {plies: 22, fails: [2]int{-1, -1}},
	"s v O":  {plies: 22, fails: [2]int{-1, -1}},
	"s v s":  {plies: 22, fails: [2]int{-1, -1}},
	"OO v O": {positions: 6900, plies: 14, fails: [2]int{22, 736}},
	"Os v O": {plies: 26, fails: [2]int{-1, -1}, share: 0.99},
	"ss v O": {plies: 26, fails: [2]int{-1, -1}, share: 0.99},
	"Os v s": {plies: 26, fails: [2]int{-1, -1}, share: 0.99},
	"OO v s": {plies: 26, fails: [2]int{-1, -1}, share: 0.99},
}

// checkKnownEndings compares the solver with the known results.
func checkKnownEndings(t *testing.T, e *endings) {
	type count struct {
		positions, fails [2]int // by whether the weaker side is to move
		plies            int
	}
	counts := map[string]*count{}
	for i, v := range e.values {
		p := &e.positions[i]
		won, wins := v.Win()
		lost, loses := v.Loss()
		if !wins && !loses {
			t.Errorf("%v is drawn, but no position with three pieces is", enginetest.ReferenceOf(p.Setup()))
		}
		if towers(p) {
			continue
		}
		m := material(p)
		if counts[m] == nil {
			counts[m] = new(count)
		}
		c, side := counts[m], 0
		if p.Turn() != stronger(p) {
			side = 1
		}
		c.positions[side]++
		c.plies = max(c.plies, won, lost)
		if wins != (side == 0) {
			c.fails[side]++
		}
		// With one officer each the side to move wins exactly when they stand
		// on ranks of different parity.
		if m == "O v O" && wins != (ranks(p)%2 != 0) {
			t.Errorf("%v: %v", enginetest.ReferenceOf(p.Setup()), v)
		}
	}
	for m, c := range counts {
		known, ok := knownEndings[m]
		if !ok {
			continue
		}
		if c.plies > known.plies {
			t.Errorf("%s takes up to %d plies, want %d at most", m, c.plies, known.plies)
		}
		if n := known.positions; n > 0 && c.positions != [2]int{n, n} {
			t.Errorf("%s has %d positions, want %d for each side to move", m, c.positions, n)
		}
		if known.fails[0] >= 0 && c.fails != known.fails {
			t.Errorf("%s is not won in %d positions, want %d", m, c.fails, known.fails)
		}
		if share := 1 - float64(c.fails[0])/float64(c.positions[0]); share <= known.share {
			t.Errorf("%s to move is won in %.4f of the positions, want more than %.2f", m, share, known.share)
		}
	}
}

// ranks returns the sum of the ranks on which columns stand.
func ranks(p *engine.Position) int {
	sum := 0
	for sq := range engine.Square(engine.NumSquares) {
		if p.Stack(sq) != 0 {
			sum += sq.Rank()
		}
	}
	return sum
}

// checkMovesInEndings asks the program about every step-th position. Its move must
// keep the exact value, and its score must be that value.
func checkMovesInEndings(t *testing.T, s *Searcher, e *endings, step int) {
	asked, most := 0, int64(0)
	for i := 0; i < len(e.positions); i += step {
		p, exact := &e.positions[i], e.values[i]
		if !p.HasMoves() {
			continue
		}
		asked++
		r := want(t, s, Task{Position: *p, Limits: Limits{Nodes: endingNodes}})
		most = max(most, r.Nodes)
		if got := e.played(t, p, r.Best); got != exact || r.Score != exact {
			t.Errorf("%s, %v: %v makes it a %v and is called %v after %d nodes, exact is %v",
				material(p), enginetest.ReferenceOf(p.Setup()), r.Best, got, r.Score, r.Nodes, exact)
		}
		r = want(t, s, Task{Position: *p, Level: Level(len(profiles)), Seed: uint64(i)})
		got := e.played(t, p, r.Best)
		_, wins := got.Win()
		if _, won := exact.Win(); got != exact && !(won && wins) {
			t.Errorf("%s, %v: the strongest level plays %v, which makes it a %v, exact is %v",
				material(p), enginetest.ReferenceOf(p.Setup()), r.Best, got, exact)
		}
	}
	t.Logf("%d of %d positions, at most %d nodes", asked, len(e.positions), most)
}

// checkWonEndings plays every step-th position, if it is won, to its end, against
// the longest defence and with the history of the game.
func checkWonEndings(t *testing.T, s *Searcher, e *endings, step int) {
	games := 0
	for i := 0; i < len(e.positions); i += step {
		plies, won := e.values[i].Win()
		if !won {
			continue
		}
		games++
		for _, task := range []Task{{Limits: Limits{Nodes: endingNodes}}, {Level: Level(len(profiles)), Seed: uint64(i)}} {
			g := engine.NewGame(e.positions[i])
			winner := e.positions[i].Turn()
			for result, _ := g.Result(); result == engine.Ongoing; result, _ = g.Result() {
				p := g.Position()
				m := e.longestDefence(t, &p)
				if p.Turn() == winner {
					ask := TaskFor(g)
					ask.Limits, ask.Level, ask.Seed = task.Limits, task.Level, task.Seed
					m = want(t, s, ask).Best
				}
				if err := g.Play(m); err != nil {
					t.Fatal(err)
				}
			}
			result, reason := g.Result()
			// A level may take a detour while it does not see the end.
			if result != engine.Wins(winner) || task.Level == 0 && len(g.Moves()) != plies {
				t.Errorf("%v, level %d: %v by %v in %d plies, it is won in %d: %v",
					enginetest.ReferenceOf(e.positions[i].Setup()), task.Level, result, reason, len(g.Moves()), plies, g.Moves())
			}
		}
	}
	t.Logf("%d positions played to the end", games)
	if games == 0 {
		t.Error("no position was played to the end")
	}
}

// longestDefence returns one of the best moves by the exact values.
func (e *endings) longestDefence(t *testing.T, p *engine.Position) engine.Move {
	moves := p.Moves()
	best := moves[0]
	for _, m := range moves[1:] {
		if e.played(t, p, m) > e.played(t, p, best) {
			best = m
		}
	}
	return best
}
