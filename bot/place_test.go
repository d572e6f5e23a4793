package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// away is a channel of another server, which Ann is in and Ben is not.
func (w *world) away() string {
	other := w.sim.AddGuild("Elsewhere", "en-US")
	w.sim.Join(other, w.ann.ID())
	return w.sim.AddChannel(other, "far-away")
}

func (w *world) in(channel string, who *discordsim.Actor, command string, options map[string]any) discordsim.Message {
	w.t.Helper()
	options["game"] = string(w.only(w.ann).Match.ID)
	r, err := who.Slash(w.ctx, channel, "lasca "+command, options)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.message(who, r)
}

func TestTheBoardStaysWhereBothCanSeeIt(t *testing.T) {
	for _, command := range []string{"board", "move", "draw"} {
		t.Run(command+" elsewhere", func(t *testing.T) {
			w := newWorld(t)
			board := w.duel()
			far := w.away()
			options := map[string]any{}
			if command == "move" {
				options["path"] = "c3-d4"
			}
			m := w.in(far, w.ann, command, options)
			w.private(w.ann, m)
			w.says(m, "Only you see this board", board.ChannelID+"/"+board.ID)
			if r := w.only(w.ann); r.Screen.Channel != board.ChannelID || r.Screen.Message != board.ID {
				t.Errorf("the board has left its place: %+v", r.Screen)
			}
			if list := w.sim.Messages(w.sim.BotID(), far); slices.ContainsFunc(list, func(m discordsim.Message) bool { return m.EphemeralFor == "" }) {
				t.Error("something public is elsewhere")
			}
			if len(w.see(w.ben, board).Components) == 0 {
				t.Error("the board has lost its buttons")
			}
		})
	}
	t.Run("moves can be made on the private copy, and everybody sees them on the board", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		copied := w.in(w.away(), w.ann, "board", map[string]any{})
		moved := w.moved(w.ann, copied, "c3", "d4")
		w.private(w.ann, moved)
		w.says(moved, "1. c3-d4")
		if moved.ID != copied.ID {
			t.Error("another private message")
		}
		w.until(w.ben, board, "1. c3-d4")
		w.says(w.click(w.ann, moved, "Resign"), "Resign the game") // in a message of its own
		w.says(w.see(w.ann, moved), "1. c3-d4")
	})
	t.Run("also in direct messages", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.private(w.ann, w.in(w.ann.OpenDM(), w.ann, "board", map[string]any{}))
		if r := w.only(w.ann); r.Screen.Message != board.ID {
			t.Errorf("the board has left its place: %+v", r.Screen)
		}
	})
}

func TestNobodyLosesOverATurnTheyWereNotTold(t *testing.T) {
	w := newWorld(t)
	board := w.moved(w.ann, w.moved(w.ben, w.moved(w.ann, w.duel(), "c3", "d4"), "e5", "c3"), "b2", "d4")
	w.recorded()
	r := w.only(w.ann)
	r.Screen.Turn, r.Screen.Told = time.Time{}, time.Time{} // as before this was recorded
	if err := w.store.Shown(w.ctx, r.Match.ID, r.Screen); err != nil {
		t.Fatal(err)
	}
	w.later(match.MoveTime + time.Minute)
	claim := func() discordsim.Message {
		return w.click(w.ann, w.click(w.ann, w.newest(w.ben), "⋯ More"), "Claim the win")
	}
	w.says(claim(), "may not know that it is their turn")
	w.wait("Ben is told", func(s *discordsim.Server) bool {
		list := s.Messages(w.ben.ID(), w.channel)
		last := list[len(list)-1]
		return last.ID != board.ID && slices.Contains(last.Pings, w.ben.ID())
	})
	w.stored("that is recorded", func() bool { r := w.only(w.ann); return !r.Told().IsZero() })
	w.later(match.MoveTime + time.Minute)
	claim()
	w.wait("the game is over", func(s *discordsim.Server) bool {
		return slices.ContainsFunc(s.Messages(w.ben.ID(), w.channel), func(m discordsim.Message) bool {
			return strings.Contains(m.Content, "has not moved for 3 days")
		})
	})
}

func TestWhoeverIsAskedByAnEditIsRemindedOnce(t *testing.T) {
	pings := func(s *discordsim.Server, w *world, who *discordsim.Actor) (n int) {
		for _, m := range s.Messages(who.ID(), w.channel) {
			if slices.Contains(m.Pings, who.ID()) {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		name string
		ask  func(w *world, board discordsim.Message) discordsim.Message
	}{
		{"to move", func(w *world, board discordsim.Message) discordsim.Message { return w.moved(w.ann, board, "c3", "d4") }},
		{"to answer a draw offer", func(w *world, board discordsim.Message) discordsim.Message {
			return w.click(w.ann, board, "½ Draw")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			board := c.ask(w, w.duel())
			w.recorded()
			before := pings(w.sim, w, w.ben)
			w.bot.Sweep(w.ctx)
			w.clock.Advance(match.Away + time.Second)
			w.stop() // what is due survives a restart
			w.start()
			w.bot.Sweep(w.ctx)
			w.wait("Ben is notified", func(s *discordsim.Server) bool { return pings(s, w, w.ben) == before+1 })
			w.wait("the old board says where the game goes on", func(s *discordsim.Server) bool {
				old, _ := s.Message(w.ben.ID(), board.ChannelID, board.ID)
				return strings.HasPrefix(old.Content, "➡️ The game goes on here: https://discord.com/channels/") && len(old.Components) == 0 &&
					!strings.Contains(old.Content, "your move")
			})
			w.later(time.Hour)
			w.bot.Sweep(w.ctx)
			w.stored("nobody is to be reminded", func() bool { return w.only(w.ann).Screen.Quiet.IsZero() })
			if n := pings(w.sim, w, w.ben); n != before+1 {
				t.Errorf("notified %d times", n-before)
			}
		})
	}
	t.Run("not whoever has been seen since", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4")
		w.recorded()
		w.clock.Advance(time.Second)
		w.click(w.ben, board, "⋯ More")
		w.stored("Ben was seen", func() bool { return w.only(w.ann).Screen.Quiet.IsZero() })
	})
	t.Run("not against the machine", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		w.moved(w.ann, board, "c3", "d4")
		w.until(w.ann, board, "move 2")
		w.stored("the answer is recorded", func() bool { r := w.only(w.ann); return r.Screen.Version == r.Match.Version })
		if _, due := w.due(); due {
			t.Error("a reminder is due")
		}
	})
}

func (w *world) due() (time.Time, bool) {
	r := w.only(w.ann)
	return r.Due(storage.DueReminder)
}

func TestOldBoardsSayWhereTheGameGoesOn(t *testing.T) {
	w := newWorld(t)
	board := w.duel()
	next := w.typed(w.ann, "/lasca board")
	old := w.until(w.ben, board, "➡️ The game goes on here: ")
	w.says(old, next.ChannelID+"/"+next.ID)
	if len(labels(old)) != 0 || len(old.Attachments) != 1 {
		t.Errorf("%s", describe(old))
	}
}

// recorded waits until what the screen shows is recorded, which comes after the answer.
func (w *world) recorded() {
	w.t.Helper()
	w.stored("the screen is recorded", func() bool { r := w.only(w.ann); return r.Screen.Version == r.Match.Version })
}
