package view

import (
	"fmt"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Watching lists a page of the games that are being played in a channel, counted from
// 0, with a button to watch each. For a page that does not exist it returns the nearest
// one.
func Watching(l i18n.Lang, who match.UserID, list []storage.Record, page int) Message {
	if len(list) == 0 {
		msg := Said(l, i18n.WatchNone)
		msg.Rows = []Row{{playButton(l)}}
		return msg
	}
	msg := Said(l, i18n.WatchTitle)
	games := make([]*storage.Record, len(list))
	for i := range list {
		games[i] = &list[i]
	}
	paged(l, who, games, page, &msg, func(r *storage.Record) intent.Intent {
		return intent.Watch{Ref: intent.Ref{Game: r.Match.ID}, Side: SideOf(&r.Match, who)}
	}, func(page int) intent.Intent { return intent.Watching{Page: page} })
	return msg
}

// Watch shows a game from one side to a person who only watches it. It has no buttons
// that act in the game, and while that runs none that judge it.
func Watch(l i18n.Lang, look Look, r *storage.Record, side engine.Color) Message {
	m := &r.Match
	ref := intent.Ref{Game: m.ID, Version: m.Version, Copy: true}
	t := turnOf(m, side)
	msg := Said(l, i18n.WatchCopy, "Link", gameLink(r))
	msg.Text += "\n" + heading(l, m, &t)
	if m.Phase == match.Finished {
		msg.Text += ending(l, m)
	} else {
		if text := note(l, m); text != "" {
			msg.Text += text + "\n"
		}
		msg.Text += l.T(i18n.GamesTurn, "Name", seatName(l, m.Seats[m.Turn()]))
	}
	unmoved := len(m.Moves) == 0
	msg.Rows = []Row{{
		{Label: l.T(i18n.ButtonOtherSide), Emoji: "🔄", Intent: intent.Watch{Ref: ref, Side: side.Other()}},
		{Label: l.T(i18n.ButtonRefresh), Emoji: "🔃", Intent: intent.Watch{Ref: ref, Side: side}},
		{Label: l.T(i18n.ButtonReplay), Emoji: "🎞️", Intent: intent.Replay{Ref: ref}, Disabled: unmoved},
		{Label: l.T(i18n.ButtonText), Emoji: "📄", Intent: intent.GameText{Ref: ref}, Disabled: unmoved},
	}}
	if m.Phase == match.Finished && !unmoved {
		msg.Rows = append(msg.Rows, Row{
			{Label: l.T(i18n.ButtonReview), Emoji: "📈", Intent: intent.Review{Ref: ref}},
			{Label: l.T(i18n.ButtonFilm), Emoji: "🎞️", Intent: intent.Film{Ref: ref}},
		})
	}
	show(&msg, l, look, t.Scene(look.Theme), fmt.Sprintf("lasca-%s-%d-%v", m.ID, m.Version, side))
	return msg
}

// SideOf returns the side at the lower edge when somebody begins to watch a game: the
// person's own in a game of theirs, otherwise as everybody sees it.
func SideOf(m *match.Match, who match.UserID) engine.Color {
	if seat, err := m.SeatOf(who); err == nil {
		return seat
	}
	return bottomOf(m)
}

// OfferWatch adds to a message, which refuses something to somebody without a part in a
// game, a button to watch it.
func OfferWatch(l i18n.Lang, msg *Message, m *match.Match) {
	if len(msg.Rows) == 0 {
		msg.Rows = []Row{nil}
	}
	watch := intent.Watch{Ref: intent.Ref{Game: m.ID}, Side: bottomOf(m)}
	msg.Rows[0] = append(Row{{Label: l.T(i18n.ButtonWatch), Emoji: "👀", Style: Primary, Intent: watch}}, msg.Rows[0]...)
}

// OfferNext adds a button to a message about a game that leads on to the next game that
// waits for the person. others is how many wait; there is no button where none does, or
// where the message has no room.
func OfferNext(l i18n.Lang, msg *Message, game intent.Ref, others int) {
	if others <= 0 {
		return
	}
	next := Button{Label: l.T(i18n.ButtonNextGame, "Count", others), Emoji: "⏭️", Style: Primary, Intent: intent.Next{Ref: game}}
	if len(msg.Rows) < MaxRows {
		msg.Rows = append(msg.Rows, Row{next})
		return
	}
	for i := len(msg.Rows) - 1; i >= 0; i-- {
		if len(msg.Rows[i]) < MaxButtons {
			msg.Rows[i] = append(msg.Rows[i], next)
			return
		}
	}
}

// Share makes a message that a person has seen alone one for everybody, and says who
// shows it.
func Share(l i18n.Lang, msg *Message, name string) {
	msg.Private, msg.Rows = false, nil
	by := "\n-# " + l.T(i18n.SharedBy, "Name", Escape(name))
	msg.Text = clip(msg.Text, MaxText-length(by)) + by
}

// Shared says where everybody can see what a person wanted to show them: in a message
// of the game's place, which was there before or not.
func Shared(l i18n.Lang, r *storage.Record, message string, before bool) Message {
	key := i18n.SharedNow
	if before {
		key = i18n.SharedBefore
	}
	return Said(l, key, "Link", "https://discord.com/channels/"+r.Place.Guild+"/"+r.Place.Channel+"/"+message)
}

// OfferShare adds a button to a private message that shows everybody what is in it.
func OfferShare(l i18n.Lang, msg *Message, in intent.Intent) {
	msg.Rows = append(msg.Rows, Row{{Label: l.T(i18n.ButtonShowAll), Emoji: "📣", Intent: in}})
}
