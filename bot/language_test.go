package bot_test

import "testing"

func TestLanguage(t *testing.T) {
	t.Parallel()
	t.Run("private answers are in the person's language, boards in the server's", func(t *testing.T) {
		w := newWorld(t)
		w.says(w.typed(w.ben, "/lasca help"), "Säule")
		w.says(w.typed(w.ann, "/lasca help"), "column")
		club := w.sim.AddGuild("Verein", "de")
		w.channel = w.sim.AddChannel(club, "brett")
		w.sim.Join(club, w.ann.ID())
		w.sim.Join(club, w.ben.ID())
		w.says(w.typed(w.ann, "/lasca play level:1 colour:white"), "Zug 1")
	})
	t.Run("direct messages are in the person's language", func(t *testing.T) {
		w := newWorld(t)
		w.channel = w.ben.OpenDM()
		board := w.typed(w.ben, "/lasca play level:1 colour:white")
		w.says(board, "Zug 1")
		w.picture(board)
		w.moved(w.ben, board, "c3", "d4")
		w.until(w.ben, board, "Zug 2")
	})
}
