package bot_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/storage/memstore"
)

func TestPermissions(t *testing.T) {
	t.Parallel()
	t.Run("boards are in letters where the bot cannot attach pictures", func(t *testing.T) {
		w := newWorld(t)
		all := w.sim.Permissions(w.channel, w.sim.BotID())
		w.sim.SetChannelPermissions(w.channel, w.sim.BotID(), all&^discordsim.AttachFiles)
		board := w.duel()
		if len(board.Attachments) != 0 {
			t.Error("a picture was attached")
		}
		w.says(board, "```", "Attach Files")
	})
	t.Run("the bot opens an archived thread again and leaves a locked one alone", func(t *testing.T) {
		w := newWorld(t)
		w.channel = w.sim.AddThread(w.channel, "a game")
		board := w.duel()
		chosen := w.click(w.ann, board, "c3")
		w.sim.SetThread(w.channel, true, false)
		pressed := w.pressing(w.ann, chosen, "d4")
		w.wait("the thread shows the board", func(s *discordsim.Server) bool {
			list := s.Messages(w.ben.ID(), w.channel)
			return strings.Contains(list[len(list)-1].Content, "1. c3-d4")
		})
		board = w.newest(w.ben)
		w.sim.SetThread(w.channel, true, true)
		before := len(w.sim.Requests())
		other := w.pressing(w.ben, board, moveLabels(board)[0])
		w.gaveUp(w.ben, 2)
		if n := len(w.sim.Requests()) - before; n > 10 {
			t.Errorf("%d requests about a locked thread", n)
		}
		w.sim.SetThread(w.channel, false, false)
		w.says(w.typed(w.ann, "/lasca board"), "move 2")
		w.clock.Advance(4 * time.Second) // Discord gives up on the presses without an answer
		for _, r := range []reply{<-pressed, <-other} {
			if !errors.Is(r.err, discordsim.ErrNoAnswer) {
				t.Errorf("a press in a closed thread was answered: %+v", r)
			}
		}
	})
	t.Run("closed direct messages do not hold up the game", func(t *testing.T) {
		store := &slowStore{Store: memstore.New(), gate: make(chan struct{}, 1)}
		w := newWorldOn(t, store)
		w.channel = w.ann.OpenDM()
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		store.gate <- struct{}{}
		w.moved(w.ann, board, "c3", "d4")
		w.sim.SetDMClosed(w.ann.ID(), true)
		w.sim.DeleteMessage(w.channel, board.ID)
		store.gate <- struct{}{} // the machine's move, which needs a new message
		w.gaveUp(w.ann, 2)
		w.sim.SetDMClosed(w.ann.ID(), false)
		w.says(w.typed(w.ann, "/lasca board"), "move 2")
	})
}

// gaveUp waits until a game has so many moves and the bot has put off showing the
// last of them.
func (w *world) gaveUp(who *discordsim.Actor, moves int) {
	w.t.Helper()
	w.stored("the move is stored and the bot has put off its screen", func() bool {
		r := w.only(who)
		return len(r.Match.Moves) == moves && r.Screen.Refused > 0 && r.Screen.Version < r.Match.Version
	})
}
