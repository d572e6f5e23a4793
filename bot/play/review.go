package play

import (
	"context"
	"fmt"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/turns"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/storage"
)

// reviewNodes is how many positions are searched for each position of a game
// under review: enough to see what a single move gave away, little enough for a
// long game to take a few seconds.
const reviewNodes = 10_000

// Review is how a game went.
type Review struct {
	// Chances are White's winning chances, 0 to 1: before the first move, and
	// after each.
	Chances []float64
	// Best is what was best instead of each move.
	Best []engine.Move
}

// Review looks at every position of a game, one after the other in the share of
// its place. Who asks the same at the same time shares it. The error is
// [ErrBusy], the context's, or the search's.
func (s *Service) Review(ctx context.Context, r storage.Record) (Review, error) {
	key := fmt.Sprintf("review %s %d", r.Match.ID, r.Match.Version)
	return share(ctx, &s.questions, key, func(ctx context.Context) (Review, error) { return s.review(ctx, r, key) })
}

func (s *Service) review(ctx context.Context, r storage.Record, key string) (Review, error) {
	var v Review
	g := engine.NewGame(engine.Start(r.Match.Rules))
	for ply := 0; ; ply++ {
		pos := g.Position()
		chance, best := 0.0, engine.Move(0)
		if result, _ := g.Result(); result != engine.Ongoing {
			chance = map[engine.Result]float64{engine.WhiteWins: 1, engine.Draw: 0.5}[result]
		} else {
			task := ai.TaskFor(g)
			task.Limits.Nodes = reviewNodes
			rep, err := s.ask(ctx, turns.Job{Key: fmt.Sprintf("%s %d", key, ply), Share: shareOf(r), Task: task})
			if err != nil {
				return v, err
			}
			chance, best = rep.Score.WinChance(), rep.Best
			if pos.Turn() == engine.Black {
				chance = 1 - chance
			}
		}
		v.Chances = append(v.Chances, chance)
		if ply == len(r.Match.Moves) {
			return v, nil
		}
		v.Best = append(v.Best, best)
		if err := g.Play(r.Match.Moves[ply]); err != nil {
			return v, err
		}
	}
}
