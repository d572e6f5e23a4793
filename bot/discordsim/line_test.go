package discordsim

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/discordsim/check"
)

var lineNames = []string{"level", "colour", "note", "user", "user2"}

func TestSplitOptions(t *testing.T) {
	for line, want := range map[string][]typedOption{
		"":                         nil,
		"level:4":                  {{"level", "4"}},
		"level: 4  colour:white ":  {{"level", "4"}, {"colour", "white"}},
		"note:well played level:4": {{"note", "well played"}, {"level", "4"}},
		"note:see http://x:1/ a:b": {{"note", "see http://x:1/ a:b"}},
		"note:sublevel:4":          {{"note", "sublevel:4"}},
		"user2:@ben user:@ann":     {{"user2", "@ben"}, {"user", "@ann"}},
		"note:":                    {{"note", ""}},
		"note:ü level:\u00a04":     {{"note", "ü"}, {"level", "4"}},
	} {
		got, err := splitOptions(line, lineNames)
		if d := cmp.Diff(want, got, cmp.AllowUnexported(typedOption{})); err != nil || d != "" {
			t.Errorf("%q: %v (-want +got):\n%s", line, err, d)
		}
	}
	for _, line := range []string{"x", "speed:4", "4 level:4", "level:4 level:5", "Level:4"} {
		if got, err := splitOptions(line, lineNames); !errors.Is(err, ErrOption) {
			t.Errorf("%q gives %v, %v, want ErrOption", line, got, err)
		}
	}
}

// TestTypedOptionsComeBack writes options as a line and reads them again.
func TestTypedOptionsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.Permutation(lineNames).Draw(t, "names")
		n := rapid.IntRange(0, len(names)).Draw(t, "n")
		var want []typedOption
		line := ""
		for _, name := range names[:n] {
			value := rapid.StringOf(rapid.RuneFrom([]rune("ab ü:@<>-x3"))).Draw(t, name)
			for _, other := range lineNames {
				value = strings.ReplaceAll(value, other+":", "")
			}
			value = strings.TrimSpace(value)
			want = append(want, typedOption{name, value})
			line += " " + name + ":" + value
		}
		got, err := splitOptions(line, lineNames)
		if d := cmp.Diff(want, got, cmp.AllowUnexported(typedOption{})); err != nil || d != "" {
			t.Fatalf("%q: %v (-want +got):\n%s", line, err, d)
		}
	})
}

// FuzzSplitOptions checks that nothing is lost: names are known and unique,
// values are trimmed pieces of the line in their order, and all that is not
// blank belongs to an option.
func FuzzSplitOptions(f *testing.F) {
	for _, s := range []string{"", "level:4 colour:white", "note:a b level:", "level:level:level:", "user2:x user:\xff", " note:\u2003x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got, err := splitOptions(line, lineNames)
		if err != nil {
			if !errors.Is(err, ErrOption) || got != nil {
				t.Fatalf("%v, %v", got, err)
			}
			return
		}
		seen := map[string]bool{}
		var joined strings.Builder
		for _, o := range got {
			if seen[o.name] || o.value != strings.TrimSpace(o.value) {
				t.Fatalf("%q gives %q", line, got)
			}
			seen[o.name] = true
			joined.WriteString(o.name + ":" + o.value)
		}
		squeeze := func(s string) string {
			return strings.Map(func(r rune) rune {
				if unicode.IsSpace(r) {
					return -1
				}
				return r
			}, s)
		}
		if squeeze(joined.String()) != squeeze(line) {
			t.Fatalf("%q gives %q", line, got)
		}
	})
}

// FuzzMatchPath checks that any line ends in a command or a clear error.
func FuzzMatchPath(f *testing.F) {
	cmds := []*check.Command{
		{Type: check.ChatInputCommand, Name: "lasca", Options: []check.CommandOption{
			{Type: check.SubCommand, Name: "play", NameLocalizations: map[string]string{"de": "spielen"}},
			{Type: check.SubCommandGroup, Name: "admin", Options: []check.CommandOption{{Type: check.SubCommand, Name: "end"}}},
		}},
		{Type: check.ChatInputCommand, Name: "ping"},
		{Type: check.UserCommand, Name: "menu"},
	}
	for _, s := range []string{"lasca play level:4", "lasca spielen", "lasca admin end", "ping", "menu", "lasca", " \t"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		l, rest, err := matchPath(cmds, line, "de")
		if err != nil {
			if !errors.Is(err, ErrUnknownCommand) {
				t.Fatal(err)
			}
			return
		}
		path := strings.Join(l.path, " ")
		if path != "lasca play" && path != "lasca admin end" && path != "ping" || !strings.HasSuffix(line, rest) {
			t.Fatalf("%q gives %q and %q", line, path, rest)
		}
	})
}
