package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
)

var applyCommand = cli.Command{
	Name:  "apply",
	Args:  "MOVE...",
	Short: "plays moves and prints the position after them",
	Long: `
Each argument is one move: c3-d4, c3xe5xg7, or anything else that makes clear
which legal move you mean, such as c3e5g7, 9-13 (Lasker's numbers) or "c3 g7".
Draws by repetition or lack of progress do not stop it.`,
	Least: 1, Most: -1,
	Setup: func(flags *cli.Flags) cli.Action {
		start := positionFlags(flags)
		return func(_ context.Context, c *cli.Call) error {
			p := *start
			var played []engine.Move
			for i, text := range c.Args {
				m, err := notation.FindMove(&p, text)
				if err != nil {
					return cli.Refuse("move %d, %s: %w%s", i+1, cli.Quote(text), err, underOtherRules(start, played, text))
				}
				p.MakeUnchecked(m)
				played = append(played, m)
			}
			fmt.Fprintln(c.Out, notation.FormatPosition(p.Setup()))
			return nil
		}
	},
}

// underOtherRules says which rulesets allow a move that those of the position do not,
// after the moves played since. It is empty if none does.
func underOtherRules(start *engine.Position, played []engine.Move, text string) string {
	rules := notation.LegalUnder(start.Setup(), played, text)
	if len(rules) == 0 {
		return ""
	}
	var names []string
	for _, r := range rules {
		names = append(names, r.String())
	}
	return fmt.Sprintf("; legal under %s: add -rules %v", strings.Join(names, ", "), rules[0])
}
