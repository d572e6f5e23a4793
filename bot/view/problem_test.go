package view_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/storage"
)

// onlyBugs are the exported errors that no request of a person's can bring about,
// with the reason. They have no sentence of their own.
var onlyBugs = map[string]string{
	"match.ErrSeats":        "package play always seats a person",
	"play.ErrOnVacation":    "whoever asks sees the vacation",
	"play.ErrNotOnVacation": "whoever asks sees that there is none",

	"match.ErrStart":    "nobody can choose a start, and the stores check those of stored matches",
	"match.ErrCasual":   "what it says is nothing that anybody asks for",
	"storage.ErrExists": "package play returns the game that exists",
	"storage.ErrFull":   "what it refuses is done later",
	"storage.ErrInUse":  "stops the program when it starts",
	"storage.ErrSchema": "stops the program when it starts",
}

// selectors returns the names, such as "play.ErrStale", that each element of a
// variable of package view begins with or has as its key.
func selectors(t *testing.T, variable string) (names []string) {
	t.Helper()
	declared(t, token.VAR, ".", func(group []*ast.ValueSpec) {
		if group[0].Names[0].Name != variable {
			return
		}
		for _, e := range group[0].Values[0].(*ast.CompositeLit).Elts {
			first := e
			switch e := e.(type) {
			case *ast.CompositeLit:
				first = e.Elts[0]
			case *ast.KeyValueExpr:
				first = e.Key
			}
			if sel, ok := first.(*ast.SelectorExpr); ok {
				names = append(names, sel.X.(*ast.Ident).Name+"."+sel.Sel.Name)
			}
		}
	})
	slices.Sort(names)
	return names
}

// TestEveryErrorHasASentence reads the exported errors of the packages that a
// request passes: each has a row in problems, or is in onlyBugs.
func TestEveryErrorHasASentence(t *testing.T) {
	listed := selectors(t, "problems")
	for name, dir := range map[string]string{
		"intent": "../intent", "match": "../../engine/match", "play": "../play", "storage": "../../storage",
	} {
		found := 0
		declared(t, token.VAR, dir, func(group []*ast.ValueSpec) {
			for _, s := range group {
				id := s.Names[0].Name
				if !strings.HasPrefix(id, "Err") {
					continue
				}
				found++
				said := slices.Contains(listed, name+"."+id)
				if _, bug := onlyBugs[name+"."+id]; bug == said {
					t.Errorf("%s.%s: has a sentence: %t, only a bug brings it about: %t", name, id, said, bug)
				}
			}
		})
		if found == 0 {
			t.Errorf("package %s has no errors", name)
		}
	}
}

func TestSentencesOfErrorsSayMoreThanOurSide(t *testing.T) {
	for _, l := range languages() {
		internal := l.T(i18n.ErrInternal)
		for _, err := range view.ErrorsWithSentences() {
			err = fmt.Errorf("game 7: %w", err)
			if !view.Known(err) {
				t.Errorf("%v is not known", err)
			}
			if said := view.Problem(l, err, nil).Text; said == internal {
				t.Errorf("%v: %s", err, said)
			}
		}
	}
}

// TestEveryKindOfWrongMoveHasASentence reads the kinds that notation has.
func TestEveryKindOfWrongMoveHasASentence(t *testing.T) {
	var kinds []string
	declared(t, token.CONST, "../../engine/notation", func(group []*ast.ValueSpec) {
		if of, ok := group[0].Type.(*ast.Ident); !ok || of.Name != "MoveKind" {
			return
		}
		for _, s := range group {
			kinds = append(kinds, "notation."+s.Names[0].Name)
		}
	})
	slices.Sort(kinds)
	if diff := cmp.Diff(kinds, selectors(t, "wrongMoves")); diff != "" {
		t.Errorf("kinds of wrong moves (-), sentences (+):\n%s", diff)
	}
}

func TestUnknownErrorIsOurSide(t *testing.T) {
	err := errors.New("dial tcp 10.0.0.1: secret")
	if view.Known(err) {
		t.Error("known")
	}
	if text := view.Problem(i18n.For("en"), err, nil).Text; text != i18n.For("en").T(i18n.ErrInternal) {
		t.Errorf("%q", text)
	}
	for _, err := range []error{context.Canceled, context.DeadlineExceeded} {
		if !view.Known(err) {
			t.Errorf("%v is not known", err)
		}
	}
}

// find returns what FindMove says about a text in a match.
func find(m *match.Match, text string) error {
	pos := m.Game().Position()
	_, err := notation.FindMove(&pos, text)
	return err
}

// branching plays moves picked by a fixed rule until somebody has a capture of
// several jumps, and returns that too.
func branching(t *testing.T) (match.Match, engine.Move) {
	t.Helper()
	for seed := range 1000 {
		m := running(t)
		for ply := 0; m.Phase == match.Playing; ply++ {
			pos := m.Game().Position()
			legal := pos.Moves()
			for _, mv := range legal {
				if mv.Jumps() > 1 {
					return m, mv
				}
			}
			m = after(t, m, match.Play{By: m.Turn(), Move: legal[(seed*31+ply*17)%len(legal)]})
		}
	}
	t.Fatal("no capture of several jumps")
	return match.Match{}, 0
}

func TestEveryKindOfWrongMoveHasItsSentenceAndButtons(t *testing.T) {
	on := running(t)
	must := moves(t, on, "c3-d4")
	jumps, long := branching(t)
	several := &notation.MoveError{
		Kind: notation.SeveralMoves, Text: "c3", Named: []engine.Square{move("c3-d4").From()},
		Moves: []engine.Move{move("c3-b4"), move("c3-d4")},
	}
	cases := map[notation.MoveKind]struct {
		m   *match.Match
		err error
	}{
		notation.MoveMissing:    {&on, find(&on, "")},
		notation.MoveTooLong:    {&on, find(&on, strings.Repeat("c3x", 200))},
		notation.NotASquare:     {&on, find(&on, "c3-`@everyone`")},
		notation.LightSquare:    {&on, find(&on, "c3-C4")},
		notation.NoLegalMoves:   {&on, &notation.MoveError{Kind: notation.NoLegalMoves, Text: "c3"}},
		notation.EmptySquare:    {&on, find(&on, "d4-e5")},
		notation.NotYourColumn:  {&on, find(&on, "c5-d4")},
		notation.Blocked:        {&on, find(&on, "a1-b2")},
		notation.MustCapture:    {&must, find(&must, "a5-b4")},
		notation.MoveUnfinished: {&on, find(&on, "c3")},
		notation.CaptureGoesOn:  {&jumps, find(&jumps, long.From().String()+"x"+long.At(1).String())},
		notation.MoveEnds:       {&on, find(&on, "c3-d4-e5")},
		notation.SeveralMoves:   {&on, several},
		notation.CannotGoThere:  {&on, find(&on, "c3-e5")},
	}
	for _, l := range languages() {
		for kind := notation.MoveMissing; kind <= notation.CannotGoThere; kind++ {
			c := cases[kind]
			var e *notation.MoveError
			if !errors.As(c.err, &e) || e.Kind != kind {
				t.Fatalf("kind %d: the case is %v", kind, c.err)
			}
			if !view.Known(c.err) {
				t.Errorf("kind %d is not known", kind)
			}
			msg := view.Problem(l, c.err, &storage.Record{Match: *c.m})
			keeps(t, msg)
			for _, sq := range e.Squares {
				if !strings.Contains(msg.Text, sq.String()+"**") {
					t.Errorf("kind %d: %v is not named: %s", kind, sq, msg.Text)
				}
			}
			got := []engine.Move{}
			for _, s := range steps(msg, nil) {
				mv, whole := press(c.m.Game().Position(), s)
				if !whole {
					t.Errorf("kind %d: a button plays %v, which is not a legal move", kind, s.Path)
				}
				got = append(got, mv)
			}
			want := e.Moves
			if len(want) == 0 {
				pos := c.m.Game().Position()
				want = pos.Moves()
			}
			if !slices.Equal(got, want) {
				t.Errorf("kind %d: buttons for %v, want %v", kind, got, want)
			}
			if !intents(msg)["Board"] {
				t.Errorf("kind %d: no way to the board", kind)
			}
		}
	}
}

func TestKindsOfWrongMovesAreToldApart(t *testing.T) {
	for _, l := range languages() {
		said := map[string]notation.MoveKind{}
		for kind := notation.MoveMissing; kind <= notation.CannotGoThere; kind++ {
			mv := move("c3-d4")
			e := &notation.MoveError{Kind: kind, Text: "c3-d4", Named: mv.Path(), Squares: mv.Path(), Moves: []engine.Move{mv}}
			text := view.Problem(l, e, nil).Text
			if other, ok := said[text]; ok {
				t.Errorf("kinds %d and %d have the same text: %s", kind, other, text)
			}
			said[text] = kind
		}
	}
}

func TestManyMovesAreLeftToTheBoard(t *testing.T) {
	m := running(t)
	e := &notation.MoveError{Kind: notation.MustCapture, Text: "c3"}
	for i := range engine.Square(4) {
		for j := range engine.Square(4) {
			mv, err := engine.NewMove(i+7, j+11)
			if err == nil {
				e.Moves = append(e.Moves, mv, mv, mv, mv)
			}
			e.Squares = append(e.Squares, i+7)
		}
	}
	msg := view.Problem(i18n.For("en"), e, &storage.Record{Match: m})
	if len(steps(msg, nil)) > 0 || !intents(msg)["Board"] {
		t.Errorf("%s", describe(msg))
	}
	if !strings.HasSuffix(msg.Text, ", ….") {
		t.Errorf("the text does not say that there are more: %s", msg.Text)
	}
}

func TestMachinesTurnIsCalledThinking(t *testing.T) {
	m := moves(t, matchOf(false, engine.White, engine.Kawu, [2]string{"Ann"}), "c3-d4")
	l := i18n.For("en")
	if got := view.Problem(l, match.ErrNotYourTurn, &storage.Record{Match: m}).Text; got != l.T(i18n.ErrThinking) {
		t.Errorf("%q", got)
	}
}

func TestProblemsOfferWhatToDoNext(t *testing.T) {
	m := moves(t, running(t), "c3-d4")
	r := storage.Record{Match: m, Place: storage.Place{Guild: "7"}, Screen: storage.Screen{Channel: "8", Message: "9", Turn: m.Moved, Told: m.Moved}, Ends: m.Moved.Add(match.MoveTime)}
	for _, c := range []struct {
		err  error
		want []string
		says string
	}{
		{play.ErrStale, []string{"Board"}, "https://discord.com/channels/7/8/9"},
		{storage.ErrConflict, []string{"Board"}, "https://discord.com/channels/7/8/9"},
		{match.ErrFinished, []string{"Rematch", "Board"}, "over"},
		{match.ErrNotAPlayer, []string{"Play"}, "Ann and Ben"},
		{match.ErrNotYourTurn, nil, "Ben is to move"},
		{match.ErrNotChallenged, nil, "Only Ben"},
		{match.ErrTooEarly, nil, "<t:"},
		{play.ErrNoGame, []string{"Play"}, "/lasca play"},
		{play.ErrUs, []string{"Play"}, "/lasca play"},
		{play.ErrDeleted, []string{"Play"}, ""},
		{play.ErrRobot, []string{"Play"}, "/lasca play"},
		{match.ErrSelf, []string{"Play"}, "/lasca play"},
		{play.ErrTooManyGames, []string{"Games"}, "50"},
	} {
		msg := view.Problem(i18n.For("en"), c.err, &r)
		want := map[string]bool{}
		for _, name := range c.want {
			want[name] = true
		}
		if diff := cmp.Diff(want, intents(msg)); diff != "" {
			t.Errorf("%v: %s", c.err, diff)
		}
		if !strings.Contains(msg.Text, c.says) {
			t.Errorf("%v: no %q in %q", c.err, c.says, msg.Text)
		}
	}
}

func TestProblemsKeepDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := storage.Record{Match: matches().Draw(t, "match")}
		typed := rapid.OneOf(names(), rapid.StringMatching(`[a-g][1-7][-x ][a-g][1-7]([x ][a-g][1-7])?`)).Draw(t, "typed")
		pos := r.Match.Game().Position()
		list := []error{errors.New("a bug")}
		if _, err := notation.FindMove(&pos, typed); err != nil {
			list = append(list, err)
		}
		list = append(list, view.ErrorsWithSentences()...)
		for _, l := range languages() {
			for _, err := range list {
				for _, rec := range []*storage.Record{nil, {}, &r} {
					msg := view.Problem(l, err, rec)
					private(t, msg)
				}
			}
		}
	})
}
