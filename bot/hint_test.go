package bot_test

import (
	"strings"
	"testing"
)

func TestHint(t *testing.T) {
	w := newWorld(t)
	board := w.duel()
	m := w.click(w.ann, board, "Hint")
	if m.EphemeralFor != w.ann.ID() {
		t.Error("not private")
	}
	w.says(m, "Level 8 would play")
	w.picture(m)
	if l := labels(m); len(l) != 1 || !strings.HasPrefix(l[0], "Play ") {
		t.Fatalf("buttons %v", l)
	}
	w.says(w.click(w.ben, board, "Hint"), "Ann") // not Ben's turn
	w.click(w.ann, m, labels(m)[0])
	w.until(w.ben, board, "1. ")
}
