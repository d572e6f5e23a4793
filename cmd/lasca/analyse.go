package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
)

const (
	// analyseNodes is the limit per position if no flag sets one: a few seconds
	// for a game.
	analyseNodes = 50_000
	// lineShown is how many plies of a best line are printed.
	lineShown = 8
)

var analyseCommand = cli.Command{
	Name:  "analyse",
	Args:  "FILE",
	Short: "says what each move of a game was worth",
	Long: `
FILE holds one or more games; - is standard input. Games that cannot be read are
reported and left out; the exit status is then 2. For each ply it prints White's
chance to win after it, counting a draw as half; how much worse the move is than
the best one, in hundredths of the mover's chance; and the line that both sides
should have played instead. Proven results are given in plies.`,
	Least: 1, Most: 1,
	Setup: func(flags *cli.Flags) cli.Action {
		rules := rulesFlag(flags)
		how := strengthFlags(flags, "", "search each position")
		return func(ctx context.Context, c *cli.Call) error {
			text, err := readInput(c.Args[0], c.In)
			if err != nil {
				return err
			}
			games, faults, err := readGames(text, flags.Given("rules"), *rules)
			if err == nil && len(games) == 0 && len(faults) == 1 {
				err = faults[0].err
			}
			if err != nil {
				return cli.Refuse("%s: %w", c.Args[0], err)
			}
			for _, f := range faults {
				fmt.Fprintln(c.Err, cli.OneLine(fmt.Sprintf("lasca analyse: %s: game %d: %v", c.Args[0], f.number, f.err)))
			}
			h := how.or(strength{limits: ai.Limits{Nodes: analyseNodes}})
			searcher := ai.NewSearcher(searchBytes)
			for i, g := range games {
				if i > 0 {
					fmt.Fprintln(c.Out)
				}
				fmt.Fprintf(c.Out, "game %d: %s, %v, %v\n", g.number, players(g.Game), g.Start.Rules, g.Result)
				a := analysis{searcher: searcher, how: h, call: c}
				if err := a.game(ctx, g.Game); err != nil {
					return err
				}
			}
			if len(faults) > 0 {
				return cli.Refuse("%s: games left out: %d of %d", c.Args[0], len(faults), len(faults)+len(games))
			}
			return nil
		}
	},
}

// readInput reads a game file, or standard input for "-", up to one byte more
// than a game text may have.
func readInput(name string, stdin io.Reader) ([]byte, error) {
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		stdin = f
	}
	return io.ReadAll(io.LimitReader(stdin, notation.MaxGameText+1))
}

var rulesTag = regexp.MustCompile(`(?m)^\s*\[Rules\s`)

// numbered is a game with its number in the text, from 1.
type numbered struct {
	number int
	notation.Game
}

// leftOut is why a game of a text cannot be analysed.
type leftOut struct {
	number int
	err    error
}

// readGames reads the games of a text, and says which it leaves out. If force is set,
// these are also the games under other rules than the given ones; a first game without
// a Rules tag is then read under these rules. The error means that there is no game.
func readGames(text []byte, force bool, rules engine.Rules) (games []numbered, faults []leftOut, err error) {
	added := 0
	if force && !rulesTag.Match(text) {
		line := fmt.Sprintf("[Rules %q]\n", rules)
		text = append([]byte(line), bytes.TrimPrefix(text, []byte("\ufeff"))...)
		added = 1
	}
	good, err := notation.ReadGames(bytes.NewReader(text))
	broken := map[int]bool{}
	for _, err := range parts(err) {
		at := new(notation.GameError)
		if !errors.As(err, &at) {
			return nil, nil, err
		}
		at.Line -= added
		broken[at.Game] = true
		faults = append(faults, leftOut{at.Game, at})
	}
	if len(faults) == 0 && (len(good) == 0 || added > 0 && onlyTag(good)) {
		return nil, nil, notation.ErrNoGame
	}
	number := 0
	for _, g := range good {
		for number++; broken[number]; number++ {
		}
		if force && g.Start.Rules != rules {
			faults = append(faults, leftOut{number, fmt.Errorf("game %d is under %v, not %v; change its Rules tag, or put [Rules %q] before its moves",
				number, g.Start.Rules, rules, rules)})
			continue
		}
		games = append(games, numbered{number, g})
	}
	slices.SortFunc(faults, func(a, b leftOut) int { return a.number - b.number })
	return games, faults, nil
}

// parts returns the errors that an error joins.
func parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// onlyTag reports whether the tag that readGames added is all there is.
func onlyTag(games []notation.Game) bool {
	return len(games) == 1 && len(games[0].Tags) == 0 && len(games[0].Moves) == 0 &&
		games[0].Result == engine.Ongoing
}

func players(g notation.Game) string {
	name := func(tag, other string) string {
		if v := g.Tag(tag); v != "" {
			return cli.OneLine(v)
		}
		return other
	}
	return name("White", "White") + " - " + name("Black", "Black")
}

// analysis analyses one game.
type analysis struct {
	searcher *ai.Searcher
	how      strength
	call     *cli.Call
	seen     []uint64
	counts   map[engine.Key]int
}

// view is the search's opinion of a position, for the side to move.
type view struct {
	score ai.Score
	line  []engine.Move
}

func (a *analysis) game(ctx context.Context, g notation.Game) error {
	p, err := g.Start.Position()
	if err != nil {
		return cli.Refuse("%w", err)
	}
	a.searcher.Forget()
	a.counts = map[engine.Key]int{p.Key(): 1}
	before, err := a.look(ctx, p)
	if err != nil {
		return err
	}
	for _, m := range g.Moves {
		if err := a.call.WriteError(); err != nil {
			return err
		}
		after := p
		after.MakeUnchecked(m)
		a.seen = append(a.seen, p.Hash())
		a.counts[after.Key()]++
		next, err := a.look(ctx, after)
		if err != nil {
			return err
		}
		a.print(p, m, before, next)
		p, before = after, next
	}
	return nil
}

// look evaluates a position, by the rules if they have ended the game.
func (a *analysis) look(ctx context.Context, p engine.Position) (view, error) {
	if err := ctx.Err(); err != nil {
		return view{}, err
	}
	switch {
	case !p.HasMoves():
		return view{score: ai.LossIn(0)}, nil
	case a.counts[p.Key()] >= engine.RepetitionLimit, p.Quiet() >= engine.QuietLimit:
		return view{}, nil // a draw; if the game went on, the next position is searched again
	}
	r, err := a.searcher.Search(ctx, ai.Task{Position: p, Seen: a.seen, Level: a.how.level, Limits: a.how.limits})
	if err != nil {
		return view{}, err
	}
	if err := ctx.Err(); err != nil {
		return view{}, err // the search was cut short and is worth little
	}
	return view{r.Score, r.PV}, nil
}

func (a *analysis) print(p engine.Position, m engine.Move, before, after view) {
	number := fmt.Sprintf("%d.", p.Number())
	if p.Turn() == engine.Black {
		number = fmt.Sprintf("%d...", p.Number())
	}
	best, got := before.score.WinChance(), 1-after.score.WinChance()
	lost := ""
	line := before.line
	switch {
	case len(line) == 0, line[0] == m:
		line = nil // it was the best
	case best-got >= 0.005:
		lost = fmt.Sprintf("-%.0f", 100*(best-got))
	}
	if len(line) > lineShown {
		line = line[:lineShown]
	}
	var moves []string
	for _, m := range line {
		moves = append(moves, m.String())
	}
	text := fmt.Sprintf("%6s %-11s %s %4s  %s", number, m, whiteChance(p.Turn(), after), lost, strings.Join(moves, " "))
	fmt.Fprintln(a.call.Out, strings.TrimRight(text, " "))
}

// whiteChance says in ten characters how good a position is for White, after the
// given side has moved.
func whiteChance(moved engine.Color, after view) string {
	text := func() string {
		if n, ok := after.score.Loss(); ok {
			return wins(moved, n)
		}
		if n, ok := after.score.Win(); ok {
			return wins(moved.Other(), n)
		}
		chance := after.score.WinChance()
		if moved == engine.White {
			chance = 1 - chance
		}
		return fmt.Sprintf("%3.0f %%", 100*chance)
	}()
	return fmt.Sprintf("%-10s", text)
}

func wins(c engine.Color, plies int) string {
	if plies == 0 {
		return fmt.Sprintf("%c has won", letter(c))
	}
	return fmt.Sprintf("%c wins %d", letter(c), plies)
}

func letter(c engine.Color) byte {
	if c == engine.White {
		return 'W'
	}
	return 'B'
}
