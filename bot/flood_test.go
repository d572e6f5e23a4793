package bot_test

import (
	"strings"
	"testing"
	"time"
)

func TestRepeatedPublicCommands(t *testing.T) {
	t.Run("do not fill the channel, and the person is told", func(t *testing.T) {
		w := newWorld(t)
		w.typed(w.ann, "/lasca play level:1")
		before := len(w.sim.Messages(w.ben.ID(), w.channel))
		said := 0
		for range 150 {
			if m := w.typed(w.ann, "/lasca board"); strings.Contains(m.Content, "a lot of boards in a short time") {
				w.private(w.ann, m)
				said++
			}
		}
		if posted := len(w.sim.Messages(w.ben.ID(), w.channel)) - before; posted != 9 || posted+said != 150 {
			t.Errorf("%d boards in the channel, %d times a sentence", posted, said)
		}
		w.says(w.typed(w.ben, "/lasca play level:1"), "Ben") // others are not held up
		w.clock.Advance(3 * time.Second)
		if m := w.typed(w.ann, "/lasca board"); strings.Contains(m.Content, "a lot of boards") {
			t.Errorf("after a pause: %s", m.Content)
		}
	})
	t.Run("that one alone sees the answer to are not counted", func(t *testing.T) {
		w := newWorld(t)
		for range 20 {
			w.says(w.typed(w.ann, "/lasca help"), "Lasca")
		}
	})
}
