package view

import (
	"slices"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// News adds to a new message that shows a game a mention of the people who may not know
// of what it shows ([storage.Record.Unaware]), unless it mentions them already, as it
// does when it asks them for something.
func News(l i18n.Lang, r *storage.Record, msg Message) Message {
	for _, u := range r.Unaware() {
		if slices.Contains(msg.Notify, u) {
			continue
		}
		key := i18n.BoardNewsOver
		switch {
		case r.Match.Phase == match.Playing:
			key = i18n.BoardNewsBegun
		case neverPlayed(&r.Match):
			key = i18n.BoardNewsAnswer
		}
		msg.Notify = append(slices.Clone(msg.Notify), u)
		msg.Text += "\n" + l.T(key, "Who", mention(u))
	}
	return msg
}

// Only returns a message that notifies nobody else than some people.
func Only(msg Message, people []match.UserID) Message {
	msg.Notify = slices.DeleteFunc(slices.Clone(msg.Notify), func(u match.UserID) bool { return !slices.Contains(people, u) })
	return msg
}

// Direct tells a person in direct messages what [News] and a board tell them where the
// game is played.
func Direct(l i18n.Lang, r *storage.Record, to match.UserID) Message {
	m := &r.Match
	opponent := m.Seats[0]
	if opponent.User == to {
		opponent = m.Seats[1]
	}
	key := i18n.NoticeNews
	switch seat, err := m.SeatOf(to); {
	case err != nil:
	case m.Phase == match.Proposed:
		key = i18n.NoticeChallenge
	case m.Phase == match.Playing && m.Turn() == seat:
		key = i18n.NoticeTurn
	}
	return Message{Text: l.T(key, "Name", seatName(l, opponent), "Link", gameLink(r))}
}

// Tells reports whether a message notifies everybody who may not know of what it shows.
func Tells(r *storage.Record, msg Message) bool {
	return !slices.ContainsFunc(r.Unaware(), func(u match.UserID) bool { return !slices.Contains(msg.Notify, u) })
}
