package view

import (
	"time"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// moveDays returns the time for a move in days, 0 where there is no limit.
func moveDays(m *match.Match) int {
	limit, _ := m.Limit()
	return int(limit / (24 * time.Hour))
}

// neverPlayed reports whether a match is a challenge, open or closed.
func neverPlayed(m *match.Match) bool {
	switch m.Ending {
	case match.Declined, match.Withdrawn, match.Expired:
		return true
	}
	return m.Phase == match.Proposed
}

// challenge returns the message of a match that was never played.
func challenge(l i18n.Lang, m *match.Match) Message {
	by, other := m.Seats[m.By], m.Seats[m.By.Other()]
	name := seatName(l, by)
	switch m.Ending {
	case match.Declined:
		return Message{Text: l.T(i18n.ChallengeDeclined, "Name", seatName(l, other), "Other", name)}
	case match.Withdrawn:
		return Message{Text: l.T(i18n.ChallengeWithdrawn, "Name", name, "Other", seatName(l, other))}
	case match.Expired:
		return Message{Text: l.T(i18n.ChallengeExpired, "Name", name, "Other", seatName(l, other))}
	}
	side := i18n.ChallengeLots
	if !m.Lots {
		side = i18n.ChallengeWhite
		if m.By == engine.Black {
			side = i18n.ChallengeBlack
		}
	}
	ref := refTo(m)
	return Message{
		Text: l.T(i18n.ChallengeText, "Who", mention(other.User), "Name", name, "Rules", rulesName(l, m.Rules),
			"Side", l.T(side, "Name", name), "Days", moveDays(m), "Until", timestamp(m.Expires)),
		Notify: []match.UserID{other.User},
		Rows: []Row{{
			{Label: l.T(i18n.ButtonAccept), Style: Success, Intent: intent.Accept{Ref: ref}},
			{Label: l.T(i18n.ButtonDecline), Style: Danger, Intent: intent.Decline{Ref: ref}},
			{Label: l.T(i18n.ButtonBlock), Intent: intent.Block{Ref: ref}},
			{Label: l.T(i18n.ButtonWithdraw), Intent: intent.Withdraw{Ref: ref}},
		}},
	}
}
