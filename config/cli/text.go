package cli

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Output passes on what is printed until that fails once; the first error
// stays. An Action need not look at every print: [Program.Run] reports it.
type Output struct {
	w   io.Writer
	err error
}

// Write writes to the underlying writer.
func (o *Output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// WriteError returns the first error of a command's output, nil if there was
// none: a command with much to print can stop early.
func (c *Call) WriteError() error {
	if o, ok := c.Out.(*Output); ok {
		return o.err
	}
	return nil
}

// refusal marks an error in what the person wrote.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

// Refuse makes an error that says what is wrong with the call, with format and
// arguments as for fmt.Errorf. The program then exits with [ExitUsage].
func Refuse(format string, args ...any) error { return refusal{fmt.Errorf(format, args...)} }

// OneLine makes a text fit for one line of a terminal: it replaces what is not
// printable and cuts after 1000 bytes.
func OneLine(text string) string {
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

// tokenShape is what Discord's bot tokens look like: three parts, the middle
// one short.
var tokenShape = regexp.MustCompile(`[\w-]{15,}\.[\w-]{4,10}\.[\w-]{20,}`)

const hidden = "[hidden: it looks like a token]"

// hide returns a text without the tokens in it.
func hide(text string) string { return tokenShape.ReplaceAllString(text, hidden) }

const maxQuoted = 80 // bytes

// Quote returns a value for an error message: in quotes, cut after 80 bytes,
// and hidden if a token is in it.
func Quote(value string) string {
	if tokenShape.MatchString(value) {
		return hidden
	}
	return strconv.Quote(clip(value))
}

func clip(text string) string {
	if len(text) <= maxQuoted {
		return text
	}
	return strings.ToValidUTF8(text[:maxQuoted], "") + "…"
}
