package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Flags are what a command's Setup declares. Besides the flags of package flag
// there are settings, which an environment variable can give too.
type Flags struct {
	*flag.FlagSet
	In       io.Reader // the call's standard input, for a check that reads a flag's value from it
	getenv   func(string) string
	settings []setting
	texts    map[string]string // of settings, by flag, as given on the command line
	checks   []func() error
}

// setting is a flag with a variable, or a variable alone.
type setting struct {
	flag     string // "" for none
	noFlag   string // the flag that people expect where there is none
	variable string
	value    string // the default
	usage    string
	set      func(text string) error
}

func newFlags(getenv func(string) string) *Flags {
	f := &Flags{
		FlagSet: flag.NewFlagSet("", flag.ContinueOnError),
		getenv:  getenv, texts: map[string]string{},
	}
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// Setting declares a flag that an environment variable can give as well. value
// is the default as text, "" for none. usage is as for package flag: a name in
// back quotes stands for the value. set reads a text; it is called in the order
// of declaration, once at most, and not at all without text and default. Its
// error must show the value only through [Quote].
func (f *Flags) Setting(name, variable, value, usage string, set func(text string) error) {
	f.Func(name, also(usage, variable, value), f.take(name))
	f.settings = append(f.settings, setting{flag: name, variable: variable, value: value, usage: usage, set: set})
}

// Switch is a [Flags.Setting] that is true or false, and false by default.
func (f *Flags) Switch(name, variable, usage string, to *bool) {
	f.BoolFunc(name, also(usage, variable, "false"), f.take(name))
	f.settings = append(f.settings, setting{flag: name, variable: variable, value: "false", usage: usage, set: func(text string) (err error) {
		if *to, err = strconv.ParseBool(text); err != nil {
			return fmt.Errorf("%s is neither true nor false", Quote(text))
		}
		return nil
	}})
}

// Variable declares an environment variable that no flag can give. If somebody
// tries the flag noFlag anyway, the error names the variable and its usage.
func (f *Flags) Variable(noFlag, variable, usage string, set func(text string) error) {
	f.settings = append(f.settings, setting{noFlag: noFlag, variable: variable, usage: usage, set: set})
}

func also(usage, variable, value string) string {
	if value != "" {
		variable += ", default " + value
	}
	return fmt.Sprintf("%s (%s)", usage, variable)
}

func (f *Flags) take(name string) func(string) error {
	return func(text string) error {
		f.texts[name] = text
		return nil
	}
}

// Given reports whether a flag is on the command line.
func (f *Flags) Given(name string) (is bool) {
	f.Visit(func(g *flag.Flag) { is = is || g.Name == name })
	return is
}

// Getenv returns an environment variable that is not a setting.
func (f *Flags) Getenv(name string) string { return f.getenv(name) }

// Check registers what is called when all flags and settings are read, before
// the command runs. Checks run in the order of registration; the first error
// ends the call.
func (f *Flags) Check(check func() error) { f.checks = append(f.checks, check) }

// parse reads flags wherever they stand and returns the arguments. After "--"
// there are only arguments. Its errors show no secret.
func (f *Flags) parse(all []string) (args []string, err error) {
	for rest := all; ; {
		if err := f.Parse(rest); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, f.explain(err, all)
		}
		read := len(rest) - f.NArg()
		ended := read > 0 && rest[read-1] == "--"
		rest = rest[read:]
		if ended || len(rest) == 0 {
			return append(args, rest...), nil
		}
		args, rest = append(args, rest[0]), rest[1:]
	}
}

// explain turns an error of package flag into one that is short and helps.
func (f *Flags) explain(err error, args []string) error {
	for _, s := range f.settings {
		tried := func(arg string) bool {
			name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			return arg != name && name == s.noFlag
		}
		if s.noFlag != "" && slices.ContainsFunc(args, tried) {
			return fmt.Errorf("-%s: set %s instead: %s", s.noFlag, s.variable, s.usage)
		}
	}
	return errors.New(shortened(err.Error(), args))
}

// load reads the settings and runs the checks.
func (f *Flags) load() error {
	for _, s := range f.settings {
		text, source := s.value, s.variable
		if value := f.getenv(s.variable); value != "" {
			text = value
			if s.flag != "" {
				source = fmt.Sprintf("-%s, set by %s", s.flag, s.variable)
			}
		}
		if value, ok := f.texts[s.flag]; ok {
			text, source = value, "-"+s.flag
		} else if text == "" {
			continue
		}
		if err := s.set(text); err != nil {
			return Refuse("%s: %w", source, err)
		}
	}
	for _, check := range f.checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// shortened returns an error of package flag with long names and values cut.
func shortened(text string, args []string) string {
	for _, arg := range args {
		if len(arg) <= maxQuoted {
			continue
		}
		if name := strings.TrimLeft(arg, "-"); name != arg {
			text = strings.ReplaceAll(text, name, clip(name))
		}
		if name, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(name, "-") {
			arg = value
		}
		text = strings.ReplaceAll(text, strconv.Quote(arg), strconv.Quote(clip(arg)))
	}
	return text
}
