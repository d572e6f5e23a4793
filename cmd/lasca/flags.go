package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"time"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/ai/eval"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
)

// rulesFlag declares -rules.
func rulesFlag(flags *flag.FlagSet) *engine.Rules {
	rules := new(engine.Rules)
	flags.TextVar(rules, "rules", engine.Kawu, "the `ruleset`: kawu, mindsports or lasker")
	return rules
}

// positionFlags declares -rules and -position. The function that it returns
// gives the position once the flags are read.
func positionFlags(flags *flag.FlagSet) func() (engine.Position, error) {
	rules := rulesFlag(flags)
	text := flags.String("position", "", "the position as `text`, ranks 7 to 1 (default the start of a game)")
	return func() (engine.Position, error) {
		if !given(flags, "position") {
			return engine.Start(*rules), nil
		}
		setup, err := notation.ParsePosition(*text, *rules)
		if err != nil {
			return engine.Position{}, refuse("-position: %w", err)
		}
		p, err := setup.Position()
		if err != nil {
			return engine.Position{}, refuse("-position: %w", err)
		}
		return p, nil
	}
}

// given reports whether a flag was on the command line.
func given(flags *flag.FlagSet, name string) (is bool) {
	flags.Visit(func(f *flag.Flag) { is = is || f.Name == name })
	return is
}

// numberFlag declares a flag for a whole number from least to most.
func numberFlag(flags *flag.FlagSet, name string, value, least, most int64, usage string) *int64 {
	n := value
	if value != 0 {
		usage += fmt.Sprintf(" (default %d)", value)
	}
	flags.Func(name, usage, func(text string) (err error) {
		n, err = parseNumber(text, least, most)
		return err
	})
	return &n
}

func parseNumber(text string, least, most int64) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err == nil && n >= least && n <= most:
		return n, nil
	case most == math.MaxInt64:
		return 0, fmt.Errorf("write a whole number, %d or more", least)
	}
	return 0, fmt.Errorf("write a whole number, %d to %d", least, most)
}

const (
	maxDepth = 100 // plies; the search does not get there
	maxTime  = 24 * time.Hour
)

// strength is how well to play: a level or one of the limits.
type strength struct {
	level  ai.Level
	limits ai.Limits
	flag   string // the flag that said so, "" when none did
}

// strengthFlags declares -level, -nodes, -depth and -time, of which one may be
// given, with a prefix to the names.
func strengthFlags(flags *flag.FlagSet, prefix, usage string) *strength {
	s := new(strength)
	one := func(name, usage string, set func(text string) error) {
		name = prefix + name
		flags.Func(name, usage, func(text string) error {
			if s.flag != "" && s.flag != name {
				return fmt.Errorf("give one limit, there is -%s already", s.flag)
			}
			s.flag = name
			return set(text)
		})
	}
	levels := ai.Levels()
	one("level", fmt.Sprintf("%s at level `N`, %d to %d", usage, levels[0], levels[len(levels)-1]), func(text string) error {
		n, err := parseNumber(text, int64(levels[0]), int64(levels[len(levels)-1]))
		s.level = ai.Level(n)
		return err
	})
	one("nodes", usage+" by looking at `N` positions", func(text string) (err error) {
		s.limits.Nodes, err = parseNumber(text, 1, math.MaxInt64)
		return err
	})
	one("depth", usage+" by looking `N` plies ahead", func(text string) error {
		n, err := parseNumber(text, 1, maxDepth)
		s.limits.Depth = int(n)
		return err
	})
	one("time", usage+" for a `duration` such as 500ms or 2s", func(text string) (err error) {
		s.limits.Time, err = time.ParseDuration(text)
		if err != nil || s.limits.Time <= 0 || s.limits.Time > maxTime {
			return errors.New("write a time such as 500ms or 2s, at most 24h")
		}
		return nil
	})
	return s
}

// or returns the strength, or another one when no flag gave it.
func (s *strength) or(other strength) strength {
	if s.flag == "" {
		return other
	}
	return *s
}

// String returns the strength in few words.
func (s strength) String() string {
	switch {
	case s.level != 0:
		return fmt.Sprintf("level %d", s.level)
	case s.limits.Nodes != 0:
		return fmt.Sprintf("%d nodes", s.limits.Nodes)
	case s.limits.Depth != 0:
		return fmt.Sprintf("depth %d", s.limits.Depth)
	}
	return s.limits.Time.String()
}

// seedFlag declares -seed.
func seedFlag(flags *flag.FlagSet, usage string) *uint64 {
	seed := new(uint64)
	flags.Func("seed", usage, func(text string) (err error) {
		if *seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return errors.New("write a whole number, 0 or more")
		}
		return nil
	})
	return seed
}

// weightsFlag declares a flag for a file of weights. The function that it
// returns reads it once the flags are read, for all rulesets.
func weightsFlag(flags *flag.FlagSet, name, usage string) func() (eval.Set, error) {
	file := flags.String(name, "", usage+" (default the program's own)")
	return func() (eval.Set, error) {
		if *file == "" {
			return eval.Default(), nil
		}
		data, err := os.ReadFile(*file)
		if err != nil {
			return eval.Set{}, fmt.Errorf("-%s: %w", name, err)
		}
		w, err := eval.Decode(data)
		if err != nil {
			return eval.Set{}, refuse("-%s: %s: %w", name, *file, err)
		}
		return eval.Everywhere(w), nil
	}
}
