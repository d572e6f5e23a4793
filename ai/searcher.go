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

// Searcher answers tasks. It keeps its memory from one to the next, so that
// making one is dear and using it again is cheap. It serves one goroutine at a
// time.
type Searcher struct {
	table   *table
	weights eval.Set
	workers []*worker
	active  []*worker // those that search the present task
}

// NewSearcher returns a searcher with a table of about ttBytes bytes (16 MiB is
// enough for a second's search, 64 MiB for ten) besides some three megabytes of
// its own. All of it is taken from the system at once.
func NewSearcher(ttBytes int) *Searcher { return NewSearcherWith(ttBytes, eval.Default()) }

// NewSearcherWith is [NewSearcher] with other weights than the program's own.
func NewSearcherWith(ttBytes int, w eval.Set) *Searcher {
	s := &Searcher{table: newTable(ttBytes), weights: w}
	s.SetThreads(1)
	return s
}

// SetThreads sets how many goroutines search, 1 at least; more than the
// machine has cores is no use. With more than one the same task may give
// different reports. A level always plays with one.
func (s *Searcher) SetThreads(n int) {
	n = max(1, n)
	for len(s.workers) < n {
		s.workers = append(s.workers, &worker{weights: s.weights, table: s.table})
	}
	s.workers = s.workers[:n]
}

// Forget empties the memory, as for a new game.
func (s *Searcher) Forget() {
	s.table.clear()
	for _, w := range s.workers {
		w.history = history{}
	}
}

// rootMove is one of the moves to choose from.
type rootMove struct {
	move  engine.Move
	score int           // of the last search that gave it one
	line  []engine.Move // empty until then
}

// Search looks for the best move. When ctx ends it returns the best so far and
// a nil error; a legal move is always found. The error is [ErrNoMoves],
// [ErrNoLimits] or [ErrLevel].
//
// With a single thread and without a limit of time, the same task gives the
// same report, but for the time it took.
func (s *Searcher) Search(ctx context.Context, t Task) (Report, error) {
	limits, err := t.check()
	if err != nil {
		return Report{}, err
	}
	began := time.Now()
	stop := new(atomic.Bool) // its own: a late end of ctx must not stop the next search
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

// report gathers what the main worker has found.
func (s *Searcher) report(t *Task, w *worker, depth int, began time.Time) Report {
	r := Report{Depth: depth, Elapsed: time.Since(began)}
	for _, x := range s.active {
		r.Nodes += x.published.Load()
	}
	n := min(max(1, t.Lines), len(w.rootMoves))
	for i := range n {
		m := &w.rootMoves[i]
		if i > 0 && len(m.line) == 0 {
			break // there was no time for it
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
