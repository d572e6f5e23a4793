package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/lascabot/lascabot/engine"
)

const (
	// perftPlies is how many depths are counted in one walk, which the last of
	// them takes nearly all of. The lines are printed at its end: with fewer depths
	// the shorter ones would be counted over and over, with more nothing would be
	// seen for long.
	perftPlies = 4
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
			depth, err := parseNumber(args[0], 1, engine.MaxPerft)
			if err != nil {
				return refuse("DEPTH %q: %w", clip(args[0]), err)
			}
			var counts [engine.MaxPerft]uint64
			first := 1 // the first depth that is not printed yet
			for d := 1 + int(depth-1)%perftPlies; d <= int(depth) && s.out.err == nil; d += perftPlies {
				clear(counts[:])
				if err := perft(ctx, p, counts[:d]); err != nil {
					return err
				}
				for ; first <= d; first++ {
					fmt.Fprintln(s.out, first, counts[first-1])
				}
			}
			return nil
		}
	},
}

// perft adds to counts what [engine.PerftByPly] sets them to. It stops with ctx's
// error when ctx ends.
func perft(ctx context.Context, p engine.Position, counts []uint64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(counts) <= perftAtOnce {
		var more [perftAtOnce]uint64
		engine.PerftByPly(p, more[:len(counts)])
		for i := range counts {
			counts[i] += more[i]
		}
		return nil
	}
	moves := p.Moves()
	counts[0] += uint64(len(moves))
	for _, m := range moves {
		after := p
		after.MakeUnchecked(m)
		if err := perft(ctx, after, counts[1:]); err != nil {
			return err
		}
	}
	return nil
}
