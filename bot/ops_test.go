package bot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// fullDisk is a store on a disk that can be full.
type fullDisk struct {
	storage.Store
	full atomic.Bool
}

func (f *fullDisk) err() error {
	if f.full.Load() {
		return fmt.Errorf("%w: %w", storage.ErrNotWritten, syscall.ENOSPC)
	}
	return nil
}

func (f *fullDisk) Create(ctx context.Context, r storage.Record) error {
	if err := f.err(); err != nil {
		return err
	}
	return f.Store.Create(ctx, r)
}

func (f *fullDisk) Save(ctx context.Context, m match.Match, prev uint64) error {
	if err := f.err(); err != nil {
		return err
	}
	return f.Store.Save(ctx, m, prev)
}

func (f *fullDisk) Shown(ctx context.Context, id match.ID, s storage.Screen) error {
	if err := f.err(); err != nil {
		return err
	}
	return f.Store.Shown(ctx, id, s)
}

func (f *fullDisk) SaveState(ctx context.Context, key string, v []byte) error {
	if err := f.err(); err != nil {
		return err
	}
	return f.Store.SaveState(ctx, key, v)
}

func TestAFullDiskIsSaidAndLosesNothing(t *testing.T) {
	w := newWorld(t)
	w.stop()
	disk := &fullDisk{Store: w.store}
	w.store = disk
	w.start()
	board := w.duel()
	board = w.click(w.ann, board, "c3")
	if err := w.bot.Ready(w.ctx); err != nil {
		t.Errorf("not ready: %v", err)
	}
	disk.full.Store(true)
	m := w.click(w.ann, board, "d4")
	w.says(m, "I cannot save anything right now")
	if m.EphemeralFor != w.ann.ID() {
		t.Error("everybody is told")
	}
	w.says(w.typed(w.ben, "/lasca play level:1 colour:white"), "nichts speichern")
	if n := len(w.only(w.ann).Match.Moves); n != 0 {
		t.Errorf("%d moves are stored", n)
	}
	w.says(w.typed(w.ann, "/lasca games"), "Ben") // reading goes on
	if err := w.bot.Ready(w.ctx); !errors.Is(err, storage.ErrNotWritten) {
		t.Errorf("ready, with a full disk: %v", err)
	}
	disk.full.Store(false)
	if err := w.bot.Ready(w.ctx); err != nil {
		t.Errorf("not ready, though there is room again: %v", err)
	}
	w.says(w.click(w.ann, board, "d4"), "move 1")
	if n := len(w.only(w.ann).Match.Moves); n != 1 {
		t.Errorf("%d moves are stored", n)
	}
}

// sampleOf returns a metric's value, 0 when it is not there.
func sampleOf(t *testing.T, b *bot.Bot, name string) (value float64) {
	t.Helper()
	var text bytes.Buffer
	b.WriteMetrics(&text)
	for line := range strings.Lines(text.String()) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			if _, err := fmt.Sscan(rest, &value); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
	return value
}

func TestMetrics(t *testing.T) {
	w := newWorld(t)
	board := w.typed(w.ann, "/lasca play level:1 colour:white")
	w.moved(w.ann, board, "c3", "d4")
	w.until(w.ann, board, "move 2")
	if _, err := w.ann.Autocomplete(w.ctx, w.channel, "/lasca move path:c"); err != nil {
		t.Log(err)
	}
	w.stop()
	for name, least := range map[string]float64{
		`lascabot_interactions_total{kind="command",intent="play"}`:                        1,
		`lascabot_interactions_total{kind="button",intent="step"}`:                         2,
		`lascabot_first_answer_seconds_count{kind="button"}`:                               2,
		`lascabot_first_answer_seconds_bucket{kind="button",le="30"}`:                      2,
		`lascabot_searches_total{outcome="ok"}`:                                            1,
		`lascabot_search_nodes_total`:                                                      1,
		`lascabot_think_wait_seconds_count`:                                                1,
		`lascabot_search_seconds_count`:                                                    1,
		`lascabot_pictures_total{outcome="ok"}`:                                            3,
		`lascabot_picture_seconds_count`:                                                   3,
		`lascabot_store_operations_total{op="create",outcome="ok"}`:                        1,
		`lascabot_store_operations_total{op="save",outcome="ok"}`:                          2,
		`lascabot_store_seconds_count{op="save"}`:                                          2,
		`lascabot_gateway_sessions_total`:                                                  1,
		`lascabot_rest_calls_total{route="PUT /applications/{app}/commands",status="200"}`: 1,
		`lascabot_rest_seconds_count{route="POST /interactions/{id}/{token}/callback"}`:    3,
		`lascabot_rate_limit_wait_seconds_count`:                                           3,
		`lascabot_screens_refreshed_total{outcome="ok"}`:                                   1,
	} {
		if got := sampleOf(t, w.bot, name); got < least {
			t.Errorf("%s is %v, want at least %v", name, got, least)
		}
	}
	answers := 0.0
	for _, deferred := range []string{"false", "true"} { // a slow machine defers
		answers += sampleOf(t, w.bot, `lascabot_first_answers_total{kind="button",deferred="`+deferred+`",outcome="ok"}`)
	}
	if answers < 2 {
		t.Errorf("%v first answers to buttons, want at least 2", answers)
	}
	var text bytes.Buffer
	w.bot.WriteMetrics(&text)
	for line := range strings.Lines(text.String()) {
		if !regexp.MustCompile(`^[a-z_]+(\{[A-Za-z_]+="[^"]*"(, ?[A-Za-z_]+="[^"]*")*\})? \S+\n$`).MatchString(line) {
			t.Errorf("not Prometheus' text format: %q", line)
		}
	}
	for _, secret := range []string{w.channel, w.guild, w.ann.ID(), "Ann"} {
		if strings.Contains(text.String(), `"`+secret) {
			t.Errorf("the metrics tell of %s", secret)
		}
	}
	if err := w.bot.Ready(w.ctx); !errors.Is(err, bot.ErrNotConnected) {
		t.Errorf("ready, though stopped: %v", err)
	}
}

// TestSessionsAreCountedAcrossRestarts holds that a program that is restarted
// again and again does not forget how many sessions it has started.
func TestSessionsAreCountedAcrossRestarts(t *testing.T) {
	w := newWorld(t)
	for want := 1; want <= 3; want++ {
		if want > 1 {
			w.stop()
			w.start()
		}
		if got := w.sessions(t); len(got) != want {
			t.Errorf("%d sessions are noted after %d starts", len(got), want)
		}
	}
	if n := w.sim.Gateway().Identifies(); n != 3 {
		t.Errorf("%d sessions", n)
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

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestDiagnose(t *testing.T) {
	sim := discordsim.New(discordsim.Options{BotToken: "right"})
	server := httptest.NewServer(sim)
	defer server.Close()
	diagnose := func(token, api string) []bot.Finding {
		return bot.Diagnose(t.Context(), bot.Options{Token: token, API: api, Log: quiet()})
	}
	has := func(list []bot.Finding, subject string, v bot.Verdict, says string) {
		t.Helper()
		if !slices.ContainsFunc(list, func(f bot.Finding) bool {
			return f.Subject == subject && f.Verdict == v && strings.Contains(f.Text, says)
		}) {
			t.Errorf("no finding %s, %v, %q in\n%v", subject, v, says, list)
		}
	}
	list := diagnose("right", server.URL)
	has(list, "token", bot.Good, sim.ApplicationID())
	has(list, "commands", bot.Note, "none are registered")
	has(list, "servers", bot.Note, "in none")
	has(list, "gateway", bot.Good, "reached")
	has(list, "clock", bot.Good, "agrees")

	if err := bot.Register(t.Context(), bot.Options{Token: "right", API: server.URL, Log: quiet()}); err != nil {
		t.Fatal(err)
	}
	guild := sim.AddGuild("Club", "de")
	list = diagnose("right", server.URL)
	has(list, "commands", bot.Good, "registered")
	has(list, "servers", bot.Good, "in 1")
	sim.SetMemberPermissions(guild, sim.BotID(), discordsim.ViewChannel|discordsim.SendMessages)
	has(diagnose("right", server.URL), "permissions", bot.Wrong, "lacks Send Messages in Threads, Attach Files")

	if v := sim.Violations(); len(v) > 0 {
		t.Errorf("violations: %v", v)
	}
	has(diagnose("false", server.URL), "token", bot.Wrong, "token")
	has(diagnose("", server.URL), "token", bot.Wrong, "empty")
	server.Close()
	has(diagnose("right", server.URL), "discord", bot.Wrong, "network")
}
