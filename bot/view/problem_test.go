package view_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/storage"
)

// exported are the exported errors of the packages that people's requests pass
// through. Those that are a fault of the program have no sentence: they are
// logged in full and shown as "our side".
var exported = []struct {
	name  string
	err   error
	fault bool
}{
	{"intent.ErrMalformed", intent.ErrMalformed, false},
	{"intent.ErrOutdated", intent.ErrOutdated, false},
	{"match.ErrFinished", match.ErrFinished, false},
	{"match.ErrNoOffer", match.ErrNoOffer, false},
	{"match.ErrNoRequest", match.ErrNoRequest, false},
	{"match.ErrNotAPlayer", match.ErrNotAPlayer, false},
	{"match.ErrNotAccepted", match.ErrNotAccepted, false},
	{"match.ErrNotChallenged", match.ErrNotChallenged, false},
	{"match.ErrNotChallenger", match.ErrNotChallenger, false},
	{"match.ErrNotProposed", match.ErrNotProposed, false},
	{"match.ErrNotYourTurn", match.ErrNotYourTurn, false},
	{"match.ErrNothingToUndo", match.ErrNothingToUndo, false},
	{"match.ErrOfferStands", match.ErrOfferStands, false},
	{"match.ErrOfferTooSoon", match.ErrOfferTooSoon, false},
	{"match.ErrRequestStands", match.ErrRequestStands, false},
	{"match.ErrSeats", match.ErrSeats, true},
	{"match.ErrSelf", match.ErrSelf, false},
	{"match.ErrStart", match.ErrStart, true}, // nobody chooses a start yet
	{"match.ErrTooEarly", match.ErrTooEarly, false},
	{"match.ErrTooLate", match.ErrTooLate, false},
	{"play.ErrBusy", play.ErrBusy, false},
	{"play.ErrDeleted", play.ErrDeleted, false},
	{"play.ErrNoGame", play.ErrNoGame, false},
	{"play.ErrRobot", play.ErrRobot, false},
	{"play.ErrStale", play.ErrStale, false},
	{"play.ErrTooManyChallenges", play.ErrTooManyChallenges, false},
	{"play.ErrTooManyGames", play.ErrTooManyGames, false},
	{"play.ErrUnfinished", play.ErrUnfinished, false},
	{"play.ErrUs", play.ErrUs, false},
	{"storage.ErrClosed", storage.ErrClosed, false},
	{"storage.ErrConflict", storage.ErrConflict, false},
	{"storage.ErrNotWritten", storage.ErrNotWritten, false},
	{"storage.ErrDamaged", storage.ErrDamaged, false},
	{"storage.ErrExists", storage.ErrExists, true},
	{"storage.ErrInUse", storage.ErrInUse, true},
	{"storage.ErrNotFound", storage.ErrNotFound, false},
	{"storage.ErrSchema", storage.ErrSchema, true},
}

// errorsOf finds the exported error values of a package.
func errorsOf(t *testing.T, name, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR || strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, s := range g.Specs {
				for _, id := range s.(*ast.ValueSpec).Names {
					if strings.HasPrefix(id.Name, "Err") {
						list = append(list, name+"."+id.Name)
					}
				}
			}
		}
	}
	return list
}

func TestEveryErrorHasASentence(t *testing.T) {
	var want, got []string
	for name, dir := range map[string]string{
		"intent": "../intent", "match": "../../engine/match", "play": "../play", "storage": "../../storage",
	} {
		want = append(want, errorsOf(t, name, dir)...)
	}
	for _, e := range exported {
		got = append(got, e.name)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("exported by the packages (-), listed in this test (+):\n%s", diff)
	}
	for _, l := range languages() {
		internal := l.T(i18n.ErrInternal)
		for _, e := range exported {
			err := fmt.Errorf("game 7: %w", e.err)
			if view.Known(err) == e.fault {
				t.Errorf("%s: known is %t", e.name, !e.fault)
			}
			if said := view.Problem(l, err, nil).Text; (said == internal) != e.fault {
				t.Errorf("%s: %s", e.name, said)
			}
		}
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

// find returns what is wrong with a text as a move.
func find(m *match.Match, text string) error {
	g := m.Game()
	pos := g.Position()
	_, err := notation.FindMove(&pos, text)
	return err
}

// branching plays random-looking moves until somebody has a capture of several
// jumps.
func branching(t *testing.T) (match.Match, engine.Move) {
	t.Helper()
	for seed := range 1000 {
		m := after(t, matchOf(true, engine.White, engine.Kawu, [2]string{"Ann", "Ben"}), match.Accept{By: engine.Black})
		for ply := 0; m.Phase == match.Playing; ply++ {
			g := m.Game()
			pos := g.Position()
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
	on := after(t, matchOf(true, engine.White, engine.Kawu, [2]string{"Ann", "Ben"}), match.Accept{By: engine.Black})
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
				mv, whole := press(c.m, s)
				if !whole {
					t.Errorf("kind %d: a button plays %v, which is no legal move", kind, s.Path)
				}
				got = append(got, mv)
			}
			want := e.Moves
			if len(want) == 0 {
				g := c.m.Game()
				pos := g.Position()
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
				t.Errorf("kinds %d and %d are told alike: %s", kind, other, text)
			}
			said[text] = kind
		}
	}
}

func TestManyMovesAreLeftToTheBoard(t *testing.T) {
	m := after(t, matchOf(true, engine.White, engine.Kawu, [2]string{"Ann", "Ben"}), match.Accept{By: engine.Black})
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
		t.Errorf("the text does not tell that there are more: %s", msg.Text)
	}
}

func TestMachinesTurnIsToldAsThinking(t *testing.T) {
	m := moves(t, matchOf(false, engine.White, engine.Kawu, [2]string{"Ann"}), "c3-d4")
	l := i18n.For("en")
	if got := view.Problem(l, match.ErrNotYourTurn, &storage.Record{Match: m}).Text; got != l.T(i18n.ErrThinking) {
		t.Errorf("%q", got)
	}
}

func TestProblemsOfferWhatToDoNext(t *testing.T) {
	m := moves(t, after(t, matchOf(true, engine.White, engine.Kawu, [2]string{"Ann", "Ben"}), match.Accept{By: engine.Black}), "c3-d4")
	r := storage.Record{Match: m, Place: storage.Place{Guild: "7"}, Screen: storage.Screen{Channel: "8", Message: "9"}}
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
