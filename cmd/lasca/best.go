package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/config/cli"
)

const searchBytes = 64 << 20 // size of a searcher's table

// strongest is the strength if no flag sets one.
func strongest() strength {
	levels := ai.Levels()
	return strength{level: levels[len(levels)-1]}
}

var bestCommand = cli.Command{
	Name:  "best",
	Short: "finds the best move",
	Long: `
It prints one line:

    bestmove MOVE score S depth D nodes N

S is in points for the side to move; 150 points multiply the odds of winning by
e. A score of 31000-n is a proven win in n plies, n-31000 a proven loss in n
plies. D is the last depth that was finished, in plies, and N the number of
positions searched. After an interrupt it prints the best move so far. With
-nodes or -level the same question always gets the same answer.`,
	Setup: func(flags *cli.Flags) cli.Action {
		position := positionFlags(flags)
		how := strengthFlags(flags, "", "search")
		seed := seedFlag(flags, "a `number` that varies the play of a level from game to game")
		return func(ctx context.Context, c *cli.Call) error {
			h := how.or(strongest())
			t := ai.Task{Position: *position, Level: h.level, Limits: h.limits, Seed: *seed}
			r, err := ai.NewSearcher(searchBytes).Search(ctx, t)
			if errors.Is(err, ai.ErrNoMoves) {
				return cli.Refuse("-position: %v has no legal move and has lost", position.Turn())
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(c.Out, "bestmove %v score %d depth %d nodes %d\n", r.Best, r.Score.Points(), r.Depth, r.Nodes)
			return nil
		}
	},
}
