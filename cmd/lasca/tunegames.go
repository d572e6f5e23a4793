package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"

	"github.com/lascabot/lascabot/ai/tune"
	"github.com/lascabot/lascabot/engine"
)

var tuneGamesCommand = command{
	name:  "tune games",
	args:  "-o FILE",
	short: "plays games against itself to learn from",
	long: `
Each game depends on -seed and its number only: -first continues a run in another
file. An interrupt keeps the games that are finished.`,
	setup: func(flags *flag.FlagSet) action {
		games := numberFlag(flags, "games", 1000, 1, math.MaxInt32, "play `N` games")
		first := numberFlag(flags, "first", 0, 0, math.MaxInt32, "begin with game number `N`")
		var rules []engine.Rules
		flags.Func("rules", "a `ruleset`, may be given again; games take them in turn (default all)", func(text string) error {
			r, err := engine.ParseRules(text)
			rules = append(rules, r)
			return err
		})
		nodes := numberFlag(flags, "nodes", 2000, 1, math.MaxInt64, "look at `N` positions for a move")
		opening := numberFlag(flags, "opening", 8, 1, 40, "begin with `N` random plies")
		random := numberFlag(flags, "random", 0, 0, 1000, "draw `N` of 1000 later moves")
		branch := numberFlag(flags, "branch", 0, 0, 1000, "give `N` of 1000 positions a branch: a few moves off the game, as a search meets them")
		seed := seedFlag(flags, "makes other games: a `number`")
		weights := weightsFlag(flags, "weights", "play with the weights in `FILE`")
		name := outputFlag(flags, "the `FILE` to write, a game a line")
		return func(ctx context.Context, s *streams, _ []string) error {
			if *name == "" {
				return refuse("say where to write the games: -o FILE")
			}
			w, err := weights()
			if err != nil {
				return err
			}
			f, err := replace(*name)
			if err != nil {
				return err
			}
			played := 0
			err = tune.Generate(ctx, f, tune.GenerateOptions{
				Games: int(*games), First: int(*first), Rules: rules, Nodes: *nodes,
				Opening: int(*opening), Random: int(*random), Branch: int(*branch), Seed: *seed, Weights: w,
				Progress: func(n int) {
					if played = n; n%1000 == 0 {
						fmt.Fprintln(s.out, n, "games")
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
			fmt.Fprintf(s.out, "%d games, numbers %d to %d, in %s\n", played, *first, int(*first)+played-1, *name)
			return err
		}
	},
}
