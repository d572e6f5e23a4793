package view

import (
	"slices"
	"strings"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/storage"
)

// moveGap stands between a suggested move and the game that it is for.
const moveGap = " · "

// MoveChoices suggests the legal moves that fit what a person has typed so far, in
// the games in which the person is to move: first the one that it describes in any
// form that [notation.FindMove] reads, then those that begin with its squares, then
// those that pass them, each sorted by square. Where there are several games, each
// suggestion names its own. It returns at most [MaxChoices], of which each game has
// its share.
func MoveChoices(l i18n.Lang, games []storage.Record, typed string) []Choice {
	var lists [][]Choice
	total := 0
	for i := range games {
		m := &games[i].Match
		pos := m.Game().Position()
		var list []Choice
		for _, mv := range movesLike(&pos, typed) {
			c := Choice{Name: mv.String(), Value: mv.String()}
			if len(games) > 1 {
				c = Choice{Name: clip(c.Name+moveGap+gameName(l, m), MaxChoice), Value: intent.MoveIn(m.ID, c.Value)}
			}
			list = append(list, c)
		}
		lists = append(lists, list)
		total += len(list)
	}
	for total > MaxChoices { // the longest list gives way
		longest := 0
		for i, list := range lists {
			if len(list) >= len(lists[longest]) {
				longest = i
			}
		}
		lists[longest] = lists[longest][:len(lists[longest])-1]
		total--
	}
	return slices.Concat(lists...)
}

// MoveNamed returns the value of the suggestion that is shown as text, which some
// clients send in its place, and otherwise the text without the game's name.
func MoveNamed(l i18n.Lang, games []storage.Record, text string) string {
	move, _, named := strings.Cut(text, moveGap)
	if !named {
		return text
	}
	for _, c := range MoveChoices(l, games, move) {
		if c.Name == text {
			return c.Value
		}
	}
	return move
}

// movesLike returns the legal moves that fit a text, the best fit first.
func movesLike(pos *engine.Position, typed string) []engine.Move {
	squares := squaresOnly(notation.TidyMove(typed))
	var first, begin, pass []engine.Move
	if m, err := notation.FindMove(pos, typed); err == nil {
		first = append(first, m)
	}
	moves := pos.Moves()
	slices.SortFunc(moves, func(a, b engine.Move) int { return strings.Compare(a.String(), b.String()) })
	for _, m := range moves {
		switch s := squaresOnly(m.String()); {
		case len(first) > 0 && m == first[0]:
		case strings.HasPrefix(s, squares):
			begin = append(begin, m)
		case strings.Contains(s, squares):
			pass = append(pass, m)
		}
	}
	return slices.Concat(first, begin, pass)
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
