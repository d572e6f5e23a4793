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

// versionText returns what the build recorded about itself: the version, which
// names the commit where there is no tag and tells of changes, and that of Go.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	return info.Main.Version + " " + info.GoVersion
}
