package config

import (
	"fmt"
	"log/slog"
	"regexp"
	"strconv"
)

// Secret is a text that no print shows: fmt with any verb, encoding/json,
// encoding packages that use MarshalText, and log/slog write "[secret]", or
// "[not set]" for the empty one. Two secrets are not to be compared with ==.
type Secret struct {
	// A pointer, since fmt calls no methods on what stands in an unexported
	// field of something else: it prints an address there.
	text *string
}

// NewSecret hides a text.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{&text}
}

// Reveal returns the text itself, to be sent and nothing else.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsZero reports whether there is no text.
func (s Secret) IsZero() bool { return s.text == nil }

// String returns what may be shown.
func (s Secret) String() string {
	if s.IsZero() {
		return "[not set]"
	}
	return "[secret]"
}

// Format writes what may be shown, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

// MarshalText returns what may be shown.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue returns what may be shown.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// tokenShape is what Discord's bot tokens look like: three parts, the middle one
// short.
var tokenShape = regexp.MustCompile(`[\w-]{15,}\.[\w-]{4,10}\.[\w-]{20,}`)

// hiddenToken stands in place of what looks like a token.
const hiddenToken = "[hidden: it looks like a token]"

// hideTokens returns a text without the tokens in it.
func hideTokens(text string) string { return tokenShape.ReplaceAllString(text, hiddenToken) }

// quote returns a value for an error text: quoted and not too long, hidden when
// a token is in it.
func quote(value string) string {
	if tokenShape.MatchString(value) {
		return hiddenToken
	}
	const most = 80
	if r := []rune(value); len(r) > most {
		value = string(r[:most]) + "…"
	}
	return strconv.Quote(value)
}
