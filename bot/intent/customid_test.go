package intent

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// buttons returns one intent of every kind that stands behind a button, with
// the longest fields.
func buttons() []Intent {
	r := Ref{Game: match.ID(strings.Repeat("9", MaxGameLen)), Version: 1<<64 - 1}
	path := make([]engine.Square, engine.MaxPath)
	for i := range path {
		path[i] = engine.Square(24 - i)
	}
	list := []Intent{
		Step{Ref: r, Path: path}, Step{Ref: r}, Play{Level: match.MaxLevel, Side: Random, Rules: engine.MindSports},
		Rules{}, Rules{Page: 4}, Help{}, Games{}, Games{Page: maxPage}, Watching{}, Watching{Page: 7}, Look{Theme: "contrast", Boards: Pictures, Everyone: true}, Look{Boards: Letters}, Look{Boards: InEmoji},
		Look{Theme: "contrast", Boards: Pictures, Everyone: true, Buttons: "columns"}, Look{Buttons: "moves"},
		Play{Level: 1, Side: White, Rated: true}, Stats{}, Stats{Show: true}, Stats{User: match.UserID(strings.Repeat("9", MaxUserLen))},
		Leaderboard{}, Leaderboard{Page: 7}, Leaderboard{Page: maxRanks, Show: true},
		MyData{}, ExportData{}, AskDeleteData{}, KeepData{}, DeleteData{Of: match.UserID(strings.Repeat("9", MaxUserLen))},
	}
	line := make([]int, MaxPlan)
	for i := range line {
		line[i] = i * 2
	}
	list = append(list, Plan{Ref: r, Line: line, Path: path}, Plan{Ref: r}, DropPlan{Ref: r, Line: line}, DropPlan{Ref: r})
	for _, c := range codes { // those that hold only a reference
		if in, ok := c.read(writeRef(r)); ok && c.of.NumField() == 1 && c.of.Field(0).Type == reflect.TypeFor[Ref]() {
			list = append(list, in)
		}
	}
	list = append(list, Watch{Ref: r, Side: engine.White}, Watch{Ref: r, Side: engine.Black})
	for _, in := range list {
		if in.About().Game != "" {
			list = append(list, OnCopy(in))
		}
	}
	return list
}

func TestCustomID(t *testing.T) {
	t.Run("reads back as it was written, within Discord's limit, and no two are alike", func(t *testing.T) {
		seen := map[string]bool{}
		for _, in := range buttons() {
			id := CustomID(in)
			if len(id) > MaxIDLen {
				t.Errorf("%T: %d bytes", in, len(id))
			}
			if seen[id] {
				t.Errorf("%T: %q means something else too", in, id)
			}
			seen[id] = true
			back, err := ParseCustomID(id)
			if err != nil {
				t.Errorf("%T: %v", in, err)
			}
			if d := cmp.Diff(in, back); d != "" {
				t.Errorf("%T (-written +read):\n%s", in, d)
			}
		}
	})
	t.Run("another format is outdated, anything else malformed", func(t *testing.T) {
		for id, want := range map[string]error{
			"0s1.1.":                              ErrOutdated,
			"2whatever":                           ErrOutdated,
			"":                                    ErrMalformed,
			"1":                                   ErrMalformed,
			"1s":                                  ErrMalformed,
			"1s1.1.A":                             ErrMalformed,
			"1s1.1.abcdefghijklm":                 ErrMalformed,
			"1s1.01.a":                            ErrMalformed,
			"1p9.white.kawu":                      ErrMalformed,
			"1p1.green.kawu":                      ErrMalformed,
			"1p1.white.kawu.rated.rated":          ErrMalformed,
			"1p1.white.kawu.casual":               ErrMalformed,
			"1Ts1":                                ErrMalformed,
			"1Ts.!!":                              ErrMalformed,
			"1Tl.":                                ErrMalformed,
			"1Tl.-1":                              ErrMalformed,
			"1Tl.01":                              ErrMalformed,
			"1Z1.1":                               ErrMalformed,
			"1D":                                  ErrMalformed,
			"1DD":                                 ErrMalformed,
			"1DD" + strings.Repeat("1", 21):       ErrMalformed,
			"1Ds1":                                ErrMalformed,
			"1h.1":                                ErrMalformed,
			"1g.0":                                ErrMalformed,
			"1g.100":                              ErrMalformed,
			"1Gw":                                 ErrMalformed,
			"1Aw1.1":                              ErrMalformed,
			"1Aw1.1.x":                            ErrMalformed,
			"1l..on.false.":                       ErrMalformed,
			"1l..on.false.rows":                   ErrMalformed,
			"1h" + strings.Repeat("1", 21) + ".1": ErrMalformed,
			strings.Repeat("1", 101):              ErrMalformed,
			"join:42":                             ErrMalformed,
		} {
			if _, err := ParseCustomID(id); !errors.Is(err, want) {
				t.Errorf("%q: %v, want %v", id, err, want)
			}
		}
	})
}

func TestInGameKeepsEverythingElse(t *testing.T) {
	got := InGame(Move{Text: "c3-d4"}, Ref{Game: "9", Version: 3})
	if d := cmp.Diff(Move{Ref: Ref{Game: "9", Version: 3}, Text: "c3-d4"}, got); d != "" {
		t.Error(d)
	}
}

func TestAMoveIsReadWithTheGameOfItsSuggestion(t *testing.T) {
	for text, want := range map[string][2]string{
		MoveIn("123", "c3-d4"): {"123", "c3-d4"}, "c3-d4": {"", "c3-d4"}, "c3-d4 #": {"", "c3-d4 #"}, "c3 #a b": {"", "c3 #a b"}, "#7": {"", "#7"},
	} {
		if game, move := ReadMove(text); string(game) != want[0] || move != want[1] {
			t.Errorf("%q is %q in game %q", text, move, game)
		}
	}
}

func TestOnlyIntentsAboutGamesLackOne(t *testing.T) {
	for in, want := range map[Intent]bool{Undo{}: true, Move{Text: "c3-d4"}: true, Undo{Ref{Game: "9"}}: false, Help{}: false, Play{Level: 1}: false} {
		if LacksGame(in) != want {
			t.Errorf("%#v: %v", in, !want)
		}
	}
	if LacksGame(nil) {
		t.Error("no intent")
	}
}

// TestEveryIntentThatIsNotTypedHasACustomID reads this package's own source, so
// that an intent cannot be forgotten.
func TestEveryIntentThatIsNotTypedHasACustomID(t *testing.T) {
	typed := map[string]bool{"Challenge": true, "Open": true, "SetBlock": true, "Move": true} // they carry what only a command can say
	coded := map[string]bool{}
	for i, c := range codes {
		coded[c.of.Name()] = true
		for j, other := range codes {
			if i != j && strings.HasPrefix(other.letters, c.letters) {
				t.Errorf("%v's letters %q begin those of %v", c.of, c.letters, other.of)
			}
		}
	}
	names := intentNames(t)
	if len(names) < 30 {
		t.Fatalf("found only %d intents in the source", len(names))
	}
	for _, name := range names {
		if coded[name] == typed[name] {
			t.Errorf("%s: has a custom ID: %t; is only typed: %t", name, coded[name], typed[name])
		}
	}
}

// intentNames returns the types in this package's source that embed a Ref or a
// NoGame.
func intentNames(t *testing.T) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "intent.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if fields, ok := spec.Type.(*ast.StructType); ok {
			for _, f := range fields.Fields.List {
				if name, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 0 && (name.Name == "Ref" || name.Name == "NoGame") {
					names = append(names, spec.Name.Name)
				}
			}
		}
		return false
	})
	return names
}

// FuzzParseCustomID holds the law that what is read is written the same.
func FuzzParseCustomID(f *testing.F) {
	for _, in := range buttons() {
		f.Add(CustomID(in))
	}
	f.Add("2x")
	f.Fuzz(func(t *testing.T, id string) {
		in, err := ParseCustomID(id)
		if err != nil {
			return
		}
		if back := CustomID(in); back != id {
			t.Errorf("%q reads as %#v, which is written %q", id, in, back)
		}
	})
}
