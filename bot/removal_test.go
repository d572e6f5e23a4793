package bot_test

import (
	"testing"
	"time"

	"github.com/lascabot/lascabot/storage"
)

func TestRemovedFromAServer(t *testing.T) {
	t.Parallel()
	restart := func(w *world) { w.stop(); w.start() }
	gone := func(w *world) bool {
		note, err := w.store.State(w.ctx, "guilds gone")
		return err == nil && note != nil
	}
	games := func(w *world) (guilds []string) {
		list, err := w.store.Guilds(w.ctx)
		if err != nil {
			w.t.Fatal(err)
		}
		return list
	}
	// club makes a world with a game and a look in its server, and a second server
	// with a game in which the bot stays.
	club := func(t *testing.T) *world {
		w := newWorld(t)
		other := w.sim.AddGuild("Other club", "en-US")
		w.sim.Join(other, w.ann.ID())
		room := w.sim.AddChannel(other, "room")
		if _, err := w.ann.Type(w.ctx, room, "/lasca play level:1 colour:white"); err != nil {
			t.Fatal(err)
		}
		w.duel()
		if err := w.store.SaveSettings(w.ctx, "guild "+w.guild, storage.Settings{Theme: "dark"}); err != nil {
			t.Fatal(err)
		}
		return w
	}
	t.Run("what is stored about it is deleted some time later", func(t *testing.T) {
		w := club(t)
		w.sim.Leave(w.guild, w.sim.BotID())
		restart(w)
		w.stored("it is noticed", func() bool { return gone(w) })
		w.clock.Advance(keepRemoved - time.Hour)
		restart(w)
		if n := len(games(w)); n != 2 || !gone(w) {
			t.Fatalf("games in %d servers before the time is over", n)
		}
		w.clock.Advance(2 * time.Hour)
		restart(w)
		w.stored("its games are gone", func() bool { return len(games(w)) == 1 })
		if l := games(w); l[0] == w.guild {
			t.Error("those of the other server are")
		}
		restart(w)
		w.stored("its settings are gone too", func() bool {
			s, err := w.store.Settings(w.ctx, "guild "+w.guild)
			return err == nil && s == storage.Settings{} && !gone(w)
		})
		w.says(w.typedDM(w.ben, "/lasca privacy show"), "speichere nichts über dich")
	})
	t.Run("added again in time, nothing is lost", func(t *testing.T) {
		w := club(t)
		w.sim.Leave(w.guild, w.sim.BotID())
		restart(w)
		w.stored("it is noticed", func() bool { return gone(w) })
		w.clock.Advance(keepRemoved - time.Hour)
		w.sim.Join(w.guild, w.sim.BotID())
		w.typed(w.ann, "/lasca board") // while the session does not know of it
		w.stored("the note is taken back", func() bool { return !gone(w) })
		w.clock.Advance(2 * time.Hour)
		restart(w)
		w.typed(w.ann, "/lasca board")
		if n := len(games(w)); n != 2 {
			t.Errorf("games in %d servers", n)
		}
	})
	t.Run("added again while the bot is off, nothing is lost", func(t *testing.T) {
		w := club(t)
		w.sim.Leave(w.guild, w.sim.BotID())
		restart(w)
		w.stored("it is noticed", func() bool { return gone(w) })
		w.stop()
		w.sim.Join(w.guild, w.sim.BotID())
		w.clock.Advance(2 * keepRemoved)
		w.start()
		w.stored("the note is taken back", func() bool { return !gone(w) })
		if n := len(games(w)); n != 2 {
			t.Errorf("games in %d servers", n)
		}
	})
	t.Run("an outage is not a removal, however long", func(t *testing.T) {
		w := club(t)
		w.sim.SetOutage(w.guild, true)
		restart(w)
		w.clock.Advance(keepRemoved + time.Hour)
		restart(w)
		w.sim.SetOutage(w.guild, false)
		w.typed(w.ann, "/lasca board")
		if n := len(games(w)); n != 2 || gone(w) {
			t.Errorf("games in %d servers", n)
		}
	})
}
