package view

import (
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// AskResign asks one person, who plays seat, whether to resign.
func AskResign(l i18n.Lang, m *match.Match, seat engine.Color) Message {
	msg := Said(l, i18n.ResignAsk, "Name", seatName(l, m.Seats[seat.Other()]))
	row := Row{{Label: l.T(i18n.ButtonYesResign), Style: Danger, Intent: intent.Resign{Ref: refTo(m)}}}
	if len(m.Moves) < 2 {
		msg.Text += " " + l.T(i18n.ResignAbort)
		row = append(row, Button{Label: l.T(i18n.ButtonAbort), Intent: intent.Abort{Ref: refTo(m)}})
	}
	msg.Rows = []Row{append(row, Button{Label: l.T(i18n.ButtonNoResign), Intent: intent.Keep{Ref: refTo(m)}})}
	return msg
}

// ending says how a game ended.
func ending(l i18n.Lang, m *match.Match) string {
	switch m.Ending {
	case match.Repetition:
		return l.T(i18n.EndRepetition)
	case match.NoProgress:
		return l.T(i18n.EndNoProgress)
	case match.Agreement:
		return l.T(i18n.EndAgreement)
	case match.Aborted:
		return l.T(i18n.EndAborted)
	case match.Stopped:
		return l.T(i18n.EndStopped, "Players", players(l, m))
	}
	winner := engine.White
	if m.Result == engine.BlackWins {
		winner = engine.Black
	}
	key := i18n.EndBlocked
	switch m.Ending {
	case match.NoMoves:
		if pos := m.Game().Position(); pos.Commanded(pos.Turn()) == 0 {
			key = i18n.EndNothing
		}
	case match.Resignation:
		key = i18n.EndResignation
	case match.Abandonment:
		key = i18n.EndAbandonment
	}
	return l.T(key, "Disc", disc(winner), "Side", colorName(l, winner), "Other", colorName(l, winner.Other()),
		"Winner", seatName(l, m.Seats[winner]), "Loser", seatName(l, m.Seats[winner.Other()]), "Days", moveDays(m))
}

// endRows hold what can be asked for after the end. A person whose data was
// deleted cannot be challenged again.
func endRows(l i18n.Lang, m *match.Match) []Row {
	ref := refTo(m)
	var row Row
	if m.Seats[engine.White].User != storage.Deleted && m.Seats[engine.Black].User != storage.Deleted {
		row = append(row, rematchButton(l, ref))
	}
	if len(m.Moves) > 0 {
		row = append(row,
			Button{Label: l.T(i18n.ButtonReview), Emoji: "📈", Intent: intent.Review{Ref: ref}},
			Button{Label: l.T(i18n.ButtonFilm), Emoji: "🎞️", Intent: intent.Film{Ref: ref}},
			Button{Label: l.T(i18n.ButtonText), Emoji: "📄", Intent: intent.GameText{Ref: ref}})
	}
	if len(row) == 0 {
		return nil
	}
	return []Row{row}
}

// rematchButton begins the next game of the same players.
func rematchButton(l i18n.Lang, finished intent.Ref) Button {
	return Button{Label: l.T(i18n.ButtonRematch), Emoji: "🔁", Style: Primary, Intent: intent.Rematch{Ref: finished}}
}
