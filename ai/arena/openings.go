package arena

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/engine"
)

// OpeningOptions says which openings [Openings] makes.
type OpeningOptions struct {
	Rules engine.Rules
	Count int
	Plies int // random moves from the start, 0 for 8
	// Within is the largest score of an opening, in points either way; 0 for
	// 60.
	Within int
	Nodes  int64 // positions that the search for the score looks at, 0 for 20,000
	Seed   uint64
}

// Starts returns count games without a move, for a match that measures how the players
// open as well. Their seeds, which differ from pair to pair, are then all that makes
// the games differ.
func Starts(rules engine.Rules, count int) []*engine.Game {
	games := make([]*engine.Game, count)
	for i := range games {
		games[i] = engine.NewGame(engine.Start(rules))
	}
	return games
}

// Openings makes random openings that are about even and lead to different
// positions. The same options give the same openings as long as the search does
// not change. The error is ctx's, or says that there are too few such openings.
func Openings(ctx context.Context, o OpeningOptions) ([]*engine.Game, error) {
	if o.Plies == 0 {
		o.Plies = 8
	}
	if o.Within == 0 {
		o.Within = 60
	}
	if o.Nodes == 0 {
		o.Nodes = 20_000
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0x09e4))
	s := ai.NewSearcher(4 << 20)
	seen := map[uint64]bool{}
	var out []*engine.Game
	const patience = 400 // tries per opening
	for tries := 0; len(out) < o.Count; tries++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if tries > patience*(len(out)+1) {
			return nil, fmt.Errorf("found only %d even openings of %d plies; ask for fewer openings or more plies", len(out), o.Plies)
		}
		g := engine.NewGame(engine.Start(o.Rules))
		for range o.Plies {
			p := g.Position()
			moves := p.Moves()
			if len(moves) == 0 || g.Play(moves[rng.IntN(len(moves))]) != nil {
				break
			}
		}
		p := g.Position()
		if result, _ := g.Result(); result != engine.Ongoing || len(g.Moves()) != o.Plies || seen[p.Hash()] {
			continue
		}
		seen[p.Hash()] = true
		t := ai.TaskFor(g)
		t.Limits.Nodes = o.Nodes
		r, err := s.Search(ctx, t)
		if err != nil {
			return nil, err
		}
		if v := r.Score.Points(); v <= o.Within && v >= -o.Within {
			out = append(out, g)
		}
	}
	return out, nil
}
