package bot_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

func TestButtons(t *testing.T) {
	t.Parallel()
	t.Run("a press by a stranger or out of turn gets a private answer and changes nothing", func(t *testing.T) {
		w := newWorld(t)
		cleo := w.stranger()
		board := w.duel()
		before := w.only(w.ann)
		for _, label := range labels(board) {
			m := w.click(cleo, board, label)
			w.private(cleo, m)
			w.says(m, "This game is between Ann and Ben")
		}
		m := w.click(w.ben, board, "c3")
		w.private(w.ben, m)
		w.says(m, "Ann")
		w.unchanged(w.ann, before)
		if now := w.see(w.ann, board); now.Content != board.Content || !now.EditedAt.Equal(board.EditedAt) {
			t.Error("the board changed")
		}
	})
	t.Run("a press on an old board is told so and changes nothing", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.moved(w.ann, board, "c3", "d4")
		before := w.only(w.ann)
		// Ann's screen still shows the old buttons: press by the ID they had.
		id := w.buttonID(board, "c3")
		if _, err := w.ann.Click(w.ctx, board.ChannelID, board.ID, id); !errors.Is(err, discordsim.ErrNoComponent) {
			t.Fatalf("the simulator let through a button that is gone: %v", err)
		}
		m := w.stale(w.ann, board, id)
		w.private(w.ann, m)
		w.says(m, "moved on")
		w.unchanged(w.ann, before)
	})
	t.Run("many presses at once count once", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4") // Ben has one capture
		id := w.buttonID(board, moveLabels(board)[0])
		before := w.only(w.ben)
		var wg sync.WaitGroup
		for range 16 { // as many as one person's share
			wg.Go(func() {
				if _, err := w.ben.ClickStale(w.ctx, board.ChannelID, board.ID, id); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if after := w.only(w.ben); len(after.Match.Moves) != len(before.Match.Moves)+1 {
			t.Errorf("%d moves before, %d after", len(before.Match.Moves), len(after.Match.Moves))
		}
	})
	t.Run("a press that Discord delivers twice is handled once", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		w.sim.Gateway().ReplayLast()
		w.click(w.ann, board, "⋯ More")
		list, err := w.store.ListByUser(w.ctx, match.UserID(w.ann.ID()), 10)
		if err != nil || len(list) != 1 {
			t.Errorf("%d games, %v", len(list), err)
		}
	})
	t.Run("a press with an unknown ID is told what to do", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		for _, id := range []string{"9x", "poll:7", "1s"} {
			m := w.stale(w.ann, board, id)
			w.private(w.ann, m)
			w.says(m, "/lasca board")
		}
	})
	t.Run("a press in one game does not touch another", func(t *testing.T) {
		w := newWorld(t)
		first := w.typed(w.ann, "/lasca play level:1 colour:white")
		second := w.typed(w.ann, "/lasca play level:2 colour:white")
		w.click(w.ann, first, "c3")
		w.click(w.ann, w.see(w.ann, first), "d4")
		w.until(w.ann, first, "move 2")
		if now := w.see(w.ann, second); now.Content != second.Content {
			t.Errorf("the other game changed\n%s", describe(now))
		}
	})
	t.Run("Back leads to where the press came from", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		chosen := w.click(w.ann, board, "c3")
		w.says(chosen, "**c3** → where?")
		if got, want := moveLabels(chosen), []string{"b4", "d4"}; !slices.Equal(got, want) {
			t.Errorf("the landings are %v, want %v", got, want)
		}
		back := w.click(w.ann, chosen, "← Back")
		if back.Content != board.Content || !slices.Equal(labels(back), labels(board)) {
			t.Errorf("this is not the board as it was\n%s", describe(back))
		}
	})
	t.Run("custom IDs fit Discord's limit, whatever the game, its version and the path", func(t *testing.T) {
		ref := intent.Ref{Game: match.ID(strconv.FormatUint(math.MaxUint64, 10)), Version: math.MaxUint64}
		var path []engine.Square
		for sq := range engine.Square(engine.MaxPath) {
			path = append(path, sq)
		}
		if id := intent.CustomID(intent.Step{Ref: ref, Path: path}); len(id) > 100 {
			t.Errorf("%d bytes: %s", len(id), id)
		}
	})
	t.Run("a stranger who presses is told how to start a game, by a button that starts one", func(t *testing.T) {
		w := newWorld(t)
		cleo := w.stranger()
		told := w.click(cleo, w.duel(), "c3")
		w.private(cleo, told)
		if l := labels(told); !slices.Equal(l, []string{"Watch", "Play Lasca"}) {
			t.Fatalf("the answer has the buttons %q", l)
		}
		w.click(cleo, told, "Play Lasca")
		m := w.only(cleo).Match
		if !slices.ContainsFunc(m.Seats[:], func(s match.Seat) bool { return s.Level > 0 }) {
			t.Errorf("Cleo's game is not against the machine: %+v", m.Seats)
		}
	})
}

// stale presses a button that a board no longer has and returns the answer.
func (w *world) stale(who *discordsim.Actor, board discordsim.Message, id string) discordsim.Message {
	w.t.Helper()
	reply, err := who.ClickStale(w.ctx, board.ChannelID, board.ID, id)
	if err != nil {
		w.t.Fatalf("press %s: %v", id, err)
	}
	return w.message(who, reply)
}
