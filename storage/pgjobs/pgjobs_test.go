package pgjobs_test

import (
	"context"
	"sync"
	"testing"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/pgjobs"
	"github.com/lascabot/lascabot/storage/pgstore"
	"github.com/lascabot/lascabot/storage/pgstore/pgtest"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// open is a process: a store, with its jobs.
func open(t testing.TB, url string, o pgjobs.Options) (*pgjobs.Jobs, *pgstore.Store) {
	t.Helper()
	store, err := pgstore.Open(t.Context(), url, pgstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	jobs, err := pgjobs.Open(t.Context(), store, o)
	if err != nil {
		t.Fatal(err)
	}
	return jobs, store
}

func TestContract(t *testing.T) {
	pgtest.Server(t)
	storagetest.RunJobs(t, func(t testing.TB, atOnce int) (storage.Jobs, storage.Store) {
		return open(t, pgtest.New(t), pgjobs.Options{AtOnce: atOnce, Shows: true})
	})
}

// process is one of those that share a database.
type process struct {
	*pgjobs.Jobs
	store *pgstore.Store
	did   chan storage.Job
	stop  func()
}

// started starts a process that does its jobs with do, after it has told of them.
func started(t *testing.T, url string, o pgjobs.Options, do func(context.Context, *process, storage.Job) error) *process {
	t.Helper()
	p := &process{did: make(chan storage.Job, 100)}
	p.Jobs, p.store = open(t, url, o)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- p.Run(ctx, func(ctx context.Context, j storage.Job) error {
			p.did <- j
			return do(ctx, p, j)
		})
	}()
	p.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	t.Cleanup(p.stop)
	return p
}

// moves makes the machine's move in a game.
func moves(ctx context.Context, p *process, j storage.Job) error {
	r, err := p.store.Load(ctx, j.Game)
	if err != nil || j.Kind != storage.JobThink {
		return err
	}
	pos := r.Match.Game().Position()
	next, err := r.Match.Apply(match.Play{By: r.Match.Turn(), Move: pos.Moves()[0]}, r.Match.Changed)
	if err != nil {
		return err
	}
	return p.store.Save(ctx, next, r.Match.Version)
}

func TestAJobIsTakenFromAProcessThatDoesNotGetOn(t *testing.T) {
	url := pgtest.New(t)
	thaw := make(chan struct{})
	frozen := started(t, url, pgjobs.Options{AtOnce: 1}, func(context.Context, *process, storage.Job) error { <-thaw; return nil })
	defer frozen.stop()
	defer close(thaw)
	if err := frozen.store.Create(t.Context(), storagetest.AgainstMachine(t, "m", 0, false)); err != nil {
		t.Fatal(err)
	}
	j := <-frozen.did
	other := started(t, url, pgjobs.Options{AtOnce: 1}, moves)
	if got := <-other.did; got.Game != j.Game || got.Version != j.Version {
		t.Errorf("%+v instead of %+v", got, j)
	}
	if n := frozen.Stuck() + other.Stuck(); n < 1 {
		t.Error("it is not counted")
	}
}

// TestWhoeverAnsweredAPressShowsTheMove: a worker's move is shown by the process that
// made it due, at once; if that is gone, by another one that can, and never by a worker.
func TestWhoeverAnsweredAPressShowsTheMove(t *testing.T) {
	url := pgtest.New(t)
	// One thinks about a game for ever, so that all other thinking is the worker's.
	busy := func(ctx context.Context, _ *process, j storage.Job) error {
		if j.Kind == storage.JobThink {
			<-ctx.Done()
		}
		return ctx.Err()
	}
	bot := func(id match.ID) *process {
		p := started(t, url, pgjobs.Options{AtOnce: 1, Shows: true}, busy)
		if err := p.store.Create(t.Context(), storagetest.AgainstMachine(t, id, 0, false)); err != nil {
			t.Fatal(err)
		}
		if j := <-p.did; j.Game != id || j.Away {
			t.Fatalf("%+v", j)
		}
		return p
	}
	first, second := bot("1"), bot("2")
	worker := started(t, url, pgjobs.Options{AtOnce: 4}, moves)
	late := func() int { return first.Stuck() + second.Stuck() + worker.Stuck() }
	shown := func(by, asked, other *process, id match.ID) {
		t.Helper()
		before := late()
		if err := asked.store.Create(t.Context(), storagetest.AgainstMachine(t, id, 0, false)); err != nil {
			t.Fatal(err)
		}
		for {
			select {
			case j := <-by.did:
				if j.Kind == storage.JobShow && j.Game == id {
					return
				}
			case j := <-other.did:
				if j.Kind != storage.JobShow || j.Game != id {
					continue // what was under way all the time
				}
				if late() == before {
					t.Errorf("%s was shown by the wrong process", id)
				}
				return // this machine is slow
			}
		}
	}
	shown(first, first, second, "3")
	shown(second, second, first, "4")
	shown(first, first, second, "5")
	second.stop()
	shown(first, second, second, "6")
	for len(worker.did) > 0 {
		if j := <-worker.did; j.Kind != storage.JobThink || !j.Away {
			t.Errorf("the worker was given %+v", j)
		}
	}
}

func TestProcessesMakeTheTablesTogether(t *testing.T) {
	url := pgtest.New(t)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			store, err := pgstore.Open(t.Context(), url, pgstore.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer store.Close()
			if _, err := pgjobs.Open(t.Context(), store, pgjobs.Options{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
