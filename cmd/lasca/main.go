package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"unicode"
)

// Exit statuses.
const (
	exitDone   = 0
	exitFailed = 1
	exitInput  = 2
)

func main() {
	// The first signal ends what is being done in order, the second at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// streams are where a command reads and prints.
type streams struct {
	in  io.Reader
	out *output
}

// output passes on what is printed until that fails once; the first error stays.
// A command need not look at every print, run does at the end.
type output struct {
	w   io.Writer
	err error
}

// Write writes to the underlying writer.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// badInput marks an error in what the person wrote.
type badInput struct{ error }

// Unwrap returns the error itself.
func (b badInput) Unwrap() error { return b.error }

// refuse makes a badInput of a text with arguments as of fmt.Errorf.
func refuse(format string, args ...any) error {
	return badInput{fmt.Errorf(format, args...)}
}

// errInterrupted says that a signal ended the work before it was done.
var errInterrupted = errors.New("interrupted")

// run is the program: it runs the command that args name and returns the exit
// status. When ctx ends it stops soon, with what is finished by then printed.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &output{w: stdout}
	name, err := dispatch(ctx, args, &streams{in: stdin, out: out})
	if out.err != nil {
		err = fmt.Errorf("writing the answer: %w", out.err)
	}
	if err == nil {
		return exitDone
	}
	if errors.Is(err, context.Canceled) {
		err = errInterrupted
	}
	fmt.Fprintln(stderr, oneLine(name+": "+err.Error()))
	if bad := (badInput{}); errors.As(err, &bad) {
		return exitInput
	}
	return exitFailed
}

// oneLine makes a text fit for one line of a terminal: what is not printable is
// replaced, and what is very long cut.
func oneLine(text string) string {
	const most = 1000
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
