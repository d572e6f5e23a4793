package match

import (
	"fmt"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
)

// StartText returns what [Match.Start] holds for a match that starts from a
// set-up: "" for the usual start, otherwise position text.
func StartText(s engine.Setup) string {
	if s == engine.StartSetup(s.Rules) {
		return ""
	}
	return notation.FormatPosition(s)
}

// StartPosition returns the position from which the match started. It panics when
// the start is not legal; [Match.Check] refuses such a match.
func (m *Match) StartPosition() engine.Position {
	p, err := m.start()
	if err != nil {
		panic("match: the stored start is not legal: " + err.Error())
	}
	return p
}

// start reads the start position. The error wraps [ErrStart].
func (m *Match) start() (engine.Position, error) {
	if m.Start == "" {
		return engine.Start(m.Rules), nil
	}
	s, err := notation.ParsePosition(m.Start, m.Rules)
	if err != nil {
		return engine.Position{}, fmt.Errorf("%w: %w", ErrStart, err)
	}
	if text := StartText(s); text != m.Start {
		return engine.Position{}, fmt.Errorf("%w: %q should be written %q", ErrStart, m.Start, text)
	}
	p, err := s.Position()
	if err != nil {
		return engine.Position{}, fmt.Errorf("%w: %w", ErrStart, err)
	}
	return p, checkStart(p)
}

// checkStart returns an error that wraps [ErrStart] when the game would be over
// before its first move.
func checkStart(p engine.Position) error {
	if r, why := engine.NewGame(p).Result(); r != engine.Ongoing {
		return fmt.Errorf("%w: the game would be over at once (%v)", ErrStart, why)
	}
	return nil
}

// newStart returns the text of the position from which a new match starts. The
// error wraps [ErrStart].
func newStart(n New) (string, error) {
	if n.Start == nil {
		return "", nil
	}
	if n.Start.Rules != n.Rules {
		return "", fmt.Errorf("%w: its rules are %v, those of the match %v", ErrStart, n.Start.Rules, n.Rules)
	}
	p, err := n.Start.Position()
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrStart, err)
	}
	return StartText(*n.Start), checkStart(p)
}
