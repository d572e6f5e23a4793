package main

import (
	"context"
	"flag"

	"github.com/lascabot/lascabot/render"
)

var galleryCommand = command{
	name:  "gallery",
	args:  "-o DIR",
	short: "draws every kind of picture in every theme, with a page to look at them",
	long: `
Open index.html in the folder afterwards. It takes a few seconds.`,
	setup: func(flags *flag.FlagSet) action {
		dir := outputFlag(flags, "the `folder` to write to, made when it does not exist")
		return func(ctx context.Context, _ *streams, _ []string) error {
			if *dir == "" {
				return refuse("say which folder to write to: -o DIR")
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
