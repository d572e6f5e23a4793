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

// A ply turns a game if it costs the mover at least turningLoss of the winning
// chances. A review names the maxTurnings costliest.
const (
	turningLoss = 0.12
	maxTurnings = 5
)

// Review tells one person where a finished game turned. The message's file lacks
// its data, a PNG of the graph that Review returns: how the winning chances went.
func Review(l i18n.Lang, look Look, m *match.Match, v play.Review) (Message, render.GraphSpec) {
	turning := turnings(m, v)
	var b strings.Builder
	b.WriteString(l.T(i18n.ReviewTitle, "White", seatName(l, m.Seats[engine.White]), "Black", seatName(l, m.Seats[engine.Black])))
	var moves []string
	for _, ply := range turning {
		move := numbered(m, ply-1, m.Moves[ply-1:ply])
		moves = append(moves, move)
		b.WriteString("\n" + l.T(i18n.ReviewTurn, "Move", move, "Side", colorName(l, m.Mover(ply-1)),
			"Points", percent(loss(m, v, ply)), "Better", v.Best[ply-1]))
	}
	turns := strings.Join(moves, ", ")
	if len(turning) == 0 {
		turns = "–"
		b.WriteString("\n" + l.T(i18n.ReviewSteady))
	}
	graph := render.GraphSpec{Turning: turning, Theme: look.Theme, First: m.MoveNumber(0), FirstTurn: m.Mover(0)}
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

// loss returns what a ply, counted from 1, cost the side that made it, in winning
// chances.
func loss(m *match.Match, v play.Review, ply int) float64 {
	d := v.Chances[ply-1] - v.Chances[ply]
	if m.Mover(ply-1) == engine.Black { // the chances are White's
		d = -d
	}
	return d
}

// turnings returns the plies that turned the game, counted from 1, in order. The
// best move, and so a forced one, turns nothing, whatever the search thought
// before and after it.
func turnings(m *match.Match, v play.Review) []int {
	var plies []int
	for ply := 1; ply < len(v.Chances); ply++ {
		if loss(m, v, ply) >= turningLoss && v.Best[ply-1] != m.Moves[ply-1] {
			plies = append(plies, ply)
		}
	}
	slices.SortFunc(plies, func(a, b int) int { return cmp.Compare(loss(m, v, b), loss(m, v, a)) })
	plies = plies[:min(len(plies), maxTurnings)]
	slices.Sort(plies)
	return plies
}

func percent(x float64) int { return int(math.Round(100 * x)) }
