//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/pgstore"
	"github.com/lascabot/lascabot/storage/pgstore/pgtest"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// searched asks a process for how many moves it has searched.
func searched(ctx context.Context, t *testing.T, log *buffer) (n int) {
	t.Helper()
	if err := log.wait(ctx, "address=http://"); err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`address=(http://\S+)`).FindStringSubmatch(log.String())[1]
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`lascabot_searches_total\{outcome="ok"\} (\d+)`).FindSubmatch(page); found != nil {
		_, err = fmt.Sscan(string(found[1]), &n)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestAKilledWorkerDelaysItsGamesBySeconds has a bot and two workers make the first moves
// of many games. One worker is killed in the midst of it, the other is stopped in order.
func TestAKilledWorkerDelaysItsGamesBySeconds(t *testing.T) {
	url := pgtest.New(t)
	ctx := within(t, time.Minute)
	sim, api, channel, ann := discord(t)
	lascabot(t, testToken, "run", "-store", url, "-discord-api-url", api, "-workers", "1")
	if err := sim.WaitFor(ctx, online); err != nil {
		t.Fatal(err)
	}
	worker := func() (kill func(syscall.Signal) (code int), log *buffer) {
		cmd, log := lascabot(t, "", "worker", "-store", url, "-workers", "1", "-ops-addr", "127.0.0.1:0")
		if err := log.wait(ctx, "starting to work"); err != nil {
			t.Fatal(err)
		}
		return func(s syscall.Signal) int {
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			return cmd.ProcessState.ExitCode()
		}, log
	}
	kill, first := worker()
	stop, second := worker()

	games := 0
	begin := func(n int) {
		t.Helper()
		guild := sim.AddGuild(fmt.Sprint("Club ", games), "en-US")
		room := sim.AddChannel(guild, "board-room")
		for range n {
			id := sim.AddUser(discordsim.User{Name: fmt.Sprint("p", games), DisplayName: "Pat", Locale: "en-US"})
			sim.Join(guild, id)
			if _, err := sim.As(id).Type(ctx, room, "/lasca play level:5 colour:black"); err != nil {
				t.Fatal(err)
			}
			games++
		}
	}
	for searched(ctx, t, first) == 0 || searched(ctx, t, second) == 0 {
		begin(4)
	}
	store, err := pgstore.Open(ctx, url, pgstore.Options{Existing: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	// More games wait for the machine, and nobody can save a move in them. So each of the
	// three processes has two jobs under way when one of them is killed.
	const waiting = 12
	for i := range waiting {
		r := storagetest.AgainstMachine(t, match.ID(fmt.Sprint("waits", i)), 0, false)
		r.Match.Seats[engine.Black].User = match.UserID(ann.ID())
		r.Place = storage.Place{Guild: "1", Channel: channel}
		if err := store.Create(ctx, r); err != nil {
			t.Fatal(err)
		}
		games++
	}
	held, err := store.Pool().Begin(ctx)
	if err == nil {
		_, err = held.Exec(ctx, "select from games for update")
	}
	for running := 0; running < 6 && err == nil; {
		err = store.Pool().QueryRow(ctx, "select count(*) from river_job where state = 'running'").Scan(&running)
	}
	if err != nil {
		t.Fatal(err)
	}
	kill(syscall.SIGKILL)
	killed := time.Now()
	if err := held.Rollback(ctx); err != nil {
		t.Fatal(err)
	}
	begin(8)

	for _, kind := range []storage.Due{storage.DueMachine, storage.DueScreen} {
		for left := 1; left > 0; {
			due, err := store.ListDue(ctx, kind, time.Now(), games)
			if err != nil {
				t.Fatal(err)
			}
			left = len(due)
		}
	}
	t.Logf("%d games; all went on and were shown %v after the kill", games, time.Since(killed).Round(time.Millisecond))
	n := 0
	for r, err := range store.All(ctx) {
		if n++; err != nil || len(r.Match.Moves) != 1 {
			t.Errorf("%s: %d moves, %v", r.Match.ID, len(r.Match.Moves), err)
		}
	}
	if n != games {
		t.Errorf("%d games of %d", n, games)
	}
	if code := stop(syscall.SIGTERM); code != cli.ExitDone || !strings.Contains(second.String(), "msg=stopped") {
		t.Errorf("exit status %d:\n%s", code, second)
	}
	// Without a worker the bot goes on.
	reply, err := ann.Type(ctx, channel, "/lasca play level:1 colour:black")
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.WaitFor(ctx, func(s *discordsim.Server) bool {
		m, _ := s.Message(ann.ID(), channel, reply.MessageID)
		return strings.Contains(m.Content, "your turn") || strings.Contains(m.Content, "move 1")
	}); err != nil {
		t.Errorf("%v\n%s", err, sim.Transcript(channel))
	}
	if v := sim.Violations(); len(v) > 0 {
		t.Errorf("violations: %v", v)
	}
}

func TestAWorkerNeedsADatabase(t *testing.T) {
	fails(t, cli.ExitUsage, "set -store or LASCABOT_STORE", "worker")
}
