package ai

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

const (
	selfPlayNodes  = 1000 // a move
	selfPlayRandom = 8    // random plies, so that no two games are alike
)

// TestSelfPlayKeepsToTheSlowRules lets the program play against itself, under
// all rulesets in turn. In every position the list of legal moves, after every
// move the position, and the end of every game must be those of the slow rules.
//
// LASCA_SELFPLAY says how many games it plays, on all cores; ten thousand take
// a while:
//
//	LASCA_SELFPLAY=10000 go test -run TestSelfPlay -timeout 3h -v ./ai
func TestSelfPlayKeepsToTheSlowRules(t *testing.T) {
	games := 6
	if text := os.Getenv("LASCA_SELFPLAY"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("LASCA_SELFPLAY is %q, not a number of games", text)
		}
		games = n
	}
	var (
		next, moves, plies atomic.Int64
		mu                 sync.Mutex
		ends               = map[string]int{}
		players            sync.WaitGroup
	)
	for range min(games, runtime.GOMAXPROCS(0)) {
		players.Go(func() {
			s := NewSearcher(smallTable)
			for {
				i := int(next.Add(1)) - 1
				if i >= games {
					return
				}
				end, err := selfPlay(s, uint64(i), &moves, &plies)
				if err != nil {
					t.Errorf("game %d: %v", i, err)
				}
				mu.Lock()
				ends[end]++
				mu.Unlock()
			}
		})
	}
	players.Wait()
	t.Logf("%d games, %d moves played, %d legal moves compared, ends %v", games, plies.Load(), moves.Load(), ends)
	if plies.Load() < 20*int64(games) {
		t.Errorf("%d moves in %d games are too few", plies.Load(), games)
	}
}

// selfPlay plays one game and returns how it ended. It adds to the numbers of
// legal moves compared and of moves played.
func selfPlay(s *Searcher, seed uint64, moves, plies *atomic.Int64) (string, error) {
	random := rand.New(rand.NewPCG(seed, 1))
	rules := engine.AllRules()[seed%3]
	g := engine.NewGame(engine.Start(rules))
	slow := enginetest.ReferenceOf(engine.StartSetup(rules))
	history := []enginetest.Reference{slow}
	for ply := 0; ; ply++ {
		p := g.Position()
		wantResult, wantReason := enginetest.Outcome(history)
		result, reason := g.Result()
		if result == engine.Ongoing && wantResult != "" || result != engine.Ongoing && (result.String() != wantResult || reason.String() != wantReason) {
			return "", fmt.Errorf("after %d plies, in %v: %v by %v, want %s by %s", ply, slow, result, reason, wantResult, wantReason)
		}
		if result != engine.Ongoing {
			return fmt.Sprint(result, " ", reason), nil
		}

		legal, want := p.Moves(), slow.Successors()
		if len(legal) != len(want) {
			return "", fmt.Errorf("after %d plies, in %v: moves %v, want %v", ply, slow, legal, slow.Moves())
		}
		for _, m := range legal {
			if _, ok := want[m.String()]; !ok {
				return "", fmt.Errorf("after %d plies, in %v: moves %v, want %v", ply, slow, legal, slow.Moves())
			}
		}
		moves.Add(int64(len(legal)))

		m := legal[random.IntN(len(legal))]
		if ply >= selfPlayRandom {
			task := TaskFor(g)
			task.Limits.Nodes = selfPlayNodes
			r, err := s.Search(context.Background(), task)
			if err != nil {
				return "", err
			}
			m = r.Best
		}
		after, ok := want[m.String()]
		if !ok {
			return "", fmt.Errorf("after %d plies, in %v: plays %v, which is not legal", ply, slow, m)
		}
		if err := g.Play(m); err != nil {
			return "", err
		}
		plies.Add(1)
		p = g.Position()
		slow = enginetest.ReferenceOf(p.Setup())
		if !maps.Equal(slow.Columns, after.Columns) || slow.Side != after.Side || slow.Quiet != after.Quiet || slow.Number != after.Number {
			return "", fmt.Errorf("after %d plies: %v leads to %v, want %v", ply, m, slow, after)
		}
		history = append(history, slow)
	}
}
