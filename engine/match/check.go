package match

import (
	"fmt"

	"github.com/lascabot/lascabot/engine"
)

// Check returns an error when a match that comes from outside is not one that
// [Start] and [Match.Apply] could have made: its start or its moves are not legal,
// its phase, result and ending contradict each other, or it names a side, seat or
// ply that does not exist. On a match that passes, every method may be called.
func (m *Match) Check() error {
	if err := m.check(); err != nil {
		return fmt.Errorf("match %s: %w", m.ID, err)
	}
	return nil
}

func (m *Match) check() error {
	if m.Version == 0 {
		return fmt.Errorf("the version is 0; the first is 1")
	}
	if !m.Rules.Valid() {
		return engine.ErrRules
	}
	people, err := checkSeats(m.Seats, m.By, m.Open)
	if err != nil {
		return err
	}
	if err := m.checkTerms(); err != nil {
		return err
	}
	start, err := m.start()
	if err != nil {
		return err
	}
	g, err := engine.Replay(start, m.Moves)
	if err != nil {
		return err
	}
	if o := m.Offer; o != nil && o.By > engine.Black {
		return fmt.Errorf("a draw is offered by side %d", o.By)
	}
	if n := m.Notice; n != nil && n.By > engine.Black {
		return fmt.Errorf("a notice names side %d", n.By)
	}
	if r := m.Request; r != nil && (r.By > engine.Black || !m.canGoBack(r.By, r.To)) {
		return fmt.Errorf("side %d asks to go back to ply %d of %d", r.By, r.To, len(m.Moves))
	}
	if m.Phase != Playing && (m.Offer != nil || m.Request != nil) {
		return fmt.Errorf("the match is %s, but an offer or a request is open", m.Phase)
	}
	switch m.Phase {
	case Proposed:
		if people < 2 || len(m.Moves) > 0 {
			return fmt.Errorf("the match is %s, but it is against the machine or has moves", m.Phase)
		}
		fallthrough
	case Playing:
		if r, _ := g.Result(); m.Result != engine.Ongoing || m.Ending != "" || r != engine.Ongoing {
			return fmt.Errorf("the match is %s, but the result is %v (%q) and the moves end in %v", m.Phase, m.Result, m.Ending, r)
		}
	case Finished:
		return m.checkEnding(g)
	default:
		return fmt.Errorf("unknown phase %q", m.Phase)
	}
	return nil
}

// checkTerms checks the terms, the time that was given, and that an open challenge
// has not been answered.
func (m *Match) checkTerms() error {
	if err := m.Terms.check(); err != nil {
		return err
	}
	_, timed := m.Limit()
	if m.Extra < 0 || m.Extra > MaxExtra || m.Extra > 0 && !timed {
		return fmt.Errorf("%v more time for a turn", m.Extra)
	}
	if m.Open && (m.Phase == Playing || m.Phase == Finished && m.Ending != Withdrawn && m.Ending != Expired && m.Ending != Stopped) {
		return fmt.Errorf("the challenge is open, but the match is %s (%q)", m.Phase, m.Ending)
	}
	return nil
}

// boardEnding returns the ending that goes with a rule of the board, "" when the
// game is not over.
func boardEnding(why engine.Reason) Ending {
	switch why {
	case engine.NoMoves:
		return NoMoves
	case engine.Repetition:
		return Repetition
	case engine.NoProgress:
		return NoProgress
	}
	return ""
}

// checkEnding returns an error unless the ending of a finished match agrees with
// its moves and its result.
func (m *Match) checkEnding(g *engine.Game) error {
	r, why := g.Result()
	ok := false
	switch m.Ending {
	case NoMoves, Repetition, NoProgress:
		ok = m.Ending == boardEnding(why) && m.Result == r
	case Agreement:
		ok = m.Result == engine.Draw
	case Resignation, Abandonment:
		ok = m.Result == engine.WhiteWins || m.Result == engine.BlackWins
	case Aborted, Declined, Withdrawn, Expired, Stopped:
		ok = m.Result == engine.Ongoing
	}
	if !ok || why != engine.NotOver && m.Ending != boardEnding(why) {
		return fmt.Errorf("the moves end in %v (%q), the record says %v (%q)", r, why, m.Result, m.Ending)
	}
	return nil
}
