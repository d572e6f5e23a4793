package bot_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// pressesInTheGap has people press Resign, each on a game of their own, while the bot
// has lost its connection and gets no other. What answers it is a message of its own,
// so that answers can be counted.
func (w *world) pressesInTheGap(n int, lose func(discordsim.Gateway)) (answers []<-chan reply) {
	w.t.Helper()
	people, boards := make([]*discordsim.Actor, n), make([]discordsim.Message, n)
	for i := range n {
		people[i] = w.join(discordsim.User{Name: fmt.Sprint("person", i), Locale: "en-US"})
		boards[i] = w.typed(people[i], "/lasca play level:1 colour:white")
	}
	g := w.sim.Gateway()
	g.Refuse(true)
	lose(g)
	w.wait("the connection is lost", func(*discordsim.Server) bool { return g.Connections() == 0 })
	for i := range n {
		answers = append(answers, w.pressing(people[i], boards[i], "Resign"))
	}
	w.wait("all have pressed", func(s *discordsim.Server) bool { return s.Unanswered() == n })
	return answers
}

func TestPressesWhileTheConnectionIsLostAreAnsweredOnce(t *testing.T) {
	const n = 8
	for name, lose := range map[string]func(discordsim.Gateway){
		"a request to reconnect":         func(g discordsim.Gateway) { g.Reconnect() },
		"an interrupted session":         func(g discordsim.Gateway) { g.InvalidateSession(true) },
		"an unknown error":               func(g discordsim.Gateway) { g.Close(4000, "Unknown error.") },
		"a restart of Discord's machine": func(g discordsim.Gateway) { g.Close(1001, "") },
		"a reset connection":             func(g discordsim.Gateway) { g.Reset() },
		"a way back that is closed":      func(g discordsim.Gateway) { g.Reset() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if name == "a way back that is closed" {
				w.stop()
				w.sim.Gateway().ResumeAt("ws://127.0.0.1:1")
				w.start()
			}
			before := w.sim.Gateway().Identifies()
			answers := w.pressesInTheGap(n, lose)
			w.sim.Gateway().Refuse(false)
			seen := map[string]bool{}
			for i, a := range answers {
				if r := <-a; r.err != nil {
					t.Errorf("press %d: %v", i, r.err)
				} else {
					seen[r.MessageID] = true
				}
			}
			if len(seen) != n {
				t.Errorf("%d of %d presses are answered", len(seen), n)
			}
			if ids := w.sim.Gateway().Identifies() - before; ids != 0 {
				t.Errorf("%d new sessions", ids)
			}
		})
	}
}

func TestPressesThatCanNoLongerBeAnsweredAreDropped(t *testing.T) {
	w := newWorld(t)
	answers := w.pressesInTheGap(2, discordsim.Gateway.Reconnect)
	w.clock.Advance(5 * time.Second)
	for _, a := range answers {
		if r := <-a; !errors.Is(r.err, discordsim.ErrNoAnswer) {
			t.Errorf("%+v", r)
		}
	}
	before := len(w.requests("/callback"))
	w.sim.Gateway().Refuse(false)
	w.wait("the bot is back", ready)
	w.says(w.typed(w.ann, "/lasca games"), "no games in progress")
	if n := len(w.requests("/callback")) - before; n != 1 {
		t.Errorf("%d answers, want only that to the command", n)
	}
	if ids := w.sim.Gateway().Identifies(); ids != 1 {
		t.Errorf("%d sessions were started", ids)
	}
}
