package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lascabot/lascabot/config/cli"
)

var movesCommand = cli.Command{
	Name:  "moves",
	Short: "lists the legal moves, one per line, sorted by bytes",
	Long: `
It prints nothing if there is no legal move. It ignores draws.`,
	Setup: func(flags *cli.Flags) cli.Action {
		position := positionFlags(flags)
		return func(_ context.Context, c *cli.Call) error {
			var lines []string
			for _, m := range position.Moves() {
				lines = append(lines, m.String()+"\n")
			}
			slices.Sort(lines)
			fmt.Fprint(c.Out, strings.Join(lines, ""))
			return nil
		}
	},
}
