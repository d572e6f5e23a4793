package main

import (
	"context"

	"github.com/lascabot/lascabot/ai/uci"
	"github.com/lascabot/lascabot/config/cli"
)

var uciCommand = cli.Command{
	Name:  "uci",
	Short: "plays for other programs that speak UCI",
	Long: `
UCI is the Universal Chess Interface, lines of text. This program understands
uci, isready, ucinewgame, quit, stop and

    setoption name NAME value VALUE      Rules, Hash (MiB), Threads, Level
    position startpos [moves M1 M2 ...]
    position pos TEXT [moves M1 M2 ...]
    go [movetime MS] [depth N] [nodes N] [infinite]`,
	Setup: func(*cli.Flags) cli.Action {
		return func(ctx context.Context, c *cli.Call) error {
			return uci.Run(ctx, c.In, c.Out)
		}
	},
}
