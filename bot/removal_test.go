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
	// club makes a world whose server has a game and a look, and a second server
	// with a game. The bot stays in the second one.
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
	t.Run("the server's data is deleted some time later", func(t *testing.T) {
		w := club(t)
		w.sim.Leave(w.guild, w.sim.BotID())
		restart(w)
		w.stored("the bot has noticed", func() bool { return gone(w) })
		w.clock.Advance(keepRemoved - time.Hour)
		restart(w)
		if n := len(games(w)); n != 2 || !gone(w) {
			t.Fatalf("games in %d servers before the time has passed", n)
		}
		w.clock.Advance(2 * time.Hour)
		restart(w)
		w.stored("its games are gone", func() bool { return len(games(w)) == 1 })
		if l := games(w); l[0] == w.guild {
			t.Error("the games of the other server are gone")
		}
		restart(w)
		w.stored("its settings are gone too", func() bool {
			s, err := w.store.Settings(w.ctx, "guild "+w.guild)
			return err == nil && s == storage.Settings{} && !gone(w)
		})
		w.says(w.typedDM(w.ben, "/lasca privacy show"), "speichere nichts über dich")
	})
	t.Run("nothing is lost when the bot is added again in time", func(t *testing.T) {
		w := club(t)
		w.sim.Leave(w.guild, w.sim.BotID())
		restart(w)
		w.stored("the bot has noticed", func() bool { return gone(w) })
		w.clock.Advance(keepRemoved - time.Hour)
		w.sim.Join(w.guild, w.sim.BotID())
		w.typed(w.ann, "/lasca board") // the session does not know yet that the bot is back
		w.stored("the bot has noticed that it is back", func() bool { return !gone(w) })
		w.clock.Advance(2 * time.Hour)
		restart(w)
		w.typed(w.ann, "/lasca board")
		if n := len(games(w)); n != 2 {
			t.Errorf("games in %d servers", n)
		}
	})
	t.Run("nothing is lost when the bot is added again while it is off", func(t *testing.T) {
		w := club(t)
		w.sim.Leave(w.guild, w.sim.BotID())
		restart(w)
		w.stored("the bot has noticed", func() bool { return gone(w) })
		w.stop()
		w.sim.Join(w.guild, w.sim.BotID())
		w.clock.Advance(2 * keepRemoved)
		w.start()
		w.stored("the bot has noticed that it is back", func() bool { return !gone(w) })
		if n := len(games(w)); n != 2 {
			t.Errorf("games in %d servers", n)
		}
	})
	t.Run("an outage of the server is not a removal, however long it is", func(t *testing.T) {
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
