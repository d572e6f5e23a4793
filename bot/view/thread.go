package view

import (
	"slices"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// ThreadName returns how the thread of a match is called: after those who play, White
// first. It has less than a hundred characters, Discord's limit.
func ThreadName(l i18n.Lang, m *match.Match) string {
	name := func(c engine.Color) string {
		seat := m.Seats[c]
		seat.Name = CleanName(seat.Name)
		if words := nameless(l, seat); words != "" {
			return words
		}
		return seat.Name // markdown is not read there
	}
	return name(engine.White) + " – " + name(engine.Black)
}

// Locked says to one person that nothing is done in a locked thread.
func Locked(l i18n.Lang, guild, thread string) Message {
	return Said(l, i18n.ErrLocked, "Link", gameLink(&storage.Record{Place: storage.Place{Guild: guild, Channel: thread}}))
}

// Invite adds to the first message in a game's thread a mention of the players whom it
// does not mention yet: those who are mentioned see the thread among their channels.
func Invite(l i18n.Lang, r *storage.Record, msg Message) Message {
	for _, seat := range r.Match.Seats {
		if seat.User == "" || seat.User == storage.Deleted || slices.Contains(msg.Notify, seat.User) {
			continue
		}
		msg.Notify = append(slices.Clone(msg.Notify), seat.User)
		msg.Text += "\n" + l.T(i18n.BoardNewsBegun, "Who", mention(seat.User))
	}
	return msg
}
