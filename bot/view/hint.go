package view

import (
	"fmt"
	"strings"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// hintLine is how many plies of what is expected a hint writes out.
const hintLine = 5

// Hint tells one person what the strongest level would play and why, with an
// arrow on the board as the person sees it. r is the report on the present
// position of m.
func Hint(l i18n.Lang, look Look, m *match.Match, r ai.Report) Message {
	g := m.Game()
	pos := g.Position()
	text := l.T(i18n.HintMove, "Level", match.MaxLevel, "Move", r.Best)
	if why := reasons(l, pos, r); len(why) > 0 {
		text = l.T(i18n.HintWhy, "Level", match.MaxLevel, "Move", r.Best, "Why", strings.Join(why, ", "))
	}
	text += " " + judgement(l, pos.Turn(), r.Score)
	if n := min(len(r.PV), hintLine); n > 1 {
		text += "\n" + l.T(i18n.HintThen, "Line", numbered(append(append([]engine.Move(nil), m.Moves...), r.PV[:n]...), len(m.Moves)))
	}
	s := Scene(m, look.Theme, pos.Turn())
	s.Previous, s.Last, s.Hint = 0, 0, r.Best
	msg := Message{
		Text: text, Private: true,
		Rows: []Row{{{
			Label: l.T(i18n.ButtonPlayHint, "Move", r.Best), Style: Primary,
			Intent: intent.Step{Ref: intent.Ref{Game: m.ID, Version: m.Version}, Path: r.Best.Path()},
		}}},
	}
	show(&msg, l, look, s, fmt.Sprintf("lasca-%s-%d-hint", m.ID, m.Version))
	return msg
}

// reasons says what a move does at once, in parts of a sentence.
func reasons(l i18n.Lang, pos engine.Position, r ai.Report) []string {
	if pos.CountMoves() == 1 {
		return []string{l.T(i18n.HintOnly)}
	}
	var why []string
	t := ai.TallyOf(pos, []engine.Move{r.Best})
	if t.Taken > 0 {
		why = append(why, l.N(i18n.HintTakes, t.Taken))
	}
	if t.Freed > 0 {
		why = append(why, l.N(i18n.HintFrees, t.Freed))
	}
	if t.Promoted > 0 {
		why = append(why, l.T(i18n.HintPromotes))
	}
	return why
}

// judgement says who stands better, and how clearly. The score is from the side
// to move.
func judgement(l i18n.Lang, turn engine.Color, s ai.Score) string {
	if n, ok := s.Win(); ok {
		return l.N(i18n.EvalForced, (n+1)/2, "Side", colorName(l, turn))
	}
	if n, ok := s.Loss(); ok {
		return l.N(i18n.EvalForced, (n+1)/2, "Side", colorName(l, turn.Other()))
	}
	chance, better := s.WinChance(), turn
	if chance < 0.5 {
		chance, better = 1-chance, turn.Other()
	}
	key := i18n.EvalWinning
	switch {
	case chance < 0.56:
		return l.T(i18n.EvalEven)
	case chance < 0.7:
		key = i18n.EvalSlight
	case chance < 0.9:
		key = i18n.EvalClear
	}
	return l.T(key, "Side", colorName(l, better))
}
