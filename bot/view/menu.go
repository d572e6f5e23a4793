package view

import (
	"slices"
	"time"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// More returns the private menu of what is seldom needed, for the person who plays
// seat. now decides whether the win may be claimed yet; where nobody has told the person
// to move so, a press on the button does.
func More(l i18n.Lang, look Look, r *storage.Record, seat engine.Color, now time.Time) Message {
	m := &r.Match
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
		early := !r.Told().IsZero() && now.Before(r.Ends)
		ends = append(ends,
			Button{Label: l.T(i18n.ButtonClaim), Intent: intent.Claim{Ref: ref}, Disabled: early},
			Button{Label: l.T(i18n.ButtonGiveTime), Emoji: "⏳", Intent: intent.GiveTime{Ref: ref}, Disabled: m.Extra+24*time.Hour > match.MaxExtra})
		if early {
			msg.Text += "\n" + l.T(i18n.MoreClaim, "Until", timestamp(r.Ends))
		}
	}
	if len(ends) > 0 {
		msg.Rows = append(msg.Rows, ends)
	}
	msg.Rows = append(msg.Rows, lookRow(l, look))
	return msg
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
