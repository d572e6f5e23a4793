package bot_test

import (
	"slices"
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine/match"
)

func TestDraw(t *testing.T) {
	t.Parallel()
	t.Run("a draw is offered, declined, offered again too soon, and accepted", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		offered := w.click(w.ann, board, "½ Draw")
		w.says(offered, "Ann offers a draw", "<@"+w.ben.ID()+">")
		declined := w.click(w.ben, offered, "Decline the draw")
		w.says(declined, "Ben declined the draw")
		w.says(w.click(w.ann, declined, "½ Draw"), "a moment ago")
		offered = w.click(w.ben, w.see(w.ben, board), "½ Draw")
		end := w.click(w.ann, offered, "Accept the draw")
		w.says(end, "by agreement")
		if !over(end) {
			t.Error("the board offers no rematch")
		}
	})
	t.Run("the machine answers an offer", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		w.click(w.ann, board, "½ Draw")
		w.until(w.ann, board, "Lasca (level 1) declined")
	})
	t.Run("only the opponent can answer an offer", func(t *testing.T) {
		w := newWorld(t)
		cleo := w.stranger()
		offered := w.click(w.ann, w.duel(), "½ Draw")
		before := w.only(w.ann)
		for _, label := range []string{"Accept the draw", "Decline the draw"} {
			w.private(cleo, w.click(cleo, offered, label))
			w.private(w.ann, w.click(w.ann, offered, label))
		}
		w.unchanged(w.ann, before)
		w.says(w.click(w.ben, offered, "Accept the draw"), "by agreement")
	})
}

func TestResign(t *testing.T) {
	t.Parallel()
	t.Run("the question is private and still counts after other moves", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		asked := w.click(w.ben, board, "Resign")
		w.private(w.ben, asked)
		w.says(asked, "Ann") // in Ben's language
		w.moved(w.ann, board, "c3", "d4")
		w.click(w.ben, asked, "Ja, aufgeben")
		end := w.until(w.ann, board, "Ben resigned")
		w.says(end, "White wins")
		again := w.click(w.ann, end, "Rematch")
		w.says(again, "challenges you")
	})
	t.Run("No goes on with the game", func(t *testing.T) {
		w := newWorld(t)
		w.duel()
		asked := w.typed(w.ann, "/lasca resign")
		kept := w.click(w.ann, asked, "No, play on")
		w.says(kept, "goes on")
		if p := w.only(w.ann).Match.Phase; p != match.Playing {
			t.Errorf("the game is %s", p)
		}
	})
	t.Run("a player can resign while the machine thinks", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		asked := w.click(w.ann, w.moved(w.ann, board, "c3", "d4"), "Resign")
		w.click(w.ann, asked, "Yes, resign")
		w.until(w.ann, board, "Ann resigned")
	})
}

func TestClaim(t *testing.T) {
	t.Parallel()
	t.Run("after three days of silence the win can be claimed", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.moved(w.ben, w.moved(w.ann, w.duel(), "c3", "d4"), "e5", "c3"), "b2", "d4")
		if m := w.click(w.ann, board, "⋯ More"); slices.Contains(labels(m), "Claim the win") {
			t.Error("the win can be claimed at once")
		}
		w.later(match.MoveTime + time.Minute)
		w.click(w.ann, w.click(w.ann, board, "⋯ More"), "Claim the win")
		w.until(w.ann, board, "has not moved for 3 days")
	})
	t.Run("the silence of a player who has left can be claimed, and the board names them", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.moved(w.ben, w.moved(w.ann, w.duel(), "c3", "d4"), "e5", "c3"), "b2", "d4")
		w.sim.Leave(w.guild, w.ben.ID())
		w.later(match.MoveTime + time.Minute)
		w.click(w.ann, w.click(w.ann, board, "⋯ More"), "Claim the win")
		w.until(w.ann, board, "Ben has not moved for 3 days")
	})
}

func TestCallOff(t *testing.T) {
	t.Parallel()
	t.Run("a game can be called off before both have moved", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.click(w.ann, w.click(w.ann, board, "⋯ More"), "Call the game off")
		w.until(w.ann, board, "called off")
	})
}
