package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
)

// Exit statuses that every program has.
const (
	ExitDone   = 0
	ExitFailed = 1
	ExitUsage  = 2 // something is wrong with what was asked
)

// Program is a program with commands. Besides those listed it has the commands
// version, licences and help, unless its only command has no name: then the program is
// that command.
type Program struct {
	Name     string
	About    string // what it is, in a sentence
	Notes    string // ends the list of commands, "" for nothing
	Commands []Command
	// Status returns the exit status for an error, or 0 for the usual one:
	// [ExitUsage] for errors made by [Refuse], else [ExitFailed]. It may be nil.
	Status func(error) int
}

// Command is one command of a program.
type Command struct {
	Name  string // one word, or two for a command of a group
	Args  string // the arguments as help shows them
	Short string // what it does: "lists the legal moves"
	Long  string // what there is to know besides the flags
	// The number of arguments it takes; Most is negative for any number.
	Least, Most int
	// Setup declares the flags and returns what runs once they are read.
	Setup func(f *Flags) Action
}

// Action runs a command. An error made by [Refuse] says that the call was
// wrong, any other that the command failed.
type Action func(ctx context.Context, c *Call) error

// Call is one call of a program.
type Call struct {
	Args   []string // for an Action, what is left when the flags are read
	Getenv func(name string) string
	In     io.Reader
	Out    io.Writer // for an Action, an *[Output]
	Err    io.Writer
}

// Main runs the program with the arguments of this process and exits. The first
// SIGINT or SIGTERM cancels the command's context, a second one exits at once.
func (p *Program) Main() {
	ctx, stop := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		stop()
		<-signals
		os.Exit(ExitFailed)
	}()
	os.Exit(p.Run(ctx, Call{Args: os.Args[1:], Getenv: os.Getenv, In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// Run runs the command that the arguments name and returns the exit status. An
// error goes to c.Err, behind the name of the command.
func (p *Program) Run(ctx context.Context, c Call) int {
	if len(c.Args) == 0 && p.Commands[0].Name != "" {
		p.overview(c.Err)
	}
	out := &Output{w: c.Out}
	c.Out = out
	name, err := p.dispatch(ctx, &c)
	if out.err != nil {
		err = fmt.Errorf("writing the answer: %w", out.err)
	}
	if err == nil {
		return ExitDone
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	text := name + ": " + err.Error()
	usage := errors.As(err, new(refusal))
	if usage { // it may quote several lines; a failure may be a list
		text = OneLine(text)
	}
	for line := range strings.Lines(text) {
		fmt.Fprintln(c.Err, OneLine(hide(strings.TrimSuffix(line, "\n"))))
	}
	if p.Status != nil {
		if status := p.Status(err); status != 0 {
			return status
		}
	}
	if usage {
		return ExitUsage
	}
	return ExitFailed
}

// errTokenShown refuses a token wherever it stands on a command line.
var errTokenShown = Refuse("an argument looks like a token, and everyone on this machine can read arguments: " +
	"reset the token in Discord's developer portal, and put the new one into LASCABOT_TOKEN or the file of -token-file")

// dispatch runs a command and returns its name, for error messages.
func (p *Program) dispatch(ctx context.Context, call *Call) (name string, err error) {
	if slices.ContainsFunc(call.Args, tokenShape.MatchString) {
		return p.Name, errTokenShown
	}
	if len(call.Args) > 0 && isHelp(call.Args[0]) && p.Commands[0].Name != "" {
		call.Args = []string{"help"}
	}
	c, args, err := p.find(call.Args)
	if err != nil {
		if len(call.Args) == 2 && (isHelp(call.Args[1]) || call.Args[1] == "help") && p.isGroup(call.Args[0]) {
			return p.Name, p.overview(call.Out)
		}
		return p.Name, err
	}
	name = p.title(c)
	flags := newFlags(call.Getenv)
	flags.In = call.In
	do := c.Setup(flags)
	call.Args, err = flags.parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return name, p.help(call.Out, c)
	case err != nil:
		if strings.HasPrefix(err.Error(), "flag ") { // not defined, or without its value
			err = fmt.Errorf("%w; \"%s -h\" lists the flags", err, name)
		}
		return name, Refuse("%w", err)
	case len(call.Args) < c.Least:
		return name, Refuse("%s is missing; usage: %s", c.Args, p.usage(c))
	case c.Most >= 0 && len(call.Args) > c.Most:
		return name, Refuse("argument %s is one too many; usage: %s", Quote(call.Args[c.Most]), p.usage(c))
	}
	if err := flags.load(); err != nil {
		return name, err
	}
	return name, do(ctx, call)
}

func isHelp(arg string) bool { return slices.Contains([]string{"-h", "-help", "--help"}, arg) }

// all returns the commands in the order in which help lists them.
func (p *Program) all() []Command {
	if p.Commands[0].Name == "" {
		return p.Commands
	}
	return append(slices.Clip(p.Commands), p.versionCommand(), licencesCommand, p.helpCommand())
}

// find finds the command that words begin with and returns the other words.
func (p *Program) find(words []string) (Command, []string, error) {
	if len(words) == 0 && p.Commands[0].Name != "" {
		return Command{}, nil, Refuse(`no command given; "%s help" lists the commands`, p.Name)
	}
	var group []string
	for _, c := range p.all() {
		name := strings.Fields(c.Name)
		if len(words) >= len(name) && slices.Equal(words[:len(name)], name) {
			return c, words[len(name):], nil
		}
		if len(name) > 1 && name[0] == words[0] {
			group = append(group, name[1])
		}
	}
	if len(group) > 0 {
		return Command{}, nil, Refuse("say which: %s %s %s", p.Name, words[0], strings.Join(group, "|"))
	}
	return Command{}, nil, Refuse(`no command %s; "%s help" lists the commands`, Quote(words[0]), p.Name)
}

// isGroup reports whether a word begins the names of several commands.
func (p *Program) isGroup(word string) bool {
	return slices.ContainsFunc(p.Commands, func(c Command) bool { return strings.HasPrefix(c.Name, word+" ") })
}

// title returns a command as it is called.
func (p *Program) title(c Command) string { return strings.TrimSpace(p.Name + " " + c.Name) }

func (p *Program) versionCommand() Command {
	return Command{
		Name: "version", Short: "prints the version",
		Setup: func(*Flags) Action {
			return func(_ context.Context, c *Call) error {
				_, err := fmt.Fprintln(c.Out, p.Name, Version())
				return err
			}
		},
	}
}

func (p *Program) helpCommand() Command {
	return Command{
		Name: "help", Args: "[COMMAND]", Short: "lists the commands, or explains one", Most: 2,
		Setup: func(*Flags) Action {
			return func(_ context.Context, call *Call) error {
				if len(call.Args) == 0 {
					return p.overview(call.Out)
				}
				c, rest, err := p.find(call.Args)
				if err != nil {
					return err
				}
				if len(rest) > 0 {
					return Refuse("argument %s is one too many", Quote(rest[0]))
				}
				return p.help(call.Out, c)
			}
		},
	}
}

// Version returns what the build recorded about itself: the version, which
// names the commit where there is no tag and marks local changes, and the
// version of Go.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	return info.Main.Version + " " + info.GoVersion
}
