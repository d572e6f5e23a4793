package ai

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/lascabot/lascabot/engine"
)

// BenchDepth is the depth of the searches that [Signature] counts.
const BenchDepth = 9

// BenchResult is how much work [Bench] did.
type BenchResult struct {
	Positions int   // searches made
	Nodes     int64 // positions that they looked at
	Elapsed   time.Duration
}

// Bench searches a fixed set of positions, from all rulesets and stages of the
// game, to a depth in plies. The nodes are the same on every machine, the time
// is not. When ctx ends, Bench returns what it has done so far.
func Bench(ctx context.Context, depth int) BenchResult {
	s := NewSearcher(16 << 20)
	var b BenchResult
	began := time.Now()
	for _, t := range benchTasks() {
		if ctx.Err() != nil {
			break
		}
		t.Limits.Depth = depth
		r, err := s.Search(ctx, t)
		if err != nil {
			continue // the game is over: there is nothing to search
		}
		b.Positions++
		b.Nodes += r.Nodes
	}
	b.Elapsed = time.Since(began)
	return b
}

// Signature returns the nodes of a fixed set of searches. It changes when the
// search, the evaluation or the rules change, and must not change when they are
// merely rewritten. When ctx ends, the number is too small.
func Signature(ctx context.Context) int64 { return Bench(ctx, BenchDepth).Nodes }

// benchTasks returns every tenth position of a few random games.
func benchTasks() []Task {
	var out []Task
	for _, rules := range engine.AllRules() {
		for game := range uint64(3) {
			rng := rand.New(rand.NewPCG(uint64(rules), game))
			g := engine.NewGame(engine.Start(rules))
			for ply := range 60 {
				if result, _ := g.Result(); result != engine.Ongoing {
					break
				}
				if ply%10 == 0 {
					out = append(out, TaskFor(g))
				}
				p := g.Position()
				moves := p.Moves()
				if g.Play(moves[rng.IntN(len(moves))]) != nil {
					break
				}
			}
		}
	}
	return out
}
