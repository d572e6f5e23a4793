package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/config/cli"
)

var openingsCommand = cli.Command{
	Name:  "openings",
	Short: "searches the openings that the highest levels choose from",
	Long: `
It prints the list of openings that is part of the program, as it is searched:

    RULES [MOVE...]: MOVE SCORE, MOVE SCORE...

The moves before the colon lead to a position; those after it, with their scores
for the side to move, are at most 15 points worse than the best. To replace the
list, write it to ai/openings.txt with -o and build the program again. The same
number of positions gives the same list.`,
	Setup: func(flags *cli.Flags) cli.Action {
		nodes := numberFlag(flags, "nodes", ai.OpeningNodes, 1, 1_000_000_000, "search `N` positions for each line")
		name := flags.String("o", "-", "write the list to `FILE` when it is complete; - is standard output")
		return func(ctx context.Context, c *cli.Call) error {
			var list bytes.Buffer
			add := func(line string) {
				fmt.Fprintln(&list, line)
				if toOutput(*name) {
					fmt.Fprintln(c.Out, line)
				}
			}
			add(fmt.Sprintf("# lasca openings -nodes %d", *nodes))
			if err := ai.SearchOpenings(ctx, *nodes, add); err != nil || toOutput(*name) {
				return err
			}
			return writeFile(c.Out, *name, list.Bytes())
		}
	},
}
