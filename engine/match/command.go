package match

import (
	"slices"
	"time"

	"github.com/lascabot/lascabot/engine"
)

// Command is something that a side does, or that happens with time. The concrete
// types are below; By is always the side that acts.
type Command interface {
	apply(m *Match, now time.Time) error
	by() (c engine.Color, known bool)
}

// Accept accepts a challenge and starts the game.
type Accept struct{ By engine.Color }

// Decline turns a challenge down.
type Decline struct{ By engine.Color }

// Withdraw takes back one's own challenge.
type Withdraw struct{ By engine.Color }

// Expire ends a challenge that has expired.
type Expire struct{}

// Play makes a move, which ends whatever is asked for. It declines the opponent's draw
// offer and refuses their request to take back; the side's own lapse, and an offer that
// does counts as declined: otherwise one could be made with every move.
type Play struct {
	By   engine.Color
	Move engine.Move
}

// PlayStored makes the move that a side has stored as its reply to the latest one. The
// side is not there: it is not Seen.
type PlayStored struct {
	By   engine.Color
	Move engine.Move
}

// Resign gives the game to the opponent.
type Resign struct{ By engine.Color }

// OfferDraw offers a draw. When the opponent has offered one, it accepts that.
type OfferDraw struct{ By engine.Color }

// AcceptDraw accepts the opponent's draw offer.
type AcceptDraw struct{ By engine.Color }

// DeclineDraw declines the opponent's draw offer.
type DeclineDraw struct{ By engine.Color }

// RequestUndo asks to go back to the position after To moves, in which By is to
// move. The machine grants it at once.
type RequestUndo struct {
	By engine.Color
	To int
}

// AcceptUndo grants the opponent's request.
type AcceptUndo struct{ By engine.Color }

// DeclineUndo declines the opponent's request.
type DeclineUndo struct{ By engine.Color }

// Abort calls the match off, as long as at most one side has moved.
type Abort struct{ By engine.Color }

// Apply returns the match after a command. On an error it returns the match
// unchanged; the error wraps one of this package's values or
// engine.ErrIllegalMove. The receiver never changes.
func (m Match) Apply(c Command, now time.Time) (Match, error) {
	who, known := c.by()
	if known && who > engine.Black {
		return m, ErrNotAPlayer
	}
	next := m
	if err := c.apply(&next, now); err != nil {
		return m, err
	}
	next.Version++
	next.Changed = now
	if known {
		next.Seen[who] = now
	}
	return next, nil
}

// playing returns an error unless the match is being played.
func (m *Match) playing() error {
	switch m.Phase {
	case Playing:
		return nil
	case Proposed:
		return ErrNotAccepted
	}
	return ErrFinished
}

// proposed returns an error unless the challenge is still open.
func (m *Match) proposed() error {
	if m.Phase != Proposed {
		return ErrNotProposed
	}
	return nil
}

func (c Accept) apply(m *Match, now time.Time) error {
	if err := m.proposed(); err != nil {
		return err
	}
	if c.By == m.By {
		return ErrNotChallenged
	}
	if m.Open {
		return ErrOpen
	}
	return m.begin(now)
}

func (c Decline) apply(m *Match, _ time.Time) error {
	if err := m.proposed(); err != nil {
		return err
	}
	if c.By == m.By {
		return ErrNotChallenged
	}
	if m.Open {
		return ErrOpen
	}
	m.finish(engine.Ongoing, Declined)
	return nil
}

func (c Withdraw) apply(m *Match, _ time.Time) error {
	if err := m.proposed(); err != nil {
		return err
	}
	if c.By != m.By {
		return ErrNotChallenger
	}
	m.finish(engine.Ongoing, Withdrawn)
	return nil
}

func (Expire) apply(m *Match, now time.Time) error {
	if err := m.proposed(); err != nil {
		return err
	}
	if !now.After(m.Expires) {
		return ErrTooEarly
	}
	m.finish(engine.Ongoing, Expired)
	return nil
}

func (c Play) apply(m *Match, now time.Time) error {
	if err := m.playing(); err != nil {
		return err
	}
	if m.Turn() != c.By {
		return ErrNotYourTurn
	}
	g := m.Game()
	if err := g.Play(c.Move); err != nil {
		return err
	}
	m.Moves = append(slices.Clip(m.Moves), c.Move)
	m.Moved, m.Extra = now, 0
	if m.Offer != nil {
		m.Refused[m.Offer.By] = len(m.Moves) + 1
	}
	if m.Request != nil && m.Request.By != c.By {
		m.UndoRefused[m.Request.By] = len(m.Moves) + 1
	}
	m.Offer, m.Request = nil, nil
	if !m.lost() || !m.Seats[c.By].Machine() {
		m.Notice = nil
	}
	if r, why := g.Result(); why != engine.NotOver {
		m.finish(r, boardEnding(why))
	}
	return nil
}

func (c PlayStored) apply(m *Match, now time.Time) error {
	if err := Play(c).apply(m, now); err != nil {
		return err
	}
	m.Notice = &Notice{RepliedAtOnce, c.By}
	return nil
}

func (c Resign) apply(m *Match, _ time.Time) error {
	if err := m.playing(); err != nil {
		return err
	}
	m.finish(engine.Wins(c.By.Other()), Resignation)
	return nil
}

func (c OfferDraw) apply(m *Match, now time.Time) error {
	if err := m.playing(); err != nil {
		return err
	}
	if m.Offer != nil {
		if m.Offer.By != c.By {
			return AcceptDraw(c).apply(m, now)
		}
		return ErrOfferStands
	}
	if n := m.Refused[c.By]; n > 0 && len(m.Moves)+1 < n+DrawPause {
		return ErrOfferTooSoon
	}
	m.Offer, m.Notice = &Offer{c.By}, nil
	return nil
}

// answerable returns an error unless a draw offer by the opponent is open.
func (m *Match) answerable(by engine.Color) error {
	if err := m.playing(); err != nil {
		return err
	}
	if m.Offer == nil || m.Offer.By == by {
		return ErrNoOffer
	}
	return nil
}

func (c AcceptDraw) apply(m *Match, _ time.Time) error {
	if err := m.answerable(c.By); err != nil {
		return err
	}
	m.finish(engine.Draw, Agreement)
	return nil
}

func (c DeclineDraw) apply(m *Match, _ time.Time) error {
	if err := m.answerable(c.By); err != nil {
		return err
	}
	m.Refused[m.Offer.By] = len(m.Moves) + 1
	m.Offer, m.Notice = nil, &Notice{DrawRefused, c.By}
	return nil
}

func (c RequestUndo) apply(m *Match, now time.Time) error {
	if err := m.playing(); err != nil {
		return err
	}
	if m.Request != nil {
		if m.Request.By != c.By {
			return ErrRequestWaits
		}
		return ErrRequestStands
	}
	if !m.canGoBack(c.By, c.To) {
		return ErrNothingToUndo
	}
	if m.Seats[c.By.Other()].Machine() {
		m.takeBack(c.To, c.By, now)
		return nil
	}
	if n := m.UndoRefused[c.By]; n > 0 && len(m.Moves)+1 < n+UndoPause {
		return ErrRequestTooSoon
	}
	m.Request, m.Notice = &Request{c.By, c.To}, nil
	return nil
}

// canGoBack reports whether a side was to move after a number of moves that is
// smaller than the number made.
func (m *Match) canGoBack(by engine.Color, to int) bool {
	return to >= 0 && to < len(m.Moves) && m.Mover(to) == by
}

// takeBack drops the moves after the first to, as a side has asked. Whoever could see
// what comes of a move has played another game than the others: it is casual.
func (m *Match) takeBack(to int, by engine.Color, now time.Time) {
	m.keep(to)
	m.Moved, m.Extra, m.Terms.Rated = now, 0, false
	m.Offer, m.Request = nil, nil
	m.Notice = &Notice{TakenBack, by}
	for c, n := range m.Refused {
		m.Refused[c] = min(n, to+1)
		m.UndoRefused[c] = min(m.UndoRefused[c], to+1)
	}
}

// requested returns an error unless a request by the opponent is open.
func (m *Match) requested(by engine.Color) error {
	if err := m.playing(); err != nil {
		return err
	}
	if m.Request == nil || m.Request.By == by {
		return ErrNoRequest
	}
	return nil
}

func (c AcceptUndo) apply(m *Match, now time.Time) error {
	if err := m.requested(c.By); err != nil {
		return err
	}
	m.takeBack(m.Request.To, m.Request.By, now)
	return nil
}

func (c DeclineUndo) apply(m *Match, _ time.Time) error {
	if err := m.requested(c.By); err != nil {
		return err
	}
	m.UndoRefused[m.Request.By] = len(m.Moves) + 1
	m.Request, m.Notice = nil, &Notice{UndoRefused, c.By}
	return nil
}

func (c Abort) apply(m *Match, _ time.Time) error {
	if err := m.playing(); err != nil {
		return err
	}
	if len(m.Moves) >= 2 {
		return ErrTooLate
	}
	m.finish(engine.Ongoing, Aborted)
	return nil
}

func (c Accept) by() (engine.Color, bool)      { return c.By, true }
func (c Decline) by() (engine.Color, bool)     { return c.By, true }
func (c Withdraw) by() (engine.Color, bool)    { return c.By, true }
func (c Expire) by() (engine.Color, bool)      { return 0, false }
func (c Play) by() (engine.Color, bool)        { return c.By, true }
func (c PlayStored) by() (engine.Color, bool)  { return 0, false }
func (c Resign) by() (engine.Color, bool)      { return c.By, true }
func (c OfferDraw) by() (engine.Color, bool)   { return c.By, true }
func (c AcceptDraw) by() (engine.Color, bool)  { return c.By, true }
func (c DeclineDraw) by() (engine.Color, bool) { return c.By, true }
func (c RequestUndo) by() (engine.Color, bool) { return c.By, true }
func (c AcceptUndo) by() (engine.Color, bool)  { return c.By, true }
func (c DeclineUndo) by() (engine.Color, bool) { return c.By, true }
func (c Abort) by() (engine.Color, bool)       { return c.By, true }
