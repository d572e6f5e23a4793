package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// moveDays returns the time for a move in days, 0 where there is no limit.
func moveDays(m *match.Match) int {
	limit, _ := m.Limit()
	return int(limit / (24 * time.Hour))
}

// neverPlayed reports whether a match is a challenge, open or closed. Only a challenge
// has a time at which it expires.
func neverPlayed(m *match.Match) bool {
	switch m.Ending {
	case match.Declined, match.Withdrawn, match.Expired:
		return true
	case match.Stopped:
		return !m.Expires.IsZero()
	}
	return m.Phase == match.Proposed
}

// challenge returns the message of a match that was never played.
func challenge(l i18n.Lang, m *match.Match) Message {
	if m.Phase == match.Finished {
		return unanswered(l, m)
	}
	by, other := m.Seats[m.By], m.Seats[m.By.Other()]
	name := seatName(l, by)
	side := i18n.ChallengeLots
	if !m.Lots {
		side = i18n.ChallengeWhite
		if m.By == engine.Black {
			side = i18n.ChallengeBlack
		}
	}
	lost := note(l, m)
	if lost != "" {
		lost += "\n"
	}
	ref := refTo(m)
	data := []any{"Name", name, "Rules", termsOf(l, m, ", "), "Time", timeOf(l, m), "Side", l.T(side, "Name", name), "Until", timestamp(m.Expires)}
	if m.Open {
		return Message{
			Text: lost + l.T(i18n.ChallengeOpen, data...),
			Rows: []Row{{
				{Label: l.T(i18n.ButtonJoin), Emoji: "⚔️", Style: Success, Intent: intent.Join{Ref: ref}},
				{Label: l.T(i18n.ButtonWithdraw), Intent: intent.Withdraw{Ref: ref}},
			}},
		}
	}
	return Message{
		Text:   lost + l.T(i18n.ChallengeText, append(data, "Who", mention(other.User))...),
		Notify: []match.UserID{other.User},
		Rows: []Row{{
			{Label: l.T(i18n.ButtonAccept), Style: Success, Intent: intent.Accept{Ref: ref}},
			{Label: l.T(i18n.ButtonDecline), Style: Danger, Intent: intent.Decline{Ref: ref}},
			{Label: l.T(i18n.ButtonBlock), Intent: intent.Block{Ref: ref}},
			{Label: l.T(i18n.ButtonWithdraw), Intent: intent.Withdraw{Ref: ref}},
		}},
	}
}

// unanswered says what became of a challenge.
func unanswered(l i18n.Lang, m *match.Match) Message {
	name, other := seatName(l, m.Seats[m.By]), seatName(l, m.Seats[m.By.Other()])
	if m.Ending == match.Stopped {
		msg := Message{Text: l.T(i18n.ChallengeStopped, "Players", players(l, m))}
		notifyPlayers(&msg, m)
		return msg
	}
	switch {
	case m.Open && m.Ending == match.Withdrawn:
		return Message{Text: l.T(i18n.ChallengeOpenWithdrawn, "Name", name)}
	case m.Open:
		return Message{Text: l.T(i18n.ChallengeOpenExpired, "Name", name)}
	case m.Ending == match.Declined:
		return Message{Text: l.T(i18n.ChallengeDeclined, "Name", other, "Other", name)}
	case m.Ending == match.Withdrawn:
		return Message{Text: l.T(i18n.ChallengeWithdrawn, "Name", name, "Other", other)}
	}
	return Message{Text: l.T(i18n.ChallengeExpired, "Name", name, "Other", other)}
}

// players mentions the people in a match.
func players(l i18n.Lang, m *match.Match) string {
	var list []string
	for _, s := range m.Seats {
		switch {
		case s.User == storage.Deleted:
			list = append(list, seatName(l, s))
		case s.User != "":
			list = append(list, mention(s.User))
		}
	}
	return strings.Join(list, ", ")
}

// notifyPlayers has a message notify everybody in a match.
func notifyPlayers(msg *Message, m *match.Match) {
	for _, s := range m.Seats {
		if s.User != "" && s.User != storage.Deleted {
			notify(msg, s.User)
		}
	}
}

// maxAnswers is how many challenges have buttons in [Challenges]: each takes two at most,
// and a row holds two pairs.
const maxAnswers = 10

// Challenges lists the challenges that a person may answer and those that the person
// has made, with buttons to answer and to withdraw. What does not fit comes up when
// others have been answered.
func Challenges(l i18n.Lang, received, made []storage.Record) Message {
	if len(received)+len(made) == 0 {
		return Said(l, i18n.ChallengesNone)
	}
	msg := Said(l, i18n.ChallengesTitle)
	all := append(slices.Clone(received), made...)
	for i := range all {
		r, m := &all[i], &all[i].Match
		if i == maxAnswers {
			msg.Text += "\n" + l.N(i18n.GamesMore, len(all)-i)
			break
		}
		number, key, who := i+1, i18n.ChallengesTo, m.Seats[m.By.Other()]
		switch {
		case i < len(received):
			key, who = i18n.ChallengesFrom, m.Seats[m.By]
		case m.Open:
			key = i18n.ChallengesOpen
		}
		line := l.T(key, "Number", number, "Name", seatName(l, who), "Rules", termsOf(l, m, ", "), "Time", timeOf(l, m), "Until", timestamp(m.Expires))
		if link := messageLink(r); link != "" {
			line += " · " + link
		}
		msg.Text += "\n" + line
		ref, label := refTo(m), func(text string) string { return fmt.Sprintf("%d. %s", number, text) }
		buttons := Row{{Label: label(l.T(i18n.ButtonWithdraw)), Intent: intent.Withdraw{Ref: ref}}}
		if i < len(received) {
			buttons = Row{
				{Label: label(l.T(i18n.ButtonAccept)), Style: Success, Intent: intent.Accept{Ref: ref}},
				{Label: label(l.T(i18n.ButtonDecline)), Style: Danger, Intent: intent.Decline{Ref: ref}},
			}
		}
		if last := len(msg.Rows) - 1; last >= 0 && len(msg.Rows[last])+len(buttons) <= 4 {
			msg.Rows[last] = append(msg.Rows[last], buttons...)
		} else {
			msg.Rows = append(msg.Rows, buttons)
		}
	}
	return msg
}
