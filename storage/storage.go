package storage

import (
	"context"
	"errors"
	"time"

	"github.com/lascabot/lascabot/engine/match"
)

var (
	// ErrExists says that a match of that ID is stored already.
	ErrExists = errors.New("the game is stored already")
	// ErrNotFound says that no match of that ID is stored.
	ErrNotFound = errors.New("no such game")
	// ErrConflict says that the stored match is not of the expected version:
	// somebody else was faster. Load it and decide again.
	ErrConflict = errors.New("the game has changed meanwhile")
	// ErrClosed says that the store has been closed.
	ErrClosed = errors.New("the store is closed")
	// ErrInUse says that another process has the file open.
	ErrInUse = errors.New("another process is using the file")
	// ErrDamaged says that a file, or a record in it, cannot be read.
	ErrDamaged = errors.New("the stored games are damaged")
	// ErrSchema says that a file was written by a newer program.
	ErrSchema = errors.New("the file was written by a newer version of this program")
	// ErrNotWritten says that nothing can be written just now: the disk is full,
	// read-only or failing. What was stored before can still be read. Whether
	// what was to be written is stored is left open, as after a power cut; as a
	// rule it is not.
	ErrNotWritten = errors.New("the games cannot be written to disk")
)

// Record is all that is kept of a game.
type Record struct {
	Match  match.Match `json:"match"`
	Place  Place       `json:"place"`
	Screen Screen      `json:"screen,omitzero"`
}

// Place is where a game is played. The strings are opaque to the store.
type Place struct {
	Guild   string `json:"guild,omitempty"` // the server; "" in direct messages
	Channel string `json:"channel"`
	Locale  string `json:"locale,omitempty"` // the language of what everybody there sees, such as "de"
}

// Screen is the message that shows a game. Its zero value says that there is
// none yet.
type Screen struct {
	Channel string `json:"channel,omitempty"`
	Message string `json:"message,omitempty"`
	Version uint64 `json:"version,omitempty"` // the match's version that it shows
}

// Settings are what a person or a server has chosen. The zero value is the
// default.
type Settings struct {
	Theme string `json:"theme,omitempty"` // of the board pictures
	Text  bool   `json:"text,omitempty"`  // boards in letters in place of pictures
}

// Deleted sits in a finished match where a person sat who wanted to be
// forgotten. No person has this ID.
const Deleted match.UserID = "deleted"

// Of selects matches: those of a person or, where that is "", those of a server.
// Its zero value selects none.
type Of struct {
	User  match.UserID
	Guild string
}

// Has reports whether a match is selected.
func (o Of) Has(r *Record) bool {
	if o.User != "" {
		_, err := r.Match.SeatOf(o.User)
		return err == nil
	}
	return o.Guild != "" && r.Place.Guild == o.Guild
}

// Due names a kind of work that waits.
type Due string

// The kinds of work.
const (
	// DueMachine lists matches in which the machine has something to do
	// (match.Match.MachineDue).
	DueMachine Due = "machine"
	// DueScreen lists matches whose screen shows an older version than the
	// stored one, and those that have none yet.
	DueScreen Due = "screen"
	// DueExpiry lists challenges that lapse before the given time.
	DueExpiry Due = "expiry"
	// DueRemoval lists finished matches whose newest change is before the given
	// time.
	DueRemoval Due = "removal"
)

// Timed reports whether a kind of work waits for a time rather than from now on.
func (d Due) Timed() bool { return d == DueExpiry || d == DueRemoval }

// Store keeps games and settings. All methods may be called from several
// goroutines. A record that a method returns is the caller's own, in the form
// of [Record.Normal]. Every method returns [ErrClosed] after Close, and the
// context's error when it has ended before anything was done. What a method has
// returned without error is on disk where the store has one.
//
// A list leaves out records that are damaged; Load tells what is wrong with
// them.
type Store interface {
	// Create stores a new match. ErrExists. A record that its Check refuses is
	// not stored.
	Create(ctx context.Context, r Record) error
	// Load returns a record. ErrNotFound, ErrDamaged.
	Load(ctx context.Context, id match.ID) (Record, error)
	// Save replaces the stored match when its version is prev. The place never
	// changes and the screen is left alone: Shown writes that. ErrNotFound,
	// ErrConflict, ErrDamaged. A match that its Check refuses, or whose version
	// is not above prev, is not stored.
	Save(ctx context.Context, m match.Match, prev uint64) error
	// Shown records which message shows which version. It does nothing when a
	// newer version is recorded as shown already. ErrNotFound, ErrDamaged.
	Shown(ctx context.Context, id match.ID, s Screen) error
	// ListDue returns matches with work of a kind, at most limit: oldest change
	// first, challenges in the order in which they lapse. before matters to the
	// kinds that are [Due.Timed] only.
	ListDue(ctx context.Context, kind Due, before time.Time, limit int) ([]match.ID, error)
	// ListByUser returns the unfinished matches of a person, newest change
	// first, at most limit.
	ListByUser(ctx context.Context, u match.UserID, limit int) ([]Record, error)
	// ListByChannel returns the unfinished matches of a channel, newest change
	// first, at most limit.
	ListByChannel(ctx context.Context, channel string, limit int) ([]Record, error)
	// ListOf returns matches of a person or of a server in whatever phase, in the
	// order of their IDs, those behind the given ID, at most limit. It looks at
	// every match that is stored, so it is for what is seldom asked.
	ListOf(ctx context.Context, of Of, after match.ID, limit int) ([]Record, error)
	// Guilds returns the servers that matches are in, sorted. It looks at every
	// match too.
	Guilds(ctx context.Context) ([]string, error)
	// Forget takes a person out of a finished match for good: of the seat it
	// stays known that [Deleted] sat there, and nothing else. The version and
	// the screen stay. It does nothing when the person has no seat. ErrNotFound,
	// ErrDamaged; ErrConflict when the match is not finished, or when nobody
	// would be left in it who is known: delete it.
	Forget(ctx context.Context, id match.ID, u match.UserID) error
	// Settings returns what was chosen under a key, the zero value when nothing
	// was. ErrDamaged.
	Settings(ctx context.Context, key string) (Settings, error)
	// SaveSettings stores a choice; the zero value removes it.
	SaveSettings(ctx context.Context, key string, s Settings) error
	// SettingsKeys returns the keys with a prefix under which something was
	// chosen, sorted.
	SettingsKeys(ctx context.Context, prefix string) ([]string, error)
	// Delete removes a match for good when its version is the given one.
	// ErrNotFound, ErrConflict, ErrDamaged.
	Delete(ctx context.Context, id match.ID, version uint64) error
	// State returns what the program has noted for its next run under a key, nil
	// when nothing was.
	State(ctx context.Context, key string) ([]byte, error)
	// SaveState stores a note of at most [MaxState] bytes in place of the one
	// under the key; an empty one removes it.
	SaveState(ctx context.Context, key string, value []byte) error
	// Close waits for running calls and releases the file.
	Close() error
}
