package main

import (
	"context"
	"flag"
	"fmt"
)

// helpCommand is a function since help lists itself.
func helpCommand() command {
	return command{
		name:  "help",
		args:  "[COMMAND]",
		short: "lists the commands, or explains one",
		most:  2,
		setup: func(*flag.FlagSet) action {
			return func(_ context.Context, s *streams, args []string) error {
				if len(args) > 0 {
					c, rest, err := findCommand(args)
					if err != nil {
						return err
					}
					if len(rest) > 0 {
						return refuse("argument %q is one too many", clip(rest[0]))
					}
					return c.help(s.out)
				}
				fmt.Fprint(s.out, "lasca knows the rules of Lasca, plays it, and draws it.\n\nusage: lasca COMMAND [flags] [arguments]\n\n")
				for _, c := range commands() {
					fmt.Fprintf(s.out, "  %-11s %s\n", c.name, c.short)
				}
				fmt.Fprint(s.out, `
"lasca help COMMAND" lists a command's flags, which may stand before and after
its arguments.

Exit status: 0 done, 1 failed or interrupted, 2 something is wrong with what was
asked.
`)
				return nil
			}
		},
	}
}
