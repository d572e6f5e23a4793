package bot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/discord"
)

// measures are the bot's metrics. Every name and label is one of a bounded set:
// nothing that a stranger writes makes new ones.
type measures struct{ set *metrics.Set }

// The upper ends of the histograms' buckets, in seconds.
var (
	answerBuckets = []float64{.01, .025, .05, .1, .25, .5, 1, 1.5, 2, 3, 5, 10, 30, 120}
	searchBuckets = []float64{.01, .05, .1, .25, .5, 1, 2, 5, 10, 30, 60, 300}
	shortBuckets  = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5}
)

func newMeasures() *measures { return &measures{metrics.NewSet()} }

// named returns a metric's name with labels, given as name, value pairs.
func named(name string, labels ...string) string {
	var b strings.Builder
	b.WriteString(name)
	for i := 0; i < len(labels); i += 2 {
		b.WriteByte(",{"[btoi(i == 0)])
		b.WriteString(labels[i] + "=" + strconv.Quote(labels[i+1]))
	}
	if len(labels) > 0 {
		b.WriteByte('}')
	}
	return b.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (m *measures) count(name string, labels ...string) {
	m.set.GetOrCreateCounter(named(name, labels...)).Inc()
}

func (m *measures) took(d time.Duration, buckets []float64, name string, labels ...string) {
	m.set.GetOrCreatePrometheusHistogramExt(named(name, labels...), buckets).Update(d.Seconds())
}

// watch adds the gauges that are read from the parts of a bot.
func (m *measures) watch(b *Bot) {
	m.set.NewGauge("lascabot_gateway_connected", func() float64 { return float64(btoi(b.gateway.Connected())) })
	m.set.NewGauge("lascabot_think_waiting", func() float64 { n, _ := b.pool.Load(); return float64(n) })
	m.set.NewGauge("lascabot_think_running", func() float64 { _, n := b.pool.Load(); return float64(n) })
	m.set.NewGauge("lascabot_screens_waiting", func() float64 { return float64(b.screens.waiting()) })
}

// WriteMetrics writes the bot's metrics and those of the process in Prometheus'
// text format.
func (b *Bot) WriteMetrics(w io.Writer) {
	b.measures.set.WritePrometheus(w)
	metrics.WriteProcessMetrics(w)
}

// interaction counts what people asked for.
func (m *measures) interaction(req *discord.Request) {
	m.count("lascabot_interactions_total", "kind", req.Kind.String(), "intent", intentName(req))
}

// intentName names what was asked for, by its type.
func intentName(req *discord.Request) string {
	if req.Intent == nil {
		return "none"
	}
	return strings.ToLower(reflect.TypeOf(req.Intent).Name())
}

// firstAnswer takes note of the first answer to an interaction, a deferral or
// the answer itself; began is when the interaction came.
func (m *measures) firstAnswer(req *discord.Request, began time.Time, deferred bool, err error) {
	kind := req.Kind.String()
	m.took(time.Since(began), answerBuckets, "lascabot_first_answer_seconds", "kind", kind)
	m.count("lascabot_first_answers_total", "kind", kind, "deferred", strconv.FormatBool(deferred), "outcome", outcome(err))
}

// outcome sorts what became of something that was sent to Discord.
func outcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, discord.ErrUnknownInteraction):
		return "late"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "stopped"
	case errors.Is(err, discord.ErrRateLimited):
		return "rate limited"
	}
	return "failed"
}

// called takes note of a request to Discord; status 0 is one without an answer.
func (m *measures) called(route string, status int, took time.Duration) {
	m.count("lascabot_rest_calls_total", "route", route, "status", strconv.Itoa(status))
	m.took(took, answerBuckets, "lascabot_rest_seconds", "route", route)
}

// waited takes note of a wait for Discord's rate limits.
func (m *measures) waited(d time.Duration) {
	m.took(d, answerBuckets, "lascabot_rate_limit_wait_seconds")
}

// searched takes note of a search and how long its job had waited.
func (m *measures) searched(waited, took time.Duration, r ai.Report, err error) {
	m.took(waited, searchBuckets, "lascabot_think_wait_seconds")
	m.took(took, searchBuckets, "lascabot_search_seconds")
	m.count("lascabot_searches_total", "outcome", outcome(err))
	m.set.GetOrCreateCounter("lascabot_search_nodes_total").AddInt64(r.Nodes)
}

// drawn takes note of a picture that was asked for.
func (m *measures) drawn(took time.Duration, err error) {
	m.count("lascabot_pictures_total", "outcome", outcome(err))
	m.took(took, shortBuckets, "lascabot_picture_seconds")
}

// refreshed takes note of a screen that was brought up to date.
func (m *measures) refreshed(err error) {
	m.count("lascabot_screens_refreshed_total", "outcome", outcome(err))
}

// stored takes note of a call of the store.
func (m *measures) stored(op string, took time.Duration, err error) {
	m.count("lascabot_store_operations_total", "op", op, "outcome", storeOutcome(err))
	m.took(took, shortBuckets, "lascabot_store_seconds", "op", op)
}

// ErrNotConnected says that there is no connection to Discord now.
var ErrNotConnected = errors.New("not connected to Discord")

// Ready returns nil when the bot is connected to Discord and can store games;
// else [ErrNotConnected] or an error that wraps storage.ErrNotWritten or
// storage.ErrDamaged.
func (b *Bot) Ready(ctx context.Context) error {
	if !b.gateway.Connected() {
		return ErrNotConnected
	}
	if err := b.store.probe(ctx); err != nil {
		return fmt.Errorf("games cannot be stored: %w", err)
	}
	return nil
}
