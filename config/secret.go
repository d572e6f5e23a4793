package config

import (
	"fmt"
	"log/slog"
)

// Secret is a text that cannot be printed: fmt with any verb, encoding/json and
// other packages that use MarshalText, and log/slog write "[secret]", or "[not
// set]" if it is empty. Do not compare secrets with ==.
type Secret struct {
	// A pointer, since fmt does not call the methods of a value in somebody's
	// unexported field: there it prints an address.
	text *string
}

// NewSecret hides a text.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{&text}
}

// Reveal returns the text itself. Only send it; never print it.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsZero reports whether the text is empty.
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
