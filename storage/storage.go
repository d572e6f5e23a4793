package storage

import (
	"context"
	"errors"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

var (
	// ErrExists means that a match with this ID is already stored.
	ErrExists = errors.New("the game is already stored")
	// ErrNotFound means that no match with this ID is stored.
	ErrNotFound = errors.New("no such game")
	// ErrConflict means that what is stored is not what the change was decided on: a
	// match does not have the expected version, or a [Basis] holds no more. Somebody
	// else was faster. Load it and decide again.
	ErrConflict = errors.New("the game has changed in the meantime")
	// ErrClosed means that the store has been closed.
	ErrClosed = errors.New("the store is closed")
	// ErrInUse means that another process has the file open.
	ErrInUse = errors.New("another process is using the file")
	// ErrDamaged means that one stored value, such as the record of a game, cannot be
	// read. Others are not affected.
	ErrDamaged = errors.New("the stored record is damaged")
	// ErrBroken means that the file itself is damaged, or is no file of games: no
	// value in it can be trusted. A store that has returned it writes nothing more,
	// and only another file helps.
	ErrBroken = errors.New("the file of games is damaged")
	// ErrReplaced means that the file was deleted, moved away or replaced while the
	// store had it open. The store writes nothing more: it would be lost.
	ErrReplaced = errors.New("the file of games was deleted or replaced while it was in use")
	// ErrSchema means that the file was written by a newer program.
	ErrSchema = errors.New("the file was written by a newer version of this program")
	// ErrNotWritten means that nothing can be written at the moment: the disk is
	// full, read-only or failing. What was stored before can still be read. As after
	// a power cut, the new data may or may not have been stored; usually they have
	// not.
	ErrNotWritten = errors.New("the games cannot be written to disk")
	// ErrHangs means that the disk does not answer, and that nothing was done for this
	// reason.
	ErrHangs = errors.New("the store does not answer")
	// ErrUnsure means that the disk did not answer in time, and that what was to be
	// written may or may not be stored, now or when the disk answers again.
	ErrUnsure = errors.New("the store does not answer, and may still write this")
)

// Record is everything that is stored about a game.
type Record struct {
	Match  match.Match `json:"match"`
	Place  Place       `json:"place"`
	Screen Screen      `json:"screen,omitzero"`
	Clock  Clock       `json:"clock,omitzero"`
	// Lines are the replies that each side, by colour, has stored while it waits.
	Lines [2][]Line `json:"lines,omitzero"`
	// Counted says that the result is in the ratings: [Store.Rate]. Ratings are what it
	// has changed in the place, by colour: zero for the machine, and for both where
	// the result was not to count.
	Counted bool     `json:"counted,omitempty"`
	Ratings [2]Shift `json:"ratings,omitzero"`

	// Ends and Away are not stored: package play sets them in what it hands out. Ends
	// is when the time of the person to move is over, as things stand; where nobody has
	// told them of the turn, as if that happened now. It is zero where no clock runs.
	// Away is until when they are on vacation, zero if they are not.
	Ends time.Time `json:"-"`
	Away time.Time `json:"-"`
}

// Place says where a game is played. The strings are opaque to the store.
type Place struct {
	Guild string `json:"guild,omitempty"` // the server that the bot is in; "" in direct messages
	// Outside is set where the bot is not, and can only answer whoever uses it there: the
	// server, or OutsideDM. Nothing that nobody waits for is due there ([Record.Due]).
	Outside string `json:"outside,omitempty"`
	Channel string `json:"channel"`
	Locale  string `json:"locale,omitempty"` // the language of what everybody there can see, such as "de"

	// Thread says how the game stands to a thread of its own: ThreadWanted, ThreadOpen,
	// ThreadClosed, or "" where it is to have none. Parent is the channel that such a
	// thread was started in: Channel is that thread. If both are the same, the thread is
	// gone, and the game is back where it began. "" if no thread was started.
	Thread string `json:"thread,omitempty"`
	Parent string `json:"parent,omitempty"`
}

// OutsideDM is the [Place].Outside of direct messages among people.
const OutsideDM = "@me"

// What [Place].Thread may be.
const (
	ThreadWanted = "wanted" // to be started from the message that shows the game, once it is played
	ThreadOpen   = "open"   // started, and to be archived some time after the game
	ThreadClosed = "closed" // archived after the game
)

// ThreadStays is how long a game's thread stays open after the last change of the game,
// so that whoever wants a rematch or a review finds it.
const ThreadStays = time.Hour

// Screen is the message that shows a game. Its zero value means that there is no
// message yet.
type Screen struct {
	Channel string `json:"channel,omitempty"`
	Message string `json:"message,omitempty"`
	Version uint64 `json:"version,omitempty"` // the match's version that it shows

	// Again is when the message is to be written again, although it may show
	// Version; zero when that is not needed. If Refused is 0, a call whose outcome
	// is unknown may change the message until then. Otherwise Discord has refused
	// to show a newer version, Refused times in a row.
	Again   time.Time `json:"again,omitzero"`
	Refused int       `json:"refused,omitempty"`

	// Counted says that it was made when the record was counted.
	Counted bool `json:"counted,omitempty"`

	// Told is since when a message in the game's place has shown the turn that began
	// at Turn (match.Match.Moved). Zero means that no message has: [Record.Told].
	Turn time.Time `json:"turn,omitzero"`
	Told time.Time `json:"told,omitzero"`
	// Teller is the message that did, "" where that was not recorded.
	Teller string `json:"teller,omitempty"`
	// Quiet is when the message began to show, by an edit, which notifies nobody, what
	// somebody should know: [Record.Unaware]. It is zero once all of those have been
	// notified or have been seen.
	Quiet time.Time `json:"quiet,omitzero"`

	// Film and Review are the messages in the game's place in which a player has shown
	// everybody the game's animation and its review, "" if nobody has.
	Film   string `json:"film,omitempty"`
	Review string `json:"review,omitempty"`
}

// RestoredNote is the key of the note ([Store.State]) that says when an operator put an
// older state of the whole store in place: a time as JSON. There is none if nobody has.
const RestoredNote = "restored"

// Deleted is the user in the seat of a finished match whose player asked to be
// forgotten. No person has this ID.
const Deleted match.UserID = "deleted"

// Of selects matches: those of User or, if that is "", those of Guild. The zero
// value selects nothing.
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

// Due names a kind of work that remains to be done.
type Due string

// The kinds of work.
const (
	// DueMachine lists matches in which the machine must act
	// (match.Match.MachineDue).
	DueMachine Due = "machine"
	// DueScreen lists matches whose screen shows less than what is stored
	// ([Record.Behind]), those without a screen, those whose screen is to be
	// written again (Screen.Again), and those whose thread is to be archived
	// ([Record.Archive]).
	DueScreen Due = "screen"
	// DueExpiry lists challenges that expire before a given time.
	DueExpiry Due = "expiry"
	// DueRemoval lists finished matches whose latest change was before a given
	// time.
	DueRemoval Due = "removal"
	// DueReminder lists matches, finished ones too, in which an edit alone has told
	// somebody something since before a given time (Screen.Quiet).
	DueReminder Due = "reminder"
	// DueClock lists matches with a limit for moves in which somebody has to be told
	// about the present turn's time before a given time (Clock.Next), and those whose
	// turn nobody has looked at, as if that were due when they last changed.
	DueClock Due = "clock"
	// DueRating lists finished matches that count ([match.Match.Counts]) and are not
	// in the ratings yet (Record.Counted), the one that ended first first.
	DueRating Due = "rating"
)

// Timed reports whether work of this kind is due at a certain time rather than at
// once.
func (d Due) Timed() bool {
	return d == DueExpiry || d == DueRemoval || d == DueReminder || d == DueClock
}

// Store keeps games and settings. All methods may be called from several
// goroutines. A returned record belongs to the caller and has the form of
// [Record.Normal]. Every method returns [ErrClosed] after Close, and the context's
// error when the context ended before anything was done. When a method returns no
// error and the store has a disk, the change is on it. Every method may return
// [ErrBroken], and those that change something [ErrNotWritten] and [ErrReplaced]. Those
// that take a [Basis] may return [ErrDamaged] for one of its notes.
//
// Lists leave out damaged records; Load says what is wrong with them. A limit of 0
// or less gives an empty list.
type Store interface {
	// Create stores a new match. ErrExists, ErrConflict. It does not store a record
	// that fails its Check.
	Create(ctx context.Context, r Record, on ...Basis) error
	// Load returns a record. ErrNotFound, ErrDamaged.
	Load(ctx context.Context, id match.ID) (Record, error)
	// Save replaces the stored match if its version is prev. The rest of the record
	// stays as it is, except that lines go ([Record.Replace]); so do the names of
	// people who had their seats already: Rename changes those. Nobody else may have
	// a seat than before, but for a seat that was empty: who has left a match does not
	// come back. ErrNotFound, ErrConflict, ErrDamaged. It does not store a match that
	// fails its Check or whose version is not above prev.
	Save(ctx context.Context, m match.Match, prev uint64, on ...Basis) error
	// Shown records which message shows which version. It does nothing when a newer
	// version has already been shown. ErrNotFound, ErrDamaged.
	Shown(ctx context.Context, id match.ID, s Screen) error
	// SaveClock records what has been told about the time of the turn that began at
	// turn, which becomes the Clock's Turn. It does nothing when that turn is over.
	// ErrNotFound, ErrDamaged.
	SaveClock(ctx context.Context, id match.ID, turn time.Time, c Clock) error
	// SaveLines replaces the lines of one side of a running match. The version stays.
	// ErrNotFound, ErrDamaged; ErrConflict when the match is at another version. It
	// does not store lines that fail the record's Check.
	SaveLines(ctx context.Context, id match.ID, version uint64, side engine.Color, lines []Line) error
	// Move records that a game goes on in another channel of its server, such as a
	// thread that was made for it, or how it stands to that thread: the Channel, Thread
	// and Parent of its place become those of to. The version, the screen and the rest of
	// the place stay. ErrNotFound, ErrDamaged; ErrConflict where Channel and Thread are
	// not those of from.
	Move(ctx context.Context, id match.ID, from, to Place) error
	// ListDue returns at most limit matches with work of a kind, the oldest change
	// first; challenges in the order in which they expire; screens that wait for a
	// time, and threads that are to be archived, as if they had changed then; reminders
	// in the order in which somebody was asked; clocks by when to look at them. before
	// only matters for kinds that are [Due.Timed].
	ListDue(ctx context.Context, kind Due, before time.Time, limit int) ([]match.ID, error)
	// ListByUser returns at most limit unfinished matches of a person, the latest
	// change first.
	ListByUser(ctx context.Context, u match.UserID, limit int) ([]Record, error)
	// ListByChannel returns at most limit unfinished matches in a channel, the latest
	// change first.
	ListByChannel(ctx context.Context, channel string, limit int) ([]Record, error)
	// ListOf returns at most limit matches of a person or a server, in any phase,
	// ordered by ID, starting after the given ID. It looks at every stored match, so
	// use it only for what is rarely asked.
	ListOf(ctx context.Context, of Of, after match.ID, limit int) ([]Record, error)
	// Guilds returns the servers that have matches or ratings, sorted. It looks at
	// every stored match too.
	Guilds(ctx context.Context) ([]string, error)
	// Forget permanently removes a person from a finished match: all that remains of
	// the seat is that [Deleted] had it. The version and the screen stay, except that
	// nobody is to be reminded any more if the person was. It does
	// nothing when the person has no seat. ErrNotFound, ErrDamaged; ErrConflict when
	// the match is not finished, or when no known person would be left in it: then
	// delete it.
	Forget(ctx context.Context, id match.ID, u match.UserID) error
	// Rename records how a person is called in an unfinished match. The version and
	// the screen stay. It does nothing when the person has no seat, or the match is
	// finished. ErrNotFound, ErrDamaged.
	Rename(ctx context.Context, id match.ID, u match.UserID, name string) error
	// Settings returns the settings under a key, the zero value when there are none.
	// ErrDamaged.
	Settings(ctx context.Context, key string) (Settings, error)
	// SaveSettings stores settings under a key; the zero value removes them.
	// ErrConflict.
	SaveSettings(ctx context.Context, key string, s Settings, on ...Basis) error
	// SettingsKeys returns the keys with a prefix that have settings, sorted.
	SettingsKeys(ctx context.Context, prefix string) ([]string, error)
	// Rate records what a finished match changes in the ratings, and marks it as
	// counted, all in one step. outcomes are by person; Rate fills in their Game and
	// At. An outcome may name an opponent only if that person has an outcome too.
	// ErrNotFound, ErrDamaged; ErrConflict when the match is not finished or counted
	// already, or when a stored rating is not the one in [RatingChange].Prev.
	Rate(ctx context.Context, id match.ID, changes []RatingChange, outcomes map[match.UserID]Outcome) error
	// Rating returns a person's rating in a scope, the zero value when there is none.
	// ErrDamaged.
	Rating(ctx context.Context, scope string, u match.UserID) (Rating, error)
	// Ranking returns at most limit ratings of a scope, the highest first and equal
	// ones in the order of the people's IDs, starting with number offset, counted
	// from 0; and how many the scope has. It leaves out damaged ratings.
	Ranking(ctx context.Context, scope string, offset, limit int) (list []Ranked, total int, err error)
	// Outcomes returns at most limit outcomes of a person, the newest first. It leaves
	// out damaged ones.
	Outcomes(ctx context.Context, u match.UserID, limit int) ([]Outcome, error)
	// ForgetRatings permanently removes all ratings and outcomes of a person. In the
	// outcomes of others the person becomes [Deleted]; their ratings stay.
	ForgetRatings(ctx context.Context, u match.UserID) error
	// ForgetScope permanently removes all ratings of a scope, and the scope from the
	// outcomes of the people who had one there.
	ForgetScope(ctx context.Context, scope string) error
	// Delete permanently removes a match if it has the given version. ErrNotFound,
	// ErrConflict, ErrDamaged.
	Delete(ctx context.Context, id match.ID, version uint64) error
	// State returns the note that the program has left for its next run under a key,
	// nil when there is none. ErrDamaged.
	State(ctx context.Context, key string) ([]byte, error)
	// SaveState stores a note of at most [MaxState] bytes under a key, replacing the
	// one that is there; an empty note removes it. ErrConflict.
	SaveState(ctx context.Context, key string, value []byte, on ...Basis) error
	// Close waits for running calls and releases the file.
	Close() error
}
