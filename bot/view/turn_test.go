package view_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
	"github.com/lascabot/lascabot/render"
)

// turn asks Ann to move in a bare position.
func turn(pos engine.Position, path []engine.Square) view.Turn {
	return view.Turn{
		Position: pos, Path: path, Who: "Ann",
		Intent: func(path []engine.Square) intent.Intent {
			return intent.Step{Ref: intent.Ref{Game: "7", Version: 1}, Path: path}
		},
	}
}

// asked returns the message that a turn makes.
func asked(l i18n.Lang, t view.Turn) view.Message {
	return view.Message{Text: t.Prompt(l), Rows: t.Rows(l)}
}

// positions draws positions far from any game and positions of games, all with a
// legal move.
func positions() *rapid.Generator[engine.Position] {
	ofGame := rapid.Custom(func(t *rapid.T) engine.Position {
		m := played().Draw(t, "match")
		return m.Game().Position()
	})
	return rapid.OneOf(enginetest.Positions(), ofGame).Filter(func(p engine.Position) bool { return p.HasMoves() })
}

// shown returns the path that a turn shows for one that is asked for: it goes on
// for as long as there is no choice, and is empty where that leaves none.
func shown(pos engine.Position, path []engine.Square) []engine.Square {
	for {
		next, moves := pos.Continue(path)
		switch {
		case len(next) == 1:
			path = append(slices.Clip(path), next[0])
		case len(next) > 1:
			return path
		case len(moves) == 1 && pos.CountMoves() == 1:
			return nil
		default: // a whole move: the choice begins again
			path = nil
		}
	}
}

// press does what the bot does with a step: it returns the move once the path is
// whole.
func press(pos engine.Position, s intent.Step) (engine.Move, bool) {
	next, moves := pos.Continue(s.Path)
	if len(moves) == 1 && len(next) == 0 {
		return moves[0], true
	}
	return 0, false
}

func TestButtonsReachExactlyTheLegalMoves(t *testing.T) {
	l := i18n.For("en")
	rapid.Check(t, func(t *rapid.T) {
		pos := positions().Draw(t, "position")
		want, got := map[engine.Move]int{}, map[engine.Move]int{}
		presses := 0
		for _, mv := range pos.Moves() {
			want[mv] = 1
		}
		whole := rapid.SampledFrom([]int{0, 15, 20}).Draw(t, "whole moves")
		var walk func(path []engine.Square)
		walk = func(path []engine.Square) {
			turn := turn(pos, path)
			turn.Whole = whole
			msg := asked(l, turn)
			list := steps(msg, path)
			if len(list) == 0 {
				t.Fatalf("a dead end after %v", path)
			}
			presses += len(list)
			for _, s := range list {
				if !slices.Equal(s.Path[:len(path)], path) {
					t.Fatalf("after %v a button leads to %v", path, s.Path)
				}
				if next, _ := pos.Continue(s.Path); len(next) == 1 {
					t.Fatalf("after %v a button leads to %v, where there is no choice", path, s.Path)
				}
				if mv, whole := press(pos, s); whole {
					got[mv]++
				} else {
					walk(s.Path)
				}
			}
			back := slices.IndexFunc(buttons(msg), func(b view.Button) bool { return b.Label == l.T(i18n.ButtonBack) })
			if (back >= 0) != (len(path) > 0) {
				t.Fatalf("after %v there is a way back: %t", path, back >= 0)
			}
			if back >= 0 {
				to := buttons(msg)[back].Intent.(intent.Step).Path
				if next, _ := pos.Continue(to); len(next) < 2 || !slices.Equal(to, path[:len(to)]) {
					t.Fatalf("from %v the way back leads to %v", path, to)
				}
			}
		}
		walk(nil)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("legal moves (-), moves that buttons play (+):\n%s", diff)
		}
		if presses > len(want) && len(want) <= whole {
			t.Errorf("%d buttons for %d whole moves", presses, len(want))
		}
	})
}

func TestPromptFitsEveryPosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pos := positions().Draw(t, "position")
		for _, l := range languages() {
			for _, path := range prefixes(pos) {
				for _, whole := range []int{0, 15, 20} {
					turn := turn(pos, path)
					turn.Whole = whole
					msg := asked(l, turn)
					keeps(t, msg)
					most := 3 // leaves room for the answers to a question and the standing row
					if len(shown(pos, path)) > 0 {
						most = 1
					}
					if n := pos.CountMoves(); n <= whole {
						most = max(most, (n+view.MaxButtons-1)/view.MaxButtons)
					}
					if len(msg.Rows) == 0 || len(msg.Rows) > most {
						t.Errorf("%d rows after %v", len(msg.Rows), path)
					}
				}
			}
		}
	})
}

func TestPathThatBeginsNoMoveShowsTheWholeChoice(t *testing.T) {
	l := i18n.For("en")
	rapid.Check(t, func(t *rapid.T) {
		pos := positions().Draw(t, "position")
		var path []engine.Square
		for _, b := range rapid.SliceOfN(rapid.ByteRange(0, 30), 1, 12).Draw(t, "path") {
			path = append(path, engine.Square(b))
		}
		if _, moves := pos.Continue(path); len(moves) > 0 {
			t.Skip("a beginning of a move, or a whole one")
		}
		whole, none := turn(pos, path), turn(pos, nil)
		if diff := cmp.Diff(asked(l, none), asked(l, whole)); diff != "" {
			t.Error(diff)
		}
		if whole.Scene(render.Wood) != none.Scene(render.Wood) {
			t.Error("the picture is another")
		}
	})
}

func TestForcedMoveIsOneButton(t *testing.T) {
	pos := enginetest.Position(t, ",,,/,,/,,,/,b,/,w,,/,,/,,, w 0 1", engine.Kawu)
	legal := pos.Moves()
	if len(legal) != 1 {
		t.Fatalf("the legal moves are %v", legal)
	}
	for _, l := range languages() {
		msg := asked(l, turn(pos, nil))
		list := buttons(msg)
		if len(list) != 1 || !slices.Equal(list[0].Intent.(intent.Step).Path, legal[0].Path()) {
			t.Errorf("the only move is %v, the buttons are %+v", legal[0], list)
		}
		if !strings.Contains(msg.Text, legal[0].String()) {
			t.Errorf("the text does not name %v: %s", legal[0], msg.Text)
		}
	}
}

func TestCaptureButtonSaysHowManyJumpsAreThere(t *testing.T) {
	captures := turn(enginetest.Position(t, ",,,/,,b/,,,/b,b,/w,w,,/,,/,,, w 0 1", engine.Kawu), nil)
	var labels []string
	for _, b := range buttons(asked(i18n.For("en"), captures)) {
		labels = append(labels, b.Label)
	}
	if want := []string{"a3×c5", "c3 ×2"}; !slices.Equal(labels, want) {
		t.Errorf("%q, want %q", labels, want)
	}
}

func TestPictureMarksWhatTheButtonsOffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pos := positions().Draw(t, "position")
		for _, path := range prefixes(pos) {
			turn := turn(pos, path)
			s := turn.Scene(render.Wood)
			path = shown(pos, path)
			next, _ := pos.Continue(path)
			var must, targets render.SquareSet
			if len(path) > 0 {
				targets = render.Squares(next...)
			} else if pos.MustCapture() {
				must = render.Squares(next...)
			}
			if s.Must != must || s.Targets != targets {
				t.Errorf("after %v the picture marks %b and %b, want %b and %b", path, s.Must, s.Targets, must, targets)
			}
			if len(path) == 1 && s.Picked != render.Squares(path...) || len(path) > 1 && !slices.Equal(s.Partial.Path(), path) {
				t.Errorf("after %v the picture shows %b and %v", path, s.Picked, s.Partial)
			}
			if s.Board != pos.Setup() {
				t.Error("another board")
			}
		}
	})
}

func TestTurnAsksNothingWithoutAnIntent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pos := positions().Draw(t, "position")
		bare := view.Turn{Position: pos, Bottom: engine.Black, Who: "Ann", Path: rapid.SampledFrom(prefixes(pos)).Draw(t, "path")}
		if msg := asked(i18n.For("en"), bare); msg.Text != "" || len(msg.Rows) > 0 {
			t.Errorf("%+v", msg)
		}
		want := render.Scene{Board: pos.Setup(), Bottom: engine.Black, Theme: render.Dark}
		if s := bare.Scene(render.Dark); s != want {
			t.Errorf("the picture marks something: %+v", s)
		}
	})
}

func TestTurnWithoutAMoveHasNoButtons(t *testing.T) {
	lost := turn(enginetest.Position(t, ",,,bb/,,/,,,/,,/,b,,/bw,,/w,,, w 0 1", engine.Kawu), nil)
	if rows := lost.Rows(i18n.For("en")); len(rows) > 0 {
		t.Errorf("%+v", rows)
	}
}

func TestPictureShowsTheResultAndTheMovesThatLedToIt(t *testing.T) {
	over := turn(enginetest.Position(t, ",,,bb/,,/,,,/,,/,b,,/bw,,/w,,, w 0 1", engine.Kawu), nil)
	over.Last, over.Previous, over.Result = move("d4xb2"), move("a3-b4"), engine.BlackWins
	s := over.Scene(render.Wood)
	if s.Result != engine.BlackWins || s.Last != over.Last || s.Previous != over.Previous {
		t.Errorf("%+v", s)
	}
}
