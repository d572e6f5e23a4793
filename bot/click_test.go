package bot_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// duel starts a game between Ann (White) and Ben and returns its board.
func (w *world) duel() discordsim.Message {
	w.t.Helper()
	asked := w.typed(w.ann, "/lasca challenge user:@Ben colour:white")
	return w.click(w.ben, asked, "Accept")
}

// only returns the one game that somebody has.
func (w *world) only(who *discordsim.Actor) storage.Record {
	w.t.Helper()
	list, err := w.store.ListByUser(w.ctx, match.UserID(who.ID()), 10)
	if err != nil || len(list) != 1 {
		w.t.Fatalf("%d games, %v", len(list), err)
	}
	return list[0]
}

// moved makes a move by buttons.
func (w *world) moved(who *discordsim.Actor, board discordsim.Message, path ...string) discordsim.Message {
	w.t.Helper()
	if l := moveLabels(board); len(l) == 1 && strings.HasPrefix(l[0], "Play ") {
		return w.click(who, board, l[0])
	}
	for _, sq := range path {
		label := sq
		for _, l := range moveLabels(board) {
			if l == sq || strings.HasPrefix(l, sq+" ×") {
				label = l
			}
		}
		board = w.click(who, board, label)
	}
	return board
}

func TestClick(t *testing.T) {
	t.Parallel()
	t.Run("bugs 13 and 16: by a stranger or out of turn gets a private sentence and changes nothing", func(t *testing.T) {
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
	t.Run("bug 8: on an old board is told so and changes nothing", func(t *testing.T) {
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
	t.Run("bugs 5 and 8: many at once on one board count once", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4") // Ben has one capture
		id := buttonID(t, board, moveLabels(board)[0])
		before := w.only(w.ben)
		var wg sync.WaitGroup
		for range 20 {
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
	t.Run("bug 7: delivered twice is handled once", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		w.sim.Gateway().ReplayLast()
		w.click(w.ann, board, "⋯")
		list, err := w.store.ListByUser(w.ctx, match.UserID(w.ann.ID()), 10)
		if err != nil || len(list) != 1 {
			t.Errorf("%d games, %v", len(list), err)
		}
	})
	t.Run("with an ID of another version or none of ours is told what to do", func(t *testing.T) {
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
	t.Run("bug 15: on one game does not touch another", func(t *testing.T) {
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
	t.Run("bug 31: back leads to where it came from", func(t *testing.T) {
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
}

// buttonID returns the custom ID behind a label.
func buttonID(t *testing.T, m discordsim.Message, label string) string {
	t.Helper()
	for _, row := range m.Components {
		for _, c := range row.Components {
			if c.Label == label {
				return c.CustomID
			}
		}
	}
	t.Fatalf("no button %q\n%s", label, describe(m))
	return ""
}

func TestScreen(t *testing.T) {
	t.Parallel()
	t.Run("an edit while both are there, a new message with a mention for who was away", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		next := w.moved(w.ann, board, "c3", "d4")
		if next.ID != board.ID {
			t.Error("Ben was there: the board should have been edited")
		}
		w.moved(w.ben, next)
		w.clock.Advance(10 * time.Minute)
		board = w.newest(w.ann)
		next = w.moved(w.ann, board, firstMove(board)...)
		for next.ID == board.ID { // more than one jump
			next = w.click(w.ann, next, moveLabels(next)[0])
		}
		if !slices.Equal(next.Pings, []string{w.ben.ID()}) {
			t.Errorf("notified: %v", next.Pings)
		}
		w.wait("the old board has no buttons", func(s *discordsim.Server) bool {
			old, _ := s.Message(w.ann.ID(), board.ChannelID, board.ID)
			return len(old.Components) == 0 && len(old.Attachments) == 1
		})
	})
	t.Run("bugs 9 and 47: a board of yesterday works, and is posted afresh", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.clock.Advance(25 * time.Hour)
		chosen := w.click(w.ann, board, "c3")
		next := w.click(w.ann, chosen, "d4")
		if next.ID == board.ID {
			t.Error("edited instead")
		}
		for _, r := range w.sim.Requests() {
			if r.Status >= 400 {
				t.Errorf("%s %s: %d", r.Method, r.Path, r.Status)
			}
		}
	})
	t.Run("bugs 33 and 38: buttons work after a restart", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		chosen := w.click(w.ann, board, "c3")
		w.stop()
		w.clock.Advance(72 * time.Hour)
		w.start()
		next := w.click(w.ann, chosen, "b4")
		w.says(next, "1. c3-b4")
	})
	t.Run("bug 37: a deleted board comes back with the machine's move", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		chosen := w.click(w.ann, board, "c3")
		w.click(w.ann, chosen, "d4")
		w.until(w.ann, board, "move 2")
		w.sim.DeleteMessage(board.ChannelID, board.ID)
		m := w.typed(w.ann, "/lasca board")
		w.picture(m)
	})
	t.Run("bugs 2, 3 and 11: an answer that Discord loses is made up for by an edit", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		chosen := w.click(w.ann, board, "c3")
		lost := 0
		w.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
			if strings.HasSuffix(r.Path, "/callback") && lost == 0 {
				lost++
				return &discordsim.Fault{Status: 404, Code: 10062}
			}
			return nil
		})
		ctx, cancel := context.WithCancel(w.ctx)
		go func() { _, _ = w.ann.ClickLabel(ctx, chosen.ChannelID, chosen.ID, "d4") }() // Ann sees that it failed
		w.until(w.ben, board, "1. c3-d4")
		cancel()
	})
	t.Run("bug 55: in letters where pictures cannot be attached", func(t *testing.T) {
		w := newWorld(t)
		all := w.sim.Permissions(w.channel, w.sim.BotID())
		w.sim.SetChannelPermissions(w.channel, w.sim.BotID(), all&^discordsim.AttachFiles)
		board := w.duel()
		if len(board.Attachments) != 0 {
			t.Error("a picture was attached")
		}
		w.says(board, "```", "Attach Files")
	})
}

// firstMove returns the squares of the first button's move as far as they are
// known.
func firstMove(m discordsim.Message) []string {
	sq, _, _ := strings.Cut(moveLabels(m)[0], " ")
	return []string{sq}
}
