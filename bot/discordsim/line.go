package discordsim

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

// typedOption is an option of a typed line.
type typedOption struct {
	name  string
	value string
}

// splitOptions reads the options in the rest of a typed line, the part after the
// command: "level:4 note:well played colour:white". An option begins where a word
// is one of the names followed by a colon. Its value reaches to the next option
// and may contain blanks. Anything else in the rest is an error, and so is an
// option that appears twice.
func splitOptions(rest string, names []string) ([]typedOption, error) {
	var out []typedOption
	seen := map[string]bool{}
	start := -1 // of the current value
	finish := func(end int) {
		if start >= 0 {
			out[len(out)-1].value = strings.TrimSpace(rest[start:end])
		}
	}
	for i := 0; i < len(rest); {
		name := ""
		if i == 0 || spaceBefore(rest, i) {
			for _, n := range names {
				if strings.HasPrefix(rest[i:], n+":") {
					name = n
				}
			}
		}
		if name == "" {
			r, size := utf8.DecodeRuneInString(rest[i:])
			if start < 0 && !unicode.IsSpace(r) {
				word, _, _ := strings.Cut(rest[i:], " ")
				return nil, fmt.Errorf("%w: %q is not an option; the options are %s", ErrOption, word, strings.Join(names, ", "))
			}
			i += size
			continue
		}
		if seen[name] {
			return nil, fmt.Errorf("%w: %s is given twice", ErrOption, name)
		}
		finish(i)
		seen[name] = true
		out = append(out, typedOption{name: name})
		i += len(name) + 1
		start = i
	}
	finish(len(rest))
	return out, nil
}

func spaceBefore(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return unicode.IsSpace(r)
}

// localized gives the name in a language, or the default one.
func localized(name string, names map[string]string, locale string) string {
	if n := names[locale]; n != "" {
		return n
	}
	return name
}

// leaf is the part of a command that runs: the command itself, a subcommand,
// or a subcommand in a group.
type leaf struct {
	cmd     *check.Command
	path    []string // default names
	options []check.CommandOption
}

// matchPath finds the command that a line without its slash begins with, and
// gives the rest of the line. Names may be the default ones or those of the
// user's language.
func matchPath(cmds []*check.Command, line, locale string) (leaf, string, error) {
	word, rest := cutWord(line)
	for _, cmd := range cmds {
		if cmd.Type != check.ChatInputCommand || word != cmd.Name && word != localized(cmd.Name, cmd.NameLocalizations, locale) {
			continue
		}
		l := leaf{cmd: cmd, path: []string{cmd.Name}, options: cmd.Options}
		for hasSubs(l.options) {
			word, after := cutWord(rest)
			sub := findSub(l.options, word, locale)
			if sub == nil {
				return l, "", fmt.Errorf("%w: /%s has no subcommand %q", ErrUnknownCommand, strings.Join(l.path, " "), word)
			}
			l.path = append(l.path, sub.Name)
			l.options, rest = sub.Options, after
			if sub.Type == check.SubCommand {
				break
			}
		}
		return l, rest, nil
	}
	return leaf{}, "", fmt.Errorf("%w: /%s", ErrUnknownCommand, word)
}

func cutWord(s string) (word, rest string) {
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	if i := strings.IndexFunc(s, unicode.IsSpace); i >= 0 {
		return s[:i], strings.TrimLeftFunc(s[i:], unicode.IsSpace)
	}
	return s, ""
}

func hasSubs(list []check.CommandOption) bool {
	return len(list) > 0 && (list[0].Type == check.SubCommand || list[0].Type == check.SubCommandGroup)
}

func findSub(list []check.CommandOption, word, locale string) *check.CommandOption {
	for i := range list {
		o := &list[i]
		if word == o.Name || word == localized(o.Name, o.NameLocalizations, locale) {
			return o
		}
	}
	return nil
}
