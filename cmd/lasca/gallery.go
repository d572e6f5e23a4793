package main

import (
	"context"

	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/render"
)

var galleryCommand = cli.Command{
	Name:  "gallery",
	Args:  "-o DIR",
	Short: "draws every kind of picture in every theme, with an index page",
	Long: `
It takes a few seconds. Then open index.html in the folder.`,
	Setup: func(flags *cli.Flags) cli.Action {
		dir := outputFlag(flags, "the `folder` to write to; it is created if it does not exist")
		return func(ctx context.Context, _ *cli.Call) error {
			if *dir == "" {
				return cli.Refuse("say which folder to write to: -o DIR")
			}
			if toOutput(*dir) {
				return cli.Refuse("-o -: a gallery is a folder of files; name the folder")
			}
			done := make(chan error, 1)
			go func() { done <- render.Gallery(*dir) }()
			select {
			case err := <-done:
				return err
			case <-ctx.Done(): // the process is about to end, and the drawing with it
				return ctx.Err()
			}
		}
	},
}
