package bot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// privates returns the private messages that somebody sees in the channel.
func (w *world) privates(who *discordsim.Actor) (list []discordsim.Message) {
	for _, m := range w.sim.Messages(who.ID(), w.channel) {
		if m.EphemeralFor != "" {
			list = append(list, m)
		}
	}
	return list
}

// seesPrivates waits until somebody sees so many private messages.
func (w *world) seesPrivates(who *discordsim.Actor, n int) {
	w.t.Helper()
	w.wait("the private messages are those that count", func(s *discordsim.Server) bool {
		got := 0
		for _, m := range s.Messages(who.ID(), w.channel) {
			if m.EphemeralFor != "" {
				got++
			}
		}
		return got == n
	})
}

func TestPrivateMessagesDoNotBuryTheBoard(t *testing.T) {
	t.Parallel()
	t.Run("a person has one for each game, and it goes when they move", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		for _, label := range []string{"Hint", "⋯ More", "Resign", "Hint"} {
			last := w.click(w.ann, board, label)
			w.private(w.ann, last)
			w.seesPrivates(w.ann, 1)
			if got := w.privates(w.ann)[0]; got.ID != last.ID {
				t.Errorf("after %s another message is left:\n%s", label, describe(got))
			}
		}
		w.moved(w.ann, board, "c3", "d4")
		w.seesPrivates(w.ann, 0)
	})
	t.Run("each game has its own, and each person", func(t *testing.T) {
		w := newWorld(t)
		duel := w.duel()
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		w.click(w.ann, board, "⋯ More")
		w.click(w.ann, duel, "⋯ More")
		w.click(w.ben, duel, "⋯ More")
		w.click(w.ben, duel, "c3") // not his turn
		w.seesPrivates(w.ann, 2)
		w.seesPrivates(w.ben, 1)
		w.moved(w.ann, duel, "c3", "d4")
		w.seesPrivates(w.ann, 1)
		w.seesPrivates(w.ben, 1)
	})
	t.Run("a press on one says what it has done, and the message goes by itself", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		hint := w.click(w.ann, board, "Hint")
		done := w.click(w.ann, hint, labels(hint)[0])
		if move := strings.TrimPrefix(labels(hint)[0], "Play "); done.Content != "Played "+move+"." || done.ID != hint.ID {
			t.Errorf("the answer to %q is %q", labels(hint)[0], done.Content)
		}
		w.seesPrivates(w.ann, 1) // there is time to read it
		w.bot.DoneStays(0)
		w.click(w.ann, w.click(w.ann, w.until(w.ann, board, "move 2"), "Resign"), "Yes, resign")
		w.seesPrivates(w.ann, 0)
	})
	t.Run("one whose token has expired stays, and nothing else is hurt", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.click(w.ann, board, "⋯ More")
		w.clock.Advance(20 * time.Minute)
		w.click(w.ann, board, "⋯ More")
		w.seesPrivates(w.ann, 2)
		w.click(w.ann, board, "Resign")
		w.seesPrivates(w.ann, 2)
		for _, r := range w.sim.Requests() {
			if r.Status >= 400 {
				t.Errorf("%s %s was refused with %d", r.Method, r.Path, r.Status)
			}
		}
	})
	t.Run("a hint that comes after its asker has moved goes at once", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		held, found := make(chan struct{}), make(chan struct{}, 1)
		w.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
			if r.Method == "PATCH" && strings.HasSuffix(r.Path, "@original") {
				found <- struct{}{}
				<-held
			}
			return nil
		})
		if _, err := w.ann.ClickLabel(w.ctx, board.ChannelID, board.ID, "Hint"); err != nil {
			t.Fatal(err)
		}
		<-found // else it may be about the position after her move
		w.moved(w.ann, board, "c3", "d4")
		w.sim.SetFault(nil)
		close(held)
		w.seesPrivates(w.ann, 0)
	})
}
