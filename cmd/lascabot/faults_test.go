package main

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"net/http/httptest"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestTry(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	sim := discordsim.New(discordsim.Options{BotToken: testToken, GlobalLimit: 50, MaxRequests: 100, MaxMessages: 20})
	server := httptest.NewServer(sim)
	defer server.Close()
	c := newClub(ctx, t, sim, 4, 10)
	dir := t.TempDir()
	args := []string{"run", "-data", filepath.Join(dir, "games.db"), "-discord-api-url", server.URL}
	cmd, _ := lascabot(t, testToken, args...)
	if err := sim.WaitFor(ctx, online); err != nil {
		t.Fatal(err)
	}
	var playing sync.WaitGroup
	people, rest := context.WithCancel(ctx)
	playing.Go(func() { c.play(people, 8, 1) })
	begun := time.Now()
	pause(ctx, 10*time.Second)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	killed := time.Now()
	lascabot(t, testToken, args...)
	pause(ctx, 15*time.Second)
	gap, at := c.longestGap(killed, killed.Add(time.Second))
	t.Log("gap after the kill", gap, at.channel)
	gap, at = c.longestGap(begun.Add(3*time.Second), begun.Add(9*time.Second))
	t.Log("gap before", gap)
	rest()
	playing.Wait()
	t.Log(len(c.took), c.failed, quantile(c.took, 50), quantile(c.took, 99), sim.Violations(), len(c.shown))
	_ = os.Getpid
	_ = at
}
