package view

import (
	"strings"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
)

// MoveChoices suggests the legal moves that fit what a person has typed so far:
// first the one that it describes in any form that [notation.FindMove] reads, then
// those that begin with its squares, then those that pass them. It returns at most
// [MaxChoices].
func MoveChoices(pos *engine.Position, typed string) []Choice {
	squares := squaresOnly(notation.TidyMove(typed))
	var first, others []engine.Move
	if m, err := notation.FindMove(pos, typed); err == nil {
		first = append(first, m)
	}
	for _, m := range pos.Moves() {
		switch s := squaresOnly(m.String()); {
		case len(first) > 0 && m == first[0]:
		case strings.HasPrefix(s, squares):
			first = append(first, m)
		case strings.Contains(s, squares):
			others = append(others, m)
		}
	}
	list := append(first, others...)
	var choices []Choice
	for _, m := range list[:min(len(list), MaxChoices)] {
		choices = append(choices, Choice{Name: m.String(), Value: m.String()})
	}
	return choices
}

// squaresOnly drops everything but the letters and digits of squares.
func squaresOnly(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'g' || r >= '1' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(text))
}
