package bot_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/storage/memstore"
)

func TestABotWithSeveralShardsServesEveryServerAndDirectMessages(t *testing.T) {
	w := worldOn(t, memstore.New(), 30*time.Second, func(w *world) { w.shards = 3 })
	if n := len(w.sim.Gateway().Sessions()); n != 3 {
		t.Fatalf("%d sessions run, want 3", n)
	}
	channels := []string{w.channel, w.ann.OpenDM()}
	for range 5 {
		guild := w.sim.AddGuild("Club", "en-US")
		w.sim.Join(guild, w.ann.ID())
		channels = append(channels, w.sim.AddChannel(guild, "c"))
	}
	for _, c := range channels {
		if m := w.typedIn(c, w.ann, "/lasca play level:1 colour:white"); len(m.Components) == 0 {
			t.Errorf("no board in %s:\n%s", c, describe(m))
		}
	}
	var ids []int
	for _, s := range w.bot.Shards() {
		ids = append(ids, s.ID)
		if s.Phase != discord.ShardRunning {
			t.Errorf("%+v", s)
		}
	}
	if !slices.Equal(ids, []int{0, 1, 2}) {
		t.Errorf("shards %v", ids)
	}
	if n := sampleOf(t, w.bot, "lascabot_shards_running"); n != 3 {
		t.Errorf("%v shards run by the metrics", n)
	}
}

func TestAServerThatAnotherShardHoldsIsNotGone(t *testing.T) {
	w := worldOn(t, memstore.New(), 30*time.Second, func(w *world) { w.shards = 2 })
	var guilds []string
	for range 4 {
		guild := w.sim.AddGuild("Club", "en-US")
		w.sim.Join(guild, w.ann.ID())
		guilds = append(guilds, guild)
		w.typedIn(w.sim.AddChannel(guild, "c"), w.ann, "/lasca play level:1 colour:white")
	}
	left := guilds[1]
	w.stop()
	w.sim.Leave(left, w.sim.BotID())
	if err := w.store.SaveState(w.ctx, "gateway sessions", nil); err != nil { // or it waits for some seconds
		t.Fatal(err)
	}
	w.start()
	var note []byte
	w.stored("the bot has noticed", func() bool {
		var err error
		note, err = w.store.State(w.ctx, "guilds gone")
		return err == nil && note != nil
	})
	gone := map[string]int64{}
	if err := json.Unmarshal(note, &gone); err != nil {
		t.Fatal(err)
	}
	if list := slices.Collect(maps.Keys(gone)); !slices.Equal(list, []string{left}) {
		t.Errorf("the bot takes itself for removed from %q, want %q alone", list, left)
	}
}
