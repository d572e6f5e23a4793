package fleet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
)

// line is a process's way to the store, which can be cut.
type line struct {
	storage.Fleet
	mu  sync.Mutex
	cut bool
}

var errCut = errors.New("the line is cut")

func (l *line) set(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = cut
}

// pass waits as long as the caller does if the line is cut.
func (l *line) pass(ctx context.Context) error {
	l.mu.Lock()
	cut := l.cut
	l.mu.Unlock()
	if cut {
		<-ctx.Done()
		return errCut
	}
	return nil
}

func (l *line) Hold(ctx context.Context, owner string, term time.Duration, note string, names ...string) ([]string, error) {
	if err := l.pass(ctx); err != nil {
		return nil, err
	}
	return l.Fleet.Hold(ctx, owner, term, note, names...)
}

func (l *line) Leases(ctx context.Context) ([]storage.Lease, error) {
	if err := l.pass(ctx); err != nil {
		return nil, err
	}
	return l.Fleet.Leases(ctx)
}

func (l *line) Release(ctx context.Context, owner string, names ...string) error {
	if err := l.pass(ctx); err != nil {
		return err
	}
	return l.Fleet.Release(ctx, owner, names...)
}

func (l *line) Claim(ctx context.Context, owner, id string) (bool, error) {
	mine, err := l.Fleet.Claim(ctx, owner, id) // it gets there, the answer does not
	if cut := l.pass(ctx); cut != nil {
		return false, cut
	}
	return mine, err
}

// process is a process of the test: which shards' sessions it has.
type process struct {
	*Member
	line *line
	stop func()
	end  chan error

	mu       sync.Mutex
	sessions map[int]int // by shard, into how many; -1 is none
	begun    int
	refuse   error // what a session ends with at once
}

func (p *process) runs() (list []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for shard := range p.sessions {
		list = append(list, shard)
	}
	slices.Sort(list)
	return list
}

func (p *process) begins() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.begun
}

func (p *process) run(ctx context.Context, shard, count int) error {
	p.mu.Lock()
	refuse := p.refuse
	p.sessions[shard] = count
	p.begun++
	p.mu.Unlock()
	if refuse == nil {
		<-ctx.Done()
		time.Sleep(100 * time.Millisecond) // to say goodbye
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sessions, shard)
	return refuse
}

// town is a fleet in a bubble.
type town struct {
	t     *testing.T
	store *memstore.Store
	all   []*process
}

func inTown(t *testing.T, test func(*town)) {
	synctest.Test(t, func(t *testing.T) {
		w := &town{t: t, store: memstore.New()}
		test(w)
		for _, p := range w.all {
			p.line.set(false)
			p.stop()
		}
	})
}

// start starts a process that wants so many shards.
func (w *town) start(count int, fixed bool) *process {
	p := &process{line: &line{Fleet: w.store}, end: make(chan error, 1), sessions: map[int]int{}}
	p.Member = New(Options{Store: p.line, Log: slog.New(slog.DiscardHandler)})
	ctx, stop := context.WithCancel(w.t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.end <- p.Serve(ctx, count, fixed, p.run)
	}()
	p.stop = func() { stop(); <-done }
	w.all = append(w.all, p)
	return p
}

// pass lets time pass, in which no two processes are ever sure of one shard.
func (w *town) pass(d time.Duration) {
	w.t.Helper()
	const step = 100 * time.Millisecond
	for ; d > 0; d -= step {
		time.Sleep(step)
		sure := map[string]int{}
		for _, p := range w.all {
			for shard := range p.Count() {
				if p.Sure(shard) {
					sure[shardName(shard, p.Count())]++
				}
			}
		}
		for name, n := range sure {
			if n > 1 {
				w.t.Fatalf("%d processes are sure of %s", n, name)
			}
		}
	}
}

// shared fails unless each shard has exactly one session, and the processes have so many.
func (w *town) shared(want ...int) {
	w.t.Helper()
	seen := map[int]int{}
	var got []int
	for _, p := range w.all {
		list := p.runs()
		got = append(got, len(list))
		for _, shard := range list {
			seen[shard]++
		}
	}
	for shard, n := range seen {
		if n != 1 {
			w.t.Errorf("%d sessions of shard %d", n, shard)
		}
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("the processes have %v sessions, want %v", got, want)
	}
}

// spread fails unless the shards have one session each and no process has two more than
// another.
func (w *town) spread(count int, live ...*process) {
	w.t.Helper()
	seen := map[int]bool{}
	least, most := count, 0
	for _, p := range w.all {
		list := p.runs()
		if !slices.Contains(live, p) {
			if len(list) > 0 {
				w.t.Errorf("a process that has stopped has %v", list)
			}
			continue
		}
		least, most = min(least, len(list)), max(most, len(list))
		for _, shard := range list {
			if seen[shard] {
				w.t.Errorf("two sessions of shard %d", shard)
			}
			seen[shard] = true
		}
	}
	if len(seen) != count || most-least > 1 {
		w.t.Errorf("%d of %d shards run, %d to %d on a process", len(seen), count, least, most)
	}
}

func TestEqualProcessesShareTheShardsEvenly(t *testing.T) {
	inTown(t, func(w *town) {
		a := w.start(8, false)
		w.pass(time.Second)
		w.spread(8, a)
		b := w.start(8, false)
		c := w.start(8, false)
		w.pass(8 * time.Second)
		w.spread(8, a, b, c)
		began := a.begins() + b.begins() + c.begins()
		w.pass(5 * time.Minute)
		w.spread(8, a, b, c)
		if n := a.begins() + b.begins() + c.begins(); n != began {
			t.Errorf("%d sessions more were begun while nothing happened", n-began)
		}
	})
}

func TestProcessesComeAndGoInAnyOrder(t *testing.T) {
	inTown(t, func(w *town) {
		live := []*process{w.start(5, false), w.start(5, false)}
		w.pass(8 * time.Second)
		for round := range 12 {
			if round%3 == 2 {
				i := round % len(live)
				live[i].stop()
				live = slices.Delete(live, i, i+1)
			} else {
				live = append(live, w.start(5, false))
			}
			w.pass(8 * time.Second)
			w.spread(5, live...)
		}
	})
}

func TestMoreProcessesThanShardsStandBy(t *testing.T) {
	inTown(t, func(w *town) {
		a, b, c := w.start(2, false), w.start(2, false), w.start(2, false)
		w.pass(8 * time.Second)
		w.spread(2, a, b, c)
		for _, p := range w.all {
			if len(p.runs()) > 0 {
				p.stop()
				live := slices.DeleteFunc(slices.Clone(w.all), func(x *process) bool { return x == p })
				w.pass(3 * time.Second)
				w.spread(2, live...)
				return
			}
		}
	})
}

func TestAStopInGoodOrderFreesTheShardsAtOnce(t *testing.T) {
	inTown(t, func(w *town) {
		a, b := w.start(4, false), w.start(4, false)
		w.pass(8 * time.Second)
		w.shared(2, 2)
		a.stop()
		if list, err := w.store.Leases(w.t.Context()); err != nil || len(list) != 3 {
			t.Errorf("leases after the stop: %+v, %v", list, err)
		}
		w.pass(every * 12 / 10)
		w.spread(4, b)
	})
}

func TestTheShardsOfADeadProcessAreTakenOverWithin17Seconds(t *testing.T) {
	inTown(t, func(w *town) {
		a, b, c := w.start(6, false), w.start(6, false), w.start(6, false)
		w.pass(8 * time.Second)
		w.shared(2, 2, 2)
		a.line.set(true) // it is not heard of any more
		w.pass(17 * time.Second)
		if n := len(b.runs()) + len(c.runs()); n != 6 {
			t.Errorf("after 17 s the others run %d shards, want 6", n)
		}
		for shard := range 6 {
			if a.Sure(shard) {
				t.Errorf("the process that nobody hears of is sure of shard %d", shard)
			}
		}
		if len(a.runs()) != 2 {
			t.Error("a process without a store has ended its sessions")
		}
		a.line.set(false)
		w.pass(10 * time.Second)
		w.spread(6, a, b, c)
	})
}

func TestAnOutageOfTheStoreEndsNoSession(t *testing.T) {
	inTown(t, func(w *town) {
		a, b := w.start(4, false), w.start(4, false)
		w.pass(8 * time.Second)
		began := a.begins() + b.begins()
		a.line.set(true)
		b.line.set(true)
		w.pass(2 * time.Minute)
		w.shared(2, 2)
		a.line.set(false)
		b.line.set(false)
		w.pass(20 * time.Second)
		w.spread(4, a, b)
		if n := a.begins() + b.begins(); n > began {
			t.Errorf("%d sessions were begun anew", n-began)
		}
	})
}

func TestProcessesAgreeOnTheGreatestNumberOfShards(t *testing.T) {
	inTown(t, func(w *town) {
		a := w.start(2, false)
		w.pass(3 * time.Second)
		b := w.start(5, false) // Discord recommends more now
		c := w.start(3, false)
		w.pass(15 * time.Second)
		w.spread(5, a, b, c)
		for _, p := range w.all {
			if n := p.Count(); n != 5 {
				t.Errorf("a process has %d shards", n)
			}
		}
	})
}

func TestAnUpgradeToAnotherGivenNumberOfShardsServesBothMeanwhile(t *testing.T) {
	inTown(t, func(w *town) {
		a := w.start(4, true)
		w.pass(3 * time.Second)
		b := w.start(2, true)
		w.pass(3 * time.Second)
		if got := fmt.Sprint(a.runs(), b.runs()); got != "[0 1 2 3] [0 1]" {
			t.Errorf("they run %s", got)
		}
		a.stop()
		w.pass(3 * time.Second)
		w.spread(2, b)
	})
}

func TestAShardThatCannotGoOnEndsItsProcess(t *testing.T) {
	inTown(t, func(w *town) {
		a := w.start(2, false)
		w.pass(3 * time.Second)
		refused := errors.New("the token is refused")
		b := &process{line: &line{Fleet: w.store}, end: make(chan error, 1), sessions: map[int]int{}, refuse: refused}
		b.Member = New(Options{Store: b.line, Log: slog.New(slog.DiscardHandler)})
		if err := b.Serve(w.t.Context(), 2, false, b.run); !errors.Is(err, refused) {
			t.Errorf("it ends with %v", err)
		}
		w.pass(5 * time.Second)
		w.spread(2, a)
	})
}

// pair starts two processes and returns first the one that has the only shard.
func (w *town) pair() (a, b *process) {
	a, b = w.start(1, false), w.start(1, false)
	w.pass(3 * time.Second)
	if len(a.runs()) == 0 {
		a, b = b, a
	}
	return a, b
}

// claim claims an interaction of the only shard for as long as Discord takes an answer.
func (w *town) claim(p *process, id string) (bool, error) {
	ctx, cancel := context.WithTimeout(w.t.Context(), 2*time.Second)
	defer cancel()
	return p.Claim(ctx, 0, id)
}

func TestAnInteractionIsAnsweredByWhoClaimsItFirst(t *testing.T) {
	inTown(t, func(w *town) {
		a, b := w.pair()
		if mine, err := w.claim(a, "1"); !mine || err != nil {
			t.Errorf("the first: %t, %v", mine, err)
		}
		if mine, err := w.claim(b, "1"); mine || err != nil {
			t.Errorf("the second: %t, %v", mine, err)
		}
	})
}

func TestAClaimOfUnknownOutcomeIsAskedForAgain(t *testing.T) {
	inTown(t, func(w *town) {
		a, b := w.pair()
		a.line.set(true)
		time.AfterFunc(time.Second, func() { a.line.set(false) })
		if mine, err := w.claim(a, "2"); !mine || err != nil {
			t.Errorf("%t, %v", mine, err)
		}
		if mine, _ := w.claim(b, "2"); mine {
			t.Error("both have it")
		}
	})
}

func TestWhoStaysUnsureDecidesNothingAndSpeaksOnlyWhileTheShardIsItsOwn(t *testing.T) {
	inTown(t, func(w *town) {
		a, b := w.pair()
		a.line.set(true)
		b.line.set(true)
		if mine, err := w.claim(a, "3"); !mine || err == nil {
			t.Errorf("the holder: %t, %v", mine, err)
		}
		if mine, err := w.claim(b, "4"); mine || err == nil {
			t.Errorf("the other: %t, %v", mine, err)
		}
		time.Sleep(sure)
		if mine, err := w.claim(a, "5"); mine || err == nil {
			t.Errorf("a holder that could not renew: %t, %v", mine, err)
		}
	})
}

func TestSessionsOfABucketAreApartOverAllProcesses(t *testing.T) {
	inTown(t, func(w *town) {
		a, b := w.start(2, false), w.start(2, false)
		var waits []time.Duration
		for _, p := range []*process{a, b, a} {
			d, err := p.Reserve(w.t.Context(), 0, 5500*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			waits = append(waits, d)
		}
		if want := []time.Duration{0, 5500 * time.Millisecond, 11 * time.Second}; !slices.Equal(waits, want) {
			t.Errorf("waits %v, want %v", waits, want)
		}
		if d, err := b.Reserve(w.t.Context(), 1, time.Second); d != 0 || err != nil {
			t.Errorf("another bucket waits %v, %v", d, err)
		}
	})
}

func TestTheFleetTellsItsProcesses(t *testing.T) {
	inTown(t, func(w *town) {
		a, b := w.start(3, false), w.start(3, false)
		w.pass(8 * time.Second)
		list, err := a.Processes(w.t.Context())
		if err != nil || len(list) != 2 {
			t.Fatalf("%+v, %v", list, err)
		}
		for _, p := range list {
			of := a
			if p.ID == b.ID() {
				of = b
			}
			if p.ID != of.ID() || !slices.Equal(p.Shards, of.runs()) || p.Count != 3 || p.PID == 0 || p.Began.IsZero() || p.Left <= 0 || p.Left > term {
				t.Errorf("%+v", p)
			}
		}
	})
}
