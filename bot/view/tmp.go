package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/render"
)

func GameText(l i18n.Lang, m *match.Match) Message {
	name := func(s match.Seat) string {
		if s.Machine() {
			return "Lasca level " + strconv.Itoa(s.Level)
		}
		return PlayerName(l, s)
	}
	text := notation.FormatGame(notation.Game{
		Tags: []notation.Tag{
			{Name: "Event", Value: "Lasca on Discord"},
			{Name: "Date", Value: m.Created.UTC().Format("2006.01.02")},
			{Name: "White", Value: name(m.Seats[engine.White])},
			{Name: "Black", Value: name(m.Seats[engine.Black])},
			{Name: "Termination", Value: string(m.Ending)},
		},
		Start: engine.StartSetup(m.Rules), Moves: m.Moves, Result: m.Result,
	})
	return Message{
		Text: l.T(i18n.GameTextHead), Private: true,
		File: &File{Name: fmt.Sprintf("lasca-%s.txt", m.ID), Data: []byte(text)},
	}
}

const filmEdge = 480

func Film(l i18n.Lang, look Look, m *match.Match) (Message, func() ([]render.Frame, error)) {
	return Message{
			Text: l.T(i18n.FilmTitle, "White", seatName(l, m.Seats[engine.White]), "Black", seatName(l, m.Seats[engine.Black])),
			File: &File{
				Name: fmt.Sprintf("lasca-%s.gif", m.ID),
				Alt:  clip(l.T(i18n.AltFilm, "Moves", numbered(m.Moves, 0)), MaxAlt),
			},
			Private: true,
		}, func() ([]render.Frame, error) {
			return render.GameFrames(render.Scene{Bottom: Bottom(m), Theme: look.Theme, Edge: filmEdge}, m.StartPosition(), m.Moves, m.Result)
		}
}

func Replay(l i18n.Lang, look Look, m *match.Match, seat engine.Color) (Message, func() ([]render.Frame, error)) {
	n := len(m.Moves)
	move := numbered(m.Moves, n-1)
	return Message{
			Text: l.T(i18n.ReplayTitle, "Move", move), Private: true,
			File: &File{Name: fmt.Sprintf("lasca-%s-%d.gif", m.ID, n), Alt: l.T(i18n.AltReplay, "Move", move)},
		}, func() ([]render.Frame, error) {
			g, err := engine.Replay(m.StartPosition(), m.Moves[:n-1])
			if err != nil {
				return nil, err
			}
			return render.MoveFrames(render.Scene{Bottom: seat, Theme: look.Theme, Edge: filmEdge}, g.Position(), m.Moves[n-1])
		}
}

func MoveChoices(pos *engine.Position, typed string) []Choice {
	plain := squaresOnly(typed)
	var first, others []engine.Move
	if m, err := notation.FindMove(pos, typed); err == nil {
		first = append(first, m)
	}
	for _, m := range pos.Moves() {
		switch s := squaresOnly(m.String()); {
		case len(first) > 0 && m == first[0]:
		case strings.HasPrefix(s, plain):
			first = append(first, m)
		case strings.Contains(s, plain):
			others = append(others, m)
		}
	}
	list := append(first, others...)
	var choices []Choice
	for _, m := range list[:min(len(list), MaxChoices)] {
		choices = append(choices, Choice{Name: m.String(), Value: m.String()})
	}
	return choices
}

func squaresOnly(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'g' || r >= '1' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(text))
}
