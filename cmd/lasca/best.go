package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/lascabot/lascabot/ai"
)

const searchBytes = 64 << 20 // of the table of a searcher

// strongest is how well to play where nothing is said.
func strongest() strength {
	levels := ai.Levels()
	return strength{level: levels[len(levels)-1]}
}

var bestCommand = command{
	name:  "best",
	short: "looks for the best move",
	long: `
Prints one line:

    bestmove MOVE score S depth D nodes N

S is in points for the side to move, 150 of them a factor e in the odds of
winning. 31000 less n is a proven win in n plies, and n less 31000 a proven loss
in n plies. D is the number of plies of the last depth that was finished, N the
number of positions looked at. An interrupt prints the best move so far. With
-nodes or -level the same question has the same answer.`,
	setup: func(flags *flag.FlagSet) action {
		position := positionFlags(flags)
		how := strengthFlags(flags, "", "search")
		seed := seedFlag(flags, "makes different games of a level different: a `number`")
		return func(ctx context.Context, s *streams, _ []string) error {
			p, err := position()
			if err != nil {
				return err
			}
			h := how.or(strongest())
			t := ai.Task{Position: p, Level: h.level, Limits: h.limits, Seed: *seed}
			r, err := ai.NewSearcher(searchBytes).Search(ctx, t)
			if errors.Is(err, ai.ErrNoMoves) {
				return refuse("-position: %v has no legal move and has lost", p.Turn())
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(s.out, "bestmove %v score %d depth %d nodes %d\n", r.Best, r.Score.Points(), r.Depth, r.Nodes)
			return nil
		}
	},
}
