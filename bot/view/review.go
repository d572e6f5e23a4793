package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
)

// A ply turns a game when it costs at least turningLoss of the mover's winning
// chances; the costliest maxTurnings are told.
const (
	turningLoss = 0.12
	maxTurnings = 5
)

// Review tells one person where a finished game turned, with a graph of the
// winning chances, which is to be drawn into the message's file.
func Review(l i18n.Lang, look Look, m *match.Match, v play.Review) (Message, render.GraphSpec) {
	turning := turnings(m.Moves, v)
	var b strings.Builder
	b.WriteString(l.T(i18n.ReviewTitle, "White", seatName(l, m.Seats[engine.White]), "Black", seatName(l, m.Seats[engine.Black])))
	var moves []string
	for _, ply := range turning {
		side := engine.Color((ply - 1) & 1)
		move := numbered(m.Moves[:ply], ply-1)
		moves = append(moves, move)
		b.WriteString("\n" + l.T(i18n.ReviewTurn, "Move", move, "Side", colorName(l, side),
			"Points", percent(loss(v, ply)), "Better", v.Best[ply-1]))
	}
	turns := strings.Join(moves, ", ")
	if len(turning) == 0 {
		turns = "–"
		b.WriteString("\n" + l.T(i18n.ReviewSteady))
	}
	graph := render.GraphSpec{Turning: turning, Theme: look.Theme}
	for _, chance := range v.Chances {
		graph.Values = append(graph.Values, 2*chance-1)
	}
	return Message{
		Text: clip(b.String(), MaxText), Private: true,
		File: &File{
			Name: fmt.Sprintf("lasca-%s-review.png", m.ID),
			Alt: clip(l.T(i18n.AltGraph, "From", percent(v.Chances[0]), "To", percent(v.Chances[len(v.Chances)-1]),
				"Turns", turns), MaxAlt),
		},
	}, graph
}

// loss returns how much of its winning chances a ply cost the side that made it.
func loss(v play.Review, ply int) float64 {
	d := v.Chances[ply-1] - v.Chances[ply]
	if ply%2 == 0 { // Black's
		d = -d
	}
	return d
}

// turnings returns the plies that turned the game, in order. A forced move turns
// nothing, whatever the search thought before and after it.
func turnings(moves []engine.Move, v play.Review) []int {
	var plies []int
	for ply := 1; ply < len(v.Chances); ply++ {
		if loss(v, ply) >= turningLoss && v.Best[ply-1] != moves[ply-1] {
			plies = append(plies, ply)
		}
	}
	slices.SortFunc(plies, func(a, b int) int { return cmp.Compare(loss(v, b), loss(v, a)) })
	plies = plies[:min(len(plies), maxTurnings)]
	slices.Sort(plies)
	return plies
}

func percent(x float64) int { return int(math.Round(100 * x)) }

