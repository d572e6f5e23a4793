package bot_test

import "testing"

func TestUndo(t *testing.T) {
	t.Parallel()
	t.Run("against the bot it goes back to the person's turn at once", func(t *testing.T) {
		w := newWorld(t)
		start := w.typed(w.ann, "/lasca play level:1 colour:white")
		w.moved(w.ann, start, "c3", "d4")
		board := w.until(w.ann, start, "move 2")
		back := w.click(w.ann, board, "Undo")
		w.says(back, "Ann took a move back")
		if n := w.moveCount(w.ann); n != 0 {
			t.Errorf("%d moves are left", n)
		}
	})
	t.Run("between people it needs consent and goes back to the named move", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4")
		asked := w.click(w.ann, board, "Undo")
		w.says(asked, "Ann asks to take back `1. c3-d4`")
		w.private(w.ann, w.click(w.ann, asked, "Allow undo")) // she cannot allow it herself
		back := w.click(w.ben, asked, "Allow undo")
		w.says(back, "took a move back", "<@"+w.ann.ID()+">")
		if n := w.moveCount(w.ann); n != 0 {
			t.Errorf("%d moves are left", n)
		}
	})
	t.Run("after a refusal it pauses for the side that asked, and the person is told so", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4")
		refused := w.click(w.ben, w.click(w.ann, board, "Undo"), "Refuse undo")
		w.says(refused, "Ben declined the undo")
		before := w.only(w.ann)
		for range 3 {
			told := w.click(w.ann, refused, "Undo")
			w.private(w.ann, told)
			w.says(told, "refused or withdrawn a moment ago")
		}
		w.unchanged(w.ann, before)
		board = w.click(w.ben, refused, moveLabels(refused)[0])
		w.says(w.click(w.ben, board, "Undo"), "Ben asks to take back")
	})
	t.Run("with nothing to take back the bot says so", func(t *testing.T) {
		w := newWorld(t)
		w.duel()
		w.says(w.typed(w.ann, "/lasca undo"), "no move to take back")
	})
	t.Run("afterwards the game goes on from the position that its moves lead to", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		for _, second := range []string{"d4", "b4"} {
			w.moved(w.ann, board, "c3", second)
			board = w.until(w.ann, board, "move 2")
			w.replays(w.only(w.ann))
			if second == "d4" {
				board = w.click(w.ann, board, "Undo")
			}
		}
		if m := w.only(w.ann).Match.Moves; len(m) != 2 || m[0].String() != "c3-b4" {
			t.Errorf("stored: %v", m)
		}
	})
	t.Run("only the opponent can answer the request", func(t *testing.T) {
		w := newWorld(t)
		cleo := w.stranger()
		asked := w.click(w.ann, w.moved(w.ann, w.duel(), "c3", "d4"), "Undo")
		before := w.only(w.ann)
		for _, label := range []string{"Allow undo", "Refuse undo"} {
			w.private(cleo, w.click(cleo, asked, label))
			w.private(w.ann, w.click(w.ann, asked, label))
		}
		w.unchanged(w.ann, before)
		w.says(w.click(w.ben, asked, "Allow undo"), "Ann took a move back")
	})
}
