package main

import (
	"context"
	"flag"
	"fmt"
	"runtime/debug"
)

var versionCommand = command{
	name:  "version",
	short: "says which version this is",
	setup: func(*flag.FlagSet) action {
		return func(_ context.Context, s *streams, _ []string) error {
			fmt.Fprintln(s.out, "lasca", versionText())
			return nil
		}
	},
}

// versionText returns what the build recorded about itself.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			text += " " + s.Value
		case "vcs.modified":
			if s.Value == "true" {
				text += " (changed)"
			}
		}
	}
	return text + " " + info.GoVersion
}
