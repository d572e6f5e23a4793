package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/lascabot/lascabot/ai"
)

var signatureCommand = command{
	name:  "signature",
	short: "prints a number that changes when the search does",
	long: `
It is the number of positions that a fixed search looks at. A change that is
meant to keep the play as it is leaves it alone.`,
	setup: func(*flag.FlagSet) action {
		return func(ctx context.Context, s *streams, _ []string) error {
			n := ai.Signature(ctx)
			if err := ctx.Err(); err != nil {
				return err
			}
			fmt.Fprintln(s.out, n)
			return nil
		}
	},
}
