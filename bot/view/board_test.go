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
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
)

// buttons returns the buttons of a message in order.
func buttons(msg view.Message) []view.Button { return slices.Concat(msg.Rows...) }

// steps returns the buttons that enter a move, without Back.
func steps(msg view.Message, at []engine.Square) []intent.Step {
	var list []intent.Step
	for _, b := range buttons(msg) {
		if s, ok := b.Intent.(intent.Step); ok && len(s.Path) > len(at) {
			list = append(list, s)
		}
	}
	return list
}

// press is what the bot does with a step: it plays the move when the path is
// whole, or shows the board again.
func press(m *match.Match, s intent.Step) (engine.Move, bool) {
	g := m.Game()
	pos := g.Position()
	next, moves := pos.Continue(s.Path)
	if len(moves) == 1 && len(next) == 0 {
		return moves[0], true
	}
	return 0, false
}

func TestButtonsReachExactlyTheLegalMoves(t *testing.T) {
	l := i18n.For("en")
	rapid.Check(t, func(t *rapid.T) {
		m := played().Draw(t, "match")
		g := m.Game()
		pos := g.Position()
		want := map[engine.Move]int{}
		for _, mv := range pos.Moves() {
			want[mv] = 1
		}
		if m.Seats[m.Turn()].Machine() {
			want = map[engine.Move]int{}
		}
		got := map[engine.Move]int{}
		var walk func(path []engine.Square)
		walk = func(path []engine.Square) {
			msg := view.Game(l, view.Look{}, &m, path)
			list := steps(msg, path)
			if len(list) == 0 && !m.Seats[m.Turn()].Machine() {
				t.Fatalf("a dead end after %v", path)
			}
			for _, s := range list {
				if s.Ref != (intent.Ref{Game: m.ID, Version: m.Version}) || !slices.Equal(s.Path[:len(path)], path) {
					t.Fatalf("after %v a button leads to %+v", path, s)
				}
				if mv, whole := press(&m, s); whole {
					got[mv]++
				} else {
					walk(s.Path)
				}
			}
			if len(path) > 0 {
				back := intent.Step{Ref: intent.Ref{Game: m.ID, Version: m.Version}, Path: path[:len(path)-1]}
				if !slices.ContainsFunc(buttons(msg), func(b view.Button) bool {
					s, ok := b.Intent.(intent.Step)
					return ok && b.Label == l.T(i18n.ButtonBack) && !b.Disabled && cmp.Equal(s, back)
				}) {
					t.Fatalf("no way back from %v", path)
				}
			}
		}
		walk(nil)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("legal moves (-), moves that buttons play (+):\n%s", diff)
		}
	})
}

func TestPathThatBeginsNoMoveShowsTheBoardAfresh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := played().Draw(t, "match")
		var path []engine.Square
		for _, b := range rapid.SliceOfN(rapid.ByteRange(0, 30), 1, 12).Draw(t, "path") {
			path = append(path, engine.Square(b))
		}
		g := m.Game()
		pos := g.Position()
		if next, _ := pos.Continue(path); len(next) > 0 {
			t.Skip("a beginning of a move")
		}
		l := i18n.For("en")
		if diff := cmp.Diff(view.Game(l, view.Look{}, &m, nil), view.Game(l, view.Look{}, &m, path)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestOnlyThoseWhoHoldTheGameUpAreNotified(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := matches().Draw(t, "match")
		var want []match.UserID
		add := func(s match.Seat) {
			if !s.Machine() && !slices.Contains(want, s.User) {
				want = append(want, s.User)
			}
		}
		switch m.Phase {
		case match.Proposed:
			add(m.Seats[m.By.Other()])
		case match.Playing:
			if m.Offer != nil {
				add(m.Seats[m.Offer.By.Other()])
			}
			if m.Request != nil {
				add(m.Seats[m.Request.By.Other()])
			}
			if len(want) == 0 {
				add(m.Seats[m.Turn()])
			}
		}
		for _, l := range languages() {
			if got := view.Game(l, view.Look{}, &m, nil).Notify; !slices.Equal(got, want) {
				t.Errorf("%v are notified, want %v", got, want)
			}
		}
	})
}

// intents returns the intents of the buttons that can be pressed, by their
// types.
func intents(msg view.Message) map[string]bool {
	kinds := map[string]bool{}
	for _, b := range buttons(msg) {
		if !b.Disabled {
			kinds[strings.TrimPrefix(typeName(b.Intent), "intent.")] = true
		}
	}
	return kinds
}

func TestButtonsOfEachState(t *testing.T) {
	l := i18n.For("en")
	show := func(m match.Match) map[string]bool { return intents(view.Game(l, view.Look{}, &m, nil)) }
	want := func(t *testing.T, got map[string]bool, names ...string) {
		t.Helper()
		set := map[string]bool{}
		for _, n := range names {
			set[n] = true
		}
		if diff := cmp.Diff(set, got); diff != "" {
			t.Error(diff)
		}
	}
	two := matchOf(true, engine.White, engine.Kawu, [2]string{"Ann", "Ben"})
	on := after(t, two, match.Accept{By: engine.Black})
	bot := matchOf(false, engine.White, engine.Kawu, [2]string{"Ann"})

	t.Run("challenge", func(t *testing.T) { want(t, show(two), "Accept", "Decline", "Withdraw") })
	t.Run("answered challenge", func(t *testing.T) { want(t, show(after(t, two, match.Decline{By: engine.Black}))) })
	t.Run("first move", func(t *testing.T) { want(t, show(on), "Step", "Hint", "Draw", "AskResign", "More") })
	t.Run("later move", func(t *testing.T) {
		want(t, show(after(t, on, moveBy(engine.White, "c3-d4"))), "Step", "Hint", "Undo", "Draw", "AskResign", "More")
	})
	t.Run("the machine thinks", func(t *testing.T) {
		want(t, show(after(t, bot, moveBy(engine.White, "c3-d4"))), "Undo", "Draw", "AskResign", "More")
	})
	t.Run("the machine has moved first", func(t *testing.T) {
		black := matchOf(false, engine.Black, engine.Kawu, [2]string{"Ann"})
		want(t, show(after(t, black, moveBy(engine.White, "c3-b4"))), "Step", "Hint", "Draw", "AskResign", "More")
	})
	t.Run("draw offer", func(t *testing.T) {
		want(t, show(after(t, on, match.OfferDraw{By: engine.White})), "Step", "AcceptDraw", "DeclineDraw", "Hint", "AskResign", "More")
	})
	t.Run("draw offer to the machine", func(t *testing.T) {
		want(t, show(after(t, bot, match.OfferDraw{By: engine.White})), "Step", "Hint", "AskResign", "More")
	})
	t.Run("draw offer and request to take back", func(t *testing.T) {
		m := after(t, on, moveBy(engine.White, "c3-d4"), match.OfferDraw{By: engine.Black}, match.RequestUndo{By: engine.White, To: 0})
		want(t, show(m), "Step", "AcceptDraw", "DeclineDraw", "AllowUndo", "RefuseUndo", "Hint", "AskResign", "More")
	})
	t.Run("end", func(t *testing.T) {
		want(t, show(after(t, on, moveBy(engine.White, "c3-d4"), match.Resign{By: engine.White})), "Rematch", "Review", "Film", "GameText")
	})
	t.Run("end without a move", func(t *testing.T) { want(t, show(after(t, on, match.Resign{By: engine.White})), "Rematch") })
}

func TestForcedMoveIsOneButton(t *testing.T) {
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		m := played().Draw(t, "match")
		g := m.Game()
		pos := g.Position()
		legal := pos.Moves()
		if len(legal) != 1 || m.Seats[m.Turn()].Machine() {
			return
		}
		seen++
		for _, l := range languages() {
			msg := view.Game(l, view.Look{}, &m, nil)
			list := steps(msg, nil)
			if len(list) != 1 || !slices.Equal(list[0].Path, legal[0].Path()) {
				t.Errorf("the only move is %v, the buttons are %v", legal[0], list)
			}
			if !strings.Contains(msg.Text, legal[0].String()) {
				t.Errorf("the text does not name %v", legal[0])
			}
		}
	})
	if seen == 0 {
		t.Error("no forced move was drawn")
	}
	t.Logf("%d forced moves", seen)
}

func TestBottom(t *testing.T) {
	for _, c := range []struct {
		name   string
		people bool
		me     engine.Color
		want   engine.Color
	}{
		{"White between people", true, engine.White, engine.White},
		{"White between people, whoever challenges", true, engine.Black, engine.White},
		{"the person as White", false, engine.White, engine.White},
		{"the person as Black", false, engine.Black, engine.Black},
	} {
		m := matchOf(c.people, c.me, engine.Kawu, [2]string{"Ann", "Ben"})
		if got := view.Bottom(&m); got != c.want {
			t.Errorf("%s: %v is at the bottom", c.name, got)
		}
		if c.people {
			m = after(t, m, match.Accept{By: c.me.Other()})
		}
		if got := view.Game(i18n.For("en"), view.Look{}, &m, nil).Picture.Scene.Bottom; got != c.want {
			t.Errorf("%s: the picture has %v at the bottom", c.name, got)
		}
	}
}

func TestPictureMarksWhatTheButtonsOffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := played().Draw(t, "match")
		if m.Seats[m.Turn()].Machine() {
			return
		}
		g := m.Game()
		pos := g.Position()
		for _, path := range prefixes(&m) {
			s := view.Game(i18n.For("en"), view.Look{}, &m, path).Picture.Scene
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

func TestPictureNameChangesWithWhatItShows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := played().Draw(t, "match")
		seen := map[string]bool{}
		for _, path := range prefixes(&m) {
			msg := view.Game(i18n.For("en"), view.Look{}, &m, path)
			if m.Seats[m.Turn()].Machine() {
				return
			}
			if seen[msg.Picture.Name] {
				t.Errorf("two pictures are named %s", msg.Picture.Name)
			}
			seen[msg.Picture.Name] = true
		}
	})
}
