package play

import (
	"context"
	"fmt"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/turns"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// reviewNodes is how many positions are searched for each position of a game
// under review. With 10,000, one turning point in four was wrong; a game of 140
// plies takes some three seconds.
const reviewNodes = 60_000

// Review is how a game went.
type Review struct {
	// Chances are White's winning chances, 0 to 1: before the first move, and
	// after each.
	Chances []float64
	// Best is what was best instead of each move.
	Best []engine.Move
}

// Review looks at every position of a finished game that the person may watch, one after the other
// in the share of its place; whoever asks the same at the same time shares it.
// While a game is running a review would be a hint for both sides: the error
// then wraps [ErrStale]. Otherwise it is as for [Service.Watch], or wraps [ErrBusy], or
// is the context's or the search's.
func (s *Service) Review(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, Review, error) {
	r, _, err := s.Watch(ctx, who, ref)
	if err == nil && r.Match.Phase != match.Finished {
		err = ErrStale
	}
	if err != nil {
		return r, Review{}, err
	}
	key := fmt.Sprintf("review %s %d", r.Match.ID, r.Match.Version)
	v, err := share(ctx, &s.questions, key, func(ctx context.Context) (Review, error) { return s.review(ctx, r, key) })
	return r, v, err
}

func (s *Service) review(ctx context.Context, r storage.Record, key string) (Review, error) {
	var v Review
	g := engine.NewGame(r.Match.StartPosition())
	for ply := 0; ; ply++ {
		pos := g.Position()
		chance, best := 0.0, engine.Move(0)
		if result, _ := g.Result(); result != engine.Ongoing {
			chance = map[engine.Result]float64{engine.WhiteWins: 1, engine.Draw: 0.5}[result]
		} else {
			task := ai.TaskFor(g)
			task.Limits.Nodes = reviewNodes
			rep, err := s.ask(ctx, turns.Job{Key: fmt.Sprintf("%s %d", key, ply), Share: r.Share(), Task: task})
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
