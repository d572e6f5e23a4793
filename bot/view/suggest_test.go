package view_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

// values returns what choices stand for.
func values(list []view.Choice) []string {
	var all []string
	for _, c := range list {
		all = append(all, c.Value)
	}
	return all
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
			got := values(view.MoveChoices(&c.pos, c.typed))
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("%q suggests %v, want %v", c.typed, got, c.want)
			}
		})
	}
}

func TestMoveChoicesThatBeginAsTypedComeFirst(t *testing.T) {
	m := moves(t, running(t), "c3-d4", "e5xc3")
	pos := m.Game().Position()
	for typed, want := range map[string][]string{"b": {"b2xd4", "d2xb4"}, "d": {"d2xb4", "b2xd4"}} {
		if got := values(view.MoveChoices(&pos, typed)); !slices.Equal(got, want) {
			t.Errorf("%q suggests %v, want %v", typed, got, want)
		}
	}
}

func TestMoveChoicesAreLegalMovesWithinDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pos := enginetest.Positions().Draw(t, "position")
		typed := rapid.OneOf(rapid.StringMatching(`[a-g]?[1-7]?[-x ]?[a-g]?`), names()).Draw(t, "typed")
		list := view.MoveChoices(&pos, typed)
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
