package view

import (
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Copy returns a game's board for one person alone, wherever they are: with working
// buttons and the link to where everybody sees it. path is as in [Game].
func Copy(l i18n.Lang, look Look, r *storage.Record, path []engine.Square) Message {
	msg := GameOf(l, look, r, path)
	msg.Private = true // so that it notifies nobody else
	where := l.T(i18n.BoardCopy, "Link", gameLink(r))
	if r.Place.Outside != "" && r.Screen.Message == "" { // nothing that others could see
		where = "-# " + l.T(i18n.AloneNote)
	}
	msg.Text = where + "\n" + msg.Text
	if Waits(r) {
		msg.Note("\n" + l.T(i18n.BoardWaits))
	}
	for _, row := range msg.Rows {
		for i := range row {
			row[i].Intent = intent.OnCopy(row[i].Intent)
		}
	}
	return msg
}

// Unseen says that the player of a side does not see on the board in the game's place what
// has happened, and what the other may do about it.
func Unseen(l i18n.Lang, m *match.Match, side engine.Color) string {
	return l.T(i18n.BoardUnseen, "Name", seatName(l, m.Seats[side]))
}

// Waits reports whether Discord has refused to change the board that everybody sees,
// which waits for that.
func Waits(r *storage.Record) bool { return r.Screen.Refused > 0 && r.Behind() }

// Replaced returns what a message says that no longer shows a game: where the game
// goes on. A record without a match is a game that has been deleted.
func Replaced(l i18n.Lang, r *storage.Record) Message {
	if r.Match.ID == "" {
		return Message{Text: l.T(i18n.BoardDeleted)}
	}
	key := i18n.BoardMoved
	if r.Match.Phase == match.Finished {
		key = i18n.BoardEnded
	}
	return Message{Text: l.T(key, "Link", gameLink(r),
		"White", seatName(l, r.Match.Seats[engine.White]), "Black", seatName(l, r.Match.Seats[engine.Black]))}
}

// gameLink returns the address of the message that shows a game, or of the channel
// where it is played.
func gameLink(r *storage.Record) string {
	if link := messageLink(r); link != "" {
		return link
	}
	return serverLink(r) + r.Place.Channel
}
