package stored

import (
	"fmt"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Value is a value as it is stored: the same bytes in every store.
type Value struct {
	Kind, Key []byte // as for [Seal]
	Sealed    []byte
}

// Kinds returns the kinds of values, in the order in which stores list them.
func Kinds() [][]byte { return [][]byte{Games, Outcomes, Ratings, Settings, Notes} }

// Check returns an error that wraps [storage.ErrDamaged] unless the value can be read.
func (v Value) Check() (err error) {
	switch string(v.Kind) {
	case string(Games):
		_, err = DecodeRecord(match.ID(v.Key), v.Sealed, false)
	case string(Outcomes):
		_, err = DecodeOutcome(v.Key, v.Sealed)
	case string(Ratings):
		_, _, _, err = DecodeRating(v.Key, v.Sealed)
	case string(Settings):
		_, err = DecodeSettings(string(v.Key), v.Sealed, false)
	case string(Notes):
		_, err = DecodeNote(string(v.Key), v.Sealed)
	default:
		err = fmt.Errorf("%w: a value of the unknown kind %q", storage.ErrDamaged, v.Kind)
	}
	return err
}

// Notes about a move belong to the store that they are in, and are not moved.
const (
	MovingNote = "store.moving" // in the store that is being filled: from where
	MovedNote  = "store.moved"  // in the store that was left: where to
)
