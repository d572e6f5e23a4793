package view

import (
	"strconv"
	"strings"
	"time"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// timeNote says on a board until when the person to move has time, "" if no clock runs.
func timeNote(l i18n.Lang, r *storage.Record) string {
	m := &r.Match
	switch {
	case m.Phase != match.Playing || r.Ends.IsZero():
		return ""
	case !r.Away.IsZero():
		return "\n-# " + l.T(i18n.TimeAway, "Name", seatName(l, m.Seats[m.Turn()]), "Until", timestamp(r.Away))
	}
	return "\n-# " + l.T(i18n.TimeEnds, "Until", timestamp(r.Ends))
}

// noticeGames is how many games a notice names.
const noticeGames = 10

// Notice tells a person something about the time of their games. It notifies nobody but,
// with ping, that person.
func Notice(l i18n.Lang, n *play.Notice, ping bool) Message {
	who := mention(n.To)
	var msg Message
	if ping {
		msg.Notify = []match.UserID{n.To}
	}
	count := len(n.Games)
	if n.Kind == play.MayClaim {
		msg.Text = l.N(i18n.NoticeClaim, count, "Who", who)
	} else {
		msg.Text = l.N(i18n.NoticeTime, count, "Who", who)
	}
	var row Row
	for i := range n.Games {
		g := &n.Games[i]
		if i == noticeGames {
			msg.Text += "\n" + l.N(i18n.GamesMore, count-i)
			break
		}
		opponent := g.Match.Seats[0]
		if opponent.User == n.To {
			opponent = g.Match.Seats[1]
		}
		bullet, number := "-", ""
		if count > 1 { // two may be against the same person
			bullet = strconv.Itoa(i+1) + "."
			number = bullet + " "
		}
		msg.Text += "\n" + bullet + " " + strings.Join([]string{seatName(l, opponent), timestamp(g.Ends), gameLink(g)}, " · ")
		if n.Kind == play.MayClaim && len(row) < MaxButtons {
			key := i18n.ButtonClaimFrom
			if len(g.Match.Moves) < 2 { // then it ends without a result
				key = i18n.ButtonOffFrom
			}
			label := l.T(key, "Name", plainSeatName(l, opponent))
			row = append(row, Button{Label: clip(number+label, MaxLabel), Style: Primary, Intent: intent.Claim{Ref: refTo(&g.Match)}})
		}
	}
	if len(row) > 0 {
		msg.Rows = []Row{row}
	}
	msg.Text = clip(msg.Text, MaxText)
	return msg
}

// vacationDays are the lengths of vacation that have buttons.
var vacationDays = []int{3, 7, 14}

// Vacation tells a person about their vacation, with the buttons that take or end one.
func Vacation(l i18n.Lang, v play.Vacation) Message {
	left := int(v.Left / (24 * time.Hour))
	var msg Message
	if v.Until.IsZero() {
		msg = Message{Text: l.N(i18n.VacationLeft, left), Private: true}
		var row Row
		for _, days := range vacationDays {
			row = append(row, Button{Label: l.N(i18n.ButtonVacation, days), Emoji: "🏖️", Disabled: days > left, Intent: intent.Vacation{Days: days}})
		}
		msg.Rows = []Row{row}
		return msg
	}
	msg = Said(l, i18n.VacationOn, "Until", timestamp(v.Until))
	msg.Text += " " + l.N(i18n.VacationRest, left)
	msg.Rows = []Row{{{Label: l.T(i18n.ButtonEndVacation), Style: Primary, Intent: intent.EndVacation{}}}}
	return msg
}
