package bot_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// unshown is a store that cannot be told what screens show while a test says so, as
// when the disk hangs.
type unshown struct {
	storage.Store
	hangs atomic.Bool
}

func (u *unshown) Shown(ctx context.Context, id match.ID, by storage.Screen) error {
	if u.hangs.Load() {
		return fmt.Errorf("%w: %w", storage.ErrNotWritten, storage.ErrUnsure)
	}
	return u.Store.Shown(ctx, id, by)
}

// restartedWhileUnrecorded lets something happen that the store is not told the message
// of, and restarts the bot right after it.
func (w *world) restartedWhileUnrecorded(happens func() discordsim.Message) discordsim.Message {
	w.t.Helper()
	w.stop()
	store := &unshown{Store: w.store}
	w.store = store
	w.start()
	store.hangs.Store(true)
	m := happens()
	w.stop()
	w.clock.Advance(time.Second)
	store.hangs.Store(false)
	w.start()
	return m
}

// recordedFor waits until somebody's only game is recorded as shown, and returns it.
func (w *world) recordedFor(who *discordsim.Actor) (r storage.Record) {
	w.t.Helper()
	w.stored("the screen is recorded", func() bool {
		r = w.only(who)
		return r.Screen.Version == r.Match.Version && r.Screen.Message != ""
	})
	return r
}

// boards returns the messages of the channel on which a game can be played.
func (w *world) boards(game match.ID) (list []string) {
	for _, m := range w.sim.Messages("", w.channel) {
		for _, b := range buttons(m) {
			in, err := intent.ParseCustomID(b.CustomID)
			if _, more := in.(intent.More); err == nil && more && in.About().Game == game {
				list = append(list, m.ID)
			}
		}
	}
	return list
}

// A board that the store could not be told of goes on where it is after a restart: it
// is not posted twice.
func TestARestartRightAfterAHangPostsNoSecondBoard(t *testing.T) {
	t.Run("of a new game", func(t *testing.T) {
		w := newWorld(t)
		m := w.restartedWhileUnrecorded(func() discordsim.Message { return w.typed(w.ben, "/lasca play level:1 colour:white") })
		r := w.recordedFor(w.ben)
		if list := w.boards(r.Match.ID); r.Screen.Message != m.ID || len(list) != 1 {
			t.Errorf("recorded %+v, boards %v, not %s", r.Screen, list, m.ID)
		}
		w.says(w.moved(w.ben, w.see(w.ben, m), "c3", "d4"), "c3-d4")
	})
	t.Run("that was posted anew for the other player", func(t *testing.T) {
		w := newWorld(t)
		before := w.duel()
		w.clock.Advance(10 * time.Minute) // Ben is away: Ann's move is posted anew
		m := w.restartedWhileUnrecorded(func() discordsim.Message { return w.moved(w.ann, before, "c3", "d4") })
		if m.ID == before.ID {
			t.Fatal("the move was not posted anew")
		}
		r := w.recordedFor(w.ben)
		w.wait("the old board has lost its buttons", func(*discordsim.Server) bool { return len(w.boards(r.Match.ID)) == 1 })
		if list := w.boards(r.Match.ID); r.Screen.Message != m.ID || list[0] != m.ID {
			t.Errorf("recorded %+v, boards %v, not %s", r.Screen, list, m.ID)
		}
		w.until(w.ben, before, "/"+m.ID)
		labels := moveLabels(w.see(w.ben, m)) // the only move
		w.says(w.click(w.ben, m, labels[0]), "<@"+w.ann.ID()+">, your move")
	})
	t.Run("unless the bot may not read the channel's messages", func(t *testing.T) {
		w := newWorld(t)
		bot := w.sim.BotID()
		w.sim.SetChannelPermissions(w.channel, bot, w.sim.Permissions(w.channel, bot)&^discordsim.ReadMessageHistory)
		m := w.restartedWhileUnrecorded(func() discordsim.Message { return w.typed(w.ann, "/lasca play level:1 colour:white") })
		r := w.recordedFor(w.ann)
		if r.Screen.Message == m.ID {
			t.Error("it was found all the same")
		}
		w.says(w.moved(w.ann, w.see(w.ann, m), "c3", "d4"), "c3-d4") // both boards work
		for _, q := range w.sim.Requests() {
			if q.Status >= 400 && strings.Contains(q.Path, "/messages") {
				t.Errorf("%s %s: %d", q.Method, q.Path, q.Status)
			}
		}
	})
}
