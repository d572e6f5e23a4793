package bot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
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
	t.Run("somebody who has installed the bot for themselves there does not count as its return", func(t *testing.T) {
		w := club(t)
		w.sim.SetInstalled(w.ann.ID(), true)
		w.sim.Leave(w.guild, w.sim.BotID())
		restart(w)
		w.stored("the bot has noticed", func() bool { return gone(w) })
		w.clock.Advance(keepRemoved - time.Hour)
		for range 3 {
			w.says(w.typed(w.ann, "/lasca help"), "Lasca")
		}
		w.clock.Advance(2 * time.Hour)
		restart(w)
		w.stored("its games are gone", func() bool { return len(games(w)) == 1 })
	})
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
			return err == nil && s.IsZero() && !gone(w)
		})
		w.says(w.typedDM(w.ben, "/lasca privacy show"), "speichere nichts über dich")
	})
	t.Run("also while one session lasts, and is resumed", func(t *testing.T) {
		w := club(t)
		// later lets time pass. Then the bot loses its connection for a moment.
		later := func(d time.Duration, meanwhile func()) {
			w.clock.Advance(d)
			g := w.sim.Gateway()
			g.Refuse(true)
			g.Reset()
			w.wait("the connection is lost", func(*discordsim.Server) bool { return g.Connections() == 0 })
			meanwhile()
			g.Refuse(false)
			w.wait("the bot is back", ready)
		}
		later(23*time.Hour, func() { w.sim.Leave(w.guild, w.sim.BotID()) })
		if n := len(w.requests("/users/@me/guilds")); n != 0 || gone(w) {
			t.Errorf("the list was asked for %d times within a day", n)
		}
		later(2*time.Hour, func() {})
		w.stored("the bot has noticed", func() bool { return gone(w) })
		w.clock.Advance(keepRemoved - time.Hour)
		if n := len(games(w)); n != 2 || !gone(w) {
			t.Fatalf("games in %d servers before the time has passed", n)
		}
		later(2*time.Hour, func() {})
		w.stored("its games are gone", func() bool { return len(games(w)) == 1 })
		if l := games(w); l[0] == w.guild {
			t.Error("the games of the other server are gone")
		}
		if n := w.sim.Gateway().Identifies(); n != 1 {
			t.Errorf("%d sessions were started", n)
		}
	})
	t.Run("nothing is lost while Discord lists only a part of the servers", func(t *testing.T) {
		w := club(t)
		for range 200 { // a page full
			w.sim.AddGuild("Another club", "en-US")
		}
		last := w.sim.AddGuild("Last club", "en-US")
		w.sim.Join(last, w.ann.ID())
		if _, err := w.ann.Type(w.ctx, w.sim.AddChannel(last, "room"), "/lasca play level:1 colour:white"); err != nil {
			t.Fatal(err)
		}
		failed := make(chan struct{}, 100)
		w.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
			if r.Route != "GET /users/@me/guilds" || strings.Contains(r.Query, "after=0&") {
				return nil
			}
			failed <- struct{}{}
			return &discordsim.Fault{Status: 403}
		})
		for range 3 { // what the bot makes of an answer is done before it asks again
			w.clock.Advance(25 * time.Hour)
			w.sim.Gateway().Reset()
			<-failed
		}
		if n := len(games(w)); n != 3 || gone(w) {
			t.Errorf("games in %d servers; some noted as gone: %t", n, gone(w))
		}
		w.wait("the bot is back", ready)
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
