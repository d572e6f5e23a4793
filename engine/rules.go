package engine

import (
	"errors"
	"fmt"
)

// Rules says whether one column may be jumped twice in one move. Everything
// else is the same in every ruleset.
type Rules uint8

// NumRules is the number of rulesets; their values are 0 to NumRules-1.
const NumRules = 3

// The three rulesets.
const (
	// Kawu is the default: a column uncovered in mid-move may be jumped again
	// when its new commander is an enemy, also straight back. Such a jump is
	// compulsory like any other. Source: kawu's rule page.
	Kawu Rules = iota
	// MindSports allows it too, but no jump may go straight back over the
	// column just jumped. Source: MindSports' rule page.
	MindSports
	// Lasker forbids it: a square that was jumped in this move cannot be jumped
	// again in this move. Source: Lasker's booklet of 1911.
	Lasker
)

// ErrRules says that a text names no ruleset.
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
