package storage

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/lascabot/lascabot/engine/match"
)

// Basis is what a change was decided on. A store makes the change only while that still
// holds, in one step with it: otherwise another process was faster, and it is to be
// decided again ([ErrConflict]). Several hold together.
type Basis struct {
	// Notes are notes by their keys, as they were read: nil where there was none.
	Notes map[string][]byte
	// People have no unfinished matches besides Games. Damaged ones do not count, as
	// in [Store.ListByUser].
	People []match.UserID
	Games  []match.ID
}

// CheckNote returns an error that wraps [ErrConflict] unless a note, as it is stored, is
// the one that the decision was made on.
func (b *Basis) CheckNote(key string, stored []byte) error {
	if !bytes.Equal(b.Notes[key], stored) {
		return fmt.Errorf("the note %q: %w", key, ErrConflict)
	}
	return nil
}

// CheckGame returns an error that wraps [ErrConflict] unless an unfinished match of one
// of the people was known when the decision was made.
func (b *Basis) CheckGame(id match.ID) error {
	if !slices.Contains(b.Games, id) {
		return fmt.Errorf("match %s: %w: it is new", id, ErrConflict)
	}
	return nil
}
