package notation_test

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
	"github.com/lascabot/lascabot/engine/notation"
)

func read(t *testing.T, text string) notation.Game {
	t.Helper()
	g, err := notation.ReadGame(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestHistoricGamesAreRead(t *testing.T) {
	games, err := notation.ReadGames(strings.NewReader(enginetest.Historic()))
	if err != nil {
		t.Fatal(err)
	}
	if len(games) != 7 {
		t.Fatalf("%d games", len(games))
	}
	for _, g := range games {
		name := g.Tag("Event")
		if plies, _ := strconv.Atoi(g.Tag("Plies")); plies != len(g.Moves) || plies == 0 {
			t.Errorf("%s: %d plies, want %s", name, len(g.Moves), g.Tag("Plies"))
		}
		if g.Start.Rules != engine.Lasker {
			t.Errorf("%s: rules %v", name, g.Start.Rules)
		}
		if again := read(t, notation.FormatGame(g)); !cmp.Equal(g, again) {
			t.Errorf("%s (-first +second)\n%s", name, cmp.Diff(g, again))
		}
	}
	last, err := games[0].Start.Position()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range games[0].Moves {
		last.MakeUnchecked(m)
	}
	if last.HasMoves() || last.Turn() != engine.White || games[0].Result != engine.BlackWins {
		t.Errorf("White still has a move at the end of Lasker's first game, or %v", games[0].Result)
	}
}

func TestFirstLaskerGameIsIllegalUnderKawu(t *testing.T) {
	text, _, _ := strings.Cut(enginetest.Historic(), "\n\n[")
	_, err := notation.ReadGame(strings.NewReader(strings.Replace(text, `"lasker"`, `"kawu"`, 1)))
	var fault *notation.GameError
	var why *notation.MoveError
	if !errors.As(err, &fault) || !errors.As(err, &why) || !errors.Is(err, engine.ErrIllegalMove) {
		t.Fatalf("error %v", err)
	}
	if fault.Ply != 27 || fault.Number != 14 || fault.Turn != engine.White || fault.Text != "g7xe5xc3" || fault.Line != 7 || why.Kind != notation.CaptureGoesOn {
		t.Errorf("%+v: %v", fault, err)
	}
}

func TestGameText(t *testing.T) {
	setup, err := notation.ParsePosition(",,,/,,/,,,/W,,/,b,,/,,/,,, b 3 12", engine.MindSports)
	if err != nil {
		t.Fatal(err)
	}
	moves := make([]engine.Move, 0, 4)
	p, _ := setup.Position()
	for _, text := range []string{"c3-d2", "b4-c5", "d2-c1", "c5-d6"} {
		m, err := notation.FindMove(&p, text)
		if err != nil {
			t.Fatal(err)
		}
		p.MakeUnchecked(m)
		moves = append(moves, m)
	}
	g := notation.Game{
		Tags: []notation.Tag{
			{Name: "Annotator", Value: "C"}, {Name: "Black", Value: `B "the \ bot"` + "\nx"}, {Name: "White", Value: "Ä"},
			{Name: "White", Value: "twice"}, {Name: "Result", Value: "field"}, {Name: "no name", Value: "x"}, {Name: "", Value: "x"},
		},
		Start: setup, Moves: moves, Result: engine.Draw,
	}
	want := `[White "Ä"]
[Black "B \"the \\ bot\" x"]
[Result "1/2-1/2"]
[Rules "mindsports"]
[Position ",,,/,,/,,,/W,,/,b,,/,,/,,, b 3 12"]
[Annotator "C"]

12... c3-d2 13. b4-c5 d2-c1 14. c5-d6 1/2-1/2
`
	if diff := cmp.Diff(want, notation.FormatGame(g)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	back := read(t, want)
	if back.Tag("Black") != `B "the \ bot" x` || back.Start != setup || back.Result != engine.Draw || !cmp.Equal(back.Moves, moves) {
		t.Errorf("read back as %+v", back)
	}
}

func TestMoveNumbersStayInRange(t *testing.T) {
	setup, err := notation.ParsePosition(",,,/,,/,,,/W,,/,b,,/,,/,,, b 3 9999", engine.Kawu)
	if err != nil {
		t.Fatal(err)
	}
	g := notation.Game{Start: setup}
	for _, text := range []string{"c3-d2", "b4-c5", "d2-c1"} {
		m, err := engine.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		g.Moves = append(g.Moves, m)
	}
	_, moves, _ := strings.Cut(notation.FormatGame(g), "\n\n")
	if moves != "9999... c3-d2 9999. b4-c5 d2-c1 *\n" {
		t.Errorf("%s", moves)
	}
}

func TestImportForms(t *testing.T) {
	want := []string{"c3-d4", "e5xc3", "b2xd4", "c5-b4"}
	for name, text := range map[string]string{
		"standard":              "1. c3-d4 e5xc3 2. b2xd4 c5-b4 *",
		"no_result":             "1. c3-d4 e5xc3 2. b2xd4 c5-b4",
		"no_numbers":            "c3-d4 e5xc3 b2xd4 c5-b4",
		"bare_numbers":          "1 c3-d4 e5xc3 2 b2xd4 c5-b4",
		"glued_numbers":         "1.c3-d4 1...e5xc3 2.b2xd4 2…c5-b4",
		"laskers_numbers":       "1. 9-13 17-9 2. 5-13 16-12",
		"comments":              "{a game} 1. c3-d4 {good} e5xc3{forced}2. b2xd4 ; the rest { of the line\nc5-b4 {\n[not a tag]\n}",
		"marks":                 "1. c3-d4! e5xc3?! $14 2. b2xd4* c5-b4!?",
		"capitals_and_brackets": "\ufeff1. C3-D4 E5XC3\r\n2. B2×D4 C5–B4\r\n",
		"squares_passed":        "c3-d4 e5-d4-c3 b2-c3-d4 c5-b4",
		"tags":                  "[White \"A\"]\n[Black \"\"]\n\n1. c3-d4 e5xc3 2. b2xd4 c5-b4 *\n",
		"tags_with_space":       "  [White   \"A\" ]  \n1. c3-d4 e5xc3 2. b2xd4 c5-b4",
	} {
		t.Run(name, func(t *testing.T) {
			g := read(t, text)
			if diff := cmp.Diff(want, enginetest.Texts(g.Moves)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if g.Result != engine.Ongoing || g.Start != engine.StartSetup(engine.Kawu) {
				t.Errorf("result %v, start %v", g.Result, g.Start)
			}
		})
	}
}

func TestResultOfAGame(t *testing.T) {
	for text, want := range map[string]engine.Result{
		"c3-d4 1-0":                               engine.WhiteWins,
		"c3-d4 1/2-1/2":                           engine.Draw,
		"[Result \"0-1\"]\n\nc3-d4":               engine.BlackWins,
		"[Result \"0-1\"]\n\nc3-d4 *":             engine.BlackWins,
		"[Result \"*\"]\n\nc3-d4 0-1":             engine.BlackWins,
		"[Result \"0-1\"]\n[Black \"B\"]\n\n 0-1": engine.BlackWins,
		"1-0": engine.WhiteWins,
	} {
		if g := read(t, text); g.Result != want {
			t.Errorf("%q: %v, want %v", text, g.Result, want)
		}
	}
}

func TestSeveralGames(t *testing.T) {
	text := "[White \"A\"]\n\nc3-d4 1-0\n\n[White \"B\"]\n\nc3-b4\n[White \"C\"]\n* g3-f4 *"
	games, err := notation.ReadGames(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range games {
		got = append(got, g.Tag("White")+" "+strings.Join(enginetest.Texts(g.Moves), " ")+" "+g.Result.String())
	}
	if diff := cmp.Diff([]string{"A c3-d4 1-0", "B c3-b4 *", "C  *", " g3-f4 *"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if _, err := notation.ReadGame(strings.NewReader(text)); !errors.Is(err, notation.ErrGameSyntax) {
		t.Errorf("one game of four: error %v", err)
	}
	games, err = notation.ReadGames(strings.NewReader("c3-d4 1-0\nc3-d2"))
	var fault *notation.GameError
	if !errors.As(err, &fault) || fault.Game != 2 || fault.Line != 2 || len(games) != 1 {
		t.Errorf("%d games, error %+v", len(games), fault)
	}
}

func TestFaultyGameTextSaysWhereAndWhy(t *testing.T) {
	for _, c := range []struct {
		name, text, sentence string
		is                   error
	}{
		{"illegal_move", "1. c3-d4 e5xc3\n2. a1-b2", `line 2: move 2 of white, "a1-b2": you must capture; the columns that can are b2, d2`, engine.ErrIllegalMove},
		{"no_move", "1. c3-d4 resigns", `line 1: move 1 of black, "resigns": "resigns" is not a square of the board; write squares such as c3, or Lasker's numbers 1 to 25`, engine.ErrMoveSyntax},
		{"comment_without_end", "1. c3-d4 {so", `line 1: "{so": not a game: the comment has no end; } is missing`, notation.ErrGameSyntax},
		{"tag_without_quotes", "[White A]\n", `line 1: "[White A]": not a game: a tag is written [Name "value"] on a line of its own, with a value of at most 512 bytes`, notation.ErrGameSyntax},
		{"tag_with_two_values", `[White "A" "B"]`, `line 1: "[White \"A\" \"B\"]": not a game: a tag is written [Name "value"] on a line of its own, with a value of at most 512 bytes`, notation.ErrGameSyntax},
		{"tag_twice", "[White \"\"]\n[White \"B\"]", `line 2: "[White \"B\"]": not a game: the tag White appears twice`, notation.ErrGameSyntax},
		{"game_type", "[GameType \"20\"]", `line 1: "[GameType \"20\"]": not a game: this is another game than Lasca; for other rules of Lasca there is the tag Rules`, notation.ErrGameSyntax},
		{"set_up_without_position", "[SetUp \"1\"]\n\nc3-d4", `line 1: "[SetUp \"1\"]": not a game: put the position into a tag Position`, notation.ErrGameSyntax},
		{"rules_twice", "[Rules \"kawu\"]\n[Rules \"lasker\"]", `line 2: "[Rules \"lasker\"]": not a game: the tag Rules appears twice`, notation.ErrGameSyntax},
		{"results_differ", "[Result \"1-0\"]\nc3-d4 0-1", `line 2: "0-1": not a game: the Result tag says 1-0`, notation.ErrGameSyntax},
		{"unknown_rules", "[White \"A\"]\n[Rules \"chess\"]\nc3-d4", `line 2: "chess": unknown rules "chess": choose kawu, mindsports or lasker`, engine.ErrRules},
		{"no_position", "[Position \"start\"]\n\nc3-d4", `line 1: "start": not a position: 1 ranks instead of 7; write ranks 7 to 1 with / between them; unknown letter "s"; pieces are w, b, W and B; unknown letter "t"; pieces are w, b, W and B; unknown letter "a"; pieces are w, b, W and B; unknown letter "r"; pieces are w, b, W and B; the side to move is missing; write w or b after the board`, notation.ErrPositionSyntax},
		{"nothing", " \n", "there is no game in the text", notation.ErrNoGame},
		{"too_long", strings.Repeat(" ", notation.MaxGameText+1), `line 1: game text too long: at most 1048576 bytes are read`, notation.ErrGameTooLong},
		{"too_many_plies", "[Position \"B,,,/,,/,,,/,,/,,,/,,/,,,W w\"]\n" + strings.Repeat("g1f2 a7b6 f2g1 b6a7 ", notation.MaxPlies/4+1), `line 2: "g1f2": game text too long: more than 5000 plies`, notation.ErrGameTooLong},
		{"too_many_games", strings.Repeat("* ", notation.MaxGames+1), `line 1: "*": game text too long: more than 1000 games`, notation.ErrGameTooLong},
		{"too_many_tags", tags(notation.MaxTags + 1), `line 65: "[T64 \"x\"]": game text too long: more than 64 tags`, notation.ErrGameTooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := notation.ReadGame(strings.NewReader(c.text))
			if !errors.Is(err, c.is) {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff(c.sentence, err.Error()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	broken := errors.New("broken")
	if _, err := notation.ReadGame(io.MultiReader(strings.NewReader("c3-d4"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("a failing reader gives %v", err)
	}
}

// Such a tag says that the moves mean something else.
func TestTagThatChangesTheMeaningIsReadOrRefused(t *testing.T) {
	for _, tag := range []string{
		`[GameType "20"]`, `[GameType "25,W,8,8,A0,0"]`, `[Variant "Bashni"]`, `[BoardSize "8x8"]`,
		`[FEN "W:W1,2:B24,25"]`, `[SetUp "1"]`, `[Setup "0"]`, `[rules "lasker"]`, `[RESULT "1-0"]`, `[fen ""]`,
	} {
		if g, err := notation.ReadGame(strings.NewReader(tag + "\n\n1. c3-d4 *")); !errors.Is(err, notation.ErrGameSyntax) {
			t.Errorf("%s: %+v, error %v", tag, g, err)
		}
	}
	for _, tag := range []string{`[GameType "Lasca"]`, `[Variant "laska"]`, `[BoardSize "7"]`, `[SetUp "0"]`} {
		g := read(t, tag+"\n\n1. c3-d4 *")
		if len(g.Moves) != 1 || len(g.Tags) != 0 {
			t.Errorf("%s: %+v", tag, g)
		}
	}
	text := notation.FormatGame(notation.Game{
		Start: engine.StartSetup(engine.Kawu), Tags: []notation.Tag{{Name: "GameType", Value: "20"}, {Name: "fen", Value: "x"}},
	})
	if g := read(t, text); len(g.Tags) != 0 {
		t.Errorf("written as\n%s", text)
	}
}

func TestUnknownResultIsOpen(t *testing.T) {
	for _, result := range []string{"?", "", "2-0", "unknown"} {
		if g := read(t, `[Result "`+result+`"]`+"\n\n1. c3-d4"); g.Result != engine.Ongoing || len(g.Moves) != 1 {
			t.Errorf("%q: %+v", result, g)
		}
	}
}

func TestBrokenGamesAmongGoodOnesAreReportedAndTheRestIsRead(t *testing.T) {
	text := `[White "A"]

1. c3-d4 e5xc3 1-0

[White "B"]

1. c3-d4 zz {a comment
[White "not a tag"] } 2. b2xd4 *

[White C]
[Black "c"]

1. c3-d4 *
[Rules "chess"]

c3-d4
[Position "nowhere"]

*
[White "F"]

1. c3-d4
`
	games, err := notation.ReadGames(strings.NewReader(text))
	if len(games) != 2 || games[0].Tag("White") != "A" || games[1].Tag("White") != "F" || len(games[1].Moves) != 1 {
		t.Errorf("read %+v", games)
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("error %v", err)
	}
	var where [][2]int
	for _, err := range joined.Unwrap() {
		if fault := new(notation.GameError); errors.As(err, &fault) {
			where = append(where, [2]int{fault.Game, fault.Line})
		}
	}
	if diff := cmp.Diff([][2]int{{2, 7}, {3, 10}, {4, 14}, {5, 17}}, where); diff != "" {
		t.Errorf("games and lines of the faults (-want +got)\n%s\n%v", diff, err)
	}
}

func TestIllegalMoveThatOtherRulesAllowSaysSo(t *testing.T) {
	text, _, _ := strings.Cut(enginetest.Historic(), "\n\n[")
	for with, advice := range map[string]string{
		"[Rules \"kawu\"]\n": "; legal under mindsports, lasker: change the Rules tag",
		"":                   "; legal under mindsports, lasker: add [Rules \"mindsports\"]",
	} {
		_, err := notation.ReadGame(strings.NewReader(strings.Replace(text, "[Rules \"lasker\"]\n", with, 1)))
		if err == nil || !strings.HasSuffix(err.Error(), advice) {
			t.Errorf("with %q: %v", with, err)
		}
	}
	_, err := notation.ReadGame(strings.NewReader("1. a1-g7"))
	if fault := new(notation.GameError); !errors.As(err, &fault) || len(fault.Legal) > 0 {
		t.Errorf("illegal everywhere: error %v", err)
	}
}

func tags(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("[T" + strconv.Itoa(i) + " \"x\"]\n")
	}
	return b.String()
}

func TestParseOfFormatIsTheGame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		positions, moves := enginetest.PlayoutFromBytes(enginetest.Playouts().Draw(t, "game"))
		from := rapid.IntRange(0, len(moves)).Draw(t, "from")
		want := notation.Game{
			Start:  positions[from].Setup(),
			Moves:  moves[from:],
			Result: rapid.SampledFrom([]engine.Result{engine.Ongoing, engine.WhiteWins, engine.BlackWins, engine.Draw}).Draw(t, "result"),
		}
		for i := range rapid.IntRange(0, notation.MaxTags+3).Draw(t, "tags") {
			name := rapid.SampledFrom([]string{"Event", "Site", "Date", "White", "Black", "Round", "Termination"}).Draw(t, "name")
			if i > 4 {
				name = "T" + strconv.Itoa(i)
			}
			want.Tags = append(want.Tags, notation.Tag{Name: name, Value: rapid.String().Draw(t, "value")})
		}
		text := notation.FormatGame(want)
		for line := range strings.Lines(text[strings.Index(text, "\n\n"):]) {
			if len(line) > 81 {
				t.Fatalf("a line of %d bytes: %s", len(line), line)
			}
		}
		got, err := notation.ReadGame(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got.Start != want.Start || got.Result != want.Result || !cmp.Equal(got.Moves, append([]engine.Move(nil), want.Moves...)) {
			t.Fatalf("%s\nreads as %+v", text, got)
		}
		if again := notation.FormatGame(got); again != text {
			t.Fatalf("(-first +second)\n%s", cmp.Diff(text, again))
		}
	})
}

func FuzzReadGames(f *testing.F) {
	f.Add("[Event \"Wing\"]\n[Result \"*\"]\n\n1. a3-b4 c5xa3 2. e3-d4 *\n\n[Event \"Hague\"]\n\n1. c3-b4 a5xc3")
	f.Add("[White \"A \\\"x\\\\\"]\n\n1. 9-13! {c} 17-9 $1 ; x\n2. b2d4 1/2-1/2 c3-d4 *")
	f.Add("[Position \",,,/,,/,,,/W,,/,b,,/,,/,,, b 3 12\"]\n[Rules \"lasker\"]\n12... c3-d2")
	f.Add("[A \"\xff\x01\u2028\"]\n*")
	f.Fuzz(func(t *testing.T, text string) {
		games, err := notation.ReadGames(strings.NewReader(text))
		var fault *notation.GameError
		if err != nil && !errors.As(err, &fault) {
			t.Fatalf("%q: error %v", text, err)
		}
		for _, g := range games {
			written := notation.FormatGame(g)
			back, err := notation.ReadGame(strings.NewReader(written))
			if err != nil {
				t.Fatalf("%q is written %q: %v", text, written, err)
			}
			if diff := cmp.Diff(g, back); diff != "" {
				t.Fatalf("%q is written %q (-first +second)\n%s", text, written, diff)
			}
		}
	})
}
