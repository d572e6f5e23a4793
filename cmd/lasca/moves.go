package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
)

var movesCommand = command{
	name:  "moves",
	short: "lists the legal moves, one a line, sorted by bytes",
	long: `
Prints nothing when there is no legal move. Draws are not considered.`,
	setup: func(flags *flag.FlagSet) action {
		position := positionFlags(flags)
		return func(_ context.Context, s *streams, _ []string) error {
			p, err := position()
			if err != nil {
				return err
			}
			var lines []string
			for _, m := range p.Moves() {
				lines = append(lines, m.String()+"\n")
			}
			slices.Sort(lines)
			fmt.Fprint(s.out, strings.Join(lines, ""))
			return nil
		}
	},
}
