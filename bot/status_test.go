package bot_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
)

// TestStatusAndMetricsDoNotWaitForAStoreThatHangs holds that an operator is told within
// seconds, when they need it most, and that it is all there again afterwards.
func TestStatusAndMetricsDoNotWaitForAStoreThatHangs(t *testing.T) {
	whileItHangs(t, func(s *hangStory) {
		before := s.bot.Status(s.t.Context())
		if before.Problem != "" || before.Games == nil || before.Games.Running != 2 || len(before.Due) < 5 {
			s.t.Fatalf("before: %+v", before)
		}
		release := s.store.hang(false, "every")
		for range 3 { // also when others have been waiting for a while
			begun := time.Now()
			got := s.bot.Status(s.t.Context())
			if took := time.Since(begun); took > 4*time.Second || got.Problem == "" || len(got.Processes) != 1 || got.Due != nil {
				s.t.Errorf("after %v: %+v", took, got)
			}
			begun = time.Now()
			var text strings.Builder
			s.bot.WriteMetrics(&text)
			if took := time.Since(begun); took > 3*time.Second || !strings.Contains(text.String(), `lascabot_due{kind="machine"} NaN`) || !strings.Contains(text.String(), "lascabot_gateway_connected 1") {
				s.t.Errorf("after %v the metrics were\n%s", took, text.String())
			}
			time.Sleep(10 * time.Second)
		}
		if p := s.bot.Status(s.t.Context()).Processes[0]; p.Ready || p.Problem == "" {
			s.t.Errorf("ready while the store hangs: %+v", p)
		}
		release()
		time.Sleep(time.Minute)
		after := s.bot.Status(s.t.Context())
		if p := after.Processes[0]; after.Problem != "" || after.Games == nil || !p.Ready || p.Answers.Count == 0 || p.Reads.P99 <= 0 && p.Reads.Count == 0 {
			s.t.Errorf("afterwards: %+v", after)
		}
		if sampleOf(s.t, s.bot, `lascabot_games{phase="running"}`) != 2 {
			s.t.Error("the metrics do not count the games")
		}
	})
}

// lateStore is a store that takes two seconds to save a game, the first time.
type lateStore struct {
	storage.Store
	clock *discordsim.ManualClock
	once  sync.Once
}

func (s *lateStore) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	s.once.Do(func() { s.clock.Advance(2 * time.Second) })
	return s.Store.Save(ctx, m, prev, on...)
}

// TestWhatPeopleWaitForIsMeasuredFromTheirPress holds that the time until a move is stored
// and until it is answered counts from when Discord made the interaction.
func TestWhatPeopleWaitForIsMeasuredFromTheirPress(t *testing.T) {
	store := &lateStore{Store: memstore.New()}
	w := worldOn(t, store, 30*time.Second, func(w *world) { store.clock = w.clock })
	counts := func(stage string) (all, fast float64) {
		return sampleOf(t, w.bot, `lascabot_interaction_seconds_count{stage="`+stage+`"}`),
			sampleOf(t, w.bot, `lascabot_interaction_seconds_bucket{stage="`+stage+`",le="1"}`)
	}
	board := w.typed(w.ann, "/lasca play level:1 colour:white") // is created, not saved
	w.typed(w.ann, "/lasca help")                               // stores nothing
	w.moved(w.ann, board, "c3", "d4")                           // a choice, then the move, which is late
	w.stop()
	if all, fast := counts("commit"); all != 2 || fast != 1 {
		t.Errorf("%v commits, %v fast", all, fast)
	}
	// Discord shows an answer a moment before the bot knows of it: that to the choice may be
	// late too.
	if all, fast := counts("answer"); all != 4 || fast != 2 && fast != 3 {
		t.Errorf("%v answers, %v fast", all, fast)
	}
}
