package main

import (
	"context"
	"fmt"
	"time"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/config/cli"
)

var benchCommand = cli.Command{
	Name:  "bench",
	Short: "measures the speed of the search on fixed positions",
	Long: `
The number of nodes is the same on every machine; the time is not.`,
	Setup: func(flags *cli.Flags) cli.Action {
		depth := numberFlag(flags, "depth", ai.BenchDepth, 1, maxDepth, "look `N` plies ahead")
		return func(ctx context.Context, c *cli.Call) error {
			b := ai.Bench(ctx, int(*depth))
			if err := ctx.Err(); err != nil {
				return err
			}
			perSecond := float64(b.Nodes) / max(b.Elapsed.Seconds(), 1e-9)
			fmt.Fprintf(c.Out, "positions %d depth %d nodes %d time %v nps %.0f\n",
				b.Positions, *depth, b.Nodes, b.Elapsed.Round(time.Millisecond), perSecond)
			return nil
		}
	},
}
