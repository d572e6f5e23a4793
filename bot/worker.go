package bot

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/metrics"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/turns"
	"github.com/lascabot/lascabot/storage"
)

// WorkerOptions are what a worker is made of: the fields of [Options] of the same names.
// Now may be left out, for this machine's clock. Jobs have another process show what is
// saved: storage.Job.Away.
type WorkerOptions struct {
	Store     storage.Store
	Jobs      storage.Jobs
	Workers   int
	HashBytes int
	Now       func() time.Time
	Log       *slog.Logger
}

// Worker makes the machine's moves for processes that talk to Discord, and does not do so
// itself. Any number can share a store. Make one with [NewWorker].
type Worker struct {
	thinking
	service  *play.Service
	store    *metrics.Store
	measures *metrics.Measures
}

// thinking is what a process thinks with.
type thinking struct {
	pool *turns.Pool
	jobs storage.Jobs
}

// newThinking makes a pool of so many searchers, and adds its measures and those of the
// jobs.
func newThinking(workers, hashBytes int, jobs storage.Jobs, m *metrics.Measures) thinking {
	t := thinking{jobs: jobs, pool: turns.New(turns.Options{
		Workers: workers, PerShare: waitingPerShare, Total: waitingTotal,
		NewThinker: func() turns.Thinker { return ai.NewSearcher(hashBytes) },
		Searched: func(waited, took time.Duration, r ai.Report, err error) {
			m.Searched(waited, took, r.Nodes, err)
		},
	})}
	m.Gauge("lascabot_think_waiting", func() float64 { n, _ := t.pool.Load(); return float64(n) })
	m.Gauge("lascabot_think_running", func() float64 { _, n := t.pool.Load(); return float64(n) })
	m.Gauge("lascabot_jobs_stuck_total", func() float64 { return float64(jobs.Stuck()) })
	return t
}

// run does jobs until ctx ends.
func (t *thinking) run(ctx context.Context, do func(context.Context, storage.Job) error) error {
	var searching sync.WaitGroup
	searching.Go(func() { _ = t.pool.Run(ctx) })
	err := t.jobs.Run(ctx, do)
	searching.Wait()
	return err
}

// JobsAtOnce is how many jobs are to be under way for so many searches at a time: while
// some are stored, others are searched.
func JobsAtOnce(workers int) int { return 2 * max(workers, 1) }

// NewWorker makes a worker; it does nothing until [Worker.Run].
func NewWorker(opt WorkerOptions) *Worker {
	m := metrics.New()
	if opt.Now == nil {
		opt.Now = time.Now
	}
	w := &Worker{thinking: newThinking(opt.Workers, opt.HashBytes, opt.Jobs, m), store: metrics.NewStore(opt.Store, m), measures: m}
	w.service = play.New(play.Options{
		Store: w.store, Machine: w.pool, Jobs: opt.Jobs, Mended: m.Mended, Now: opt.Now, Log: opt.Log,
	})
	return w
}

// Run makes moves until ctx ends. What it has not finished then, another process does.
func (w *Worker) Run(ctx context.Context) error {
	var mending sync.WaitGroup
	mending.Go(func() { w.service.Mend(ctx) })
	err := w.run(ctx, w.service.Do)
	mending.Wait()
	return err
}

// Ready returns nil when moves can be stored, else why not, as [Bot.Ready] does.
func (w *Worker) Ready(ctx context.Context) error {
	if err := w.store.Probe(ctx); err != nil {
		return fmt.Errorf("games cannot be stored: %w", err)
	}
	return nil
}

// WriteMetrics writes the worker's metrics and those of the process in Prometheus' text
// format.
func (w *Worker) WriteMetrics(to io.Writer) { w.measures.Write(to) }
