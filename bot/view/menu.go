package view

import (
	"slices"
	"time"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// More returns the private menu of what is seldom needed, for the person who plays
// seat. now decides whether the win may be claimed yet; told is when the person to
// move was told so, zero if nobody told them, which a press on the button does.
func More(l i18n.Lang, look Look, m *match.Match, seat engine.Color, told, now time.Time) Message {
	ref, unmoved := refTo(m), len(m.Moves) == 0
	msg := Said(l, i18n.MoreTitle)
	msg.Rows = []Row{{
		{Label: l.T(i18n.ButtonMySide), Emoji: "🔄", Intent: intent.MySide{Ref: ref}},
		{Label: l.T(i18n.ButtonShow), Emoji: "📌", Intent: intent.Board{Ref: ref}},
		{Label: l.T(i18n.ButtonReplay), Emoji: "🎞️", Intent: intent.Replay{Ref: ref}, Disabled: unmoved},
		{Label: l.T(i18n.ButtonText), Emoji: "📄", Intent: intent.GameText{Ref: ref}, Disabled: unmoved},
		{Label: l.T(i18n.ButtonRules), Emoji: "📖", Intent: intent.Rules{}},
	}}
	var ends Row
	if m.Phase == match.Playing && len(m.Moves) < 2 {
		ends = append(ends, Button{Label: l.T(i18n.ButtonAbort), Style: Danger, Intent: intent.Abort{Ref: ref}})
	}
	if m.Phase == match.Playing && m.Turn() != seat && !m.Seats[seat.Other()].Machine() {
		ends = append(ends, Button{Label: l.T(i18n.ButtonPlan), Emoji: "🔮", Intent: intent.Plan{Ref: ref}})
	}
	if _, timed := m.Limit(); timed && m.Phase == match.Playing && m.Turn() != seat {
		due := claimDue(m, told)
		early := !told.IsZero() && now.Before(due)
		ends = append(ends, Button{Label: l.T(i18n.ButtonClaim), Intent: intent.Claim{Ref: ref}, Disabled: early})
		if early {
			msg.Text += "\n" + l.T(i18n.MoreClaim, "Until", timestamp(due))
		}
	}
	if len(ends) > 0 {
		msg.Rows = append(msg.Rows, ends)
	}
	msg.Rows = append(msg.Rows, lookRow(l, look))
	return msg
}

// claimDue returns when the win may be claimed from somebody who was told that it is
// their turn.
func claimDue(m *match.Match, told time.Time) time.Time {
	due, _ := m.Deadline(told, 0)
	return due
}

// ClaimOnBoard takes the button that claims the win from a menu, where there is one, and
// says that it is in the menu of the board that both players see.
func ClaimOnBoard(l i18n.Lang, msg *Message) {
	for i, row := range msg.Rows {
		for j, b := range row {
			if _, ok := b.Intent.(intent.Claim); ok && !b.Disabled {
				msg.Rows[i] = slices.Delete(slices.Clone(row), j, j+1)
				msg.Text += "\n" + l.T(i18n.MoreClaimThere)
				return
			}
		}
	}
}
