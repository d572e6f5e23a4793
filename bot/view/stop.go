package view

import (
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// AskStop asks a moderator whether to end a game without a result.
func AskStop(l i18n.Lang, m *match.Match) Message {
	msg := Said(l, i18n.StopAsk, "Game", Escape(stopName(l, m)))
	msg.Rows = []Row{{
		{Label: l.T(i18n.ButtonYesStop), Style: Danger, Intent: intent.Stop{Ref: refTo(m)}},
		{Label: l.T(i18n.ButtonNoStop), Intent: intent.LetBe{}},
	}}
	return msg
}

// WhichStop asks a moderator which of a channel's games to end. There are at most
// 25 of them.
func WhichStop(l i18n.Lang, list []storage.Record) Message {
	if len(list) == 0 {
		return Said(l, i18n.StopNone)
	}
	msg := Said(l, i18n.StopWhich)
	for i := range list {
		m := &list[i].Match
		if i%MaxButtons == 0 {
			msg.Rows = append(msg.Rows, nil)
		}
		last := len(msg.Rows) - 1
		msg.Rows[last] = append(msg.Rows[last], Button{Label: clip(stopName(l, m), MaxLabel), Intent: intent.AskStop{Ref: refTo(m)}})
	}
	return msg
}

// StopChoices suggests the games of a channel while a moderator types which to end.
func StopChoices(l i18n.Lang, list []storage.Record, typed string) []Choice {
	var choices []Choice
	for i := range list {
		m := &list[i].Match
		choices = choose(choices, stopName(l, m), typed, m)
	}
	return choices
}

// stopName names a game or a challenge where markdown is not read.
func stopName(l i18n.Lang, m *match.Match) string {
	if m.Phase == match.Proposed {
		return l.T(i18n.StopChallenge, "Name", plainSeatName(l, m.Seats[m.By]))
	}
	return gameName(l, m)
}
