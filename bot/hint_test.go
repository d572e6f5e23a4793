package bot_test

import (
	"slices"
	"strings"
	"testing"
)

func TestHint(t *testing.T) {
	t.Run("shows the best move to the person to move alone, with a button that plays it", func(t *testing.T) {
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
	t.Run("is not to be had in a game between people", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		if slices.Contains(labels(board), "Hint") {
			t.Errorf("it is offered:\n%s", describe(board))
		}
		w.says(w.typed(w.ann, "/lasca hint"), "no hints in games between people")
	})
}
