package main

import (
	"context"
	"fmt"

	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine"
)

const (
	// perftPlies is how many depths one walk counts. The last of them takes nearly
	// all of its time, and the lines appear when it ends. With fewer depths per
	// walk the short ones would be counted again and again; with more, nothing
	// would appear for a long time.
	perftPlies = 4
	// perftAtOnce is how many plies are counted without looking for an interrupt:
	// a few hundred milliseconds at most.
	perftAtOnce = 10
)

var perftCommand = cli.Command{
	Name:  "perft",
	Args:  "DEPTH",
	Short: "counts the sequences of 1 to DEPTH legal moves",
	Long: `
It prints depth and count, one line per depth. Moves with different paths count
as different. Draws are ignored, and no table is used.`,
	Least: 1, Most: 1,
	Setup: func(flags *cli.Flags) cli.Action {
		position := positionFlags(flags)
		return func(ctx context.Context, c *cli.Call) error {
			depth, err := parseNumber(c.Args[0], 1, engine.MaxPerft)
			if err != nil {
				return cli.Refuse("DEPTH %s: %w", cli.Quote(c.Args[0]), err)
			}
			var counts [engine.MaxPerft]uint64
			first := 1 // the first depth not printed yet
			for d := 1 + int(depth-1)%perftPlies; d <= int(depth) && c.WriteError() == nil; d += perftPlies {
				clear(counts[:])
				if err := perft(ctx, *position, counts[:d]); err != nil {
					return err
				}
				for ; first <= d; first++ {
					fmt.Fprintln(c.Out, first, counts[first-1])
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
