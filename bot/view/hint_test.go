package view_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
)

func TestHintKeepsDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, look := played().Draw(t, "match"), looks().Draw(t, "look")
		pos := m.Game().Position()
		r := ai.Report{Score: ai.Score(rapid.OneOf(
			rapid.Int32Range(-400, 400), rapid.Int32Range(30900, 30999), rapid.Int32Range(-30999, -30900)).Draw(t, "score"))}
		for range rapid.IntRange(1, 8).Draw(t, "plies") {
			legal := pos.Moves()
			if len(legal) == 0 {
				break
			}
			mv := rapid.SampledFrom(legal).Draw(t, "move")
			pos.MakeUnchecked(mv)
			r.PV = append(r.PV, mv)
		}
		r.Best = r.PV[0]
		for _, l := range languages() {
			msg := view.Hint(l, look, &m, r, false)
			private(t, msg)
			if step, ok := msg.Rows[0][0].Intent.(intent.Step); !ok || !slices.Equal(step.Path, r.Best.Path()) {
				t.Errorf("the button does not play %v", r.Best)
			}
			if p := msg.Picture; p != nil && (p.Scene.Bottom != m.Turn() || p.Scene.Hint != r.Best) {
				t.Errorf("the arrow shows %v, and %v is at the bottom", p.Scene.Hint, p.Scene.Bottom)
			}
			if !strings.Contains(msg.Text, "**"+r.Best.String()+"**") {
				t.Errorf("%v is not named: %s", r.Best, msg.Text)
			}
		}
	})
}
