package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/lascabot/lascabot/engine/notation"
)

var applyCommand = command{
	name:  "apply",
	args:  "MOVE...",
	short: "plays moves and prints the position after them",
	long: `
Each argument is one move: c3-d4, c3xe5xg7, or any other way to write it that
says which legal move is meant, such as c3e5g7, 9-13 (Lasker's numbers) or
"c3 g7". Draws by repetition or lack of progress do not stop it.`,
	least: 1, most: -1,
	setup: func(flags *flag.FlagSet) action {
		position := positionFlags(flags)
		return func(_ context.Context, s *streams, args []string) error {
			p, err := position()
			if err != nil {
				return err
			}
			for i, text := range args {
				m, err := notation.FindMove(&p, text)
				if err != nil {
					return refuse("move %d, %q: %w", i+1, clip(text), err)
				}
				p.MakeUnchecked(m)
			}
			fmt.Fprintln(s.out, notation.FormatPosition(p.Setup()))
			return nil
		}
	},
}
