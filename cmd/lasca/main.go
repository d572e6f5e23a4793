package main

import "github.com/lascabot/lascabot/config/cli"

func main() { program.Main() }

var program = cli.Program{
	Name:  "lasca",
	About: "lasca knows the rules of Lasca, plays it, and draws it.",
	Notes: `
Exit status: 0 done, 1 failed or interrupted, 2 something is wrong with what you
asked.`,
	Commands: []cli.Command{
		movesCommand, applyCommand, perftCommand, bestCommand, analyseCommand,
		renderCommand, galleryCommand, uciCommand, matchCommand,
		tuneGamesCommand, tuneFitCommand, openingsCommand, benchCommand, signatureCommand,
	},
}
