package match

import "github.com/lascabot/lascabot/engine"

// Unaware reports whether the latest change concerns a person who did not make it, and
// so may not know of it: somebody for whom the match now waits ([Match.Awaits]), whose
// challenge was answered or has expired, or whose game the other, or a moderator, has
// ended. Against the machine nobody is unaware: it answers at once. A challenge that is
// withdrawn concerns nobody: what asked for the answer says so by now.
func (m *Match) Unaware(c engine.Color) bool {
	if m.Seats[c].User == "" || m.Seats[c.Other()].Machine() || !m.concerns(c) {
		return false
	}
	// Whoever made the latest change was seen at that moment.
	return m.Seen[c].Before(m.Changed) || m.Seen[c.Other()].Equal(m.Changed)
}

// concerns reports whether the latest change is one that a side should know of, unless
// it made the change itself.
func (m *Match) concerns(c engine.Color) bool {
	switch m.Ending {
	case "":
		return m.Awaits(c) || m.justBegun() && c == m.By
	case Withdrawn:
		return false
	case Declined, Expired:
		return c == m.By
	case Resignation:
		return m.Result == engine.Wins(c)
	case Abandonment:
		return m.Result == engine.Wins(c.Other())
	case NoMoves, Repetition, NoProgress:
		stored := m.Notice != nil && m.Notice.Kind == RepliedAtOnce // whoever moved was not there
		return stored || c != m.Mover(len(m.Moves)-1)
	}
	return true // either side may have done it, or neither
}

// justBegun reports whether the latest change is that a challenge was accepted.
func (m *Match) justBegun() bool {
	return m.Phase == Playing && len(m.Moves) == 0 && m.Offer == nil && m.Request == nil && m.Notice == nil && m.Moved.Equal(m.Changed)
}
