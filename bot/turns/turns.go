package turns

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/trace"
)

// ErrFull says that a job did not fit. Submit it again later.
var ErrFull = errors.New("too many positions are waiting")

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

// Pool is a set of workers with their queues. Make one with [New].
type Pool struct {
	opt Options

	mu      sync.Mutex
	more    *sync.Cond // something was queued, or the pool stops
	ring    []*share   // the shares that have jobs, the next one first
	shares  map[string]*share
	keys    map[string]struct{} // queued or running
	waiting int
	running int
	stopped bool
	ending  sync.WaitGroup // of the calls of Done
}

type share struct {
	name string
	jobs []Job
}

// New makes a pool. Nothing is searched until [Pool.Run].
func New(opt Options) *Pool {
	p := &Pool{opt: opt, shares: map[string]*share{}, keys: map[string]struct{}{}}
	p.more = sync.NewCond(&p.mu)
	return p
}

// Submit queues a job, or does nothing when its key is queued or running
// already. It never waits. The error wraps [ErrFull].
func (p *Pool) Submit(j Job) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.keys[j.Key]; known {
		return nil
	}
	s := p.shares[j.Share]
	if p.waiting >= p.opt.Total || s != nil && len(s.jobs) >= p.opt.PerShare {
		return fmt.Errorf("%w: %d", ErrFull, p.waiting)
	}
	if s == nil {
		s = &share{name: j.Share}
		p.shares[j.Share] = s
		p.ring = append(p.ring, s)
	}
	j.queued = time.Now()
	s.jobs = append(s.jobs, j)
	p.keys[j.Key] = struct{}{}
	p.waiting++
	p.more.Signal()
	return nil
}

// Load returns how many jobs wait and how many are being searched.
func (p *Pool) Load() (waiting, running int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting, p.running
}

// Run searches until ctx ends, and returns when every worker and every Done has.
// It drops searches that are cut short that way and jobs that wait. It may be
// called once.
func (p *Pool) Run(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.stopped = true
		p.more.Broadcast()
	})
	defer stop()
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
		j, ok := p.next()
		if !ok {
			return
		}
		begin := time.Now()
		ctx, span := trace.Root(ctx, trace.Job, "think")
		span.Set(trace.JobKey, j.Key)
		span.SetInt(trace.WaitedKey, begin.Sub(j.queued).Milliseconds())
		r, err := t.Search(ctx, j.Task)
		span.SetInt(trace.NodesKey, r.Nodes)
		if p.opt.Searched != nil {
			p.opt.Searched(begin.Sub(j.queued), time.Since(begin), r, err)
		}
		p.mu.Lock()
		p.running--
		p.mu.Unlock()
		p.ending.Go(func() {
			if ctx.Err() == nil {
				j.Done(ctx, r, err)
			}
			span.End(err)
			p.finish(j) // after Done: until it has been acted on, the job still stands in the store
		})
	}
}

// next waits for a job of the share whose turn it is.
func (p *Pool) next() (Job, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		j, ok := p.take()
		if !ok || j.Dropped == nil || !j.Dropped() {
			return j, ok
		}
		p.running--
		delete(p.keys, j.Key)
	}
}

// take waits for a job and takes it off its queue; p.mu is held.
func (p *Pool) take() (Job, bool) {
	for len(p.ring) == 0 && !p.stopped {
		p.more.Wait()
	}
	if p.stopped {
		return Job{}, false
	}
	s := p.ring[0]
	p.ring = p.ring[1:]
	j := s.jobs[0]
	s.jobs[0] = Job{}
	s.jobs = s.jobs[1:]
	if len(s.jobs) > 0 {
		p.ring = append(p.ring, s)
	} else {
		delete(p.shares, s.name)
	}
	p.waiting--
	p.running++
	return j, true
}

// finish makes room for another job of the same key.
func (p *Pool) finish(j Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.keys, j.Key)
}
