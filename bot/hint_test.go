package bot_test

import (
	"slices"
	"strings"
	"testing"
)

func TestHint(t *testing.T) {
	t.Run("only the person to move sees the best move, with a button that plays it", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		m := w.click(w.ann, board, "Hint")
		w.private(w.ann, m)
		w.says(m, "I would play")
		w.picture(m)
		if l := labels(m); len(l) != 1 || !strings.HasPrefix(l[0], "Play ") {
			t.Fatalf("buttons %v", l)
		}
		w.click(w.ann, m, labels(m)[0])
		w.until(w.ann, board, "1. ")
	})
	t.Run("there are no hints in a game between people", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		if slices.Contains(labels(board), "Hint") {
			t.Errorf("the board offers a hint:\n%s", describe(board))
		}
		w.says(w.typed(w.ann, "/lasca hint"), "no hints in games between people")
	})
}
