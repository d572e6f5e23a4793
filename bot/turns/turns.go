package turns

import (
	"context"
	"sync"
	"time"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/storage/localjobs"
)

// Thinker finds moves. It is used by one goroutine at a time.
type Thinker interface {
	Search(ctx context.Context, t ai.Task) (ai.Report, error)
}

// Job is a position to think about.
type Job struct {
	Key   string // a job whose key is queued or running already is not taken twice
	Share string // whose turn in the rotation it uses
	Task  ai.Task
	// Done is called once, in a goroutine of its own so that searches need not
	// wait for it. It is not called when the pool stops before the search ends.
	Done func(ctx context.Context, r ai.Report, err error)

	// Dropped, if not nil, is called when the job's turn comes. A job for which it
	// returns true is not searched, and Done is not called.
	Dropped func() bool

	queued time.Time
}

// Options sizes a pool.
type Options struct {
	Workers  int // searches at the same time, at least 1
	PerShare int // jobs that may wait in one share
	Total    int // jobs that may wait in all
	// NewThinker makes the thinker of one worker.
	NewThinker func() Thinker
	// Searched, if not nil, is called after each search with how long its job
	// waited for its turn, how long it took, and its result.
	Searched func(waited, took time.Duration, r ai.Report, err error)
}

// Pool is a set of workers with their queue. Make one with [New].
type Pool struct {
	opt    Options
	queue  *localjobs.Queue[Job]
	ending sync.WaitGroup // of the calls of Done
}

// New makes a pool. Nothing is searched until [Pool.Run].
func New(opt Options) *Pool {
	return &Pool{opt: opt, queue: localjobs.NewQueue[Job](opt.PerShare, opt.Total)}
}

// Submit queues a job, or does nothing when its key is queued or running
// already. It never waits. The error wraps storage.ErrFull.
func (p *Pool) Submit(j Job) error {
	j.queued = time.Now()
	_, err := p.queue.Put(localjobs.Item[Job]{Key: j.Key, Share: j.Share, Value: j})
	return err
}

// Load returns how many jobs wait and how many are being searched.
func (p *Pool) Load() (waiting, running int) { return p.queue.Load() }

// Run searches until ctx ends, and returns when every worker and every Done has.
// It drops searches that are cut short that way and jobs that wait. It may be
// called once.
func (p *Pool) Run(ctx context.Context) error {
	defer context.AfterFunc(ctx, p.queue.Close)()
	var wg sync.WaitGroup
	for range max(p.opt.Workers, 1) {
		wg.Go(func() { p.work(ctx, p.opt.NewThinker()) })
	}
	wg.Wait()
	p.ending.Wait()
	return nil
}

func (p *Pool) work(ctx context.Context, t Thinker) {
	for {
		i, ok := p.queue.Take()
		if !ok {
			return
		}
		j := i.Value
		if j.Dropped != nil && j.Dropped() {
			p.queue.Idle()
			p.queue.Done(j.Key)
			continue
		}
		begin := time.Now()
		r, err := t.Search(ctx, j.Task)
		if p.opt.Searched != nil {
			p.opt.Searched(begin.Sub(j.queued), time.Since(begin), r, err)
		}
		p.queue.Idle()
		p.ending.Go(func() {
			if ctx.Err() == nil {
				j.Done(ctx, r, err)
			}
			p.queue.Done(j.Key) // after Done: until it has been acted on, the job is under way
		})
	}
}
