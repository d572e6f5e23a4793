package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/ai/eval"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
)

// rulesFlag declares -rules.
func rulesFlag(flags *cli.Flags) *engine.Rules {
	rules := new(engine.Rules)
	flags.TextVar(rules, "rules", engine.Kawu, "the `ruleset`: kawu, mindsports or lasker")
	return rules
}

// maxPositionInput is how many bytes are read of a position on standard input. It is
// more than any position has.
const maxPositionInput = 64 << 10

// positionFlags declares -rules and -position. The position is there when the
// command runs.
func positionFlags(flags *cli.Flags) *engine.Position {
	rules := rulesFlag(flags)
	text := flags.String("position", "", "the position as `text`, ranks 7 to 1; - reads it from standard input (default the start of a game)")
	p := new(engine.Position)
	flags.Check(func() error {
		if !flags.Given("position") {
			*p = engine.Start(*rules)
			return nil
		}
		if *text == "-" {
			data, err := io.ReadAll(io.LimitReader(flags.In, maxPositionInput))
			if err != nil {
				return fmt.Errorf("-position: %w", err)
			}
			*text = strings.TrimSpace(string(data))
		}
		setup, err := notation.ParsePosition(*text, *rules)
		if err == nil {
			*p, err = setup.Position()
		}
		if err != nil {
			return cli.Refuse("-position: %w", err)
		}
		return nil
	})
	return p
}

// numberFlag declares a flag for a whole number from least to most.
func numberFlag(flags *cli.Flags, name string, value, least, most int64, usage string) *int64 {
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
	maxDepth = 100 // plies; no search gets there
	maxTime  = 24 * time.Hour
)

// strength is how well to play: a level or one limit.
type strength struct {
	level  ai.Level
	limits ai.Limits
	flag   string // the flag that set it, "" if none did
}

// strengthFlags declares -level, -nodes, -depth and -time with a prefix to their
// names. Only one of them may be given.
func strengthFlags(flags *cli.Flags, prefix, usage string) *strength {
	s := new(strength)
	one := func(name, usage string, set func(text string) error) {
		name = prefix + name
		flags.Func(name, usage, func(text string) error {
			if s.flag != "" && s.flag != name {
				return fmt.Errorf("give one limit; there is already -%s", s.flag)
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
	one("nodes", usage+" by searching `N` positions", func(text string) (err error) {
		s.limits.Nodes, err = parseNumber(text, 1, math.MaxInt64)
		return err
	})
	one("depth", usage+" to a depth of `N` plies", func(text string) error {
		n, err := parseNumber(text, 1, maxDepth)
		s.limits.Depth = int(n)
		return err
	})
	one("time", usage+" within a `duration` such as 500ms or 2s", func(text string) (err error) {
		s.limits.Time, err = time.ParseDuration(text)
		if err != nil || s.limits.Time <= 0 || s.limits.Time > maxTime {
			return errors.New("write a time such as 500ms or 2s, at most 24h")
		}
		return nil
	})
	return s
}

// or returns the strength, or another one if no flag set it.
func (s *strength) or(other strength) strength {
	if s.flag == "" {
		return other
	}
	return *s
}

// String returns the strength in a few words.
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
func seedFlag(flags *cli.Flags, usage string) *uint64 {
	seed := new(uint64)
	flags.Func("seed", usage, func(text string) (err error) {
		if *seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return errors.New("write a whole number, 0 or more")
		}
		return nil
	})
	return seed
}

// weightsFlag declares a flag for a file of weights, which are for all rulesets.
// They are there when the command runs.
func weightsFlag(flags *cli.Flags, name, usage string) *eval.Set {
	file := flags.String(name, "", usage+" (default the program's own)")
	set := new(eval.Set)
	flags.Check(func() error {
		if *file == "" {
			*set = eval.Default()
			return nil
		}
		data, err := os.ReadFile(*file)
		if err != nil {
			return fmt.Errorf("-%s: %w", name, err)
		}
		w, err := eval.Decode(data)
		if err != nil {
			return cli.Refuse("-%s: %s: %w", name, *file, err)
		}
		*set = eval.Everywhere(w)
		return nil
	})
	return set
}
