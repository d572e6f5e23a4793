package notation_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
	"github.com/lascabot/lascabot/engine/notation"
)

const startText = "b,b,b,b/b,b,b/b,b,b,b/,,/w,w,w,w/w,w,w/w,w,w,w w 0 1"

func TestStartPositionText(t *testing.T) {
	if got := notation.FormatPosition(engine.StartSetup(engine.Kawu)); got != startText {
		t.Errorf("%s", got)
	}
}

func TestParseOfFormatIsTheSetup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := enginetest.Setups().Draw(t, "setup")
		text := notation.FormatPosition(want)
		got, err := notation.ParsePosition(text, want.Rules)
		if err != nil || got != want {
			t.Fatalf("%s reads as %v, %v", text, got, err)
		}
		if slow := enginetest.ParseReference(text, want.Rules.String()); slow.Setup() != want || slow.String() != text {
			t.Fatalf("%s: the slow reader reads %s", text, slow)
		}
	})
}

func TestPositionTextIsForgivingAboutSpaceAndCounters(t *testing.T) {
	want := engine.StartSetup(engine.Lasker)
	board := strings.Fields(startText)[0]
	for _, text := range []string{board + " w", " " + board + "   w  0   1 ", board + "\tw\n"} {
		if got, err := notation.ParsePosition(text, engine.Lasker); err != nil || got != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestPositionIsRefusedNamingEveryReason(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{
			"1 ranks instead of 7; write ranks 7 to 1 with / between them",
			"the side to move is missing; write w or b after the board",
		}},
		{"ranks_letters_and_side", ",,,/,,/,,x,/w,,w white", []string{
			"4 ranks instead of 7; write ranks 7 to 1 with / between them",
			`unknown letter "x"; pieces are w, b, W and B`,
			`the side to move is "white"; write w or b`,
		}},
		{"squares", ",,/,,/,,,/,,,/,,,/,,/, w", []string{
			"rank 7 has 3 squares instead of 4; write a comma between squares",
			"rank 4 has 4 squares instead of 3; write a comma between squares",
			"rank 1 has 2 squares instead of 4; write a comma between squares",
		}},
		{"letters", ",,,/,wä,/,,,/,b1,/,,,/,,/,,, b", []string{
			`unknown letter "ä" on d6; pieces are w, b, W and B`,
			`unknown letter "1" on d4; pieces are w, b, W and B`,
		}},
		{"soldiers_on_their_far_ranks", "w,,,/,,/,,,/,,/,,,/,,/,,,bw w", []string{
			"g1 has a black soldier in command on its far rank",
			"a7 has a white soldier in command on its far rank",
		}},
		{"too_many_pieces", ",,,/wwwwww,BBBBBBBBBBBB,/,,,/,,/,,,/,,/wwwwwww,,, w", []string{
			"13 white pieces; at most 11 are allowed",
			"12 black pieces; at most 11 are allowed",
		}},
		{"clocks", ",,,/,,/,,,/,,/,,,/,,/,,, w -1 0", []string{
			`the number of plies without capture or promotion is "-1", not 0 to 999`,
			`the move number is "0", not 1 to 9999`,
		}},
		{"clocks_out_of_range", ",,,/,,/,,,/,,/,,,/,,/,,, w 1000 99999999999999999999", []string{
			`the number of plies without capture or promotion is "1000", not 0 to 999`,
			`the move number is "99999999999999999999", not 1 to 9999`,
		}},
		{"one_clock", ",,,/,,/,,,/,,/,,,/,,/,,, w 3", []string{
			"the move number is missing; write both counters or neither",
		}},
		{"more_text", ",,,/,,/,,,/,,/,,,/,,/,,, w 3 4 x y", []string{
			`there is "x y" after the move number`,
		}},
		{"too_long", startText + strings.Repeat(" ", 256), []string{
			"the text has 308 bytes; at most 256 are read",
		}},
		{"everything", "q,w,b/bbbbbbbbbbbb,,/,,,/,,/,,/,,/b,,, x y z !", []string{
			"rank 7 has 3 squares instead of 4; write a comma between squares",
			`unknown letter "q"; pieces are w, b, W and B`,
			"rank 3 has 3 squares instead of 4; write a comma between squares",
			`the side to move is "x"; write w or b`,
			`the number of plies without capture or promotion is "y", not 0 to 999`,
			`the move number is "z", not 1 to 9999`,
			`there is "!" after the move number`,
			"a1 has a black soldier in command on its far rank",
			"14 black pieces; at most 11 are allowed",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			setup, err := notation.ParsePosition(c.text, engine.Kawu)
			var refused *notation.PositionError
			if !errors.As(err, &refused) || !errors.Is(err, notation.ErrPositionSyntax) {
				t.Fatalf("error %v", err)
			}
			if setup != (engine.Setup{}) {
				t.Error("a set-up comes with the error")
			}
			var got []string
			inSetup := false
			for _, p := range refused.Problems {
				got = append(got, p.String())
				inSetup = inSetup || p.Kind == notation.SetupRefused
				if !strings.Contains(err.Error(), p.String()) {
					t.Errorf("the error leaves out %q", p)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if errors.Is(err, engine.ErrSetup) != inSetup {
				t.Errorf("is ErrSetup: %v", !inSetup)
			}
		})
	}
}

func FuzzParsePosition(f *testing.F) {
	f.Add(startText)
	f.Add(",,,/,,b/,,,/,,b/,,,/b,bWw,/,W,, b 12 40")
	f.Add("w w 0 1")
	f.Add("////// b")
	f.Add(",,,/,\xff,/é,,,/,,/,,,/,,/,,, w")
	f.Fuzz(func(t *testing.T, text string) {
		setup, err := notation.ParsePosition(text, engine.MindSports)
		if err != nil {
			var refused *notation.PositionError
			if !errors.As(err, &refused) || len(refused.Problems) == 0 {
				t.Fatalf("%q: error %v", text, err)
			}
			return
		}
		if _, err := setup.Position(); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		back, err := notation.ParsePosition(notation.FormatPosition(setup), engine.MindSports)
		if err != nil || back != setup {
			t.Fatalf("%q is written %q", text, notation.FormatPosition(setup))
		}
	})
}
