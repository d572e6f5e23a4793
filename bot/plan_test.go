package bot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestAStoredReplyIsPlayedAtOnce(t *testing.T) {
	w := newWorld(t)
	board := w.duel() // Ann is White and to move
	root := w.click(w.ben, board, "If-then")
	w.private(w.ben, root)
	w.says(root, "Wenn-dann", "Wenn Ann was zieht?")
	forced := w.click(w.ben, root, "c3→d4 ⇒ e5×c3") // the only reply comes along
	w.says(forced, "wenn `c3-d4`, dann `e5xc3`", "Hinterlegt", "Nach deinem `e5xc3`")
	ask := w.click(w.ben, forced, "b2×d4")
	w.says(ask, "Wenn Ann `b2xd4` zieht, was ziehst du?")
	reply := labels(ask)[0]
	stored := w.click(w.ben, ask, reply)
	w.says(stored, "wenn `c3-d4`, dann `e5xc3`, wenn `b2xd4`, dann `"+written(reply)+"`")
	w.says(w.click(w.ben, stored, "← Zurück"), "Wenn Ann `b2xd4` zieht, was ziehst du?")
	if now := describe(w.see(w.ann, board)); strings.Contains(now, written(reply)) {
		t.Errorf("the opponent can see it:\n%s", now)
	}
	w.stop() // what is stored outlives the program
	w.start()
	w.clock.Advance(time.Minute)
	after := w.moved(w.ann, board, "c3", "d4")
	w.says(after, "1. c3-d4 e5xc3", "Ben had stored this reply")
	after = w.moved(w.ann, after, "b2", "d4")
	w.says(after, "2. b2xd4 "+written(reply), "Ben had stored this reply")
	r := w.only(w.ann)
	if len(r.Match.Moves) != 4 || !r.Match.Seen[1].Before(r.Match.Changed) {
		t.Errorf("%d moves; Ben was seen at %v, and the game changed at %v", len(r.Match.Moves), r.Match.Seen[1], r.Match.Changed)
	}
	w.replays(r)
}

func TestWhoeverLeftTheLinesSaysSoOnce(t *testing.T) {
	w := newWorld(t)
	board := w.duel()
	w.click(w.ben, w.click(w.ben, board, "If-then"), "c3→d4 ⇒ e5×c3")
	board = w.moved(w.ann, board, "a3", "b4")
	w.click(w.ben, board, "⋯ More")
	said := func() (n int) {
		for _, m := range w.privates(w.ben) {
			if strings.Contains(m.Content, "hinterlegten Zugfolgen verlassen") {
				n++
			}
		}
		return n
	}
	w.wait("Ben hears that his lines are gone", func(*discordsim.Server) bool { return said() == 1 })
	w.click(w.ben, board, "⋯ More")
	if n := said(); n != 1 {
		t.Errorf("said %d times", n)
	}
	if w.only(w.ben).Lines[1] != nil {
		t.Error("the lines are still stored")
	}
}

func TestLinesAreForOneselfWhileTheOtherIsToMove(t *testing.T) {
	w := newWorld(t)
	board := w.duel()
	own := w.click(w.ann, board, "If-then")
	w.private(w.ann, own)
	w.says(own, "It is your turn")
	w.says(w.click(w.stranger(), board, "If-then"), "between Ann and Ben")
	old := w.click(w.ben, w.click(w.ben, board, "If-then"), "c3→d4 ⇒ e5×c3")
	w.moved(w.ann, board, "a3", "b4") // the game moves on behind the private message
	w.says(w.click(w.ben, old, "d2×b4"), "Du bist am Zug")
}

func TestLinesAreDroppedOneByOneOrAltogether(t *testing.T) {
	w := newWorld(t)
	root := w.click(w.ben, w.duel(), "If-then")
	line := w.click(w.ben, root, "c3→d4 ⇒ e5×c3")
	root = w.click(w.ben, w.click(w.ben, line, "← Zurück"), "← Zurück")
	line = w.click(w.ben, root, "a3→b4 ⇒ c5×a3")
	if n := len(w.only(w.ben).Lines[1]); n != 2 {
		t.Fatalf("%d lines, want 2", n)
	}
	root = w.click(w.ben, line, "Zugfolge löschen")
	if l := w.only(w.ben).Lines[1]; len(l) != 1 || l[0].Moves[0].String() != "c3-d4" {
		t.Fatalf("left: %v", l)
	}
	w.says(w.click(w.ben, root, "Alle Zugfolgen löschen"), "Wenn Ann was zieht?")
	if l := w.only(w.ben).Lines[1]; len(l) != 0 {
		t.Errorf("left: %v", l)
	}
}

func TestAMoveEndsWhatWasAskedBeforeAStoredReply(t *testing.T) {
	w := newWorld(t)
	board := w.duel()
	w.click(w.ben, w.click(w.ben, board, "If-then"), "c3→d4 ⇒ e5×c3")
	board = w.click(w.ann, board, "½ Draw")
	board = w.moved(w.ann, board, "c3", "d4")
	w.until(w.ben, board, "played at once")
	if r := w.only(w.ann); len(r.Match.Moves) != 2 || r.Match.Offer != nil {
		t.Fatalf("%d moves, offer %v", len(r.Match.Moves), r.Match.Offer)
	}
}
