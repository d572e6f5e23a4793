package bot_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot"
)

// sampleOf returns a metric's value, 0 if it is missing.
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
		`lascabot_interactions_total{kind="command",intent="play"}`:                         1,
		`lascabot_interactions_total{kind="button",intent="step"}`:                          2,
		`lascabot_first_answer_seconds_count{kind="button"}`:                                2,
		`lascabot_first_answer_seconds_bucket{kind="button",le="30"}`:                       2,
		`lascabot_searches_total{outcome="ok"}`:                                             1,
		`lascabot_search_nodes_total`:                                                       1,
		`lascabot_think_wait_seconds_count`:                                                 1,
		`lascabot_search_seconds_count`:                                                     1,
		`lascabot_pictures_total{outcome="ok"}`:                                             3,
		`lascabot_picture_seconds_count`:                                                    3,
		`lascabot_store_operations_total{op="create",outcome="ok"}`:                         1,
		`lascabot_store_operations_total{op="save",outcome="ok"}`:                           2,
		`lascabot_store_seconds_count{op="save"}`:                                           2,
		`lascabot_gateway_sessions_total`:                                                   1,
		`lascabot_rest_calls_total{route="POST /applications/{app}/commands",status="201"}`: 2,
		`lascabot_rest_seconds_count{route="POST /interactions/{id}/{token}/callback"}`:     3,
		`lascabot_rate_limit_wait_seconds_count`:                                            3,
		`lascabot_screens_refreshed_total{outcome="ok"}`:                                    1,
	} {
		if got := sampleOf(t, w.bot, name); got < least {
			t.Errorf("%s is %v, want at least %v", name, got, least)
		}
	}
	answers := 0.0
	for _, deferred := range []string{"false", "true"} { // a slow machine defers some
		answers += sampleOf(t, w.bot, `lascabot_first_answers_total{kind="button",deferred="`+deferred+`",outcome="ok"}`)
	}
	if answers < 2 {
		t.Errorf("%v first answers to buttons, want at least 2", answers)
	}
	var text bytes.Buffer
	w.bot.WriteMetrics(&text)
	for line := range strings.Lines(text.String()) {
		if !regexp.MustCompile(`^[a-z_]+(\{[A-Za-z_]+="[^"]*"(, ?[A-Za-z_]+="[^"]*")*\})? \S+\n$`).MatchString(line) {
			t.Errorf("the line is not in Prometheus' text format: %q", line)
		}
	}
	for _, secret := range []string{w.channel, w.guild, w.ann.ID(), "Ann"} {
		if strings.Contains(text.String(), `"`+secret) {
			t.Errorf("the metrics contain %s", secret)
		}
	}
	if err := w.bot.Ready(w.ctx); !errors.Is(err, bot.ErrNotConnected) {
		t.Errorf("ready after a stop: %v", err)
	}
}
