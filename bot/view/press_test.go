package view_test

import (
	"slices"
	"testing"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

// presses counts the buttons that somebody presses to play a move. Whole is as in
// [view.Turn].
func presses(t tb, l i18n.Lang, pos engine.Position, mv engine.Move, whole int) int {
	want := mv.Path()
	var path []engine.Square
	for n := 1; ; n++ {
		turn := turn(pos, path)
		turn.Whole = whole
		list := steps(asked(l, turn), path)
		i := slices.IndexFunc(list, func(s intent.Step) bool {
			return len(s.Path) <= len(want) && slices.Equal(s.Path, want[:len(s.Path)])
		})
		if i < 0 {
			t.Fatalf("no button leads on from %v to %v", path, mv)
		}
		if path = list[i].Path; len(path) == len(want) {
			return n
		}
	}
}

// TestMovesTakeFewPresses plays games of the machine against itself, at levels that
// differ from game to game. Over the 1,000 games, of 77,491 moves that were not
// forced, a move took 1.537 presses on average, and 1.000 with whole moves as
// buttons. There were at most 19 moves to choose from, at most ten in 93 %.
func TestMovesTakeFewPresses(t *testing.T) {
	games := 1000
	if testing.Short() {
		games = 20
	}
	l := i18n.For("en")
	searcher := ai.NewSearcher(1 << 20)
	unforced, byColumn, byMove, most, few := 0, 0, 0, 0, 0
	for n := range games {
		searcher.Forget()
		g := engine.NewGame(engine.Start(engine.AllRules()[n%len(engine.AllRules())]))
		for ply := 0; ; ply++ {
			if r, _ := g.Result(); r != engine.Ongoing {
				break
			}
			task := ai.TaskFor(g)
			task.Level, task.Seed = ai.Level(1+(n+ply%2)%2), uint64(n*1000+ply)
			rep, err := searcher.Search(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			pos := g.Position()
			columns, whole := presses(t, l, pos, rep.Best, 0), presses(t, l, pos, rep.Best, 20)
			switch legal := pos.CountMoves(); {
			case legal == 1 && (columns != 1 || whole != 1):
				t.Fatalf("the only move %v takes %d and %d presses", rep.Best, columns, whole)
			case legal > 1:
				unforced, byColumn, byMove = unforced+1, byColumn+columns, byMove+whole
				most = max(most, legal)
				if legal <= 10 {
					few++
				}
			}
			if err := g.Play(rep.Best); err != nil {
				t.Fatal(err)
			}
		}
	}
	mean := func(sum int) float64 { return float64(sum) / float64(unforced) }
	t.Logf("%d games, %d moves that were not forced: %.3f presses by columns, %.3f by whole moves; at most %d moves, at most ten in %.0f %%",
		games, unforced, mean(byColumn), mean(byMove), most, 100*mean(few))
	if mean(byColumn) > 1.65 || mean(byMove) != 1 {
		t.Errorf("%.3f and %.3f presses, want at most 1.65 and 1", mean(byColumn), mean(byMove))
	}
}

func TestWhatLeavesNoChoiceIsPlayedAtOnce(t *testing.T) {
	for _, c := range []struct {
		name, position string
		whole          int
		want           []string
		then           []string // after the first button
	}{
		{"a column with one move shows it", ",,,/b,,/,,,/,,/w,w,,/,,/,,, w 0 1", 0, []string{"a3→b4", "c3"}, nil},
		{"a capture with one path takes one press", ",,,/,b,b/,,,/,b,/,w,w,/,,/,,, w 0 1", 0, []string{"c3 ×2", "e3×c5×e7"}, []string{"c7", "g7"}},
		{"a column that is the only one is chosen", ",,,/b,,/,,,/,,/,w,,/,,/,,, w 0 1", 0, []string{"b4", "d4"}, nil},
		{"a jump that is the only one is made", ",,,/,b,b/,,,/,b,/,w,,/,,/,,, w 0 1", 0, []string{"c7", "g7"}, nil},
		{"whole moves", ",,,/,b,b/,,,/,b,/,w,w,/,,/,,, w 0 1", 20, []string{"c3×e5×c7", "c3×e5×g7", "e3×c5×e7"}, nil},
		{"whole moves of the only column", ",,,/b,,/,,,/,,/,w,,/,,/,,, w 0 1", 20, []string{"c3→b4", "c3→d4"}, nil},
		{"too many for whole moves", ",,,/b,,/,,,/,,/,w,w,/,,/,,, w 0 1", 3, []string{"c3", "e3"}, []string{"b4", "d4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			turn := turn(enginetest.Position(t, c.position, engine.Kawu), nil)
			turn.Whole = c.whole
			l := i18n.For("en")
			msg := asked(l, turn)
			if got := squareLabels(msg); !slices.Equal(got, c.want) {
				t.Fatalf("the buttons are %q, want %q\n%s", got, c.want, msg.Text)
			}
			if c.then == nil {
				return
			}
			turn.Path = buttons(msg)[0].Intent.(intent.Step).Path
			if got := squareLabels(asked(l, turn)); !slices.Equal(got, append(c.then, "← Back")) {
				t.Errorf("after %v the buttons are %q, want %q", turn.Path, got, c.then)
			}
		})
	}
}

// squareLabels returns the labels of all buttons.
func squareLabels(msg view.Message) (list []string) {
	for _, b := range buttons(msg) {
		list = append(list, b.Label)
	}
	return list
}

func TestButtonsRunAsThePictureDoes(t *testing.T) {
	for _, c := range []struct {
		bottom   engine.Color
		position string
		want     []string
	}{
		{engine.White, ",,,/,,/,,,/,,/w,,w,/,,w/,,, w 0 1", []string{"a3→b4", "e3", "f2→g3"}},
		{engine.Black, ",,,/,,/,,b,/,,/,b,,b/,,/,,, b 0 1", []string{"g3→f2", "c3", "e5"}},
		{engine.Black, ",b,,/,,/b,b,b,b/,,/,,,/,,/,,, b 0 1", []string{"g5→f4", "e5", "c5", "a5→b4", "c7"}},
	} {
		turn := turn(enginetest.Position(t, c.position, engine.Kawu), nil)
		turn.Bottom = c.bottom
		if got := squareLabels(asked(i18n.For("en"), turn)); !slices.Equal(got, c.want) {
			t.Errorf("with %v at the bottom the buttons are %q, want %q", c.bottom, got, c.want)
		}
	}
}

func TestRowsAreBalanced(t *testing.T) {
	l := i18n.For("en")
	for _, c := range []struct {
		position string
		want     []int
	}{
		{",,,/,,/W,,W,/,,/w,w,w,w/,,/,,, w 0 1", []int{3, 3}},
		{",,,/,,/,,,/,,/w,w,w,w/,,/,,, w 0 1", []int{4}},
		{",,,/,,/W,W,W,W/,,/w,w,w,w/,,/,,, w 0 1", []int{4, 4}},
	} {
		var got []int
		for _, row := range asked(l, turn(enginetest.Position(t, c.position, engine.Kawu), nil)).Rows {
			got = append(got, len(row))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: rows of %v, want %v", c.position, got, c.want)
		}
	}
}
