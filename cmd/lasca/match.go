package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/ai/arena"
	"github.com/lascabot/lascabot/ai/eval"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine"
)

const (
	chanceOpponent = "random" // the -opponent that plays random moves
	greetingTime   = 10 * time.Second
	foreignTime    = 100 * time.Millisecond
)

var matchCommand = cli.Command{
	Name:  "match",
	Short: "plays a match between two players",
	Long: `
The first player is this program. So is the second, unless -opponent names
another program that speaks the protocol of "lasca uci", or "random", which plays
random moves. Unless it has flags of its own, the opponent plays with the first
player's limit. By default that is 100 ms per move against another program, and
otherwise the limit of the strongest level. Openings are random moves that a
search finds about even; each is played twice, with colours swapped. With -plies 0
there are none, and the players' own openings are part of what is measured: levels
vary them, while players without a level repeat one game.

A program that ends, is silent for a minute and longer than a thousand positions a
second take, or plays an illegal move has lost the game; for the next one it is
started again.

After every pair of games a line gives the result so far. With -elo0 and -elo1
the match ends as soon as a sequential test on pairs has decided between the two
differences, with an error probability of 0.05 each way.

    lasca match -games 400 -time 100ms -opponent ./other
    lasca match -games 200 -level 3 -opponent-level 2`,
	Setup: func(flags *cli.Flags) cli.Action {
		var m matchSettings
		m.rules = rulesFlag(flags)
		m.games = numberFlag(flags, "games", 100, 2, 1_000_000, "play `N` games, rounded up to whole pairs")
		m.how = strengthFlags(flags, "", "play")
		m.weights = weightsFlag(flags, "weights", "play with the weights in `FILE`")
		flags.StringVar(&m.opponent, "opponent", "", "play against a `program`: a command and its arguments, separated by spaces")
		m.other = strengthFlags(flags, "opponent-", "the opponent plays")
		m.otherWeights = weightsFlag(flags, "opponent-weights", "the opponent plays with the weights in `FILE`")
		flags.Func("option", "send `NAME=VALUE` to the program; may be repeated", func(text string) error {
			if name, _, ok := strings.Cut(text, "="); !ok || name == "" {
				return errors.New("write NAME=VALUE")
			}
			m.options = append(m.options, text)
			return nil
		})
		m.plies = numberFlag(flags, "plies", 8, 0, 40, "openings of `N` plies; with 0 every game begins at the start")
		m.seed = seedFlag(flags, "a `number` that selects the openings and varies the play of levels")
		flags.BoolVar(&m.proven, "proven", false, "end a game when the player to move announces a proven result")
		m.agreed = numberFlag(flags, "agreed", 0, 0, 20_000,
			"end a game when both players have seen the same side `N` points ahead for four moves each; 0 is never")
		flags.Float64Var(&m.test.Elo0, "elo0", 0, "the difference in `Elo` if the change is not worth it")
		flags.Float64Var(&m.test.Elo1, "elo1", 0, "the difference in `Elo` if the change is worth it")
		m.output = outputFlag(flags, "also write the result and the games to `FILE`, as JSON; with - to standard output, and the lines to standard error")
		return func(ctx context.Context, c *cli.Call) error {
			m.tested = flags.Given("elo0") || flags.Given("elo1")
			return m.play(ctx, c)
		}
	},
}

// matchSettings are the flags of match.
type matchSettings struct {
	rules                 *engine.Rules
	games, plies, agreed  *int64
	how, other            *strength
	weights, otherWeights *eval.Set
	opponent              string
	options               []string
	seed                  *uint64
	proven, tested        bool
	test                  arena.SPRT
	output                *string
}

func (m *matchSettings) play(ctx context.Context, c *cli.Call) (err error) {
	if m.tested && m.test.Elo0 >= m.test.Elo1 {
		return cli.Refuse("-elo0 %g must be less than -elo1 %g", m.test.Elo0, m.test.Elo1)
	}
	out := progressTo(c, *m.output)
	var file *replacement
	if *m.output != "" { // before hours of games are played in vain
		if file, err = replaceOr(c.Out, *m.output); err != nil {
			return err
		}
		defer func() {
			if file != nil {
				file.drop()
			}
		}()
	}
	how := m.how.or(strongest())
	if m.how.flag == "" && m.foreign() {
		how = strength{limits: ai.Limits{Time: foreignTime}}
	}
	first := machine("lasca", how, *m.weights)
	defer first.Close()
	second, err := m.second(ctx, m.other.or(how))
	if err != nil {
		return err
	}
	defer second.Close() // a program that has to be killed does not spoil the result

	openings, err := m.openings(ctx)
	if err != nil {
		return err
	}
	o := arena.Options{Openings: openings, Proven: m.proven, Agreed: int(*m.agreed), Seed: *m.seed}
	if m.tested {
		o.Test = &m.test
	}
	o.Progress = func(r arena.Result, g arena.GameResult) {
		if g.Failure != "" {
			fmt.Fprintln(c.Err, cli.OneLine(fmt.Sprintf("lasca match: game %d is lost for a failure: %s", g.Number, g.Failure)))
		}
		if g.Number%2 == 0 && g.Number < 2*len(openings) {
			fmt.Fprintf(out, "%d games, %v\n", g.Number, &r)
		}
	}
	result, err := arena.Play(ctx, first, second, o)
	fmt.Fprintf(out, "result of %d games, %v\n", len(result.Games), &result)
	if file != nil {
		data, jsonErr := json.MarshalIndent(result, "", "\t")
		if jsonErr == nil {
			_, jsonErr = file.Write(append(data, '\n'))
		}
		if jsonErr == nil {
			jsonErr = file.keep()
			file = nil
		}
		err = errors.Join(err, jsonErr)
	}
	return err
}

// openings returns an opening for each pair of games.
func (m *matchSettings) openings(ctx context.Context) ([]*engine.Game, error) {
	count := int(*m.games+1) / 2
	if *m.plies == 0 {
		return arena.Starts(*m.rules, count), nil
	}
	return arena.Openings(ctx, arena.OpeningOptions{Rules: *m.rules, Count: count, Plies: int(*m.plies), Seed: *m.seed})
}

// foreign reports whether the opponent is another program.
func (m *matchSettings) foreign() bool {
	return m.opponent != "" && m.opponent != chanceOpponent
}

// second starts the opponent.
func (m *matchSettings) second(ctx context.Context, how strength) (arena.Player, error) {
	if m.foreign() {
		if how.level != 0 {
			return nil, cli.Refuse("another program does not have this program's levels; " +
				"limit it with -opponent-time, -opponent-nodes or -opponent-depth")
		}
		ctx, cancel := context.WithTimeout(ctx, greetingTime)
		defer cancel()
		return arena.StartProgram(ctx, strings.Fields(m.opponent), how.limits, m.options...)
	}
	if len(m.options) > 0 {
		return nil, cli.Refuse("-option is for another program; name it with -opponent")
	}
	if m.opponent == chanceOpponent {
		return new(arena.Chance), nil
	}
	return machine("opponent", how, *m.otherWeights), nil
}

// machine returns a player of this program.
func machine(name string, how strength, weights eval.Set) arena.Player {
	return arena.NewMachine(name+" "+how.String(), ai.NewSearcherWith(searchBytes, weights), how.level, how.limits)
}
