package match

import (
	"fmt"
	"slices"
	"time"

	"github.com/lascabot/lascabot/engine"
)

// ID identifies a match. It is opaque; the caller makes it.
type ID string

// UserID identifies a person. It is opaque; the caller makes it.
type UserID string

// MaxLevel is the machine's strongest level; 1 is the weakest.
const MaxLevel = 8

// Away is how long somebody has to be silent before a message that notifies is better
// than an edit, which does not.
const Away = 3 * time.Minute

// DefaultLevel is the level of the machine where the person has not chosen one.
const DefaultLevel = 3

// DrawPause is the number of plies that must pass after a draw offer was declined, or
// taken back, before the same side may offer again.
const DrawPause = 6

// UndoPause is the number of plies that must pass after a request to take back was
// refused, or taken back itself, before the same side may ask again.
const UndoPause = 6

// Seat says who plays one colour: a person, or the machine at a level.
type Seat struct {
	User  UserID `json:"user,omitempty"`
	Name  string `json:"name,omitempty"` // the person's name when the match was made, for when it can no longer be looked up
	Level int    `json:"level,omitempty"`
}

// Machine reports whether the machine has the seat.
func (s Seat) Machine() bool { return s.Level > 0 }

// Phase says how far a match has come.
type Phase string

// The phases.
const (
	Proposed Phase = "proposed" // a challenge that waits for an answer
	Playing  Phase = "playing"
	Finished Phase = "finished"
)

// Ending says how a match ended; it is "" until then.
type Ending string

// The endings. The last five are neither a win nor a draw: the result stays
// engine.Ongoing.
const (
	NoMoves     Ending = "no moves"
	Repetition  Ending = "repetition"
	NoProgress  Ending = "no progress"
	Agreement   Ending = "agreement"
	Resignation Ending = "resignation"
	Abandonment Ending = "abandonment" // the winner claimed the game: [Claim]
	Aborted     Ending = "aborted"
	Declined    Ending = "declined"
	Withdrawn   Ending = "withdrawn"
	Expired     Ending = "expired"
	Stopped     Ending = "stopped" // by a moderator: [Stop]
)

// Offer is a draw offer that waits for an answer.
type Offer struct {
	By engine.Color `json:"by"`
}

// Request is a request to take back that waits for an answer.
type Request struct {
	By engine.Color `json:"by"`
	To int          `json:"to"` // the number of moves that would remain
}

// Notice is the latest event other than a move, to be shown until the next move.
type Notice struct {
	Kind NoticeKind   `json:"kind"`
	By   engine.Color `json:"by"`
}

// NoticeKind says what a [Notice] reports.
type NoticeKind string

// The notices.
const (
	DrawRefused NoticeKind = "draw refused"
	UndoRefused NoticeKind = "undo refused"
	TakenBack   NoticeKind = "taken back"
	DrawDropped NoticeKind = "draw dropped" // the side has taken its own offer back
	UndoDropped NoticeKind = "undo dropped" // the side has taken its own request back
	// RepliedAtOnce says that By's latest move was a stored reply.
	RepliedAtOnce NoticeKind = "replied at once"
	// ChangesLost says that the match was set back ([SetBack]). It stays until a person
	// moves, as the machine may answer before anybody has read it.
	ChangesLost NoticeKind = "changes lost"
)

// Match is one game between two seats. It is a value: [Match.Apply] returns the next
// one. Copies share the slice of moves, which is never written to.
type Match struct {
	ID      ID           `json:"id"`
	Version uint64       `json:"version"` // 1 when new, more after each command
	Phase   Phase        `json:"phase"`
	Rules   engine.Rules `json:"rules"`
	Seats   [2]Seat      `json:"seats"` // by engine.Color

	// By is the side that made the match: the challenger. Lots says that the colours
	// were drawn at random, so that a challenge need not give them away.
	By   engine.Color `json:"by"`
	Lots bool         `json:"lots,omitempty"`

	// Start is the position from which the match started, as position text of
	// package notation, under the match's rules; "" stands for the usual start.
	// [Match.StartPosition] reads it.
	Start string `json:"start,omitempty"`

	// Terms are what the sides have agreed on.
	Terms Terms `json:"terms,omitzero"`
	// Open says that whoever comes first may take the other seat, which is empty
	// ([Join]). Only a challenge can be open, and one that ended unanswered.
	Open bool `json:"open,omitempty"`

	Moves  []engine.Move `json:"moves,omitempty"`
	Result engine.Result `json:"result"`
	Ending Ending        `json:"ending,omitempty"`

	Offer   *Offer   `json:"offer,omitempty"`
	Request *Request `json:"request,omitempty"`
	Notice  *Notice  `json:"notice,omitempty"`
	// Refused holds, by colour, one more than the number of moves made when that
	// side's latest draw offer was declined or taken back; 0 when none was.
	Refused [2]int `json:"refused,omitzero"`
	// UndoRefused holds the same of that side's latest request to take back.
	UndoRefused [2]int `json:"undo_refused,omitzero"`

	Created time.Time `json:"created"`
	Changed time.Time `json:"changed"` // the latest command
	Moved   time.Time `json:"moved"`   // when the present turn began
	// Extra is the time that the opponent has given for the present turn.
	Extra   time.Duration `json:"extra,omitzero"`
	Expires time.Time     `json:"expires,omitzero"` // when a challenge expires
	Seen    [2]time.Time  `json:"seen"`             // the latest command of each side
}

// New describes a new match.
type New struct {
	ID    ID
	Rules engine.Rules
	Seats [2]Seat
	By    engine.Color // the side that makes it
	Lots  bool
	// Open makes a challenge to whoever comes first: the other seat is empty.
	Open  bool
	Terms Terms
	// Start is the position to start from, with the same rules; nil stands for the
	// usual start. The game must not be over there.
	Start *engine.Setup
	// Expires is when a challenge between two people expires. It is ignored against
	// the machine, which always accepts.
	Expires time.Time
}

// Start makes a match. Against the machine it is running at once; between two people
// it is a challenge. The error wraps [ErrSelf], [ErrSeats], [ErrTerms], [ErrStart] or
// engine.ErrRules.
func Start(n New, now time.Time) (Match, error) {
	if !n.Rules.Valid() {
		return Match{}, fmt.Errorf("%w: %d", engine.ErrRules, n.Rules)
	}
	people, err := checkSeats(n.Seats, n.By, n.Open)
	if err != nil {
		return Match{}, err
	}
	if err := n.Terms.check(); err != nil {
		return Match{}, err
	}
	start, err := newStart(n)
	if err != nil {
		return Match{}, err
	}
	m := Match{
		ID: n.ID, Version: 1, Phase: Playing, Rules: n.Rules, Seats: n.Seats, By: n.By, Lots: n.Lots, Open: n.Open, Terms: n.Terms, Start: start,
		Created: now, Changed: now, Moved: now,
	}
	m.Seen[n.By] = now
	if people == 2 {
		m.Phase, m.Expires = Proposed, n.Expires
	}
	return m, nil
}

// checkSeats returns the number of people, or an error that wraps [ErrSelf] or
// [ErrSeats]. The seat that is still empty in an open challenge counts as a person's.
func checkSeats(seats [2]Seat, by engine.Color, open bool) (people int, err error) {
	for c, s := range seats {
		switch {
		case open && engine.Color(c) != by:
			if s != (Seat{}) {
				return 0, fmt.Errorf("%w: %+v has the seat that is open", ErrSeats, s)
			}
			people++
		case s.Machine() && s.User == "" && s.Level <= MaxLevel:
		case s.Level == 0 && s.User != "":
			people++
		default:
			return 0, fmt.Errorf("%w: %+v", ErrSeats, s)
		}
	}
	switch {
	case by > engine.Black || people == 0 || seats[by].Machine():
		return 0, ErrSeats
	case people == 2 && seats[0].User == seats[1].User:
		return 0, ErrSelf
	}
	return people, nil
}

// SeatOf returns the colour that a person plays, or [ErrNotAPlayer].
func (m *Match) SeatOf(u UserID) (engine.Color, error) {
	for c, s := range m.Seats {
		if u != "" && s.User == u {
			return engine.Color(c), nil
		}
	}
	return 0, ErrNotAPlayer
}

// Turn returns the side to move, also when the match is not running.
func (m *Match) Turn() engine.Color { return m.Mover(len(m.Moves)) }

// Mover returns the side that makes move i, counted from 0. The move need not
// have been made yet.
func (m *Match) Mover(i int) engine.Color {
	_, side := m.ply(i)
	return side
}

// MoveNumber returns the number of move i, counted from 0, as game text writes it:
// White's move and Black's next share one, and it stays at engine.MaxNumber once
// there.
func (m *Match) MoveNumber(i int) int {
	number, _ := m.ply(i)
	return number
}

func (m *Match) ply(i int) (int, engine.Color) {
	start := m.StartPosition()
	s := start.Setup()
	return s.Ply(i)
}

// Game replays the moves. It panics when the start or the moves are not legal;
// [Match.Check] refuses such a match.
func (m *Match) Game() *engine.Game {
	g, err := engine.Replay(m.StartPosition(), m.Moves)
	if err != nil {
		panic("match: the stored moves are not legal: " + err.Error())
	}
	return g
}

// UndoPly returns the number of moves that would remain if a side took back, and
// false when it has not moved. Between people that is its latest move. Against the
// machine, which answers at once, it is the latest one that the side had a choice
// in: any later one would come again by itself. A side that never had a choice
// takes back its latest move.
func (m *Match) UndoPly(by engine.Color) (int, bool) {
	to := len(m.Moves) - 1
	if to >= 0 && m.Mover(to) != by {
		to--
	}
	if to >= 0 && m.Seats[by.Other()].Machine() {
		if choice := m.lastChoice(by); choice >= 0 {
			to = choice
		}
	}
	return to, to >= 0
}

// lastChoice returns the latest move, counted from 0, in place of which a side
// could have made another; -1 when there is none.
func (m *Match) lastChoice(by engine.Color) int {
	last, pos := -1, m.StartPosition()
	for i, mv := range m.Moves {
		if pos.Turn() == by && pos.CountMoves() > 1 {
			last = i
		}
		pos.MakeUnchecked(mv)
	}
	return last
}

// MachineDue reports whether the machine must act: move, or answer a draw offer.
func (m *Match) MachineDue() bool {
	if m.Phase != Playing {
		return false
	}
	if m.Offer != nil && m.Seats[m.Offer.By.Other()].Machine() {
		return true
	}
	return m.Seats[m.Turn()].Machine()
}

// Awaits reports whether the match waits for a side: to answer a challenge, a draw
// offer or a request to take back, or, while nothing waits for an answer, to move.
func (m *Match) Awaits(c engine.Color) bool {
	switch {
	case m.Phase == Proposed:
		return c != m.By && !m.Open
	case m.Phase != Playing:
		return false
	case m.Offer == nil && m.Request == nil:
		return c == m.Turn()
	}
	return m.Offer != nil && m.Offer.By != c || m.Request != nil && m.Request.By != c
}

// finish ends the match.
func (m *Match) finish(r engine.Result, e Ending) {
	m.Phase, m.Result, m.Ending = Finished, r, e
	m.Offer, m.Request, m.Notice = nil, nil, nil
}

// keep drops every move after the first n.
func (m *Match) keep(n int) { m.Moves = slices.Clip(m.Moves[:n]) }
