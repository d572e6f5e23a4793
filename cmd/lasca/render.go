package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/render"
)

var renderCommand = cli.Command{
	Name:  "render",
	Args:  "-o FILE.png",
	Short: "draws a position into a PNG file",
	Long: `
-last marks the move that led to the position. If it can be played in the
position, it is played first.`,
	Setup: func(flags *cli.Flags) cli.Action {
		start := positionFlags(flags)
		flip := flags.Bool("flip", false, "put Black at the bottom")
		last := flags.String("last", "", "mark `MOVE` as the last one")
		size := numberFlag(flags, "size", render.DefaultEdge, render.MinEdge, render.MaxEdge,
			fmt.Sprintf("the width in `pixels`, %d to %d", render.MinEdge, render.MaxEdge))
		var theme render.Theme
		flags.TextVar(&theme, "theme", render.Wood, "the `colours`: wood, dark or contrast")
		name := outputFlag(flags, "the `FILE` to write; - is standard output")
		return func(ctx context.Context, c *cli.Call) error {
			p := *start
			if *name == "" {
				return cli.Refuse("say where to write the picture: -o FILE.png")
			}
			scene := render.Scene{Edge: int(*size), Theme: theme}
			if *flip {
				scene.Bottom = engine.Black
			}
			if flags.Given("last") {
				var err error
				if p, scene.Last, err = withLast(p, *last); err != nil {
					return cli.Refuse("-last %s: %w%s", cli.Quote(*last), err, underOtherRules(start, nil, *last))
				}
			}
			scene.Board = p.Setup()
			scene.Result, _ = engine.NewGame(p).Result()
			png, err := render.New(render.Options{CacheBytes: -1}).PNG(ctx, scene)
			if err != nil {
				return err
			}
			return writeFile(c.Out, *name, png)
		}
	},
}

// progressTo returns where a command tells how far it is: standard output, or standard
// error if -o sends the result itself to standard output.
func progressTo(c *cli.Call, name string) io.Writer {
	if toOutput(name) {
		return c.Err
	}
	return c.Out
}

// outputFlag declares -o.
func outputFlag(flags *cli.Flags, usage string) *string {
	return flags.String("o", "", usage)
}

// withLast returns the position after the move that a text describes, and the
// move. p is the position before or after it.
func withLast(p engine.Position, text string) (engine.Position, engine.Move, error) {
	m, err := notation.FindMove(&p, text)
	if err == nil {
		p.MakeUnchecked(m)
		return p, m, nil
	}
	var no *notation.MoveError
	if !errors.As(err, &no) || len(no.Named) == 0 {
		return p, 0, err
	}
	// Whatever the refusal, it lists the squares that the text names.
	m, pathErr := engine.NewMove(no.Named...)
	if pathErr != nil {
		return p, 0, fmt.Errorf("it is not the whole path of a move that led to the position, and cannot be played in it either: %w", err)
	}
	top, occupied := p.Stack(m.To()).Top()
	if !occupied || top.Color() == p.Turn() || m.From() != m.To() && p.Stack(m.From()) != 0 {
		return p, 0, fmt.Errorf("it cannot have led to the position, and cannot be played in it either: %w", err)
	}
	return p, m, nil
}
