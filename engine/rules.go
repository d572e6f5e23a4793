package engine

import (
	"errors"
	"fmt"
)

// Rules says whether a move may jump the same column twice. Everything else is the
// same in every ruleset.
type Rules uint8

// NumRules is the number of rulesets; their values are 0 to NumRules-1.
const NumRules = 3

// The three rulesets.
const (
	// Kawu is the default: a column may be jumped again in the same move, even
	// straight back, when its new commander is an enemy. Such a jump is compulsory
	// like any other. Source: kawu's rule page.
	Kawu Rules = iota
	// MindSports allows this too, but no jump may go straight back over the column
	// just jumped. Source: MindSports' rule page.
	MindSports
	// Lasker forbids it: a square that has been jumped cannot be jumped again in
	// the same move. Source: Lasker's booklet of 1911.
	Lasker
)

// ErrRules means that a text or a number is not a ruleset.
var ErrRules = errors.New("unknown rules")

// AllRules returns the rulesets, the default first.
func AllRules() []Rules { return []Rules{Kawu, MindSports, Lasker} }

// Valid reports whether r is one of the rulesets.
func (r Rules) Valid() bool { return r < NumRules }

// String returns the ruleset's identifier: "kawu", "mindsports" or "lasker".
func (r Rules) String() string {
	switch r {
	case Kawu:
		return "kawu"
	case MindSports:
		return "mindsports"
	case Lasker:
		return "lasker"
	}
	return fmt.Sprintf("Rules(%d)", uint8(r))
}

// ParseRules reads a ruleset's identifier. The error wraps [ErrRules] and lists
// the identifiers.
func ParseRules(text string) (Rules, error) {
	for _, r := range AllRules() {
		if text == r.String() {
			return r, nil
		}
	}
	return 0, fmt.Errorf("%w %q: choose kawu, mindsports or lasker", ErrRules, clip(text))
}

// MarshalText returns the identifier.
func (r Rules) MarshalText() ([]byte, error) {
	if !r.Valid() {
		return nil, fmt.Errorf("%w: %d", ErrRules, uint8(r))
	}
	return []byte(r.String()), nil
}

// UnmarshalText reads the identifier, as [ParseRules] does.
func (r *Rules) UnmarshalText(text []byte) error {
	v, err := ParseRules(string(text))
	if err == nil {
		*r = v
	}
	return err
}
