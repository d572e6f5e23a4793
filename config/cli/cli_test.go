package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// shown is what is said of a token on a command line.
const shown = "an argument looks like a token, and everyone on this machine can read arguments: " +
	"reset the token in Discord's developer portal, and put the new one into LASCABOT_TOKEN or the file of -token-file"

// token has the shape of a token but is not one.
const token = "MTAwMDAwMDAwMDAwMDAwMDAw.GAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// What the commands fail and special return.
var errFailure, errSpecial = errors.New("first line\nsecond line"), errors.New("special")

// sample is a program with a command of every kind. The command take prints
// what it was given.
var sample = Program{
	Name: "tool", About: "tool is a sample.", Notes: "Notes end it.",
	Commands: []Command{
		{
			Name: "take", Args: "FILE...", Short: "takes files", Long: "Much could be said.", Least: 1, Most: 2,
			Setup: func(f *Flags) Action {
				plain := f.Int("plain", 1, "a flag without a variable, `N`")
				var size, secret string
				var on bool
				f.Variable("secret", "TOOL_SECRET", "the secret; give a file", func(text string) error {
					secret = text
					return nil
				})
				f.Setting("size", "TOOL_SIZE", "5", "the `SIZE`", func(text string) error {
					if size = text; text == "bad" {
						return fmt.Errorf("%s is not a size", Quote(text))
					}
					return nil
				})
				f.Switch("on", "TOOL_ON", "switch it on", &on)
				f.Check(func() error {
					if size == "13" {
						return Refuse("13 is unlucky")
					}
					return nil
				})
				return func(_ context.Context, c *Call) error {
					_, err := fmt.Fprintln(c.Out, c.Args, *plain, secret, size, on, f.Given("size"))
					return err
				}
			},
		},
		{Name: "group one", Short: "is in a group", Setup: returns(nil)},
		{Name: "group two", Short: "is in a group too", Setup: returns(nil)},
		{Name: "fail", Short: "fails", Setup: returns(errFailure)},
		{Name: "special", Short: "fails with a status of its own", Setup: returns(errSpecial)},
		{Name: "wait", Short: "is interrupted", Setup: func(*Flags) Action {
			return func(ctx context.Context, _ *Call) error { <-ctx.Done(); return ctx.Err() }
		}},
	},
	Status: func(err error) int {
		if errors.Is(err, errSpecial) {
			return 78
		}
		return 0
	},
}

func returns(err error) func(*Flags) Action {
	return func(*Flags) Action {
		return func(context.Context, *Call) error { return err }
	}
}

// call runs a program with arguments and variables, given as name=value.
func call(ctx context.Context, p *Program, args []string, env ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	getenv := func(name string) string {
		for _, e := range env {
			if value, ok := strings.CutPrefix(e, name+"="); ok {
				return value
			}
		}
		return ""
	}
	status = p.Run(ctx, Call{Args: args, Getenv: getenv, In: strings.NewReader(""), Out: &out, Err: &errs})
	return status, out.String(), errs.String()
}

func TestFlagsAndVariablesReachTheCommand(t *testing.T) {
	for _, tt := range []struct {
		name, args string
		env        []string
		want       string
	}{
		{"defaults", "take a", nil, "[a] 1  5 false false"},
		{"flags before, between and after arguments", "take -plain 2 a -on --size=6 b -size 7", nil, "[a b] 2  7 true true"},
		{"only arguments after --", "take -size 6 -- -on b", nil, "[-on b] 1  6 false true"},
		{"variables", "take a", []string{"TOOL_SIZE=8", "TOOL_ON=1", "TOOL_SECRET=s"}, "[a] 1 s 8 true false"},
		{"an empty variable counts as unset", "take a", []string{"TOOL_SIZE="}, "[a] 1  5 false false"},
		{"a flag beats its variable, which is then not read", "take -size 6 a", []string{"TOOL_SIZE=bad"}, "[a] 1  6 false true"},
		{"a switch can be switched off", "take -on=false a", []string{"TOOL_ON=true"}, "[a] 1  5 false false"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, out, errs := call(t.Context(), &sample, strings.Fields(tt.args), tt.env...)
			if status != ExitDone || out != tt.want+"\n" || errs != "" {
				t.Errorf("status %d, printed %q and %q, want %q", status, out, errs, tt.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		args   []string
		env    []string
		status int
		want   string
	}{
		{"an unknown command", []string{"dance"}, nil, ExitUsage, `tool: no command "dance"; "tool help" lists the commands`},
		{"a group without its command", []string{"group"}, nil, ExitUsage, "tool: say which: tool group one|two"},
		{"a missing argument", []string{"take", "-on"}, nil, ExitUsage, "tool take: FILE... is missing; usage: tool take [flags] FILE..."},
		{"an argument too many", []string{"take", "a", "b", "c"}, nil, ExitUsage, `tool take: argument "c" is one too many; usage: tool take [flags] FILE...`},
		{"an unknown flag", []string{"take", "-x"}, nil, ExitUsage, `tool take: flag provided but not defined: -x; "tool take -h" lists the flags`},
		{"a flag without its value", []string{"take", "a", "-size"}, nil, ExitUsage, `tool take: flag needs an argument: -size; "tool take -h" lists the flags`},
		{"a flag that only has a variable", []string{"take", "-secret", "x"}, nil, ExitUsage, "tool take: -secret: set TOOL_SECRET instead: the secret; give a file"},
		{"a bad flag", []string{"take", "-plain", "x", "a"}, nil, ExitUsage, `tool take: invalid value "x" for flag -plain: parse error`},
		{"a bad setting", []string{"take", "-size", "bad", "a"}, nil, ExitUsage, `tool take: -size: "bad" is not a size`},
		{"a bad variable names its flag", []string{"take", "a"}, []string{"TOOL_SIZE=bad"}, ExitUsage, `tool take: -size, set by TOOL_SIZE: "bad" is not a size`},
		{"a bad switch", []string{"take", "a"}, []string{"TOOL_ON=maybe"}, ExitUsage, `tool take: -on, set by TOOL_ON: "maybe" is neither true nor false`},
		{"a check", []string{"take", "-size", "13", "a"}, nil, ExitUsage, "tool take: 13 is unlucky"},
		{"help for an unknown command", []string{"help", "dance"}, nil, ExitUsage, `tool help: no command "dance"; "tool help" lists the commands`},
		{"help for too much", []string{"help", "fail", "more"}, nil, ExitUsage, `tool help: argument "more" is one too many`},
		{"a failure keeps its lines", []string{"fail"}, nil, ExitFailed, "tool fail: first line\nsecond line"},
		{"a failure with a status of its own", []string{"special"}, nil, 78, "tool special: special"},
		{"a token as a command", []string{token}, nil, ExitUsage, "tool: " + shown},
		{"a token as an argument", []string{"group", "one", token}, nil, ExitUsage, "tool: " + shown},
		{"a token as a flag", []string{"take", "-" + token}, nil, ExitUsage, "tool: " + shown},
		{"a token as a value", []string{"take", "-plain", token}, nil, ExitUsage, "tool: " + shown},
		{"a token after a flag that is none", []string{"take", "-token=" + token}, nil, ExitUsage, "tool: " + shown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, out, errs := call(t.Context(), &sample, tt.args, tt.env...)
			if status != tt.status || errs != tt.want+"\n" || out != "" {
				t.Errorf("status %d, printed %q and\n%swant status %d and\n%s", status, out, errs, tt.status, tt.want)
			}
		})
	}
}

func TestInterruptedCommandFails(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if status, _, errs := call(ctx, &sample, []string{"wait"}); status != ExitFailed || errs != "tool wait: interrupted\n" {
		t.Errorf("status %d, %q", status, errs)
	}
}

func TestEveryCommandExplainsItself(t *testing.T) {
	_, list, _ := call(t.Context(), &sample, []string{"help"})
	for _, args := range [][]string{{"-h"}, {"--help"}, {"group", "-h"}, {"group", "help"}} {
		if status, out, errs := call(t.Context(), &sample, args); status != ExitDone || out != list {
			t.Errorf("%v: status %d, %q, printed\n%s", args, status, errs, out)
		}
	}
	if status, out, errs := call(t.Context(), &sample, nil); status != ExitUsage || out != "" || !strings.HasPrefix(errs, list) {
		t.Errorf("without arguments: status %d, printed %q and\n%s", status, out, errs)
	}
	for _, c := range sample.all() {
		name := strings.Fields(c.Name)
		status, out, errs := call(t.Context(), &sample, append([]string{"help"}, name...))
		if status != ExitDone || !strings.HasPrefix(out, "usage: tool "+c.Name) {
			t.Errorf("help %s: status %d, %q, printed\n%s", c.Name, status, errs, out)
		}
		if c.Name != "help" {
			if _, asked, _ := call(t.Context(), &sample, append(name, "-h")); asked != out {
				t.Errorf("%s -h prints\n%s\nhelp prints\n%s", c.Name, asked, out)
			}
		}
		for _, r := range c.Rows() {
			for _, part := range []string{r.Flag, r.Variable, r.Default, r.Usage} {
				if !strings.Contains(out, part) {
					t.Errorf("help %s lacks %q:\n%s", c.Name, part, out)
				}
			}
		}
		if !strings.Contains(list, "  tool "+c.Name+" ") || !strings.Contains(list, c.Short) {
			t.Errorf("help does not list %s:\n%s", c.Name, list)
		}
	}
}

func TestRowsHoldEveryFlag(t *testing.T) {
	want := []Row{
		{Variable: "TOOL_SECRET", Usage: "the secret; give a file"},
		{"-on", "TOOL_ON", "false", "switch it on"},
		{"-plain N", "", "1", "a flag without a variable, N"},
		{"-size SIZE", "TOOL_SIZE", "5", "the SIZE"},
	}
	if got := sample.Commands[0].Rows(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	page := sample.Page()
	for _, part := range append(strings.Split(Table(want), "\n"), "# tool\n", "tool is a sample.", "## tool take\n", "## tool group one\n", "`tool take [flags] FILE...` takes files.", "Much could be said.", "Notes end it.") {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q:\n%s", part, page)
		}
	}
}

func TestProgramOfOneCommandIsThatCommand(t *testing.T) {
	one := Program{Name: "one", About: "one is alone.", Commands: []Command{{Short: "is alone", Setup: func(f *Flags) Action {
		size := f.Int("size", 1, "the `SIZE`")
		return func(_ context.Context, c *Call) error { _, err := fmt.Fprintln(c.Out, *size); return err }
	}}}}
	for args, want := range map[string]string{"": "1\n", "-size 2": "2\n"} {
		if status, out, errs := call(t.Context(), &one, strings.Fields(args)); status != ExitDone || out != want {
			t.Errorf("%q: status %d, %q, printed %q", args, status, errs, out)
		}
	}
	if status, out, _ := call(t.Context(), &one, []string{"-h"}); status != ExitDone || !strings.HasPrefix(out, "usage: one [flags]\n") || !strings.Contains(out, "-size SIZE") {
		t.Errorf("status %d, printed\n%s", status, out)
	}
	if status, _, errs := call(t.Context(), &one, []string{"help"}); status != ExitUsage || !strings.Contains(errs, `argument "help"`) {
		t.Errorf("status %d, %s", status, errs)
	}
}

func TestVersionNamesTheProgramAndGo(t *testing.T) {
	if status, out, errs := call(t.Context(), &sample, []string{"version"}); status != ExitDone || !strings.HasPrefix(out, "tool ") || !strings.Contains(out, "go1.") {
		t.Errorf("status %d, %q, printed %q", status, errs, out)
	}
}

// broken fails to write, as a full disk does.
type broken struct{ io.Writer }

func (broken) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestUnwritableAnswerFails(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"help", "take"}, {"version"}, {"take", "a"}} {
		var errs bytes.Buffer
		status := sample.Run(t.Context(), Call{Args: args, Getenv: noVariable, Out: broken{}, Err: &errs})
		if status != ExitFailed || !strings.Contains(errs.String(), "writing the answer: no space left") {
			t.Errorf("%v: status %d, %s", args, status, &errs)
		}
	}
}

// FuzzRun has the law that arguments, whatever they are, end in done with nothing
// on standard error, or in one short line there and no answer.
func FuzzRun(f *testing.F) {
	for _, args := range []string{"take\x00a", "take\x00-size\x00\xff", "take\x00-plain=\n", "group\x00", "\x00", "help\x00take", "take\x00" + token, "-\x00--"} {
		f.Add(args, "5")
	}
	f.Fuzz(func(t *testing.T, joined, size string) {
		args := strings.Split(joined, "\x00")
		if slices.Contains([]string{"fail", "special", "wait"}, args[0]) {
			t.Skip("these fail or wait on purpose")
		}
		status, out, errs := call(t.Context(), &sample, args, "TOOL_SIZE="+size)
		switch {
		case status == ExitDone && errs == "":
		case status == ExitUsage && out == "" && strings.Count(errs, "\n") == 1 && len(errs) < 1100 && !strings.Contains(errs, token):
		default:
			t.Errorf("%q: status %d, printed %q and %q", args, status, out, errs)
		}
	})
}
