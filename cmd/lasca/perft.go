package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/lascabot/lascabot/engine"
)

const (
	maxPerftDepth = 64 // plies; no machine gets there
	// perftAtOnce is how many plies are counted without a look at whether the
	// person has lost patience: some hundred milliseconds at most.
	perftAtOnce = 10
)

var perftCommand = command{
	name:  "perft",
	args:  "DEPTH",
	short: "counts the sequences of 1 to DEPTH legal moves",
	long: `
Prints a line with depth and count for each depth. Moves count by their paths,
draws are ignored, and no table is used.`,
	least: 1, most: 1,
	setup: func(flags *flag.FlagSet) action {
		position := positionFlags(flags)
		return func(ctx context.Context, s *streams, args []string) error {
			p, err := position()
			if err != nil {
				return err
			}
			depth, err := parseNumber(args[0], 1, maxPerftDepth)
			if err != nil {
				return refuse("DEPTH %q: %w", clip(args[0]), err)
			}
			for d := 1; d <= int(depth) && s.out.err == nil; d++ {
				n, err := perft(ctx, p, d)
				if err != nil {
					return err
				}
				fmt.Fprintln(s.out, d, n)
			}
			return nil
		}
	},
}

// perft is [engine.Perft] that stops with ctx's error when ctx ends.
func perft(ctx context.Context, p engine.Position, depth int) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if depth <= perftAtOnce {
		return engine.Perft(p, depth), nil
	}
	var sum uint64
	for _, m := range p.Moves() {
		after := p
		after.Make(m)
		n, err := perft(ctx, after, depth-1)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}
