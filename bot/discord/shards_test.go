package discord

import (
	"context"
	"errors"
	"log/slog"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// shardWorld is a loopback Discord with shards and a gateway to it that is not yet run.
func shardWorld(t *testing.T, o discordsim.Options, guilds int, change func(*GatewaySettings)) (*discordsim.Server, *Gateway, []string) {
	t.Helper()
	sim := discordsim.New(o)
	srv := httptest.NewServer(sim)
	t.Cleanup(func() { sim.Close(); srv.Close() })
	var ids []string
	for range guilds {
		ids = append(ids, sim.AddGuild("Club", ""))
	}
	s := GatewaySettings{Settings: Settings{Token: botToken, Base: srv.URL, Log: slog.New(slog.DiscardHandler)}}
	if change != nil {
		change(&s)
	}
	g, err := NewGateway(s)
	if err != nil {
		t.Fatal(err)
	}
	g.identifies.pace = time.Millisecond
	g.pace.first, g.pace.known, g.pace.farewell = time.Millisecond, time.Millisecond, 50*time.Millisecond
	return sim, g, ids
}

// serveAll runs a gateway until the test ends.
func serveAll(t *testing.T, g *Gateway) (end <-chan error) {
	t.Helper()
	over := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { over <- g.Run(ctx, func(context.Context, Request, error) {}) })
	t.Cleanup(func() { stop(); running.Wait() })
	return over
}

func await(t *testing.T, sim *discordsim.Server, what string, cond func() bool) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if err := sim.WaitFor(ctx, func(*discordsim.Server) bool { return cond() }); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func TestOneProcessRunsAllShardsThatDiscordRecommends(t *testing.T) {
	lists, began := make(chan []string, 10), make(chan bool, 10)
	sim, g, ids := shardWorld(t, discordsim.Options{Shards: 4, MaxConcurrency: 2, IdentifyEvery: time.Nanosecond}, 40, func(s *GatewaySettings) {
		s.Guilds = func(ids []string) { lists <- ids }
		s.Began = func(resumed bool) { began <- resumed }
	})
	serveAll(t, g)
	list := next(t, lists, "the list of guilds")
	for range 4 {
		next(t, began, "a session")
	}
	slices.Sort(list)
	if !slices.Equal(list, ids) {
		t.Errorf("the guilds of all shards together: %q, want %q", list, ids)
	}
	if running, of := g.Connected(); running != 4 || of != 4 {
		t.Errorf("%d of %d shards run", running, of)
	}
	guilds := 0
	for i, s := range g.Shards() {
		if s.ID != i || s.Count != 4 || s.Phase != ShardRunning || s.Guilds == 0 || s.Since.IsZero() {
			t.Errorf("shard %d: %+v", i, s)
		}
		guilds += s.Guilds
	}
	if guilds != len(ids) {
		t.Errorf("%d guilds in all, want %d", guilds, len(ids))
	}
	sim.Gateway().Shard(1).Reset() // one shard's fault is not the others'
	if !next(t, began, "the session that was lost") {
		t.Error("it was not resumed")
	}
	if n, _ := g.Connected(); n != 4 {
		t.Errorf("%d shards run", n)
	}
	if n := sim.Gateway().Identifies(); n != 4 {
		t.Errorf("%d sessions were started, want 4", n)
	}
	if v := sim.Violations(); len(v) > 0 {
		t.Error(v)
	}
}

func TestAGivenNumberOfShardsIsUsed(t *testing.T) {
	sim, g, _ := shardWorld(t, discordsim.Options{Shards: 2}, 4, func(s *GatewaySettings) { s.Shards = 3 })
	serveAll(t, g)
	await(t, sim, "three sessions", func() bool { return len(sim.Gateway().Sessions()) == 3 })
	if got := sim.Gateway().Sessions()[0].Count; got != 3 {
		t.Errorf("of %d shards", got)
	}
}

func TestABotThatHasGrownTooLargeStartsAnewWithMoreShards(t *testing.T) {
	grown := func(shards int) (*discordsim.Server, <-chan error) {
		sim, g, _ := shardWorld(t, discordsim.Options{Shards: 2, ShardGuilds: 3}, 6, func(s *GatewaySettings) { s.Shards = shards })
		end := serveAll(t, g)
		await(t, sim, "two sessions", func() bool { return len(sim.Gateway().Sessions()) == 2 })
		for range 4 {
			sim.AddGuild("New", "")
		}
		sim.Gateway().Recommend(4)
		sim.Gateway().Close(4009, "starting anew")
		return sim, end
	}
	t.Run("as many as Discord then recommends", func(t *testing.T) {
		sim, _ := grown(0)
		await(t, sim, "four sessions", func() bool {
			list := sim.Gateway().Sessions()
			return len(list) == 4 && list[0].Count == 4
		})
	})
	t.Run("but not if the operator has said how many", func(t *testing.T) {
		_, end := grown(2)
		if err := next(t, end, "the end"); !errors.Is(err, ErrSharding) {
			t.Error(err)
		}
	})
}
