package bot_test

import (
	"slices"
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine/match"
)

func TestOneGameForEachPress(t *testing.T) {
	t.Run("a rematch is asked for by one and accepted by the other's press", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		asked := w.click(w.ann, board, "Resign")
		w.click(w.ann, asked, "Yes, resign")
		end := w.until(w.ann, board, "Ann resigned")
		w.says(w.click(w.ann, end, "Rematch"), "challenges you")
		for range 3 {
			again := w.click(w.ann, end, "Rematch")
			w.private(w.ann, again)
			w.says(again, "there already", "https://discord.com/channels/")
		}
		w.says(w.click(w.ben, end, "Rematch"), "move 1")
		again := w.click(w.ben, end, "Rematch")
		w.private(w.ben, again)
		if r := w.only(w.ann); r.Match.Phase != match.Playing {
			t.Errorf("the rematch is %s", r.Match.Phase)
		}
	})
	t.Run("two who challenge each other play", func(t *testing.T) {
		w := newWorld(t)
		w.typed(w.ann, "/lasca challenge user:@Ben")
		w.says(w.typed(w.ben, "/lasca challenge user:@Ann"), "move 1")
		if r := w.only(w.ann); r.Match.Phase != match.Playing {
			t.Errorf("the game is %s", r.Match.Phase)
		}
	})
	t.Run("a challenger who is blocked hears it privately; the running game goes on", func(t *testing.T) {
		w := newWorld(t)
		w.duel()
		w.clock.Advance(time.Minute)
		asked := w.typed(w.ann, "/lasca challenge user:@Ben")
		w.says(w.click(w.ann, asked, "Decline and block"), "Only Ben can answer")
		said := w.click(w.ben, asked, "Decline and block")
		w.private(w.ben, said)
		w.says(said, "nicht mehr herausfordern")
		declined := w.until(w.ann, asked, "Ben declined")
		if len(labels(declined)) != 0 {
			t.Errorf("there are still buttons: %v", labels(declined))
		}
		w.restart() // it is stored
		refused := w.typed(w.ann, "/lasca challenge user:@Ben")
		w.private(w.ann, refused)
		w.says(refused, "does not take challenges from you")
		if r := w.only(w.ben); r.Match.Phase != match.Playing {
			t.Errorf("the running game is %s", r.Match.Phase)
		}
		allowed := w.typed(w.ben, "/lasca unblock user:@Ann")
		w.private(w.ben, allowed)
		if m := w.typed(w.ann, "/lasca challenge user:@Ben"); !slices.Contains(labels(m), "Accept") {
			t.Errorf("%s", describe(m))
		}
	})
}
