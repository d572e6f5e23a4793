package discordsim_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// asShard begins a session of a shard and returns what comes in place of READY, if
// anything else does.
func (w *world) asShard(shard ...int) (*gateway, event) {
	w.t.Helper()
	g := w.dial()
	g.read() // HELLO
	d := identify(1)
	d["shard"] = shard
	g.send(2, d)
	return g, g.read()
}

func TestEventsGoToTheShardOfTheirGuild(t *testing.T) {
	w := newWorld(t, discordsim.Options{Shards: 2})
	other := w.sim.AddGuild("Other", "")
	first, ready := w.asShard(0, 2)
	second, also := w.asShard(1, 2)
	if ready.T != "READY" || also.T != "READY" || !strings.Contains(string(also.D), `"shard":[1,2]`) {
		t.Fatalf("the sessions begin with %+v and %+v", ready, also)
	}
	lists := map[bool]string{false: string(ready.D), true: string(also.D)}
	for _, guild := range []string{w.guild, other} {
		a, b := strings.Contains(lists[false], guild), strings.Contains(lists[true], guild)
		if a == b {
			t.Errorf("guild %s is in both lists or in none:\n%s\n%s", guild, ready.D, also.D)
		}
	}
	if (strings.Contains(lists[false], w.guild)) == strings.Contains(lists[false], other) {
		t.Error("guilds that were made one after the other share a shard")
	}
	first.read() // GUILD_CREATE
	second.read()
	where := w.guild
	if strings.Contains(lists[false], w.guild) {
		where = other
	}
	w.sim.AddChannel(where, "news") // of the second shard
	if e := second.read(); e.T != "CHANNEL_CREATE" {
		t.Errorf("the shard of the guild gets %s", e.T)
	}
	if got := w.sim.Gateway().Sessions(); len(got) != 2 || got[0].Shard != 0 || got[1].Shard != 1 || got[1].Count != 2 {
		t.Errorf("sessions %+v", got)
	}
	w.sim.Gateway().Shard(1).Close(4000, "only this one")
	if e := second.readClose(); e != 4000 {
		t.Errorf("the second connection closes with %d", e)
	}
	first.send(1, nil)
	if e := first.read(); e.Op != 11 {
		t.Errorf("the first shard's connection got %+v: neither the other's event nor its end", e)
	}
	w.clean()
}

func TestTwoSessionsOfAShardBothGetItsEvents(t *testing.T) {
	w := newWorld(t, discordsim.Options{Shards: 1})
	a, _ := w.asShard(0, 1)
	b, _ := w.asShard(0, 1)
	a.read()
	b.read()
	w.sim.AddChannel(w.guild, "news")
	for _, g := range []*gateway{a, b} {
		if e := g.read(); e.T != "CHANNEL_CREATE" {
			t.Errorf("a session of the shard gets %s", e.T)
		}
	}
	w.clean()
}

func TestWrongShardsAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		shard []int
		code  int
	}{
		"a number that is not below the count": {[]int{2, 2}, 4010},
		"a negative number":                    {[]int{-1, 2}, 4010},
		"one number":                           {[]int{0}, 4010},
		"too many guilds in a shard":           {[]int{0, 1}, 4011},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, discordsim.Options{Shards: 2, ShardGuilds: 1})
			w.sim.AddGuild("Other", "")
			g := w.dial()
			g.read()
			d := identify(0)
			d["shard"] = c.shard
			g.send(2, d)
			if got := g.readClose(); got != c.code {
				t.Errorf("closed with %d, want %d", got, c.code)
			}
		})
	}
}

// readClose gives the code with which the connection ends.
func (g *gateway) readClose() int {
	for {
		if _, _, err := g.ws.ReadMessage(); err != nil {
			if closed, ok := err.(*websocket.CloseError); ok {
				return closed.Code
			}
			return 0
		}
	}
}

func TestShardsIdentifyByBucket(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	w := newWorld(t, discordsim.Options{Clock: clock, Shards: 4, MaxConcurrency: 2, IdentifyEvery: 5 * time.Second})
	_, out := w.rest("GET", "/gateway/bot", nil)
	limit := out["session_start_limit"].(obj)
	if out["shards"] != 4.0 || limit["max_concurrency"] != 2.0 || limit["total"] != 1000.0 || limit["remaining"] != 1000.0 || limit["reset_after"] == nil {
		t.Errorf("GET /gateway/bot gives %v", out)
	}
	for _, id := range []int{0, 1} { // different buckets
		if _, e := w.asShard(id, 4); e.T != "READY" {
			t.Fatalf("shard %d begins with %+v", id, e)
		}
	}
	w.clean()
	if _, e := w.asShard(2, 4); e.Op != 9 {
		t.Errorf("a second session of a bucket within 5 s begins with %+v", e)
	}
	if v := w.sim.Violations(); !slices.ContainsFunc(v, func(s string) bool { return strings.Contains(s, "bucket 0") }) {
		t.Errorf("violations: %q", v)
	}
	clock.Advance(5 * time.Second)
	if _, e := w.asShard(2, 4); e.T != "READY" {
		t.Errorf("after 5 s, it begins with %+v", e)
	}
}
