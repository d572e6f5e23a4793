package bot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
)

func TestRestart(t *testing.T) {
	t.Parallel()
	t.Run("buttons work after a restart", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		chosen := w.click(w.ann, board, "c3")
		w.stop()
		w.clock.Advance(2 * time.Minute) // less than after which a fresh board reminds Ann
		w.start()
		next := w.click(w.ann, chosen, labels(chosen)[0])
		w.says(next, "1. c3-")
	})
	t.Run("Discord refuses a start too soon after another, and the bot tries again at Discord's pace", func(t *testing.T) {
		t.Parallel()
		sim, api := newSim(t, discordsim.Options{IdentifyEvery: 5 * time.Second})
		dir := t.TempDir()
		forgetful := botWitness + "=" + filepath.Join(dir, "witness") // a bot with a witness forgets its sessions
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for range 2 {
			bot := startBot(t, api, dir, forgetful)
			if err := sim.WaitFor(ctx, (*discordsim.Server).BotOnline); err != nil {
				t.Fatalf("the bot is not online: %v\n%s", err, printed(dir))
			}
			bot.kill()
			if err := sim.WaitFor(ctx, func(s *discordsim.Server) bool { return s.Gateway().Connections() == 0 }); err != nil {
				t.Fatal(err)
			}
		}
		if n := sim.Gateway().Identifies(); n > 4 {
			t.Errorf("%d attempts", n)
		}
		if v := sim.Violations(); len(v) > 0 {
			t.Errorf("violations: %q", v)
		}
	})
	t.Run("a stop writes nothing, however many games there are", func(t *testing.T) {
		t.Parallel()
		sim, api := newSim(t, discordsim.Options{})
		dir := t.TempDir()
		path := filepath.Join(dir, "games.db")
		store, err := boltstore.Open(path, boltstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var records []storage.Record
		for i := range 1000 {
			n := match.New{ID: match.ID(strconv.Itoa(1000 + i)), By: engine.White}
			n.Seats = [2]match.Seat{{User: match.UserID(strconv.Itoa(i)), Name: "x"}, {Level: 1}}
			m, err := match.Start(n, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, storage.Record{
				Match: m, Place: storage.Place{Channel: "5"}, Screen: storage.Screen{Channel: "5", Message: "6", Version: m.Version},
			})
		}
		if _, err := store.CreateAll(t.Context(), records); err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		bot := startBot(t, api, dir)
		if err := sim.WaitFor(t.Context(), ready); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := bot.stop(); err != nil {
			t.Errorf("the bot did not stop cleanly: %v\n%s", err, printed(dir))
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("the stop wrote to the file (%v)", err)
		}
	})
}

// Discord resets the token of a bot that starts too many sessions in a day, so a
// bot that restarts again and again must not forget how many it has started.
func TestSessionsAreCountedAcrossRestarts(t *testing.T) {
	w := newWorld(t)
	for want := 1; want <= 3; want++ {
		if want > 1 {
			w.stop()
			w.start()
		}
		if got := w.sessions(t); len(got) != want {
			t.Errorf("%d sessions are recorded after %d starts", len(got), want)
		}
	}
	if n := w.sim.Gateway().Identifies(); n != 3 {
		t.Errorf("the bot started %d sessions", n)
	}
}

const sessionsKey = "gateway sessions"

func (w *world) sessions(t *testing.T) (times []time.Time) {
	t.Helper()
	text, err := w.store.State(t.Context(), sessionsKey)
	if err == nil {
		err = json.Unmarshal(text, &times)
	}
	if err != nil {
		t.Fatal(err)
	}
	return times
}
