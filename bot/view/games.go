package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// shownGames is the most games that [Games] lists.
const shownGames = 10

// Games lists a person's unfinished games, those that wait for the person first.
// It lists ten, or fewer if they do not fit, and says how many more there are.
func Games(l i18n.Lang, who match.UserID, list []storage.Record) Message {
	if len(list) == 0 {
		msg := Said(l, i18n.GamesNone)
		msg.Rows = []Row{{playButton(l)}}
		return msg
	}
	msg := Said(l, i18n.GamesTitle)
	msg.Text += gameLines(l, who, gamesInOrder(who, list), MaxText-length(msg.Text))
	return msg
}

// gameLines lists games, ten at most or as many as fit, and says how many more there
// are.
func gameLines(l i18n.Lang, who match.UserID, list []*storage.Record, space int) string {
	text := ""
	for i, r := range list {
		m := &r.Match
		line := fmt.Sprintf("\n%s %s – %s %s · %s", disc(engine.White), seatName(l, m.Seats[engine.White]),
			disc(engine.Black), seatName(l, m.Seats[engine.Black]), l.T(gameState(m, who)))
		if link := messageLink(r); link != "" {
			line += " · " + link
		}
		more := "\n" + l.N(i18n.GamesMore, len(list)-i)
		if i == shownGames || length(text+line+more) > space {
			return text + more
		}
		text += line
	}
	return text
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
	switch {
	case m.Phase == match.Proposed && m.Seats[m.By].User == who:
		return i18n.GamesOpen
	case m.Phase == match.Proposed:
		return i18n.GamesAnswer
	case m.Seats[m.Turn()].User == who:
		return i18n.GamesYour
	}
	return i18n.GamesWaiting
}

// gamesInOrder puts running games before challenges, of each those that wait for a
// person before those that wait for somebody else, and otherwise keeps their order.
func gamesInOrder(who match.UserID, list []storage.Record) []*storage.Record {
	order := []i18n.Key{i18n.GamesYour, i18n.GamesWaiting, i18n.GamesAnswer, i18n.GamesOpen}
	sorted := make([]*storage.Record, len(list))
	for i := range list {
		sorted[i] = &list[i]
	}
	slices.SortStableFunc(sorted, func(a, b *storage.Record) int {
		return slices.Index(order, gameState(&a.Match, who)) - slices.Index(order, gameState(&b.Match, who))
	})
	return sorted
}

// messageLink returns the address of the message that shows a game, "" if no
// message does.
func messageLink(r *storage.Record) string {
	if r.Screen.Message == "" {
		return ""
	}
	guild := r.Place.Guild
	if guild == "" {
		guild = "@me"
	}
	return "https://discord.com/channels/" + guild + "/" + r.Screen.Channel + "/" + r.Screen.Message
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
