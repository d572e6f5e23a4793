package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/lascabot/lascabot/ai/tune"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine"
)

var tuneGamesCommand = cli.Command{
	Name:  "tune games",
	Args:  "-o FILE",
	Short: "plays games to learn from",
	Long: `
The program plays against itself. Each game depends only on -seed and on its
number, so -first can continue a run in another file. An interrupt keeps the
finished games.`,
	Setup: func(flags *cli.Flags) cli.Action {
		games := numberFlag(flags, "games", 1000, 1, math.MaxInt32, "play `N` games")
		first := numberFlag(flags, "first", 0, 0, math.MaxInt32, "begin with game number `N`")
		var rules []engine.Rules
		flags.Func("rules", "a `ruleset`; if repeated, games take them in turn (default all)", func(text string) error {
			r, err := engine.ParseRules(text)
			rules = append(rules, r)
			return err
		})
		nodes := numberFlag(flags, "nodes", 2000, 1, math.MaxInt64, "search `N` positions per move")
		opening := numberFlag(flags, "opening", 8, 1, 40, "begin with `N` random plies")
		random := numberFlag(flags, "random", 0, 0, 1000, "play `N` of 1000 later moves at random")
		branch := numberFlag(flags, "branch", 0, 0, 1000, "give `N` of 1000 positions a branch: a few moves off the game, such as a search meets")
		seed := seedFlag(flags, "a `number`; another one makes other games")
		weights := weightsFlag(flags, "weights", "play with the weights in `FILE`")
		name := outputFlag(flags, "the `FILE` to write, one game per line; - is standard output, and the rest then goes to standard error")
		return func(ctx context.Context, c *cli.Call) error {
			if *name == "" {
				return cli.Refuse("say where to write the games: -o FILE")
			}
			f, err := replaceOr(c.Out, *name)
			if err != nil {
				return err
			}
			say := progressTo(c, *name)
			played := 0
			err = tune.Generate(ctx, f, tune.GenerateOptions{
				Games: int(*games), First: int(*first), Rules: rules, Nodes: *nodes,
				Opening: int(*opening), Random: int(*random), Branch: int(*branch), Seed: *seed, Weights: *weights,
				Progress: func(n int) {
					if played = n; n%1000 == 0 {
						fmt.Fprintln(say, n, "games")
					}
				},
			})
			if err != nil && (!errors.Is(err, context.Canceled) || played == 0) {
				f.drop()
				return err
			}
			if keepErr := f.keep(); keepErr != nil {
				return errors.Join(err, keepErr)
			}
			fmt.Fprintf(say, "%d games, numbers %d to %d, in %s\n", played, *first, int(*first)+played-1, *name)
			return err
		}
	},
}
