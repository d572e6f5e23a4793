package view

import (
	"slices"
	"strconv"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Which asks which of several games a command means, with a button for each that
// gives the command in that game. The first ten have a button.
func Which(l i18n.Lang, who match.UserID, list []play.Candidate) Message {
	msg := Said(l, i18n.WhichGame)
	var games []*storage.Record
	var row Row
	for i := range list {
		m := &list[i].Record.Match
		games = append(games, &list[i].Record)
		label := strconv.Itoa(i+1) + ". " + gameName(l, m)
		if step, ok := list[i].Intent.(intent.Step); ok {
			pos := m.Game().Position()
			if _, moves := pos.Continue(step.Path); len(moves) > 0 {
				label = moves[0].String() + moveGap + gameName(l, m)
			}
		}
		row = append(row, Button{Label: clip(label, MaxLabel), Style: Primary, Intent: list[i].Intent})
	}
	msg.Rows = slices.Collect(slices.Chunk(row[:min(len(row), shownGames)], MaxButtons))
	msg.Text += gameLines(l, who, games, MaxText-length(msg.Text))
	return msg
}

// NoGameHere says that a person has no game in a channel, and where the others are.
func NoGameHere(l i18n.Lang, who match.UserID, elsewhere []storage.Record) Message {
	msg := Said(l, i18n.ErrNoGameHere)
	msg.Rows = []Row{{playButton(l)}}
	if len(elsewhere) > 0 {
		msg = Said(l, i18n.GamesHere)
		Elsewhere(l, who, elsewhere, &msg)
	}
	return msg
}

// Elsewhere adds to a message in which other channels a person has games that they
// may mean, with links.
func Elsewhere(l i18n.Lang, who match.UserID, list []storage.Record, msg *Message) {
	if len(list) == 1 {
		r := &list[0]
		seat, _ := r.Match.SeatOf(who)
		where := messageLink(r)
		if where == "" {
			where = "<#" + r.Place.Channel + ">"
		}
		msg.Text += "\n" + l.T(i18n.GamesIn, "Name", seatName(l, r.Match.Seats[seat.Other()]), "Where", where)
		return
	}
	var games []*storage.Record
	for i := range list {
		games = append(games, &list[i])
	}
	msg.Text += "\n" + l.T(i18n.GamesOthers)
	msg.Text += gameLines(l, who, games, MaxText-length(msg.Text))
}

// InGame adds to a message which game it is about.
func InGame(l i18n.Lang, m *match.Match, msg *Message) {
	note := "\n-# " + disc(engine.White) + " " + seatName(l, m.Seats[engine.White]) + " – " + disc(engine.Black) + " " + seatName(l, m.Seats[engine.Black])
	if length(msg.Text+note) <= MaxText {
		msg.Text += note
	}
}
