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

// hintLine is the most plies of the expected line that a hint writes out.
const hintLine = 5

// Hint tells the person to move what the strongest level would play and why, with
// an arrow on the board as seen from their side. r is the search's report on the
// position of m; casual says that the game was rated until now.
func Hint(l i18n.Lang, look Look, m *match.Match, r ai.Report, casual bool) Message {
	t := Turn{Position: m.Game().Position(), Bottom: m.Turn()}
	msg := Said(l, i18n.HintMove, "Move", r.Best)
	if why := reasons(l, t.Position, r); len(why) > 0 {
		msg = Said(l, i18n.HintWhy, "Move", r.Best, "Why", strings.Join(why, ", "))
	}
	msg.Text += " " + judgement(l, m.Turn(), r.Score)
	if n := min(len(r.PV), hintLine); n > 1 {
		msg.Text += "\n" + l.T(i18n.HintThen, "Line", numbered(m, len(m.Moves), r.PV[:n]))
	}
	if casual {
		msg.Text += "\n" + l.T(i18n.HintCasual)
	}
	msg.Rows = []Row{{{
		Label: l.T(i18n.ButtonPlayHint, "Move", r.Best), Style: Primary,
		Intent: intent.Step{Ref: refTo(m), Path: r.Best.Path(), Sure: true},
	}}}
	scene := t.Scene(look.Theme)
	scene.Hint = r.Best
	show(&msg, l, look, scene, fmt.Sprintf("lasca-%s-%d-hint", m.ID, m.Version))
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

// judgement says who is better, and how clearly. The score is that of the side to
// move.
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
