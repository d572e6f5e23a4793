package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// AskResign asks one person whether to resign.
func AskResign(l i18n.Lang, m *match.Match, seat engine.Color) Message {
	r := intent.Ref{Game: m.ID, Version: m.Version}
	return Message{
		Text:    l.T(i18n.ResignAsk, "Name", seatName(l, m.Seats[seat.Other()])),
		Private: true,
		Rows: []Row{{
			{Label: l.T(i18n.ButtonYesResign), Style: Danger, Intent: intent.Resign{Ref: r}},
			{Label: l.T(i18n.ButtonNoResign), Intent: intent.Keep{Ref: r}},
		}},
	}
}

// Said is a private sentence without buttons.
func Said(l i18n.Lang, key i18n.Key, data ...any) Message {
	return Message{Text: l.T(key, data...), Private: true}
}

// More is the private menu of what is seldom needed. now decides whether the
// game may be claimed already.
func More(l i18n.Lang, look Look, m *match.Match, seat engine.Color, now time.Time) Message {
	r := intent.Ref{Game: m.ID, Version: m.Version}
	rows := []Row{{
		{Label: l.T(i18n.ButtonMySide), Emoji: "🔄", Intent: intent.MySide{Ref: r}},
		{Label: l.T(i18n.ButtonShow), Emoji: "📌", Intent: intent.Board{Ref: r}},
		{Label: l.T(i18n.ButtonReplay), Emoji: "🎞️", Intent: intent.Replay{Ref: r}, Disabled: len(m.Moves) == 0},
		{Label: l.T(i18n.ButtonText), Emoji: "📄", Intent: intent.GameText{Ref: r}, Disabled: len(m.Moves) == 0},
		{Label: l.T(i18n.ButtonRules), Emoji: "📖", Intent: intent.Rules{}},
	}}
	text := l.T(i18n.MoreTitle)
	if m.Phase == match.Playing {
		var ends Row
		if len(m.Moves) < 2 {
			ends = append(ends, Button{Label: l.T(i18n.ButtonAbort), Style: Danger, Intent: intent.Abort{Ref: r}})
		}
		if waits := m.Turn() != seat && !m.Seats[seat.Other()].Machine(); waits {
			due := m.Moved.Add(match.MoveTime)
			ends = append(ends, Button{Label: l.T(i18n.ButtonClaim), Intent: intent.Claim{Ref: r}, Disabled: now.Before(due)})
			if now.Before(due) {
				text += "\n" + l.T(i18n.MoreClaim, "Until", timestamp(due))
			}
		}
		if len(ends) > 0 {
			rows = append(rows, ends)
		}
	}
	rows = append(rows, lookRow(l, look))
	return Message{Text: text, Private: true, Rows: rows}
}

// lookRow offers the other ways to see private boards.
func lookRow(l i18n.Lang, look Look) Row {
	theme := func(t render.Theme, key i18n.Key) Button {
		return Button{
			Label: l.T(key), Intent: intent.Look{Theme: t.String()},
			Disabled: look.Theme == t && !look.Letters,
		}
	}
	letters := Button{Label: l.T(i18n.ButtonLetters), Emoji: "🔤", Intent: intent.Look{Text: "on"}}
	if look.Letters {
		letters = Button{Label: l.T(i18n.ButtonPictures), Emoji: "🖼️", Intent: intent.Look{Text: "off"}}
	}
	return Row{
		theme(render.Wood, i18n.ButtonThemeWood), theme(render.Dark, i18n.ButtonThemeDark),
		theme(render.Contrast, i18n.ButtonThemeSharp), letters,
	}
}

// MySide is a private board from the reader's side.
func MySide(l i18n.Lang, look Look, m *match.Match, side engine.Color) Message {
	msg := Message{Text: l.T(i18n.MySideTitle, "Side", colorName(l, side)), Private: true}
	show(&msg, l, look, Scene(m, look.Theme, side), fmt.Sprintf("lasca-%s-%d-%v", m.ID, m.Version, side))
	return msg
}

// Sample is a private board that shows a new look: the game's, or the start.
func Sample(l i18n.Lang, look Look, everyone bool) Message {
	key := i18n.LookDone
	if everyone {
		key = i18n.LookServer
	}
	msg := Message{Text: l.T(key), Private: true}
	show(&msg, l, look, render.Scene{Board: engine.StartSetup(engine.Kawu), Theme: look.Theme}, "lasca-look-"+look.Theme.String())
	return msg
}

// shownGames is how many games a list has.
const shownGames = 10

// Games lists a person's unfinished games, first those that wait for the
// person, as many as a message has room for.
func Games(l i18n.Lang, who match.UserID, list []storage.Record) Message {
	if len(list) == 0 {
		return Message{Text: l.T(i18n.GamesNone), Private: true, Rows: []Row{{playButton(l)}}}
	}
	text := l.T(i18n.GamesTitle)
	for i, r := range gamesInOrder(who, list) {
		m := &r.Match
		line := fmt.Sprintf("\n%s %s – %s %s · %s", disc(engine.White), seatName(l, m.Seats[engine.White]),
			disc(engine.Black), seatName(l, m.Seats[engine.Black]), l.T(gameState(m, who)))
		if link := messageLink(r); link != "" {
			line += " · " + link
		}
		more := "\n" + l.N(i18n.GamesMore, len(list)-i)
		if i == shownGames || length(text+line+more) > MaxText {
			text += more
			break
		}
		text += line
	}
	return Message{Text: text, Private: true}
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

// gamesInOrder puts the games that wait for a person before those that wait for
// somebody else, and keeps the order otherwise.
func gamesInOrder(who match.UserID, list []storage.Record) []*storage.Record {
	var mine, others []*storage.Record
	for i := range list {
		switch gameState(&list[i].Match, who) {
		case i18n.GamesYour, i18n.GamesAnswer:
			mine = append(mine, &list[i])
		default:
			others = append(others, &list[i])
		}
	}
	return append(mine, others...)
}

// messageLink returns the address of the message that shows a game, "" when
// there is none.
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

// playButton starts a game against the machine at a beginner's level.
func playButton(l i18n.Lang) Button {
	return Button{
		Label: l.T(i18n.ButtonPlay), Emoji: "🎲", Style: Primary,
		Intent: intent.Play{Level: match.DefaultLevel, Side: intent.Random, Rules: engine.Kawu},
	}
}

// GameChoices suggests a person's running games for an option in which one is
// being typed, first those that wait for the person; typed narrows them by the
// players' names. It returns at most [MaxChoices].
func GameChoices(l i18n.Lang, who match.UserID, list []storage.Record, typed string) []Choice {
	typed = strings.ToLower(strings.TrimSpace(typed))
	var choices []Choice
	for _, r := range gamesInOrder(who, list) {
		m := &r.Match
		name := fmt.Sprintf("%s – %s · %d · %s", plainSeatName(l, m.Seats[engine.White]), plainSeatName(l, m.Seats[engine.Black]),
			len(m.Moves)/2+1, strings.ReplaceAll(l.T(gameState(m, who)), "*", ""))
		if strings.Contains(strings.ToLower(name), typed) && len(choices) < MaxChoices {
			choices = append(choices, Choice{Name: clip(name, MaxChoice), Value: string(m.ID)})
		}
	}
	return choices
}
