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
	t.Run("pressed by a stranger or out of turn, they give a private sentence and change nothing", func(t *testing.T) {
		w := newWorld(t)
		cleo := w.sim.As(w.sim.AddUser(discordsim.User{Name: "cleo", DisplayName: "Cleo", Locale: "en-GB"}))
		w.sim.Join(w.guild, cleo.ID())
		board := w.duel()
		before := w.only(w.ann)
		for _, label := range labels(board) {
			m := w.click(cleo, board, label)
			if m.EphemeralFor != cleo.ID() {
				t.Errorf("%s: not private\n%s", label, describe(m))
			}
			w.says(m, "This game is between Ann and Ben")
		}
		m := w.click(w.ben, board, "c3")
		if m.EphemeralFor != w.ben.ID() {
			t.Errorf("not private\n%s", describe(m))
		}
		w.says(m, "Ann")
		if after := w.only(w.ann); after.Match.Version != before.Match.Version {
			t.Errorf("the game changed from version %d to %d", before.Match.Version, after.Match.Version)
		}
		if now := w.see(w.ann, board); now.Content != board.Content || !now.EditedAt.Equal(board.EditedAt) {
			t.Error("the board changed")
		}
	})
	t.Run("pressed on an old board, they say so and change nothing", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.moved(w.ann, board, "c3", "d4")
		before := w.only(w.ann)
		// Ann's screen still shows the old buttons: press by the ID they had.
		_, err := w.ann.Click(w.ctx, board.ChannelID, board.ID, buttonID(t, board, "c3"))
		if !errors.Is(err, discordsim.ErrNoComponent) {
			t.Fatalf("the simulator let through a button that is gone: %v", err)
		}
		reply, err := w.ann.ClickStale(w.ctx, board.ChannelID, board.ID, buttonID(t, board, "c3"))
		if err != nil {
			t.Fatal(err)
		}
		m := w.message(w.ann, reply)
		if m.EphemeralFor != w.ann.ID() {
			t.Errorf("not private\n%s", describe(m))
		}
		w.says(m, "moved on")
		if after := w.only(w.ann); after.Match.Version != before.Match.Version {
			t.Error("the game changed")
		}
	})
	t.Run("pressed many times at once, they count once", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4") // Ben has one capture
		id := buttonID(t, board, moveLabels(board)[0])
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
			t.Errorf("%d moves, then %d", len(before.Match.Moves), len(after.Match.Moves))
		}
	})
	t.Run("a press that Discord delivers twice is handled once", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		w.sim.Gateway().ReplayLast()
		w.click(w.ann, board, "⋯")
		list, err := w.store.ListByUser(w.ctx, match.UserID(w.ann.ID()), 10)
		if err != nil || len(list) != 1 {
			t.Errorf("%d games, %v", len(list), err)
		}
	})
	t.Run("an ID of another version or of another program is answered with what to do", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		for _, id := range []string{"9x", "poll:7", "1s"} {
			reply, err := w.ann.ClickStale(w.ctx, board.ChannelID, board.ID, id)
			if err != nil {
				t.Fatal(err)
			}
			m := w.message(w.ann, reply)
			if m.EphemeralFor != w.ann.ID() {
				t.Errorf("%s: not private", id)
			}
			w.says(m, "/lasca board")
		}
	})
	t.Run("a press on one game does not touch another", func(t *testing.T) {
		w := newWorld(t)
		first := w.typed(w.ann, "/lasca play level:1 colour:white")
		second := w.typed(w.ann, "/lasca play level:1 colour:white")
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
			t.Errorf("landings %v, want %v", got, want)
		}
		back := w.click(w.ann, chosen, "← Back")
		if back.Content != board.Content || !slices.Equal(labels(back), labels(board)) {
			t.Errorf("not the board as it was\n%s", describe(back))
		}
	})
	t.Run("custom IDs fit, whatever the game, its version and the path", func(t *testing.T) {
		ref := intent.Ref{Game: match.ID(strconv.FormatUint(math.MaxUint64, 10)), Version: math.MaxUint64}
		var path []engine.Square
		for sq := range engine.Square(engine.MaxPath) {
			path = append(path, sq)
		}
		if id := intent.CustomID(intent.Step{Ref: ref, Path: path}); len(id) > 100 {
			t.Errorf("%d bytes: %s", len(id), id)
		}
	})
}
