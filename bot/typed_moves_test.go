package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTypedMoves(t *testing.T) {
	t.Parallel()
	t.Run("sloppy forms", func(t *testing.T) {
		for _, text := range []string{"c3-d4", "c3 d4", "C3:D4", "c3d4", "9-13"} {
			t.Run(text, func(t *testing.T) {
				w := newWorld(t)
				w.duel()
				board := w.typed(w.ann, "/lasca move path:"+text)
				w.says(board, "1. c3-d4")
				w.picture(board)
			})
		}
	})
	t.Run("errors explain and offer the possible moves", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4")
		m := w.typed(w.ben, "/lasca move path:a5-b4")
		w.private(w.ben, m)
		l := labels(m)
		if len(l) == 0 {
			t.Fatalf("nothing offered\n%s", describe(m))
		}
		w.click(w.ben, m, l[0])
		w.until(w.ann, board, written(l[0]))
	})
	t.Run("autocomplete offers legal moves, at most 25, and never fails", func(t *testing.T) {
		w := newWorld(t)
		w.duel()
		for typed, want := range map[string][]string{
			"":   {"a3-b4", "c3-b4", "c3-d4", "e3-d4", "e3-f4", "g3-f4"},
			"c3": {"c3-b4", "c3-d4"}, "C3:D": {"c3-d4"}, "zz": nil,
		} {
			list, err := w.ann.Autocomplete(w.ctx, w.channel, "/lasca move path:"+typed)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range list {
				got = append(got, c.Name)
			}
			slices.Sort(got)
			if typed != "zz" && !slices.Equal(got, want) {
				t.Errorf("%q: %v, want %v", typed, got, want)
			}
		}
		if list, err := w.ben.Autocomplete(w.ctx, w.channel, "/lasca move path:"); err != nil || len(list) != 0 {
			t.Errorf("out of turn: %v, %v", list, err)
		}
	})
	t.Run("there are at most 25 suggestions, and all have a valid length, whatever is typed", func(t *testing.T) {
		w := newWorld(t)
		for range 30 {
			w.typed(w.ann, "/lasca play level:1 colour:white")
			w.clock.Advance(2*time.Minute + time.Second) // as often as one may begin a game
		}
		if n := len(w.games(w.ann)); n != 30 {
			t.Fatalf("%d games", n)
		}
		for _, option := range []string{"path", "game"} {
			for _, typed := range []string{
				"", " ", "x", "c3", "C3-", "…", "🦊", "```", "@everyone", strings.Repeat("c3", 40), "Lasca", "level",
			} {
				line := "/lasca move " + option + ":" + typed
				list, err := w.ann.Autocomplete(w.ctx, w.channel, line)
				if err != nil {
					t.Errorf("%s: %v", line, err)
				}
				if len(list) > 25 {
					t.Errorf("%s: %d suggestions", line, len(list))
				}
				for _, c := range list {
					if n := len([]rune(c.Name)); n < 1 || n > 100 || strings.TrimSpace(c.Name) == "" {
						t.Errorf("%s: the suggestion %q is blank or too long", line, c.Name)
					}
				}
			}
		}
	})
}

func TestABoardAfterATypedMoveLives(t *testing.T) {
	w := newWorld(t)
	board := w.typed(w.ann, "/lasca play level:1 colour:white")
	for range 5 {
		list, err := w.ann.Autocomplete(w.ctx, w.channel, "/lasca move path:")
		if err != nil || len(list) == 0 {
			t.Fatalf("no moves are suggested: %v, %v", list, err)
		}
		board = w.typed(w.ann, "/lasca move path:"+list[0].Name)
		board = w.until(w.ann, board, "<@"+w.ann.ID()+">") // the machine has answered, in the new message
	}
	if newest := w.newest(w.ann); newest.ID != board.ID {
		t.Errorf("the newest message is not the board:\n%s", describe(newest))
	}
}
