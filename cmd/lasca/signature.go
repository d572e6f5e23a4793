package main

import (
	"context"
	"fmt"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/config/cli"
)

var signatureCommand = cli.Command{
	Name:  "signature",
	Short: "prints a number that changes when the search does",
	Long: `
It is the number of positions that a fixed search visits. A change that is not
meant to change the play must not change it.`,
	Setup: func(*cli.Flags) cli.Action {
		return func(ctx context.Context, c *cli.Call) error {
			n := ai.Signature(ctx)
			if err := ctx.Err(); err != nil {
				return err
			}
			fmt.Fprintln(c.Out, n)
			return nil
		}
	},
}
