package ai

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lascabot/lascabot/ai/eval"
	"github.com/lascabot/lascabot/engine"
)

// Searcher answers tasks. It is costly to make and cheap to use again, since it
// keeps its memory from one task to the next. Only one goroutine may use it at a
// time.
type Searcher struct {
	table   *table
	weights eval.Set
	workers []*worker
	active  []*worker // those that work on the present task
}

// NewSearcher returns a searcher with a transposition table of about ttBytes
// bytes: 16 MiB are enough to search for a second, 64 MiB for ten. The searcher
// needs some three megabytes more. It allocates all of it at once.
func NewSearcher(ttBytes int) *Searcher { return NewSearcherWith(ttBytes, eval.Default()) }

// NewSearcherWith is [NewSearcher] with weights other than [eval.Default]. They
// must not change while the searcher is in use.
func NewSearcherWith(ttBytes int, w eval.Set) *Searcher {
	s := &Searcher{table: newTable(ttBytes), weights: w}
	s.SetThreads(1)
	return s
}

// SetThreads sets how many goroutines search, at least 1. More than the machine
// has cores do not help. With more than one, the same task may give different
// reports. A level always uses one.
func (s *Searcher) SetThreads(n int) {
	n = max(1, n)
	for len(s.workers) < n {
		s.workers = append(s.workers, &worker{weights: s.weights, table: s.table})
	}
	s.workers = s.workers[:n]
}

// Forget clears the memory. Call it before a game that must not depend on
// earlier ones.
func (s *Searcher) Forget() {
	s.table.clear()
	for _, w := range s.workers {
		w.history = history{}
	}
}

// rootMove is one of the moves to choose from.
type rootMove struct {
	move  engine.Move
	score int           // from the last search that gave it one
	line  []engine.Move // empty until then
}

// Search looks for the best move. When ctx ends, it returns the best move so
// far and a nil error; it always finds a legal move. The error is [ErrNoMoves],
// [ErrNoLimits] or [ErrLevel].
//
// With one thread and no time limit, the same task always gives the same report,
// except for the time it took.
func (s *Searcher) Search(ctx context.Context, t Task) (Report, error) {
	limits, err := t.check()
	if err != nil {
		return Report{}, err
	}
	began := time.Now()
	stop := new(atomic.Bool) // for this search only: if ctx ends late, it must not stop the next
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()

	repeatable := limits.Time <= 0 && len(s.workers) == 1 || t.Level > 0
	s.table.next(repeatable)
	s.active = s.workers
	if t.Level > 0 {
		s.active = s.workers[:1]
	}
	for _, w := range s.active {
		w.stop = stop
		w.prepare(&t, limits, began, repeatable)
	}
	var helpers sync.WaitGroup
	for i, w := range s.active[1:] {
		helpers.Go(func() { w.iterate(limits, 1, 1+i%2, nil) })
	}
	main := s.active[0]
	lines := max(1, t.Lines)
	if t.Level > 0 {
		lines = max(lines, t.Level.lines(&t.Position))
	}
	depth := main.iterate(limits, min(lines, len(main.rootMoves)), 0, func(depth int) {
		if t.Progress != nil {
			t.Progress(s.report(&t, main, depth, began))
		}
	})
	stop.Store(true)
	helpers.Wait()
	return s.report(&t, main, depth, began), nil
}

// report collects what the main worker has found.
func (s *Searcher) report(t *Task, w *worker, depth int, began time.Time) Report {
	r := Report{Depth: depth, Elapsed: time.Since(began)}
	for _, x := range s.active {
		r.Nodes += x.published.Load()
	}
	n := min(max(1, t.Lines), len(w.rootMoves))
	for i := range n {
		m := &w.rootMoves[i]
		if i > 0 && len(m.line) == 0 {
			break // time ran out before this one
		}
		l := Line{Move: m.move, PV: slices.Clone(m.line), Score: Score(m.score)}
		if len(l.PV) == 0 {
			l.PV = []engine.Move{m.move}
		}
		r.Lines = append(r.Lines, l)
	}
	chosen := &w.rootMoves[0]
	if t.Level > 0 {
		chosen = t.Level.choose(t, w.rootMoves)
	}
	r.Best, r.Score, r.PV = chosen.move, Score(chosen.score), slices.Clone(chosen.line)
	if len(r.PV) == 0 {
		r.PV = []engine.Move{r.Best}
	}
	return r
}
