package view

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/render"
)

// filmEdge is the width of animations in pixels.
const filmEdge = 480

// Film returns a game as an animation, for the person who asked. The message's
// file lacks its data, a GIF of the frames. Making these takes long, and fails
// only if a move of the game is not legal.
func Film(l i18n.Lang, look Look, m *match.Match) (Message, func() ([]render.Frame, error)) {
	msg := Said(l, i18n.FilmTitle, "White", seatName(l, m.Seats[engine.White]), "Black", seatName(l, m.Seats[engine.Black]))
	msg.File = &File{
		Name: fmt.Sprintf("lasca-%s.gif", m.ID),
		Alt:  clip(l.T(i18n.AltFilm, "Moves", numbered(m, 0, m.Moves)), MaxAlt),
	}
	return msg, func() ([]render.Frame, error) {
		base := render.Scene{Bottom: bottomOf(m), Theme: look.Theme, Edge: filmEdge}
		return render.GameFrames(base, m.StartPosition(), m.Moves, m.Result)
	}
}

// Replay returns the newest move of a game as an animation, seen from the seat of
// the person who asked. The game must have a move. The frames are as for [Film].
func Replay(l i18n.Lang, look Look, m *match.Match, seat engine.Color) (Message, func() ([]render.Frame, error)) {
	last := len(m.Moves) - 1
	move := numbered(m, last, m.Moves[last:])
	msg := Said(l, i18n.ReplayTitle, "Move", move)
	msg.File = &File{Name: fmt.Sprintf("lasca-%s-%d.gif", m.ID, len(m.Moves)), Alt: l.T(i18n.AltReplay, "Move", move)}
	return msg, func() ([]render.Frame, error) {
		g, err := engine.Replay(m.StartPosition(), m.Moves[:last])
		if err != nil {
			return nil, err
		}
		base := render.Scene{Bottom: seat, Theme: look.Theme, Edge: filmEdge}
		return render.MoveFrames(base, g.Position(), m.Moves[last])
	}
}

// GameText returns a game as text that other programs read, in a file for the
// person who asked.
func GameText(l i18n.Lang, m *match.Match) Message {
	name := func(s match.Seat) string {
		if s.Machine() {
			return "Lasca level " + strconv.Itoa(s.Level)
		}
		return cmp.Or(nameless(l, s), s.Name) // neither escaped nor cut
	}
	start := m.StartPosition()
	text := notation.FormatGame(notation.Game{
		Tags: []notation.Tag{
			{Name: "Event", Value: "Lasca on Discord"},
			{Name: "Date", Value: m.Created.UTC().Format("2006.01.02")},
			{Name: "White", Value: name(m.Seats[engine.White])},
			{Name: "Black", Value: name(m.Seats[engine.Black])},
			{Name: "Termination", Value: string(m.Ending)},
		},
		Start: start.Setup(), Moves: m.Moves, Result: m.Result,
	})
	msg := Said(l, i18n.GameTextHead)
	msg.File = &File{Name: fmt.Sprintf("lasca-%s.txt", m.ID), Data: []byte(text)}
	return msg
}
