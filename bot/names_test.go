package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestNames(t *testing.T) {
	t.Parallel()
	t.Run("nobody is shown as an ID", func(t *testing.T) {
		w := newWorld(t)
		blank := w.join(discordsim.User{Name: "\u3164", DisplayName: "\u3164\u3164", Locale: "en-US"})
		asked := w.typed(blank, "/lasca challenge user:@Ben colour:white")
		board := w.click(w.ben, asked, "Accept")
		for _, m := range []discordsim.Message{asked, board, w.typed(w.ben, "/lasca games")} {
			if text := strings.ReplaceAll(m.Content, "<@"+blank.ID()+">", ""); strings.Contains(text, blank.ID()) {
				t.Errorf("the message contains the ID\n%s", describe(m))
			}
		}
		w.says(asked, "a player")
		w.says(w.typed(w.ben, "/lasca games"), "jemand")
	})
	t.Run("a player who has left keeps the name they had", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.sim.Leave(w.guild, w.ben.ID())
		w.says(w.moved(w.ann, board, "c3", "d4"), "Ann", "Ben")
		w.says(w.typed(w.ann, "/lasca games"), "Ben")
	})
	t.Run("an ID that an earlier version stored as a name is not shown", func(t *testing.T) {
		w := newWorld(t)
		r := w.longGame()
		r.Match.Seats[1].Name = w.ben.ID()
		r.Match.ID = "77"
		if err := w.store.Create(w.ctx, r); err != nil {
			t.Fatal(err)
		}
		reply, err := w.ann.Slash(w.ctx, w.channel, "lasca board", map[string]any{"game": "77"})
		if err != nil {
			t.Fatal(err)
		}
		m := w.message(w.ann, reply)
		w.says(m, "a player")
		if strings.Contains(m.Content, w.ben.ID()) {
			t.Errorf("the message contains the ID\n%s", describe(m))
		}
	})
	t.Run("a name in a message notifies nobody", func(t *testing.T) {
		w := newWorld(t)
		for _, name := range []string{"@everyone", "<@&1> `x` **b**", "```", "a\u202eb\u200b", "@here"} {
			w.sim.SetDisplayName(w.ann.ID(), name)
			m := w.typed(w.ann, "/lasca challenge user:@Ben")
			if m.PingsEveryone || !slices.Equal(m.Pings, []string{w.ben.ID()}) {
				t.Errorf("%q notifies %v, everyone: %v", name, m.Pings, m.PingsEveryone)
			}
			w.click(w.ann, m, "Withdraw")
			w.clock.Advance(5 * time.Minute)
		}
	})
}

func TestRenamedPlayersAreShownByTheNewNameInOtherGames(t *testing.T) {
	w := newWorld(t)
	board := w.duel()
	w.sim.SetDisplayName(w.ann.ID(), "Anna")
	w.typed(w.ann, "/lasca help")
	w.stored("the game has the new name", func() bool { return w.only(w.ann).Match.Seats[0].Name == "Anna" })
	w.says(w.typed(w.ben, "/lasca games"), "Anna")
	w.says(w.moved(w.ann, board, "c3", "d4"), "Anna")
}
