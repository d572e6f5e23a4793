package bot_test

import (
	"slices"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestButtonsExplainToSpectators(t *testing.T) {
	w := newWorld(t)
	cleo := w.stranger()
	explained := func(m discordsim.Message, between string) {
		t.Helper()
		for _, label := range labels(m) {
			if label == "Review" || label == "GIF" || label == "Game text" {
				continue // for everybody there; see TestAnyoneMayLookAtFinishedGames
			}
			told := w.click(cleo, m, label)
			w.private(cleo, told)
			w.says(told, between, "start your own")
			if !slices.Contains(labels(told), "Play Lasca") {
				t.Errorf("%s: there is no way to begin\n%s", label, describe(told))
			}
		}
	}
	challenge := w.typed(w.ann, "/lasca challenge user:@Ben colour:white")
	explained(challenge, "between Ann and Ben")
	board := w.click(w.ben, challenge, "Accept")
	explained(board, "between Ann and Ben")
	w.click(w.ann, w.click(w.ann, w.moved(w.ann, board, "c3", "d4"), "Resign"), "Yes, resign")
	explained(w.until(w.ann, board, "resigned"), "between Ann and Ben")
	explained(w.typed(w.ann, "/lasca play level:1 colour:white"), "between Ann and Lasca")
	w.seesPrivates(cleo, 2) // one for each game
}
