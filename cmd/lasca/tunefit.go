package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"

	"github.com/lascabot/lascabot/ai/tune"
	"github.com/lascabot/lascabot/engine"
)

// unseenEvery says which games only measure what has been learnt: every 20th.
const unseenEvery = 20

var tuneFitCommand = command{
	name:  "tune fit",
	args:  "-o FILE GAMES...",
	short: "learns the evaluation from games",
	long: `
GAMES are files that "lasca tune games" wrote. Every 20th game is not learnt
from and only measures. Same games and flags, same weights. An interrupt keeps
what has been learnt so far.`,
	least: 1, most: -1,
	setup: func(flags *flag.FlagSet) action {
		epochs := numberFlag(flags, "epochs", 12, 1, 1000, "go through the games `N` times")
		batch := numberFlag(flags, "batch", 4096, 1, math.MaxInt32, "learn from `N` positions a step")
		rate := flags.Float64("rate", 0.002, "the `size` of the first step")
		share := flags.Float64("share", 0.3, "the `share` of the game's result in what is learnt, the rest is what the search thought")
		linear := flags.Bool("linear", false, "learn the terms only, without the network")
		var only *engine.Rules
		flags.Func("rules", "learn from games under one `ruleset` only, and begin with its weights", func(text string) error {
			r, err := engine.ParseRules(text)
			only = &r
			return err
		})
		seed := seedFlag(flags, "shuffles the positions in another way: a `number`")
		start := weightsFlag(flags, "start", "begin with the weights in `FILE`")
		name := outputFlag(flags, "the `FILE` of weights to write")
		return func(ctx context.Context, s *streams, files []string) error {
			switch {
			case *name == "":
				return refuse("say where to write the weights: -o FILE")
			case !(*rate > 0 && *rate <= 1):
				return refuse("-rate %g is not more than 0 and at most 1", *rate)
			case !(*share > 0 && *share <= 1):
				return refuse("-share %g is not more than 0 and at most 1", *share)
			}
			set, err := start()
			if err != nil {
				return err
			}
			from := set[engine.Kawu]
			if only != nil {
				from = set[*only]
			}
			var training, unseen tune.Samples
			games := 0
			for _, file := range files {
				if err := readSamples(ctx, file, only, &games, &training, &unseen); err != nil {
					return err
				}
			}
			if unseen.Len() == 0 {
				return refuse("%d games are too few: every %dth is kept to measure", games, unseenEvery)
			}
			fmt.Fprintf(s.out, "%d games, %d positions to learn from, %d to measure\n", games, training.Len(), unseen.Len())
			fmt.Fprintf(s.out, "loss before %.5f, the least possible %.5f\n", tune.Loss(from, &unseen, *share), unseen.Floor(*share))
			w, err := tune.Fit(ctx, &training, &unseen, tune.FitOptions{
				Start: from, Epochs: int(*epochs), Batch: int(*batch), Rate: *rate,
				ResultShare: *share, LinearOnly: *linear, Seed: *seed,
				Progress: func(e tune.Epoch) {
					fmt.Fprintf(s.out, "epoch %d training %.5f unseen %.5f\n", e.Number, e.Training, e.Unseen)
				},
			})
			if err != nil {
				return err
			}
			return writeFile(*name, w.Encode())
		}
	},
}

// readSamples takes the positions of the games in a file, of those under one
// ruleset if only is not nil. games counts them.
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
		return refuse("%s: %w", name, err)
	}
	return err
}
