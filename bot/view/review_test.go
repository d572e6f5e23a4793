package view_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

func TestReviewKeepsDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, look := matches().Draw(t, "match"), looks().Draw(t, "look")
		v := play.Review{Chances: []float64{0.5}}
		for range m.Moves {
			v.Chances = append(v.Chances, rapid.Float64Range(0, 1).Draw(t, "chance"))
			v.Best = append(v.Best, engine.Move(0))
		}
		for _, l := range languages() {
			msg, graph := view.Review(l, look, &m, v)
			private(t, msg)
			readable(t, "alt text", msg.File.Alt, view.MaxAlt)
			if len(graph.Values) != len(v.Chances) || graph.Theme != look.Theme {
				t.Errorf("%+v", graph)
			}
		}
	})
}

func TestReviewNamesTheFiveCostliestPliesInOrder(t *testing.T) {
	m := running(t)
	for range 7 {
		pos := m.Game().Position()
		m = after(t, m, match.Play{By: m.Turn(), Move: pos.Moves()[0]})
	}
	v := play.Review{Chances: []float64{0.5, 0.3, 0.45, 0.2, 0.9, 0.1, 0.8, 0.7}}
	v.Best = make([]engine.Move, len(m.Moves))
	v.Best[2] = m.Moves[2] // the best move turns nothing, whatever the chances
	msg, graph := view.Review(i18n.For("en"), view.Look{}, &m, v)
	if want := []int{1, 2, 4, 5, 6}; !slices.Equal(graph.Turning, want) {
		t.Errorf("the plies %v turned the game, want %v", graph.Turning, want)
	}
	if n := strings.Count(msg.Text, "\n"); n != 5 {
		t.Errorf("%d plies are named: %s", n, msg.Text)
	}
	msg, graph = view.Review(i18n.For("en"), view.Look{}, &m, play.Review{Chances: make([]float64, 8), Best: v.Best})
	if len(graph.Turning) > 0 || !strings.Contains(msg.Text, i18n.For("en").T(i18n.ReviewSteady)) {
		t.Errorf("%v turned a game that never turned: %s", graph.Turning, msg.Text)
	}
}
