package view_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// values returns what choices stand for.
func values(list []view.Choice) []string {
	var all []string
	for _, c := range list {
		all = append(all, c.Value)
	}
	return all
}

// oneGame suggests moves where there is one game, in a position.
func oneGame(pos engine.Position, typed string) []view.Choice {
	return view.MoveChoices(i18n.For("en"), []storage.Record{{Match: match.Match{
		Phase: match.Playing, Rules: pos.Rules(), Start: match.StartText(pos.Setup()),
	}}}, typed)
}

func TestMoveChoicesFollowWhatIsTyped(t *testing.T) {
	first := engine.Start(engine.Kawu)
	capture := enginetest.Position(t, "b,,,/,,b/,,,/,bw,/,w,,/,,/,,,w w 0 1", engine.Kawu)
	for _, c := range []struct {
		name, typed string
		pos         engine.Position
		want        []string
	}{
		{"nothing", "", first, []string{"a3-b4", "c3-b4", "c3-d4", "e3-d4", "e3-f4", "g3-f4"}},
		{"a column", "c3", first, []string{"c3-b4", "c3-d4"}},
		{"in capitals with a space", "C3 ", first, []string{"c3-b4", "c3-d4"}},
		{"a square that moves end on", "d4", first, []string{"c3-d4", "e3-d4"}},
		{"a whole move without a separator", "c3d4", first, []string{"c3-d4"}},
		{"a move by Lasker's numbers", "9-13", first, []string{"c3-d4"}},
		{"the ends of a capture", "c3 g7", capture, []string{"c3xe5xg7"}},
		{"full-width letters", "Ｃ３", first, []string{"c3-b4", "c3-d4"}},
		{"a move number in front", "12… c3", first, []string{"c3-b4", "c3-d4"}},
		{"a move number alone", "12.", first, []string{"a3-b4", "c3-b4", "c3-d4", "e3-d4", "e3-f4", "g3-f4"}},
		{"no move", "z9z9", first, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := values(oneGame(c.pos, c.typed))
			if !slices.Equal(got, c.want) {
				t.Errorf("%q suggests %v, want %v", c.typed, got, c.want)
			}
		})
	}
}

func TestMoveChoicesThatBeginAsTypedComeFirst(t *testing.T) {
	m := moves(t, running(t), "c3-d4", "e5xc3")
	pos := m.Game().Position()
	for typed, want := range map[string][]string{"b": {"b2xd4", "d2xb4"}, "": {"b2xd4", "d2xb4"}, "d": {"d2xb4", "b2xd4"}} {
		if got := values(oneGame(pos, typed)); !slices.Equal(got, want) {
			t.Errorf("%q suggests %v, want %v", typed, got, want)
		}
	}
}

func TestMoveChoicesAreLegalMovesWithinDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pos := enginetest.Positions().Draw(t, "position")
		if r, _ := engine.NewGame(pos).Result(); r != engine.Ongoing {
			t.Skip("nobody is to move")
		}
		typed := rapid.OneOf(rapid.StringMatching(`[a-g]?[1-7]?[-x ]?[a-g]?`), names()).Draw(t, "typed")
		list := oneGame(pos, typed)
		if len(list) > view.MaxChoices {
			t.Errorf("%d choices", len(list))
		}
		seen := map[string]bool{}
		for _, c := range list {
			fits(t, "choice", c.Name, view.MaxChoice)
			mv, err := engine.ParseMove(c.Value)
			if err != nil || !slices.Contains(pos.Moves(), mv) {
				t.Errorf("%q is not a legal move", c.Value)
			}
			if seen[c.Value] {
				t.Errorf("%s is suggested twice", c.Value)
			}
			seen[c.Value] = true
		}
	})
}

func TestMoveChoicesOfSeveralGamesNameTheirGame(t *testing.T) {
	games := []storage.Record{{Match: running(t)}, {Match: running(t)}}
	games[0].Match.ID, games[1].Match.ID = "101", "102"
	list := view.MoveChoices(i18n.For("en"), games, "c3-d4")
	if len(list) != 2 {
		t.Fatalf("%+v", list)
	}
	for i, c := range list {
		fits(t, "choice", c.Name, view.MaxChoice)
		if game, move := intent.ReadMove(c.Value); game != games[i].Match.ID || move != "c3-d4" {
			t.Errorf("%q is %q in game %q", c.Value, move, game)
		}
		if !strings.HasPrefix(c.Name, "c3-d4 · Ann – ") {
			t.Errorf("shown as %q", c.Name)
		}
	}
	if got := view.MoveNamed(i18n.For("en"), games, list[0].Name); !strings.HasPrefix(got, "c3-d4 #10") {
		t.Errorf("the name of a suggestion is read as %q", got)
	}
	if got := view.MoveNamed(i18n.For("en"), games, "c3-d4 · somebody else"); got != "c3-d4" {
		t.Errorf("the name of an old suggestion is read as %q", got)
	}
	for range 8 {
		games = append(games, games[0])
	}
	share := map[string]int{}
	for i := range games {
		games[i].Match.ID = match.ID(fmt.Sprint(100 + i))
	}
	for _, c := range view.MoveChoices(i18n.For("en"), games, "") {
		_, game, _ := strings.Cut(c.Value, "#")
		share[game]++
	}
	if len(share) != len(games) {
		t.Errorf("moves of %d of %d games are suggested", len(share), len(games))
	}
}
