package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// command is one of the program's commands.
type command struct {
	name  string // one word, or two for a command of a group
	args  string // the arguments as help shows them
	short string // what it does, in half a line
	long  string // what there is to know besides the flags
	// Arguments that it takes; most is negative for any number.
	least, most int
	// setup declares the flags and returns what runs once they are read.
	setup func(flags *flag.FlagSet) action
}

// action runs a command with its arguments.
type action func(ctx context.Context, s *streams, args []string) error

// commands returns all commands in the order in which help lists them.
func commands() []command {
	return []command{
		movesCommand, applyCommand, perftCommand, bestCommand, analyseCommand,
		renderCommand, galleryCommand, uciCommand, matchCommand,
		tuneGamesCommand, tuneFitCommand, benchCommand, signatureCommand,
		versionCommand, helpCommand(),
	}
}

// findCommand finds the command that words begin with and returns the rest of
// the words.
func findCommand(words []string) (command, []string, error) {
	if len(words) == 0 {
		return command{}, nil, refuse(`no command given; "lasca help" lists the commands`)
	}
	var group []string
	for _, c := range commands() {
		name := strings.Fields(c.name)
		if len(words) >= len(name) && slices.Equal(words[:len(name)], name) {
			return c, words[len(name):], nil
		}
		if len(name) > 1 && name[0] == words[0] {
			group = append(group, name[1])
		}
	}
	if len(group) > 0 {
		return command{}, nil, refuse("say which: lasca %s %s", words[0], strings.Join(group, "|"))
	}
	return command{}, nil, refuse(`no command %q; "lasca help" lists the commands`, clip(words[0]))
}

// dispatch runs the command that args name. It returns the name to begin an
// error message with.
func dispatch(ctx context.Context, args []string, s *streams) (name string, err error) {
	if len(args) > 0 && slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		args = []string{"help"}
	}
	c, args, err := findCommand(args)
	if err != nil {
		return "lasca", err
	}
	name = "lasca " + c.name
	flags := c.flagSet()
	do := c.setup(flags)
	rest, err := parse(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		return name, c.help(s.out)
	}
	if err != nil {
		return name, refuse("%s", withoutLong(err.Error(), args))
	}
	switch {
	case len(rest) < c.least:
		return name, refuse("%s is missing; usage: %s", c.args, c.usage())
	case c.most >= 0 && len(rest) > c.most:
		return name, refuse("argument %q is one too many; usage: %s", clip(rest[c.most]), c.usage())
	}
	return name, do(ctx, s, rest)
}

func (c command) flagSet() *flag.FlagSet {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	return flags
}

// parse reads flags wherever they stand and returns the arguments. After "--"
// there are only arguments.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		read := len(args) - flags.NArg()
		ended := read > 0 && args[read-1] == "--"
		args = args[read:]
		if ended || len(args) == 0 {
			return append(rest, args...), nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

// withoutLong shortens the names and values of flags that a text has in full.
func withoutLong(text string, args []string) string {
	for _, arg := range args {
		if len(arg) <= maxClip {
			continue
		}
		if name := strings.TrimLeft(arg, "-"); name != arg {
			text = strings.ReplaceAll(text, name, clip(name))
		}
		if flag, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(flag, "-") {
			arg = value
		}
		text = strings.ReplaceAll(text, strconv.Quote(arg), strconv.Quote(clip(arg)))
	}
	return text
}

// usage returns the command as it is written.
func (c command) usage() string {
	text := "lasca " + c.name
	flags := c.flagSet()
	c.setup(flags)
	if hasFlags(flags) {
		text += " [flags]"
	}
	if c.args != "" {
		text += " " + c.args
	}
	return text
}

// help prints what there is to know about the command.
func (c command) help(w io.Writer) error {
	fmt.Fprintf(w, "usage: %s\n\nlasca %s %s.\n", c.usage(), c.name, c.short)
	if c.long != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(c.long))
	}
	flags := c.flagSet()
	c.setup(flags)
	if hasFlags(flags) {
		fmt.Fprintln(w, "\nflags:")
		flags.SetOutput(w)
		flags.PrintDefaults()
	}
	return nil
}

func hasFlags(flags *flag.FlagSet) (has bool) {
	flags.VisitAll(func(*flag.Flag) { has = true })
	return has
}

const maxClip = 60 // bytes

// clip shortens a text before it is put into an error.
func clip(text string) string {
	if len(text) <= maxClip {
		return text
	}
	return strings.ToValidUTF8(text[:maxClip], "") + "…"
}
