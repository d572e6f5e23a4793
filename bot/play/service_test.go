package play

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/turns"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
)

// bench is a service with a machine and a screen that only record calls.
type bench struct {
	*Service
	t     *testing.T
	store storage.Store
	now   time.Time

	mu        sync.Mutex
	jobs      []turns.Job
	refreshed []match.ID
	redrawn   []match.ID
	full      bool
	keep      time.Duration
	unclear   time.Time // until when what screens show is not certain

	standing    map[string]Standing // of messages; they stand
	retired     []storage.Screen
	keepRemoved time.Duration
	inGuild     func(guild string) (bool, error) // nil: in none
	list        func() ([]string, error)         // all servers, as Discord says; nil: it does not
	asked       []string                         // with inGuild
}

func (b *bench) Submit(j turns.Job) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.full {
		return storage.ErrFull
	}
	if slices.ContainsFunc(b.jobs, func(old turns.Job) bool { return old.Key == j.Key }) {
		return nil
	}
	b.jobs = append(b.jobs, j)
	return nil
}

func (b *bench) Refresh(id match.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refreshed = append(b.refreshed, id)
}

func (b *bench) Redraw(id match.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.redrawn = append(b.redrawn, id)
}

func (b *bench) Standing(_ context.Context, _ *storage.Record, _ storage.Settings, message string) Standing {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.standing[message]
}

func (b *bench) UnclearUntil(match.ID) time.Time { return b.unclear }

func (b *bench) Retire(_ match.ID, _ string, s storage.Screen) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.retired = append(b.retired, storage.Screen{Channel: s.Channel, Message: s.Message, Version: s.Version})
}

// atOnce are jobs that are begun as soon as they are there.
type atOnce struct {
	ctx     context.Context
	service *Service

	mu    sync.Mutex
	doing map[storage.Job]bool
}

func (a *atOnce) Saved(ctx context.Context, r *storage.Record) error {
	if j, ok := storage.JobOf(r); ok {
		_, _ = a.Add(ctx, j)
	}
	return nil
}

func (a *atOnce) Add(_ context.Context, jobs ...storage.Job) (added int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, j := range jobs {
		if a.doing[j] {
			continue
		}
		added++
		a.doing[j] = true
		go func() {
			_ = a.service.Do(a.ctx, j)
			a.mu.Lock()
			defer a.mu.Unlock()
			delete(a.doing, j)
		}()
	}
	return added, nil
}

func (a *atOnce) Stuck() int { return 0 }

func (a *atOnce) Run(context.Context, func(context.Context, storage.Job) error) error { return nil }

// take returns the jobs submitted since the last call.
func (b *bench) take() []turns.Job {
	b.mu.Lock()
	defer b.mu.Unlock()
	jobs := b.jobs
	b.jobs = nil
	return jobs
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, store: memstore.New(), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	b.Service = b.restarted()
	return b
}

// restarted returns another service on the same store.
func (b *bench) restarted() *Service {
	jobs := &atOnce{ctx: b.t.Context(), doing: map[storage.Job]bool{}}
	s := New(Options{
		KeepFinished: b.keep, KeepRemoved: b.keepRemoved,
		InGuild: func(_ context.Context, guild string) (bool, error) {
			b.asked = append(b.asked, guild)
			if b.inGuild == nil {
				return false, nil
			}
			return b.inGuild(guild)
		},
		Guilds: func(context.Context) ([]string, error) {
			if b.list == nil {
				return nil, errors.New("out of order")
			}
			return b.list()
		},
		Store: b.store, Machine: b, Jobs: jobs, Screen: b, Now: func() time.Time { return b.now }, Log: slog.New(slog.DiscardHandler),
	})
	jobs.service = s
	return s
}

var (
	room = storage.Place{Guild: "7", Channel: "8", Locale: "en"}
	ann  = Caller{ID: "1", Name: "Ann", Place: room}
	ben  = Caller{ID: "2", Name: "Ben", Place: room}
)

// asks is somebody in room with a request that makes a game of that ID.
func asks(who Caller, id match.ID) Caller {
	who.Place, who.Request = room, id
	return who
}

// duel returns a running game, Ann White and Ben Black.
func (b *bench) duel(id match.ID) storage.Record {
	b.t.Helper()
	_, err := b.Challenge(b.t.Context(), asks(ann, id), intent.Challenge{User: ben.ID, Name: ben.Name, Side: intent.White})
	if err != nil {
		b.t.Fatal(err)
	}
	r, _, err := b.Act(b.t.Context(), ben, intent.Accept{Ref: intent.Ref{Game: id}})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func squares(names ...string) []engine.Square {
	list := make([]engine.Square, len(names))
	for i, name := range names {
		list[i], _ = engine.ParseSquare(name)
	}
	return list
}

// step enters squares of a game as it is.
func (b *bench) step(who Caller, r storage.Record, names ...string) (storage.Record, []engine.Square, error) {
	return b.Act(b.t.Context(), who, intent.Step{
		Ref: intent.Ref{Game: r.Match.ID, Version: r.Match.Version}, Path: squares(names...),
	})
}

func TestStep(t *testing.T) {
	t.Run("the beginning of a move changes nothing, a whole one is played", func(t *testing.T) {
		b := newBench(t)
		r := b.duel("9")
		same, rest, err := b.step(ann, r, "c3")
		if err != nil || same.Match.Version != r.Match.Version || !slices.Equal(rest, squares("c3")) {
			t.Errorf("%v, rest %v, %v", same.Match.Version, rest, err)
		}
		played, rest, err := b.step(ann, r, "c3", "d4")
		if err != nil || len(rest) != 0 || len(played.Match.Moves) != 1 {
			t.Errorf("%v, rest %v, %v", played.Match.Moves, rest, err)
		}
		stored, err := b.store.Load(t.Context(), "9")
		if err != nil || stored.Match.Version != played.Match.Version {
			t.Error("what was returned is not what is stored")
		}
	})
	t.Run("on an older version it is stale and comes with the game as it is", func(t *testing.T) {
		b := newBench(t)
		old := b.duel("9")
		now, _, _ := b.step(ann, old, "c3", "d4")
		r, _, err := b.step(ann, old, "c3", "b4")
		if !errors.Is(err, ErrStale) || r.Match.Version != now.Match.Version {
			t.Errorf("%v, version %d", err, r.Match.Version)
		}
	})
	t.Run("of a stranger, out of turn, and no move at all", func(t *testing.T) {
		b := newBench(t)
		r := b.duel("9")
		for who, want := range map[Caller]error{{ID: "3"}: match.ErrNotAPlayer, ben: match.ErrNotYourTurn} {
			if _, _, err := b.step(who, r, "c3", "d4"); !errors.Is(err, want) {
				t.Errorf("%v: %v, want %v", who, err, want)
			}
		}
		if _, _, err := b.step(ann, r, "a1", "g7"); !errors.Is(err, ErrStale) {
			t.Errorf("%v", err)
		}
	})
	t.Run("of many at once exactly one is played", func(t *testing.T) {
		b := newBench(t)
		r := b.duel("9")
		var wg sync.WaitGroup
		var mu sync.Mutex
		played := 0
		for range 50 {
			wg.Go(func() {
				if _, _, err := b.step(ann, r, "c3", "d4"); err == nil {
					mu.Lock()
					defer mu.Unlock()
					played++
				} else if !errors.Is(err, ErrStale) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if played != 1 {
			t.Errorf("played %d times", played)
		}
	})
}

// loading is a store that calls a function after each load.
type loading struct {
	storage.Store
	then func()
}

func (s *loading) Load(ctx context.Context, id match.ID) (storage.Record, error) {
	r, err := s.Store.Load(ctx, id)
	s.then()
	return r, err
}

func TestAct(t *testing.T) {
	t.Run("without a version decides again when somebody was faster", func(t *testing.T) {
		b := newBench(t)
		r := b.duel("9")
		loads := 0
		b.store = &loading{b.store, func() {
			if loads++; loads == 1 {
				if _, _, err := b.step(ann, r, "c3", "d4"); err != nil {
					t.Fatal(err)
				}
			}
		}}
		got, _, err := b.restarted().Act(t.Context(), ben, intent.Draw{Ref: intent.Ref{Game: "9"}})
		if err != nil || loads != 2 || got.Match.Offer == nil || len(got.Match.Moves) != 1 {
			t.Errorf("%d loads, %+v, %v", loads, got.Match, err)
		}
	})
	t.Run("a game made twice with one ID is one game", func(t *testing.T) {
		b := newBench(t)
		first, err := b.Play(t.Context(), asks(ann, "9"), intent.Play{Level: 1, Side: intent.White})
		if err != nil {
			t.Fatal(err)
		}
		second, err := b.Play(t.Context(), asks(ann, "9"), intent.Play{Level: 8, Side: intent.Black})
		if err != nil || second.Match.Seats != first.Match.Seats {
			t.Errorf("%+v, %v", second.Match.Seats, err)
		}
	})
	t.Run("unfinished games are bounded", func(t *testing.T) {
		b := newBench(t)
		for i := range MaxGames {
			b.now = b.now.Add(beginEvery)
			if _, err := b.Play(t.Context(), asks(ann, match.ID(strconv.Itoa(i))), intent.Play{Level: 1, Side: intent.White}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.Play(t.Context(), asks(ann, "more"), intent.Play{Level: 1}); !errors.Is(err, ErrTooManyGames) {
			t.Errorf("%v", err)
		}
	})
	t.Run("challenges come back one a minute after a burst", func(t *testing.T) {
		b := newBench(t)
		ask := func(id string) error {
			_, err := b.Challenge(t.Context(), asks(ann, match.ID(id)), intent.Challenge{User: match.UserID("to" + id), Name: "Ben"})
			return err
		}
		for i := range challengeBurst {
			if err := ask(strconv.Itoa(i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := ask("x"); !errors.Is(err, ErrTooManyChallenges) {
			t.Errorf("%v", err)
		}
		if err := ask("0"); err != nil {
			t.Errorf("one delivered twice: %v", err)
		}
		b.now = b.now.Add(challengeEvery)
		if err := ask("y"); err != nil {
			t.Errorf("after a minute: %v", err)
		}
	})
	t.Run("a rematch exchanges the colours", func(t *testing.T) {
		b := newBench(t)
		b.duel("9")
		_, _, err := b.Act(t.Context(), ann, intent.Resign{Ref: intent.Ref{Game: "9"}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := b.Rematch(t.Context(), asks(ben, "10"), intent.Ref{Game: "9"})
		if err != nil {
			t.Fatal(err)
		}
		if m := r.Match; m.Seats[engine.White].User != ben.ID || m.By != engine.White || m.Phase != match.Proposed {
			t.Errorf("%+v", m)
		}
	})
}

func TestShown(t *testing.T) {
	first := storage.Screen{Channel: "8", Message: "m1", Version: 2}
	for _, c := range []struct {
		name      string
		before    []storage.Screen // recorded since the message was made
		by        storage.Screen
		retired   []storage.Screen
		refreshed bool
	}{
		{"the message that showed the game before is retired", nil, storage.Screen{Channel: "8", Message: "m2", Version: 3}, []storage.Screen{first}, false},
		{"an edit retires nothing", nil, storage.Screen{Channel: "8", Message: "m1", Version: 3}, nil, false},
		{"a message that is behind is refreshed", nil, storage.Screen{Channel: "8", Message: "m2", Version: 2}, []storage.Screen{first}, true},
		{
			"a message that came late is retired itself", []storage.Screen{{Channel: "8", Message: "m3", Version: 3}},
			storage.Screen{Channel: "8", Message: "m2", Version: 2}, []storage.Screen{{Channel: "8", Message: "m2", Version: 2}}, false,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			r := b.duel("9")
			b.Shown(t.Context(), r, first)
			r, _ = b.Load(t.Context(), "9")
			if _, _, err := b.step(ann, r, "c3", "d4"); err != nil { // version 3
				t.Fatal(err)
			}
			for _, s := range c.before {
				if err := b.store.Shown(t.Context(), "9", s); err != nil {
					t.Fatal(err)
				}
			}
			b.refreshed, b.retired = nil, nil
			b.Shown(t.Context(), r, c.by)
			if !slices.Equal(b.retired, c.retired) || slices.Contains(b.refreshed, "9") != c.refreshed {
				t.Errorf("retired %+v, refreshed %v", b.retired, b.refreshed)
			}
		})
	}
}

func TestFind(t *testing.T) {
	b := newBench(t)
	b.duel("1")
	b.now = b.now.Add(time.Minute)
	b.duel("2")
	b.now = b.now.Add(time.Minute)
	if _, err := b.Challenge(t.Context(), asks(ann, "3"), intent.Challenge{User: ben.ID, Name: "Ben"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		who     Caller
		channel string
		game    match.ID
		want    match.ID
		err     error
	}{
		{ann, "8", "1", "1", nil},
		{ann, "8", "", "", ErrNoGame},
		{Caller{ID: "3"}, "8", "1", "1", match.ErrNotAPlayer},
		{ann, "8", "77", "", storage.ErrNotFound},
	} {
		c.who.Place.Channel = c.channel
		r, _, err := b.Find(t.Context(), c.who, intent.Ref{Game: c.game})
		if !errors.Is(err, c.err) || r.Match.ID != c.want {
			t.Errorf("%+v: %q, %v", c, r.Match.ID, err)
		}
	}
}

// settled runs the service until it has nothing more to do.
func (b *bench) settled(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = b.Run(ctx)
	}()
	synctest.Wait()
	cancel()
	<-done
}

func TestMachine(t *testing.T) {
	test := func(name string, f func(*testing.T, *bench)) {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { f(t, newBench(t)) }) })
	}
	begin := func(t *testing.T, b *bench) turns.Job {
		t.Helper()
		if _, err := b.Play(t.Context(), asks(ann, "9"), intent.Play{Level: 2, Side: intent.Black}); err != nil {
			t.Fatal(err)
		}
		b.settled(t.Context())
		jobs := b.take()
		if len(jobs) != 1 || jobs[0].Task.Level != 2 || jobs[0].Share != room.Guild {
			t.Fatalf("jobs %+v", jobs)
		}
		return jobs[0]
	}
	best := func(j turns.Job) engine.Move { return j.Task.Position.Moves()[0] }

	test("its move is saved and the screen refreshed", func(t *testing.T, b *bench) {
		j := begin(t, b)
		j.Done(t.Context(), ai.Report{Best: best(j)}, nil)
		b.settled(t.Context())
		r, _ := b.store.Load(t.Context(), "9")
		if len(r.Match.Moves) != 1 || !slices.Contains(b.refreshed, "9") {
			t.Errorf("%v, refreshed %v", r.Match.Moves, b.refreshed)
		}
	})
	test("its answer to a game that has changed meanwhile is dropped", func(t *testing.T, b *bench) {
		j := begin(t, b)
		if _, _, err := b.Act(t.Context(), ann, intent.Resign{Ref: intent.Ref{Game: "9"}}); err != nil {
			t.Fatal(err)
		}
		j.Done(t.Context(), ai.Report{Best: best(j)}, nil)
		r, _ := b.store.Load(t.Context(), "9")
		if len(r.Match.Moves) != 0 || r.Match.Ending != match.Resignation {
			t.Errorf("%+v", r.Match)
		}
	})
	test("its move survives a restart and a full pool", func(t *testing.T, b *bench) {
		b.full = true
		if _, err := b.Play(t.Context(), asks(ann, "9"), intent.Play{Level: 1, Side: intent.Black}); err != nil {
			t.Fatal(err)
		}
		b.settled(t.Context())
		b.full = false
		b.Service = b.restarted()
		b.settled(t.Context())
		if jobs := b.take(); len(jobs) != 1 {
			t.Errorf("%d jobs after the restart", len(jobs))
		}
	})
	test("a draw is agreed to when its chances are no better, not early, not when it stands well", func(t *testing.T, b *bench) {
		for _, c := range []struct {
			plies  int
			score  ai.Score
			agrees bool
		}{{drawPly, -200, true}, {drawPly, 200, false}, {drawPly - 2, -200, false}} {
			m := match.Match{Moves: make([]engine.Move, c.plies)}
			if got := agrees(&m, engine.White, c.score); got != c.agrees {
				t.Errorf("after %d plies at %v: %v", c.plies, c.score, got)
			}
			if got := agrees(&m, engine.Black, -c.score); got != c.agrees {
				t.Errorf("out of turn, after %d plies at %v: %v", c.plies, c.score, got)
			}
		}
	})
	test("it answers an offer before it moves", func(t *testing.T, b *bench) {
		begin(t, b)
		if _, _, err := b.Act(t.Context(), ann, intent.Draw{Ref: intent.Ref{Game: "9"}}); err != nil {
			t.Fatal(err)
		}
		b.settled(t.Context())
		j := b.take()[0]
		j.Done(t.Context(), ai.Report{Best: best(j), Score: -500}, nil)
		b.settled(t.Context())
		r, _ := b.store.Load(t.Context(), "9")
		if r.Match.Offer != nil || r.Match.Notice == nil || r.Match.Notice.Kind != match.DrawRefused || len(r.Match.Moves) != 0 {
			t.Errorf("%+v", r.Match)
		}
		if jobs := b.take(); len(jobs) != 1 {
			t.Errorf("%d jobs: the move is still due", len(jobs))
		}
	})
	test("whoever asks twice for a hint in a rated game has it twice, and the game is casual", func(t *testing.T, b *bench) {
		r, err := b.Play(t.Context(), asks(ann, "9"), intent.Play{Level: 2, Side: intent.White, Rated: true})
		if err != nil {
			t.Fatal(err)
		}
		ref := intent.Ref{Game: "9", Version: r.Match.Version}
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				r, rep, casual, err := b.Hint(t.Context(), ann, ref)
				if err != nil || rep.Nodes != 77 || !casual || r.Match.Terms.Rated {
					t.Errorf("%+v, %t, %+v, %v", rep, casual, r.Match.Terms, err)
				}
			})
		}
		synctest.Wait()
		b.take()[0].Done(t.Context(), ai.Report{Nodes: 77}, nil)
		wg.Wait()
	})
	test("all who ask for the same hint at the same time share it", func(t *testing.T, b *bench) {
		ref := intent.Ref{Game: "9"}
		if _, err := b.Play(t.Context(), asks(ann, "9"), intent.Play{Level: 2, Side: intent.White}); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				_, rep, _, err := b.Hint(t.Context(), ann, ref)
				if err != nil || rep.Nodes != 77 {
					t.Errorf("%+v, %v", rep, err)
				}
			})
		}
		synctest.Wait()
		jobs := b.take()
		if len(jobs) != 1 || jobs[0].Task.Level != 0 || jobs[0].Task.Limits.Nodes < 400_000 {
			t.Fatalf("jobs %+v", jobs)
		}
		jobs[0].Done(t.Context(), ai.Report{Nodes: 77}, nil)
		wg.Wait()
		b.full = true
		if _, _, _, err := b.Hint(t.Context(), ann, ref); !errors.Is(err, ErrBusy) {
			t.Errorf("with a full pool: %v", err)
		}
	})
	test("a hint that is asked for again after its asker gave up is searched", func(t *testing.T, b *bench) {
		ref := intent.Ref{Game: "9"}
		if _, err := b.Play(t.Context(), asks(ann, "9"), intent.Play{Level: 2, Side: intent.White}); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := b.Hint(t.Context(), ann, ref); !errors.Is(err, context.DeadlineExceeded) { // the pool is busy for long
			t.Fatalf("%v", err)
		}
		old := b.jobs[0]
		got := make(chan ai.Report, 1)
		go func() {
			_, rep, _, _ := b.Hint(t.Context(), ann, ref)
			got <- rep
		}()
		synctest.Wait()
		if !old.Dropped() {
			t.Error("the first would still be searched, for nobody")
		}
		if len(b.jobs) != 2 || b.jobs[1].Dropped() {
			t.Fatalf("%d jobs", len(b.jobs))
		}
		b.jobs[1].Done(t.Context(), ai.Report{Nodes: 77}, nil)
		if rep := <-got; rep.Nodes != 77 {
			t.Errorf("%+v", rep)
		}
	})
	test("whoever joins in a hint waits as long as one who asks first", func(t *testing.T, b *bench) {
		ref := intent.Ref{Game: "9"}
		if _, err := b.Play(t.Context(), asks(ann, "9"), intent.Play{Level: 2, Side: intent.White}); err != nil {
			t.Fatal(err)
		}
		first := make(chan error, 1)
		go func() { _, _, _, err := b.Hint(t.Context(), ann, ref); first <- err }()
		time.Sleep(askTime - time.Second) // of the test's own clock
		got := make(chan ai.Report, 1)
		go func() {
			_, rep, _, err := b.Hint(t.Context(), ann, ref)
			if err != nil {
				t.Error(err)
			}
			got <- rep
		}()
		if err := <-first; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the first: %v", err)
		}
		time.Sleep(askTime / 2)
		jobs := b.take()
		if len(jobs) != 1 || jobs[0].Dropped() {
			t.Fatalf("%d jobs", len(jobs))
		}
		jobs[0].Done(t.Context(), ai.Report{Nodes: 77}, nil)
		if rep := <-got; rep.Nodes != 77 {
			t.Errorf("%+v", rep)
		}
	})
	test("a hint or a review for which nobody waits any more is dropped, and asked anew", func(t *testing.T, b *bench) {
		b.duel("over")
		b.resign(ben, "over")
		if _, err := b.Play(t.Context(), asks(ann, "9"), intent.Play{Level: 2, Side: intent.White}); err != nil {
			t.Fatal(err)
		}
		for name, ask := range map[string]func(context.Context) error{
			"hint":   func(ctx context.Context) error { _, _, _, err := b.Hint(ctx, ann, intent.Ref{Game: "9"}); return err },
			"review": func(ctx context.Context) error { _, _, err := b.Review(ctx, ann, intent.Ref{Game: "over"}); return err },
		} {
			b.take()
			ctx, giveUp := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- ask(ctx) }()
			synctest.Wait()
			giveUp()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
			synctest.Wait()
			old := b.take()
			if len(old) != 1 || !old[0].Dropped() {
				t.Fatalf("%s: %d jobs, the first of which would still be searched, for nobody", name, len(old))
			}
			go func() { done <- ask(t.Context()) }()
			synctest.Wait()
			again := b.take()
			if len(again) != 1 || again[0].Dropped() || again[0].Key == old[0].Key {
				t.Fatalf("%s: asked again: %d jobs", name, len(again))
			}
			again[0].Done(t.Context(), ai.Report{Best: again[0].Task.Position.Moves()[0]}, nil)
			if err := <-done; err != nil {
				t.Errorf("%s: asked again: %v", name, err)
			}
		}
	})
	test("there are no hints between people", func(t *testing.T, b *bench) {
		b.duel("9")
		if _, _, _, err := b.Hint(t.Context(), ann, intent.Ref{Game: "9"}); !errors.Is(err, ErrNoHints) {
			t.Errorf("%v", err)
		}
	})
	test("a challenge that lapses is closed at the next look", func(t *testing.T, b *bench) {
		if _, err := b.Challenge(t.Context(), asks(ann, "9"), intent.Challenge{User: ben.ID, Name: "Ben"}); err != nil {
			t.Fatal(err)
		}
		b.now = b.now.Add(ChallengeTime + time.Second)
		b.settled(t.Context())
		if r, _ := b.store.Load(t.Context(), "9"); r.Match.Ending != match.Expired {
			t.Errorf("%+v", r.Match)
		}
	})
}

func TestReview(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		r := b.duel("9")
		b.step(ann, r, "c3", "d4")
		if _, _, err := b.Review(t.Context(), ann, intent.Ref{Game: "9"}); !errors.Is(err, ErrStale) {
			t.Errorf("while the game is running: %v", err)
		}
		b.resign(ben, "9")
		type result struct {
			v   Review
			err error
		}
		got := make(chan result, 1)
		go func() {
			_, v, err := b.Review(t.Context(), ann, intent.Ref{Game: "9"})
			got <- result{v, err}
		}()
		for _, score := range []ai.Score{0, 150} { // from the side to move
			synctest.Wait()
			j := b.take()[0]
			j.Done(t.Context(), ai.Report{Best: j.Task.Position.Moves()[0], Score: score}, nil)
		}
		v := <-got
		if v.err != nil || len(v.v.Chances) != 2 || len(v.v.Best) != 1 {
			t.Fatalf("%+v", v)
		}
		if v.v.Chances[0] != 0.5 || v.v.Chances[1] >= 0.5 {
			t.Errorf("White's chances %v: after the move Black stands better", v.v.Chances)
		}
	})
}
