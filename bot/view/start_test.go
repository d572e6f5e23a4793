package view_test

import (
	"strings"
	"testing"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// fromMove30 returns a game of Ann as White against the machine that starts with
// Black to move at move 30, and in which both sides have moved once.
func fromMove30(t *testing.T) match.Match {
	t.Helper()
	pos := enginetest.Position(t, ",,,/b,b,b/,,,/,,/w,w,,/,,/,,, b 0 30", engine.Kawu)
	setup := pos.Setup()
	m, err := match.Start(match.New{
		ID: "30", By: engine.White, Start: &setup,
		Seats: [2]match.Seat{{User: ann, Name: "Ann"}, {Level: 4}},
	}, start)
	if err != nil {
		t.Fatal(err)
	}
	return moves(t, m, "d6-e5", "a3-b4")
}

// TestGameFromAnotherStartIsNumberedFromThere covers everything that shows a move's
// number or side.
func TestGameFromAnotherStartIsNumberedFromThere(t *testing.T) {
	l := i18n.For("en")
	two := fromMove30(t)
	three := moves(t, two, "f6-g5")
	over := after(t, three, match.Resign{By: engine.White})
	review, graph := view.Review(l, view.Look{}, &over, play.Review{
		Chances: []float64{0.5, 0.9, 0.4, 0.4},
		Best:    []engine.Move{move("b6-c5"), move("c3-d4"), move("f6-g5")},
	})
	begin := over.StartPosition()
	film, frames := view.Film(l, view.Look{}, &over)
	replay, last := view.Replay(l, view.Look{}, &over, engine.White)
	hint := view.Hint(l, view.Look{}, &three, ai.Report{Best: move("c3-d4"), PV: []engine.Move{move("c3-d4"), move("e5xc3")}}, false)
	choices := view.GameChoices(l, ann, []storage.Record{{Match: three}}, "")

	for _, c := range []struct{ what, text, want string }{
		{"title after White's move", view.Game(l, view.Look{}, &two, nil).Text, "· move 31 ·"},
		{"White's own move alone", view.Game(l, view.Look{}, &two, nil).Text, "\n`31. a3-b4`\n"},
		{"the machine's answer with what it answers", view.Game(l, view.Look{}, &three, nil).Text, "\n`31. a3-b4 f6-g5`\n"},
		{"hint", hint.Text, "`32. c3-d4 e5xc3`"},
		{"review of Black's first ply", review.Text, "`30… d6-e5` cost Black 40"},
		{"review of White's ply", review.Text, "`31. a3-b4` cost White 50"},
		{"film", film.File.Alt, ": 30… d6-e5 31. a3-b4 f6-g5"},
		{"replay", replay.Text, "`31… f6-g5`"},
		{"suggestion", choices[0].Name, " · 32 · "},
		{"game text", string(view.GameText(l, &over).File.Data), "[Position \",,,/b,b,b/,,,/,,/w,w,,/,,/,,, b 0 30\"]"},
		{"game text", string(view.GameText(l, &over).File.Data), "30... d6-e5"},
	} {
		if !strings.Contains(c.text, c.want) {
			t.Errorf("%s: no %q in %q", c.what, c.want, c.text)
		}
	}
	if graph.First != 30 || graph.FirstTurn != engine.Black {
		t.Errorf("the graph begins with %v at move %d", graph.FirstTurn, graph.First)
	}
	if list, err := frames(); err != nil || list[0].Scene.Board.Stacks != begin.Setup().Stacks {
		t.Errorf("the film has %d frames, %v", len(list), err)
	}
	if list, err := last(); err != nil || len(list) == 0 {
		t.Errorf("the replay has %d frames, %v", len(list), err)
	}
}
