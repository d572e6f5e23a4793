// Package metrics measures what the bot does, for a page in Prometheus' format.
//
// # Design
//
// The parts of the bot know nothing of metrics: each calls a small function with
// what it has done, or is wrapped ([Store]). Every metric's name and label is
// one of a bounded set: nothing that a stranger writes makes new ones.
//
// [Store] knows from its measuring which calls are under way. So it is also the place
// where callers are kept from waiting for a store that hangs (hang.go).
package metrics

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"github.com/lascabot/lascabot/bot/discord"
)

// Measures are one bot's metrics. Make them with [New].
type Measures struct {
	set                    *metrics.Set
	reads, writes, answers recent
	unanswered             atomic.Int64
}

// The upper ends of the histograms' buckets, in seconds.
var (
	answerBuckets = []float64{.01, .025, .05, .1, .25, .5, 1, 1.5, 2, 3, 5, 10, 30, 120}
	searchBuckets = []float64{.01, .05, .1, .25, .5, 1, 2, 5, 10, 30, 60, 300}
	shortBuckets  = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5}
)

// New returns measures in which nothing has been counted.
func New() *Measures {
	m := &Measures{set: metrics.NewSet()}
	m.Mended(0) // to be seen from the start: it should stay so
	return m
}

// Write writes the bot's metrics and those of the process in Prometheus' text
// format.
func (m *Measures) Write(w io.Writer) {
	m.set.WritePrometheus(w)
	metrics.WriteProcessMetrics(w)
	metrics.WriteFDMetrics(w)
}

// Gauge adds a value that is read whenever the metrics are written.
func (m *Measures) Gauge(name string, read func() float64) { m.set.NewGauge(name, read) }

// named returns a metric's name with labels, given as name, value pairs.
func named(name string, labels ...string) string {
	if len(labels) == 0 {
		return name
	}
	var pairs []string
	for i := 0; i < len(labels); i += 2 {
		pairs = append(pairs, labels[i]+"="+strconv.Quote(labels[i+1]))
	}
	return name + "{" + strings.Join(pairs, ",") + "}"
}

func (m *Measures) count(name string, labels ...string) {
	m.set.GetOrCreateCounter(named(name, labels...)).Inc()
}

func (m *Measures) took(d time.Duration, buckets []float64, name string, labels ...string) {
	m.set.GetOrCreatePrometheusHistogramExt(named(name, labels...), buckets).Update(d.Seconds())
}

// Session counts a session with Discord that came to run, or to run again after its
// connection was lost.
func (m *Measures) Session(resumed bool) {
	if resumed {
		m.count("lascabot_gateway_resumed_total")
		return
	}
	m.count("lascabot_gateway_sessions_total")
}

// Interaction counts what people ask for, by its kind and the intent's name.
func (m *Measures) Interaction(kind discord.Kind, intent string) {
	m.count("lascabot_interactions_total", "kind", kind.String(), "intent", intent)
}

// FirstAnswer records the first answer to an interaction, a deferral or the
// answer itself, and how long after the interaction it came.
func (m *Measures) FirstAnswer(kind discord.Kind, took time.Duration, deferred bool, err error) {
	m.answers.add(took)
	if err != nil {
		m.unanswered.Add(1)
	}
	m.took(took, answerBuckets, "lascabot_first_answer_seconds", "kind", kind.String())
	m.count("lascabot_first_answers_total", "kind", kind.String(), "deferred", strconv.FormatBool(deferred), "outcome", outcome(err))
}

// LaterAnswer records an answer after a deferral.
func (m *Measures) LaterAnswer(err error) {
	m.count("lascabot_later_answers_total", "outcome", outcome(err))
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

// Called records a request to Discord; its status is 0 without an answer.
func (m *Measures) Called(route string, status int, took time.Duration) {
	m.count("lascabot_rest_calls_total", "route", route, "status", strconv.Itoa(status))
	m.took(took, answerBuckets, "lascabot_rest_seconds", "route", route)
}

// Waited records a wait for Discord's rate limits.
func (m *Measures) Waited(d time.Duration) {
	m.took(d, answerBuckets, "lascabot_rate_limit_wait_seconds")
}

// Searched records a search, how long its job had waited, and how many
// positions it looked at.
func (m *Measures) Searched(waited, took time.Duration, nodes int64, err error) {
	m.took(waited, searchBuckets, "lascabot_think_wait_seconds")
	m.took(took, searchBuckets, "lascabot_search_seconds")
	m.count("lascabot_searches_total", "outcome", outcome(err))
	m.set.GetOrCreateCounter("lascabot_search_nodes_total").AddInt64(nodes)
}

// Mended counts jobs that nobody had although they were due.
func (m *Measures) Mended(jobs int) {
	m.set.GetOrCreateCounter("lascabot_jobs_mended_total").Add(jobs)
}

// Drawn records a picture that was asked for.
func (m *Measures) Drawn(took time.Duration, err error) {
	m.count("lascabot_pictures_total", "outcome", outcome(err))
	m.took(took, shortBuckets, "lascabot_picture_seconds")
}

// Refreshed records that a screen was brought up to date, or was not.
func (m *Measures) Refreshed(err error) {
	m.count("lascabot_screens_refreshed_total", "outcome", outcome(err))
}

// stored records a call of the store.
func (m *Measures) stored(op string, took time.Duration, err error) {
	m.count("lascabot_store_operations_total", "op", op, "outcome", storeOutcome(err))
	m.took(took, shortBuckets, "lascabot_store_seconds", "op", op)
}
