package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// shownGames is the most games in a list without pages.
	shownGames = 10
	// pageGames is how many games a page of a list has. Their lines fit with the
	// longest names and moves, and their buttons in one row.
	pageGames = 5
)

// Games lists a page of a person's unfinished games, counted from 0: those that wait
// for the person first, and of these the one whose time runs out first. Those that wait
// have a button that opens a private copy of the board. For a page that does not exist
// it returns the nearest one.
func Games(l i18n.Lang, who match.UserID, list []storage.Record, page int) Message {
	if len(list) == 0 {
		msg := Said(l, i18n.GamesNone)
		msg.Rows = []Row{{playButton(l)}}
		return msg
	}
	msg := Said(l, i18n.GamesTitle)
	sorted, waiting := gamesInOrder(who, list), 0
	for _, r := range sorted {
		if play.Waits(&r.Match, who) {
			waiting++
		}
	}
	if waiting > 0 {
		msg.Text += " · " + l.N(i18n.GamesWait, waiting)
	}
	paged(l, who, sorted, page, &msg, func(r *storage.Record) (in intent.Intent) {
		if play.Waits(&r.Match, who) {
			in = intent.OwnBoard{Ref: intent.Ref{Game: r.Match.ID}}
		}
		return in
	}, func(page int) intent.Intent { return intent.Games{Page: page} })
	return msg
}

// paged adds a page of a list of games to a message: a line for each, a button for each
// that has an intent, and buttons to turn the pages.
func paged(l i18n.Lang, who match.UserID, list []*storage.Record, page int, msg *Message, of func(*storage.Record) intent.Intent, at func(page int) intent.Intent) {
	pages := (len(list) + pageGames - 1) / pageGames
	page = min(max(page, 0), pages-1)
	var row Row
	for i := page * pageGames; i < min((page+1)*pageGames, len(list)); i++ {
		msg.Text += gameLine(l, who, list[i], i+1)
		if in := of(list[i]); in != nil {
			row = append(row, Button{Label: clip(strconv.Itoa(i+1)+". "+shortName(l, &list[i].Match, who), MaxLabel), Style: Primary, Intent: in})
		}
	}
	if len(row) > 0 {
		msg.Rows = append(msg.Rows, row)
	}
	if pages > 1 {
		msg.Text += "\n" + l.T(i18n.RulesPages, "Page", page+1, "Pages", pages)
		msg.Rows = append(msg.Rows, Row{
			{Label: l.T(i18n.ButtonPrevious), Intent: at(max(page-1, 0)), Disabled: page == 0},
			{Label: l.T(i18n.ButtonNext), Intent: at(page + 1), Disabled: page == pages-1},
		})
	}
}

// shortName names a game on a button: by the opponent or, for somebody else, by both
// players.
func shortName(l i18n.Lang, m *match.Match, who match.UserID) string {
	if seat, err := m.SeatOf(who); err == nil {
		return plainSeatName(l, m.Seats[seat.Other()])
	}
	return plainSeatName(l, m.Seats[engine.White]) + " – " + plainSeatName(l, m.Seats[engine.Black])
}

// gameLines lists games, ten at most or as many as fit, and says how many more there
// are.
func gameLines(l i18n.Lang, who match.UserID, list []*storage.Record, space int) string {
	text := ""
	for i, r := range list {
		line := gameLine(l, who, r, i+1)
		more := "\n" + l.N(i18n.GamesMore, len(list)-i)
		if i == shownGames || length(text+line+more) > space {
			return text + more
		}
		text += line
	}
	return text
}

// gameLine describes an unfinished game: its players and move, the newest move, what it
// waits for and until when, and where it is.
func gameLine(l i18n.Lang, who match.UserID, r *storage.Record, number int) string {
	m := &r.Match
	line := fmt.Sprintf("\n**%d** · %s %s – %s %s", number, disc(engine.White), seatName(l, m.Seats[engine.White]),
		disc(engine.Black), seatName(l, m.Seats[engine.Black]))
	if n := len(m.Moves); m.Phase == match.Playing {
		line += " · " + l.T(i18n.GamesMove, "Number", m.MoveNumber(n))
		if n > 0 {
			line += " · `" + numbered(m, n-1, m.Moves[n-1:]) + "`"
		}
	}
	line += " · " + stateWords(l, m, who)
	if until, timed := deadline(r); timed {
		line += " · " + l.T(i18n.GamesDeadline, "Until", timestamp(until))
	}
	return line + " · " + gameLink(r)
}

// deadline returns until when whoever a game waits for has time: to move, if that
// person was told, or to answer a challenge.
func deadline(r *storage.Record) (time.Time, bool) {
	switch m := &r.Match; m.Phase {
	case match.Playing:
		return m.Deadline(r.Told(), 0)
	case match.Proposed:
		return m.Expires, !m.Expires.IsZero()
	}
	return time.Time{}, false
}

// stateWords says what an unfinished game waits for.
func stateWords(l i18n.Lang, m *match.Match, who match.UserID) string {
	if _, err := m.SeatOf(who); err == nil {
		return l.T(gameState(m, who))
	}
	return l.T(i18n.GamesTurn, "Name", seatName(l, m.Seats[m.Turn()]))
}

// GameChoices suggests a person's unfinished games while the person types which
// one is meant, those that wait for the person first. typed narrows them by the
// players' names. It returns at most [MaxChoices].
func GameChoices(l i18n.Lang, who match.UserID, list []storage.Record, typed string) []Choice {
	var choices []Choice
	for _, r := range gamesInOrder(who, list) {
		m := &r.Match
		choices = choose(choices, gameName(l, m)+" · "+strings.ReplaceAll(l.T(gameState(m, who)), "*", ""), typed, m)
	}
	return choices
}

// choose adds a game to the suggestions if its name has what has been typed.
func choose(choices []Choice, name, typed string, m *match.Match) []Choice {
	if len(choices) == MaxChoices || !strings.Contains(strings.ToLower(name), strings.ToLower(strings.TrimSpace(typed))) {
		return choices
	}
	return append(choices, Choice{Name: clip(name, MaxChoice), Value: string(m.ID)})
}

// gameName names a game where markdown is not read: its players and its move.
func gameName(l i18n.Lang, m *match.Match) string {
	return fmt.Sprintf("%s – %s · %d", plainSeatName(l, m.Seats[engine.White]), plainSeatName(l, m.Seats[engine.Black]), m.MoveNumber(len(m.Moves)))
}

// gameState says what an unfinished game waits for, as one of its players sees
// it.
func gameState(m *match.Match, who match.UserID) i18n.Key {
	waits := play.Waits(m, who)
	switch {
	case m.Phase == match.Proposed && waits:
		return i18n.GamesAnswer
	case m.Phase == match.Proposed:
		return i18n.GamesOpen
	case m.Seats[m.Turn()].User == who:
		return i18n.GamesYour
	case waits:
		return i18n.GamesAsked
	}
	return i18n.GamesWaiting
}

// gamesInOrder puts running games before challenges, of each those that wait for a
// person before those that wait for somebody else, and of these those whose time runs
// out first. Otherwise it keeps their order.
func gamesInOrder(who match.UserID, list []storage.Record) []*storage.Record {
	order := map[i18n.Key]int{i18n.GamesAsked: 0, i18n.GamesYour: 0, i18n.GamesWaiting: 1, i18n.GamesAnswer: 2, i18n.GamesOpen: 3}
	sorted := make([]*storage.Record, len(list))
	for i := range list {
		sorted[i] = &list[i]
	}
	slices.SortStableFunc(sorted, func(a, b *storage.Record) int {
		if d := order[gameState(&a.Match, who)] - order[gameState(&b.Match, who)]; d != 0 {
			return d
		}
		at, timed := deadline(a)
		bt, bTimed := deadline(b)
		switch {
		case timed && bTimed:
			return at.Compare(bt)
		case timed:
			return -1
		case bTimed:
			return 1
		}
		return 0
	})
	return sorted
}

// messageLink returns the address of the message that shows a game, "" if no
// message does.
func messageLink(r *storage.Record) string {
	if r.Screen.Message == "" {
		return ""
	}
	return serverLink(r) + r.Screen.Channel + "/" + r.Screen.Message
}

// serverLink returns the beginning of the addresses of channels where a game is played.
func serverLink(r *storage.Record) string {
	return "https://discord.com/channels/" + cmp.Or(r.Place.Guild, r.Place.Outside, storage.OutsideDM) + "/"
}

// playButton starts a game against the machine at the default level.
func playButton(l i18n.Lang) Button {
	return Button{
		Label: l.T(i18n.ButtonPlay), Emoji: "🎲", Style: Primary,
		Intent: intent.Play{Level: match.DefaultLevel, Side: intent.Random, Rules: engine.Kawu},
	}
}

// showButton brings a game's board, with its buttons, to where the person is.
func showButton(l i18n.Lang, r *storage.Record) Button {
	return Button{Label: l.T(i18n.ButtonShow), Emoji: "📌", Intent: intent.Board{Ref: intent.Ref{Game: r.Match.ID}}}
}
