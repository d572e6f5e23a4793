package bot

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine/match"
)

// A later edit of a copy waits for the one under way, and both for a press.
func TestEditsOfACopyComeOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now, running, edits := uint64(1), 0, 0
		goOn := make(chan struct{})
		p := newCopies(func(_ context.Context, c replica) (shown, error) {
			if running++; running > 1 {
				t.Error("two edits at the same time")
			}
			edits++
			got := now
			<-goOn
			running--
			return shown{version: got}, nil
		}, func(private) {}, time.Now, slog.New(slog.DiscardHandler))
		key := privateKey{"ann", "game"}
		p.sent(replica{
			private: private{req: discord.Request{ID: "1", Created: time.Now()}, message: "m"},
			shown:   shown{version: 1}, game: key.game, who: play.Caller{ID: key.who},
		})
		synctest.Wait()
		for now = 2; now < 5; now++ {
			p.follow(key.game)
			synctest.Wait()
		}
		goOn <- struct{}{}
		synctest.Wait()
		if edits != 2 { // what came meanwhile is shown at once
			t.Errorf("%d edits were begun, want 2", edits)
		}
		pressed := make(chan func())
		go func() { pressed <- p.hold(t.Context(), key, time.Minute) }()
		synctest.Wait()
		goOn <- struct{}{}
		release := <-pressed
		p.follow(key.game)
		synctest.Wait()
		if running != 0 || edits != 2 {
			t.Error("a copy was edited while a press on it was answered")
		}
		release()
		synctest.Wait()
		if running != 1 || edits != 3 {
			t.Error("what came meanwhile is not shown")
		}
		goOn <- struct{}{}
		p.close()
	})
}

func TestACopyThatCannotBeDrawnDoesNotStopTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var edited []match.ID
		p := newCopies(func(_ context.Context, c replica) (shown, error) {
			if c.game == "bad" {
				panic("a bug in the pictures")
			}
			edited = append(edited, c.game)
			return c.shown, nil
		}, func(private) {}, time.Now, slog.New(slog.DiscardHandler))
		for _, game := range []match.ID{"bad", "good"} {
			p.sent(replica{
				private: private{req: discord.Request{ID: "1", Created: time.Now()}, message: "m"},
				shown:   shown{version: 1}, game: game, who: play.Caller{ID: "ann"},
			})
			synctest.Wait()
		}
		if len(edited) != 1 {
			t.Errorf("edited %v", edited)
		}
		p.close()
	})
}
