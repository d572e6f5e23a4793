package main

import (
	"context"
	"fmt"
	"math"
	"os"

	"github.com/lascabot/lascabot/ai/tune"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine"
)

// unseenEvery says which games only measure what has been learnt: every 20th.
const unseenEvery = 20

var tuneFitCommand = cli.Command{
	Name:  "tune fit",
	Args:  "-o FILE GAMES...",
	Short: "learns the evaluation from games",
	Long: `
GAMES are files that "lasca tune games" wrote. Every 20th game is kept out of the
training and only measures. The same games and flags give the same weights. An
interrupt keeps what has been learnt so far.`,
	Least: 1, Most: -1,
	Setup: func(flags *cli.Flags) cli.Action {
		epochs := numberFlag(flags, "epochs", 12, 1, 1000, "go through the games `N` times")
		batch := numberFlag(flags, "batch", 4096, 1, math.MaxInt32, "learn from `N` positions per step")
		rate := flags.Float64("rate", 0.002, "the `size` of the first step")
		share := flags.Float64("share", 0.3, "the `share` of the game's result in what is learnt; the rest is the search's score")
		linear := flags.Bool("linear", false, "learn only the terms, not the network")
		var only *engine.Rules
		flags.Func("rules", "learn only from games under one `ruleset`, and begin with its weights", func(text string) error {
			r, err := engine.ParseRules(text)
			only = &r
			return err
		})
		seed := seedFlag(flags, "a `number`; another one shuffles the positions differently")
		start := weightsFlag(flags, "start", "begin with the weights in `FILE`")
		name := outputFlag(flags, "the `FILE` of weights to write; - is standard output, and the rest then goes to standard error")
		return func(ctx context.Context, c *cli.Call) error {
			switch {
			case *name == "":
				return cli.Refuse("say where to write the weights: -o FILE")
			case !(*rate > 0 && *rate <= 1):
				return cli.Refuse("-rate %g is out of range: give more than 0 and at most 1", *rate)
			case !(*share > 0 && *share <= 1):
				return cli.Refuse("-share %g is out of range: give more than 0 and at most 1", *share)
			}
			from := start[engine.Kawu]
			if only != nil {
				from = start[*only]
			}
			say := progressTo(c, *name)
			var training, unseen tune.Samples
			games := 0
			for _, file := range c.Args {
				if err := readSamples(ctx, file, only, &games, &training, &unseen); err != nil {
					return err
				}
			}
			if unseen.Len() == 0 {
				return cli.Refuse("%d games are too few: every %dth is kept for measuring", games, unseenEvery)
			}
			fmt.Fprintf(say, "%d games, %d positions to learn from, %d to measure\n", games, training.Len(), unseen.Len())
			fmt.Fprintf(say, "loss before %.5f, the least possible %.5f\n", tune.Loss(from, &unseen, *share), unseen.Floor(*share))
			w, err := tune.Fit(ctx, &training, &unseen, tune.FitOptions{
				Start: from, Epochs: int(*epochs), Batch: int(*batch), Rate: *rate,
				ResultShare: *share, LinearOnly: *linear, Seed: *seed,
				Progress: func(e tune.Epoch) {
					fmt.Fprintf(say, "epoch %d training %.5f unseen %.5f\n", e.Number, e.Training, e.Unseen)
				},
			})
			if err != nil {
				return err
			}
			return writeFile(c.Out, *name, w.Encode())
		}
	},
}

// readSamples adds the positions of the games in a file to training and unseen,
// and the number of games to games. If only is not nil, it skips games under
// other rulesets.
func readSamples(ctx context.Context, name string, only *engine.Rules, games *int, training, unseen *tune.Samples) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	err = tune.ReadGames(f, func(g tune.Game) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if only != nil && g.Rules != *only {
			return nil
		}
		*games++
		if *games%unseenEvery == 0 {
			return unseen.Add(g)
		}
		return training.Add(g)
	})
	if err != nil && ctx.Err() == nil {
		return cli.Refuse("%s: %w", name, err)
	}
	return err
}
