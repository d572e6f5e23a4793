package metrics

import (
	"context"
	"slices"
	"sync"
	"time"
)

// recentKept is how many durations are kept to tell what is usual now.
const recentKept = 1000

// Recent sums up the last 1,000 times that something took. Prometheus' histograms, which
// count since the start, cannot tell that without a server.
type Recent struct {
	Count    int           // of all since the start
	P50, P99 time.Duration // half took no longer than P50, 99 of 100 no longer than P99
}

// recent keeps the last durations of something.
type recent struct {
	mu   sync.Mutex
	last [recentKept]time.Duration
	n    int
}

func (r *recent) add(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last[r.n%recentKept] = d
	r.n++
}

func (r *recent) sum() Recent {
	r.mu.Lock()
	sorted := slices.Clone(r.last[:min(r.n, recentKept)])
	s := Recent{Count: r.n}
	r.mu.Unlock()
	if len(sorted) == 0 {
		return s
	}
	slices.Sort(sorted)
	s.P50, s.P99 = sorted[(len(sorted)-1)*50/100], sorted[(len(sorted)-1)*99/100]
	return s
}

// Reads, Writes and Answers sum up the store's short reads, its writes, and the first
// answers to people.
func (m *Measures) Reads() Recent { return m.reads.sum() }

// Writes is described with [Measures.Reads].
func (m *Measures) Writes() Recent { return m.writes.sum() }

// Answers is described with [Measures.Reads].
func (m *Measures) Answers() Recent { return m.answers.sum() }

// Unanswered returns how many first answers did not reach Discord in time.
func (m *Measures) Unanswered() int { return int(m.unanswered.Load()) }

// press is an interaction on its way, in the context of what is done for it.
type press struct {
	made time.Time
	now  func() time.Time
	once sync.Once // for the first change of a game
}

type pressKey struct{}

// Pressed returns a context for what is done for an interaction, which Discord made at a
// time by the clock now. The first change of a game that is stored within it is measured,
// and so is the answer ([Measures.Answered]). A zero time means that it is not known.
func Pressed(ctx context.Context, made time.Time, now func() time.Time) context.Context {
	if made.IsZero() {
		return ctx
	}
	return context.WithValue(ctx, pressKey{}, &press{made: made, now: now})
}

// stage measures how long after its interaction something was done.
func (m *Measures) stage(ctx context.Context, name string) {
	p, ok := ctx.Value(pressKey{}).(*press)
	if !ok {
		return
	}
	measure := func() {
		m.took(max(0, p.now().Sub(p.made)), answerBuckets, "lascabot_interaction_seconds", "stage", name)
	}
	if name == "commit" {
		p.once.Do(measure)
		return
	}
	measure()
}

// Answered records that an interaction has its first answer.
func (m *Measures) Answered(ctx context.Context) { m.stage(ctx, "answer") }
