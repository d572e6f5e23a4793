package storage

import (
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// MaxKey is the greatest length, in bytes, of the ID of a match, a person or a
// channel, and of the key of settings or of a note.
const MaxKey = 256

// MaxState is the greatest size of a note ([Store.SaveState]), in bytes.
const MaxState = 1 << 16

// CheckState returns an error when a note is one that stores refuse.
func CheckState(key string, value []byte) error {
	if err := CheckKey(key); err != nil {
		return fmt.Errorf("the key of a note: %w", err)
	}
	if len(value) > MaxState {
		return fmt.Errorf("the note %q has %d bytes; at most %d can be stored", key, len(value), MaxState)
	}
	return nil
}

// Check returns an error when the record is one that stores refuse: a name is too
// long or not UTF-8, or the match's own Check fails. Such a record could not be
// read back.
func (r *Record) Check() error {
	if err := CheckKey(string(r.Match.ID)); err != nil {
		return fmt.Errorf("the game's ID: %w", err)
	}
	for _, seat := range r.Match.Seats {
		if len(seat.User) > MaxKey || !utf8.ValidString(string(seat.User)) || !utf8.ValidString(seat.Name) {
			return fmt.Errorf("match %s: a player's ID or name is too long or not UTF-8", r.Match.ID)
		}
	}
	p, s := r.Place, r.Screen
	for _, text := range []string{p.Guild, p.Outside, p.Channel, p.Locale, p.Thread, p.Parent, s.Channel, s.Message, s.Teller, s.Film, s.Review} {
		if len(text) > MaxKey || !utf8.ValidString(text) {
			return fmt.Errorf("match %s: the ID of a place or a message, or the locale, is too long or not UTF-8", r.Match.ID)
		}
	}
	if err := r.Match.Check(); err != nil {
		return err
	}
	return r.checkLines()
}

// CheckKey returns an error unless an ID or a key has 1 to [MaxKey] bytes of UTF-8.
// The error lacks a subject: wrap it with what the key is.
func CheckKey(key string) error {
	switch {
	case key == "":
		return errors.New("is empty")
	case len(key) > MaxKey:
		return fmt.Errorf("has %d bytes; at most %d can be stored", len(key), MaxKey)
	case !utf8.ValidString(key):
		return errors.New("is not UTF-8")
	}
	return nil
}

// Normal returns an independent copy in the form that every store returns: times in
// UTC and without a monotonic clock reading, and nil for an empty list of moves.
func (r Record) Normal() Record {
	m := &r.Match
	m.Moves = slices.Clone(m.Moves)
	if len(m.Moves) == 0 {
		m.Moves = nil
	}
	m.Offer, m.Request, m.Notice = copyOf(m.Offer), copyOf(m.Request), copyOf(m.Notice)
	for _, t := range []*time.Time{&m.Created, &m.Changed, &m.Moved, &m.Expires, &m.Seen[0], &m.Seen[1], &r.Screen.Again, &r.Screen.Turn, &r.Screen.Told, &r.Screen.Quiet, &r.Clock.Turn, &r.Clock.Next} {
		*t = t.UTC() // also drops the monotonic reading
	}
	for c, lines := range r.Lines {
		r.Lines[c] = nil
		for _, line := range lines {
			line.Moves = slices.Clone(line.Moves)
			r.Lines[c] = append(r.Lines[c], line)
		}
	}
	return r
}

func copyOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// Behind reports whether the screen shows less than what is stored: an older version,
// or the end of a match that was not counted yet; or shows it elsewhere than where the
// game should be: it is to get a thread now, or has just got or lost one.
func (r *Record) Behind() bool {
	return r.Screen.Version < r.Match.Version || r.Counted && !r.Screen.Counted && r.Screen.Message != "" ||
		r.ToThread() || r.Place.Parent != "" && r.Screen.Channel != r.Place.Channel
}

// ToThread reports whether a thread is to be started for the match.
func (r *Record) ToThread() bool {
	return r.Place.Thread == ThreadWanted && r.Match.Phase == match.Playing
}

// Archive returns when the match's thread is to be archived: [ThreadStays] after the
// end. It reports false while the match goes on, or there is something that its screen
// has to show or somebody to be told of, and where there is no such thread.
func (r *Record) Archive() (at time.Time, ok bool) {
	if r.Place.Thread != ThreadOpen || r.Match.Phase != match.Finished || r.Behind() || !r.Screen.Quiet.IsZero() || r.Match.Counts() && !r.Counted {
		return time.Time{}, false
	}
	return r.Match.Changed.Add(ThreadStays), true
}

// Move changes the place as [Store.Move] does. It reports whether that changes anything.
// The error wraps [ErrConflict].
func (r *Record) Move(from, to Place) (changed bool, err error) {
	p := &r.Place
	if p.Channel != from.Channel || p.Thread != from.Thread {
		return false, fmt.Errorf("match %s: %w: it is in channel %q (%q)", r.Match.ID, ErrConflict, p.Channel, p.Thread)
	}
	before := *p
	p.Channel, p.Thread, p.Parent = to.Channel, to.Thread, to.Parent
	return *p != before, nil
}

// Due reports whether work of a kind remains to be done for the game, and the time
// by which [Store.ListDue] sorts it: for [DueExpiry] when the challenge expires, for
// [DueScreen] when the screen is to be written again if it waits for that, or the thread
// to be archived, for
// [DueReminder] when somebody was asked, for [DueClock] when to look at the turn's time
// again, for the others the latest change. Where the bot is not (Place.Outside), nothing
// is to be shown, reminded of or told.
func (r *Record) Due(kind Due) (at time.Time, ok bool) {
	if r.Place.Outside != "" && (kind == DueScreen || kind == DueReminder || kind == DueClock) {
		return time.Time{}, false
	}
	switch kind {
	case DueMachine:
		return r.Match.Changed, r.Match.MachineDue()
	case DueScreen:
		if !r.Screen.Again.IsZero() {
			return r.Screen.Again, true
		}
		if at, ok := r.Archive(); ok {
			return at, true
		}
		return r.Match.Changed, r.Behind()
	case DueExpiry:
		return r.Match.Expires, r.Match.Phase == match.Proposed
	case DueRemoval:
		return r.Match.Changed, r.Match.Phase == match.Finished
	case DueReminder:
		// A screen that is behind is shown anew first, and may then ask anew.
		return r.Screen.Quiet, !r.Screen.Quiet.IsZero() && r.Screen.Version >= r.Match.Version
	case DueClock:
		_, timed := r.Match.Limit()
		switch {
		case !timed || r.Match.Phase != match.Playing:
		case !r.Clock.Turn.Equal(r.Match.Moved):
			return r.Match.Changed, true
		default:
			return r.Clock.Next, !r.Clock.Next.IsZero()
		}
	case DueRating:
		return r.Match.Changed, !r.Counted && r.Match.Counts()
	}
	return time.Time{}, false
}

// Told returns when the person to move was told so: since when a message in the
// game's place has shown the present turn. It is zero if none has, as in records of
// versions before this was recorded.
func (r *Record) Told() time.Time {
	if !r.Screen.Turn.Equal(r.Match.Moved) {
		return time.Time{}
	}
	return r.Screen.Told
}

// Unaware returns the people who may not know of the match's latest change, which
// concerns them: nobody has notified them, and they have not been seen. With an older
// version on the screen that is as it would be once the newest is shown by an edit.
func (r *Record) Unaware() (list []match.UserID) {
	if r.Screen.Version >= r.Match.Version && r.Screen.Quiet.IsZero() {
		return nil
	}
	for c, seat := range r.Match.Seats {
		if seat.User != Deleted && r.Match.Unaware(engine.Color(c)) {
			list = append(list, seat.User)
		}
	}
	return list
}

// Forget removes a person from a finished match, as [Store.Forget] does. It reports
// whether the person had a seat. The error wraps [ErrConflict].
func (r *Record) Forget(u match.UserID) (changed bool, err error) {
	seat, err := r.Match.SeatOf(u)
	if err != nil || u == Deleted {
		return false, nil
	}
	if r.Match.Phase != match.Finished {
		return false, fmt.Errorf("match %s: %w: it is not finished", r.Match.ID, ErrConflict)
	}
	if other := r.Match.Seats[seat.Other()]; other.User == Deleted || other == (match.Seat{}) {
		return false, fmt.Errorf("match %s: %w: the other person is deleted too, or nobody", r.Match.ID, ErrConflict)
	}
	r.Match.Seats[seat] = match.Seat{User: Deleted}
	r.Match.Seen[seat] = time.Time{}
	r.Ratings[seat] = Shift{}
	if len(r.Unaware()) == 0 {
		r.Screen.Quiet = time.Time{}
	}
	return true, nil
}

// Rename records how a person is called in an unfinished match, as [Store.Rename]
// does. It reports whether that changes anything.
func (r *Record) Rename(u match.UserID, name string) (changed bool) {
	seat, err := r.Match.SeatOf(u)
	if err != nil || u == Deleted || r.Match.Phase == match.Finished || r.Match.Seats[seat].Name == name {
		return false
	}
	r.Match.Seats[seat].Name = name
	return true
}

// Dues returns all kinds of work.
func Dues() []Due {
	return []Due{DueMachine, DueScreen, DueExpiry, DueRemoval, DueReminder, DueClock, DueRating}
}

// CheckVersion returns an error that wraps [ErrConflict] unless the stored match has
// the given version.
func CheckVersion(stored *match.Match, version uint64) error {
	if stored.Version != version {
		return fmt.Errorf("match %s: %w: it is at version %d, not %d", stored.ID, ErrConflict, stored.Version, version)
	}
	return nil
}

// CheckSuccessor returns an error unless a match may replace the stored one: the
// stored version must be prev and the new version higher, and nobody else may have a
// seat that was not empty. The error wraps [ErrConflict] when the stored version is
// another or somebody has left the match, which does not change its version.
func CheckSuccessor(stored, next *match.Match, prev uint64) error {
	if err := CheckVersion(stored, prev); err != nil {
		return err
	}
	if next.Version <= prev {
		return fmt.Errorf("match %s: version %d does not follow %d", next.ID, next.Version, prev)
	}
	for c, seat := range stored.Seats {
		if seat != (match.Seat{}) && seat.User != next.Seats[c].User {
			return fmt.Errorf("match %s: %w: %v is no longer who it was", stored.ID, ErrConflict, engine.Color(c))
		}
	}
	return nil
}
