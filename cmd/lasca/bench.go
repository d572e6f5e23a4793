package main

import (
	"context"
	"flag"
	"fmt"
	"time"

	"github.com/lascabot/lascabot/ai"
)

var benchCommand = command{
	name:  "bench",
	short: "measures the speed of the search on a fixed set of positions",
	long: `
The nodes are the same on every machine, the time is not.`,
	setup: func(flags *flag.FlagSet) action {
		depth := numberFlag(flags, "depth", ai.BenchDepth, 1, maxDepth, "look `N` plies ahead")
		return func(ctx context.Context, s *streams, _ []string) error {
			b := ai.Bench(ctx, int(*depth))
			if err := ctx.Err(); err != nil {
				return err
			}
			perSecond := float64(b.Nodes) / max(b.Elapsed.Seconds(), 1e-9)
			fmt.Fprintf(s.out, "positions %d depth %d nodes %d time %v nps %.0f\n",
				b.Positions, *depth, b.Nodes, b.Elapsed.Round(time.Millisecond), perSecond)
			return nil
		}
	},
}
