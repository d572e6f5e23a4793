package bot_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/storage/memstore"
)

func TestAcknowledgement(t *testing.T) {
	t.Parallel()
	t.Run("the bot answers before it thinks", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:8 colour:black")
		first := w.requests("/callback")[0]
		if body := string(first.Body); body != `{"type":5}` && !strings.Contains(body, "is thinking") { // deferred, or a board that shows it
			t.Errorf("the first answer waited for the machine's move:\n%s", first.Body)
		}
		w.until(w.ann, board, "<@"+w.ann.ID()+">")
	})
	t.Run("the bot does not wait for a slow disk, and the answer follows", func(t *testing.T) {
		store := &slowStore{Store: memstore.New(), gate: make(chan struct{}, 1)}
		w := newWorldOn(t, store)
		asked := w.typed(w.ann, "/lasca challenge user:@Ben colour:white")
		pressed := w.pressing(w.ben, asked, "Accept")
		if r := <-pressed; r.err != nil || r.Kind != discordsim.ReplyDeferredUpdate {
			t.Fatalf("the press should be deferred: %+v", r)
		}
		w.says(w.see(w.ann, asked), "challenges you")
		close(store.gate)
		w.until(w.ann, asked, "move 1")
	})
	t.Run("a private answer stays private when it is deferred", func(t *testing.T) {
		store := &slowStore{Store: memstore.New(), gate: make(chan struct{})}
		w := newWorldOn(t, store)
		reply, err := w.ann.Type(w.ctx, w.channel, "/lasca look boards:letters")
		if err != nil || reply.Kind != discordsim.ReplyDeferred || !reply.Ephemeral {
			t.Fatalf("the answer should be deferred and private: %+v, %v", reply, err)
		}
		close(store.gate)
		w.private(w.ann, w.message(w.ann, reply))
	})
	t.Run("an interaction that Discord delivers late is answered while there is time, and counts either way", func(t *testing.T) {
		for _, late := range []time.Duration{2800 * time.Millisecond, 4 * time.Second} {
			t.Run(late.String(), func(t *testing.T) {
				w := newWorld(t)
				board := w.duel()
				chosen := w.click(w.ann, board, "c3")
				w.sim.Gateway().Hold()
				pressed := w.pressing(w.ann, chosen, "d4")
				w.wait("the press is under way", func(s *discordsim.Server) bool { return s.Gateway().Held() == 1 })
				w.clock.Advance(late)
				w.sim.Gateway().Release(false)
				inTime := late < 3*time.Second
				if r := <-pressed; inTime && r.err != nil || !inTime && !errors.Is(r.err, discordsim.ErrNoAnswer) {
					t.Errorf("%v late, in time %t: %+v", late, inTime, r)
				}
				w.until(w.ben, board, "1. c3-d4")
			})
		}
	})
	t.Run("when Discord loses an answer, an edit follows", func(t *testing.T) {
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
	t.Run("a private message is changed by the answer to its own button", func(t *testing.T) {
		w := newWorld(t)
		asked := w.click(w.ann, w.duel(), "Resign")
		kept := w.click(w.ann, asked, "No, play on")
		w.private(w.ann, kept)
		if kept.ID != asked.ID {
			t.Errorf("the answer is another message\n%s", describe(kept))
		}
		for _, r := range w.requests("/channels/{channel_id}/messages/{message_id}") {
			if strings.HasSuffix(r.Path, asked.ID) {
				t.Errorf("the private message was addressed in its channel: %s %s", r.Method, r.Path)
			}
		}
	})
}

func TestOnePersonCannotMakeTheBotDeaf(t *testing.T) {
	store := &slowStore{Store: memstore.New(), gate: make(chan struct{})}
	w := newWorldOn(t, store)
	flood, stop := context.WithCancel(w.ctx)
	var pressed sync.WaitGroup
	for range 100 {
		pressed.Go(func() { _, _ = w.ann.Type(flood, w.channel, "/lasca look theme:dark") }) // the store hangs
	}
	w.wait("the bot has begun to answer Ann", func(*discordsim.Server) bool { return len(w.requests("/callback")) > 0 })
	w.says(w.typed(w.ben, "/lasca hilfe"), "Lasca")
	stop()
	close(store.gate)
	pressed.Wait()
}

func TestAPressOnAMessageThatGoesMeanwhileIsAnswered(t *testing.T) {
	w := newWorld(t)
	board := w.duel()
	asked := w.typed(w.ann, "/lasca resign")
	gone := false
	w.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
		if !gone && strings.Contains(r.Route, "/callback") {
			gone = true
			w.sim.DeleteMessage(w.channel, asked.ID) // as when a newer private message replaces it
		}
		return nil
	})
	w.says(w.click(w.ann, asked, "Yes, resign"), "You have resigned")
	w.until(w.ben, board, "Ann resigned")

	machine := w.typed(w.ann, "/lasca play level:1 colour:white")
	gone, asked = false, machine
	w.says(w.click(w.ann, machine, moveLabels(machine)[0]), "1. ")
}
