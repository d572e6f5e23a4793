package main

import (
	"context"
	"flag"

	"github.com/lascabot/lascabot/ai/uci"
)

var uciCommand = command{
	name:  "uci",
	short: "plays for other programs, by lines of text as of the Universal Chess Interface",
	long: `
It understands uci, isready, ucinewgame, quit, stop and

    setoption name NAME value VALUE      Rules, Hash (MiB), Threads, Level
    position startpos [moves M1 M2 ...]
    position pos TEXT [moves M1 M2 ...]
    go [movetime MS] [depth N] [nodes N] [infinite]`,
	setup: func(*flag.FlagSet) action {
		return func(ctx context.Context, s *streams, _ []string) error {
			return uci.Run(ctx, s.in, s.out)
		}
	},
}
