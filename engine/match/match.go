package match

import (
	"fmt"
	"slices"
	"time"

	"github.com/lascabot/lascabot/engine"
)

// ID names a match. It is opaque and made by the caller.
type ID string

// UserID names a person. It is opaque and made by the caller.
type UserID string

// MaxLevel is the strongest level of the machine; 1 is the weakest.
const MaxLevel = 8

// MoveTime is how long a person may think before the opponent may claim the
// game.
const MoveTime = 3 * 24 * time.Hour

// DrawPause is the number of plies that have to pass after a refused draw
// before the same side may offer again.
const DrawPause = 6

// Seat is who plays one colour: a person, or the machine at a level.
type Seat struct {
	User  UserID `json:"user,omitempty"`
	Name  string `json:"name,omitempty"` // the person's name when the match was made, for when it cannot be asked any more
	Level int    `json:"level,omitempty"`
}

// Machine reports whether the machine sits here.
func (s Seat) Machine() bool { return s.Level > 0 }

// Phase is where a match stands.
type Phase string

// The phases.
const (
	Proposed Phase = "proposed" // a challenge that waits for its answer
	Playing  Phase = "playing"
	Finished Phase = "finished"
)

// Ending says how a match ended, "" while it has not.
type Ending string

// The endings. After the last five there is no winner and no draw: the result
// stays engine.Ongoing.
const (
	NoMoves     Ending = "no moves"
	Repetition  Ending = "repetition"
	NoProgress  Ending = "no progress"
	Agreement   Ending = "agreement"
	Resignation Ending = "resignation"
	Abandonment Ending = "abandonment" // the winner claimed it, the loser's time was long over
	Aborted     Ending = "aborted"
	Declined    Ending = "declined"
	Withdrawn   Ending = "withdrawn"
	Expired     Ending = "expired"
)

// Offer is a draw offer that waits for its answer.
type Offer struct {
	By engine.Color `json:"by"`
}

// Request is a request to take back that waits for its answer.
type Request struct {
	By engine.Color `json:"by"`
	To int          `json:"to"` // the number of moves that would stay
}

// Notice is the newest thing that happened besides moves, to be shown until the
// next move.
type Notice struct {
	Kind NoticeKind   `json:"kind"`
	By   engine.Color `json:"by"`
}

// NoticeKind names what a [Notice] tells.
type NoticeKind string

// The notices.
const (
	DrawRefused NoticeKind = "draw refused"
	UndoRefused NoticeKind = "undo refused"
	TakenBack   NoticeKind = "taken back"
)

// Match is one contest. It is a value: [Match.Apply] returns the next one. The
// moves' slice is shared between copies and never written to.
type Match struct {
	ID      ID           `json:"id"`
	Version uint64       `json:"version"` // 1 when new, one more after each command
	Phase   Phase        `json:"phase"`
	Rules   engine.Rules `json:"rules"`
	Seats   [2]Seat      `json:"seats"` // by engine.Color

	// By is who made the match: the challenger. Lots says that the colours were
	// drawn by lot, so that a challenge need not give them away.
	By   engine.Color `json:"by"`
	Lots bool         `json:"lots,omitempty"`

	Moves  []engine.Move `json:"moves,omitempty"`
	Result engine.Result `json:"result"`
	Ending Ending        `json:"ending,omitempty"`

	Offer   *Offer   `json:"offer,omitempty"`
	Request *Request `json:"request,omitempty"`
	Notice  *Notice  `json:"notice,omitempty"`
	// Refused holds, by colour, one more than the ply at which its newest draw
	// offer was refused, 0 for none.
	Refused [2]int `json:"refused,omitzero"`

	Created time.Time    `json:"created"`
	Changed time.Time    `json:"changed"`          // the newest command
	Moved   time.Time    `json:"moved"`            // since when the side to move has been to move
	Expires time.Time    `json:"expires,omitzero"` // when a challenge lapses
	Seen    [2]time.Time `json:"seen"`             // the newest command of each side
}

// New describes a match to be made.
type New struct {
	ID    ID
	Rules engine.Rules
	Seats [2]Seat
	By    engine.Color // who makes it
	Lots  bool
	// Expires is when a challenge between two people lapses. It is ignored
	// against the machine, which always accepts.
	Expires time.Time
}

// Start makes a match: running at once against the machine, a challenge between
// two people. The error wraps [ErrSelf] or [ErrSeats].
func Start(n New, now time.Time) (Match, error) {
	m := Match{
		ID: n.ID, Version: 1, Phase: Playing, Rules: n.Rules, Seats: n.Seats, By: n.By, Lots: n.Lots,
		Created: now, Changed: now, Moved: now,
	}
	m.Seen[n.By] = now
	people := 0
	for _, s := range n.Seats {
		switch {
		case s.Machine() && s.User == "" && s.Level <= MaxLevel:
		case !s.Machine() && s.User != "":
			people++
		default:
			return Match{}, fmt.Errorf("%w: %+v", ErrSeats, s)
		}
	}
	switch {
	case people == 0 || n.Seats[n.By].Machine():
		return Match{}, ErrSeats
	case people == 2 && n.Seats[0].User == n.Seats[1].User:
		return Match{}, ErrSelf
	case people == 2:
		m.Phase, m.Expires = Proposed, n.Expires
	}
	return m, nil
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

// Turn returns the side to move, whether or not the match is still on.
func (m *Match) Turn() engine.Color { return engine.Color(len(m.Moves) & 1) }

// Game replays the moves. It panics when they are not legal, which the stores
// check when they load a match and [Match.Apply] never brings about.
func (m *Match) Game() *engine.Game {
	g, err := engine.Replay(engine.Start(m.Rules), m.Moves)
	if err != nil {
		panic("match: stored moves are not legal: " + err.Error())
	}
	return g
}

// Check returns an error when the moves of a match from outside are not legal,
// or its phase and result contradict each other.
func (m *Match) Check() error {
	if m.Rules > engine.Lasker {
		return fmt.Errorf("match %s: %w", m.ID, engine.ErrRules)
	}
	g, err := engine.Replay(engine.Start(m.Rules), m.Moves)
	if err != nil {
		return fmt.Errorf("match %s: %w", m.ID, err)
	}
	if r, _ := g.Result(); r != engine.Ongoing && r != m.Result {
		return fmt.Errorf("match %s: the moves end in %v, the record says %v", m.ID, r, m.Result)
	}
	switch m.Phase {
	case Proposed, Playing:
		if m.Result != engine.Ongoing || m.Ending != "" {
			return fmt.Errorf("match %s: %s, yet with the result %v", m.ID, m.Phase, m.Result)
		}
	case Finished:
		if m.Ending == "" {
			return fmt.Errorf("match %s: finished without an ending", m.ID)
		}
	default:
		return fmt.Errorf("match %s: unknown phase %q", m.ID, m.Phase)
	}
	return nil
}

// UndoPly returns the number of moves that would stay if a side took back its
// newest move, and false when it has none.
func (m *Match) UndoPly(by engine.Color) (int, bool) {
	to := len(m.Moves) - 1
	if to >= 0 && engine.Color(to&1) != by {
		to--
	}
	return to, to >= 0
}

// MachineDue reports whether the machine has something to do: its move, or an
// answer to a draw offer.
func (m *Match) MachineDue() bool {
	if m.Phase != Playing {
		return false
	}
	if m.Offer != nil && m.Seats[m.Offer.By.Other()].Machine() {
		return true
	}
	return m.Seats[m.Turn()].Machine()
}

// finish ends the match.
func (m *Match) finish(r engine.Result, e Ending) {
	m.Phase, m.Result, m.Ending = Finished, r, e
	m.Offer, m.Request, m.Notice = nil, nil, nil
}

// keep drops every move after the first n.
func (m *Match) keep(n int) { m.Moves = slices.Clip(m.Moves[:n]) }
