package discord

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Discord's limits on commands, in characters and counts.
const (
	maxCommandName        = 32
	maxCommandDescription = 100
	maxCommandText        = 8000 // of a command in all, in the longest language
	maxCommandOptions     = 25
)

// commandName is Discord's rule for the names of slash commands and options.
var commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

// CheckCommands reports every rule of Discord's that commands break, as errors
// that wrap [ErrLimit]. Discord refuses all commands for one fault, in whatever
// translation, so that a test over the real texts should hold that there is none.
func CheckCommands(list []CommandSpec) error {
	var c commandCheck
	names := siblings{}
	for _, cmd := range list {
		c.size = 0
		at := fmt.Sprintf("command %q", cmd.Name)
		c.text(at+" name", cmd.Name, cmd.NameLocalizations, maxCommandName)
		names.add(&c, at, fmt.Sprint(cmd.Type), cmd.Name, cmd.NameLocalizations)
		if cmd.Type == typeSlash {
			c.name(at, cmd.Name, cmd.NameLocalizations)
			c.text(at+" description", cmd.Description, cmd.DescriptionLocalizations, maxCommandDescription)
		} else if cmd.Description != "" || len(cmd.Options) > 0 {
			c.fault("%s: only slash commands have a description and options", at)
		}
		c.options(at, cmd.Options)
		if c.size > maxCommandText {
			c.fault("%s: %d characters of at most %d in all", at, c.size, maxCommandText)
		}
	}
	return c.err
}

type commandCheck struct {
	err  error
	size int // of the command so far
}

func (c *commandCheck) fault(format string, args ...any) {
	c.err = errors.Join(c.err, fmt.Errorf("%w: %s", ErrLimit, fmt.Sprintf(format, args...)))
}

// text checks a text's length in every language and counts the longest.
func (c *commandCheck) text(at, base string, local map[string]string, limit int) {
	longest := 0
	check := func(at, s string) {
		n := utf8.RuneCountInString(s)
		if n < 1 || n > limit || strings.TrimSpace(s) == "" {
			c.fault("%s: %d characters, want 1 to %d", at, n, limit)
		}
		longest = max(longest, n)
	}
	check(at, base)
	for l, s := range local {
		check(at+" in "+l, s)
	}
	c.size += longest
}

// name checks a name's characters in every language.
func (c *commandCheck) name(at, base string, local map[string]string) {
	check := func(at, s string) {
		if !commandName.MatchString(s) || strings.ToLower(s) != s {
			c.fault("%s: name %q: only lower-case letters, digits, - _ '", at, s)
		}
	}
	check(at, base)
	for l, s := range local {
		check(at+" in "+l, s)
	}
}

func (c *commandCheck) options(at string, list []OptionSpec) {
	if len(list) > maxCommandOptions {
		c.fault("%s: %d options of at most %d", at, len(list), maxCommandOptions)
	}
	optional := false
	names := siblings{}
	for _, o := range list {
		at := fmt.Sprintf("%s option %q", at, o.Name)
		names.add(c, at, "", o.Name, o.NameLocalizations)
		c.name(at, o.Name, o.NameLocalizations)
		c.text(at+" name", o.Name, o.NameLocalizations, maxCommandName)
		c.text(at+" description", o.Description, o.DescriptionLocalizations, maxCommandDescription)
		if o.Required && optional {
			c.fault("%s is required and comes after an optional one", at)
		}
		optional = optional || !o.Required
		if o.Autocomplete && len(o.Choices) > 0 {
			c.fault("%s has both choices and completion", at)
		}
		if len(o.Choices) > maxChoices {
			c.fault("%s: %d choices of at most %d", at, len(o.Choices), maxChoices)
		}
		choices := siblings{}
		for _, ch := range o.Choices {
			at := fmt.Sprintf("%s choice %v", at, ch.Value)
			choices.add(c, at, "", ch.Name, ch.NameLocalizations)
			c.text(at, ch.Name, ch.NameLocalizations, maxChoiceText)
			value := fmt.Sprint(ch.Value)
			if n := utf8.RuneCountInString(value); n < 1 || n > maxChoiceText {
				c.fault("%s: value of %d characters, want 1 to %d", at, n, maxChoiceText)
			}
			c.size += utf8.RuneCountInString(value)
		}
		c.options(at, o.Options)
	}
}

// siblings are the names on one level: in no language may two be alike.
type siblings map[[3]string]bool

func (s siblings) add(c *commandCheck, at, kind, base string, local map[string]string) {
	add := func(locale, name string) {
		key := [3]string{kind, locale, name}
		if s[key] {
			c.fault("%s: another one is called %q too (%s)", at, name, locale)
		}
		s[key] = true
	}
	add(BaseLocale, base)
	for l, name := range local {
		add(l, name)
	}
}
