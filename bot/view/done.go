package view

import (
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
)

// Done tells one person what their press on a private message has done to a game.
// m is the game after it.
func Done(l i18n.Lang, in intent.Intent, m *match.Match) Message {
	switch in.(type) {
	case intent.Resign:
		return Said(l, i18n.DoneResigned)
	case intent.Abort:
		return Said(l, i18n.DoneAborted)
	case intent.Claim:
		if m.Ending == match.Aborted {
			return Said(l, i18n.DoneAborted)
		}
		return Said(l, i18n.DoneClaimed)
	case intent.GiveTime:
		return Said(l, i18n.DoneGaveTime)
	case intent.Undo:
		if r := m.Request; r != nil {
			return Said(l, i18n.DoneUndoAsked, "Move", numbered(m, r.To, m.Moves[r.To:r.To+1]))
		}
		return Said(l, i18n.DoneUndo)
	case intent.Draw:
		if m.Offer != nil {
			return Said(l, i18n.DoneDraw)
		}
		return Said(l, i18n.DoneAgreed)
	case intent.Accept, intent.AllowUndo, intent.AcceptDraw:
		return Said(l, i18n.DoneAgreed)
	case intent.Decline, intent.RefuseUndo, intent.DeclineDraw:
		return Said(l, i18n.DoneDeclined)
	case intent.DropUndo:
		return Said(l, i18n.DoneUndoDropped)
	case intent.DropDraw:
		return Said(l, i18n.DoneDrawDropped)
	case intent.Withdraw:
		return Said(l, i18n.DoneWithdrawn)
	}
	return Said(l, i18n.DonePlayed, "Move", m.Moves[len(m.Moves)-1])
}
