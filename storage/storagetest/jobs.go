package storagetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// JobsOpener opens jobs, of which so many are done at the same time, and an empty store
// whose saves they follow. The contract closes neither.
type JobsOpener func(t testing.TB, atOnce int) (storage.Jobs, storage.Store)

// RunJobs runs the contract that every form of jobs must meet.
func RunJobs(t *testing.T, open JobsOpener) {
	for _, tt := range []struct {
		name   string
		atOnce int
		test   func(*testing.T, storage.Jobs, storage.Store)
	}{
		{"each job is done once, those of before too", 4, jobsDone},
		{"a job that waits or is being done is not added again", 4, jobsUnique},
		{"a job can be added again once it is done", 4, jobsAgain},
		{"a flood of one share does not hold up another", 1, jobsFair},
		{"a job that fails does not hold up the others", 1, jobsFail},
		{"a stop ends what is being done and waits for it", 4, jobsStop},
		{"a save brings the machine's job once, one that is refused brings none", 4, jobsSaved},
	} {
		t.Run(tt.name, func(t *testing.T) {
			jobs, store := open(t, tt.atOnce)
			tt.test(t, jobs, store)
		})
	}
}

// work runs jobs until stop or the end of the test.
func work(t *testing.T, jobs storage.Jobs, do func(context.Context, storage.Job) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- jobs.Run(ctx, do) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

func thought(i int) storage.Job {
	return storage.Job{Kind: storage.JobThink, Game: match.ID(fmt.Sprint("m", i)), Version: 1, Share: "s"}
}

// adds adds jobs and checks how many were added.
func adds(t *testing.T, jobs storage.Jobs, want int, list ...storage.Job) {
	t.Helper()
	if added, err := jobs.Add(t.Context(), list...); added != want || err != nil {
		t.Errorf("added %d of %d, want %d: %v", added, len(list), want, err)
	}
}

func jobsDone(t *testing.T, jobs storage.Jobs, _ storage.Store) {
	const n = 30
	left := map[string]bool{}
	var list []storage.Job
	key := func(j storage.Job) string { return fmt.Sprint(j.Kind, " ", j.Game, " ", j.Version) }
	for i := range n {
		j := thought(i)
		if i%3 == 0 {
			j.Kind = storage.JobShow
		}
		list = append(list, j)
		left[key(j)] = true
	}
	adds(t, jobs, n/2, list[:n/2]...)
	did := make(chan storage.Job, 2*n)
	stop := work(t, jobs, func(_ context.Context, j storage.Job) error { did <- j; return nil })
	adds(t, jobs, n/2, list[n/2:]...)
	for range n {
		j := <-did
		if !left[key(j)] {
			t.Errorf("%s was done twice, or was never added", key(j))
		}
		delete(left, key(j))
	}
	stop()
	if len(did) > 0 {
		t.Errorf("%v was done too", <-did)
	}
}

func jobsUnique(t *testing.T, jobs storage.Jobs, _ storage.Store) {
	begun, on := make(chan storage.Job, 10), make(chan struct{})
	adds(t, jobs, 1, thought(1), thought(1))
	adds(t, jobs, 0, thought(1))
	stop := work(t, jobs, func(_ context.Context, j storage.Job) error { begun <- j; <-on; return nil })
	<-begun
	adds(t, jobs, 0, thought(1))
	next, show := thought(1), thought(1)
	next.Version++
	show.Kind = storage.JobShow
	adds(t, jobs, 2, next, thought(1), show)
	<-begun
	<-begun
	close(on)
	stop()
	if len(begun) > 0 {
		t.Errorf("%+v was begun too", <-begun)
	}
}

func jobsAgain(t *testing.T, jobs storage.Jobs, _ storage.Store) {
	did := make(chan storage.Job, 10)
	work(t, jobs, func(_ context.Context, j storage.Job) error { did <- j; return nil })
	for range 3 {
		for added := 0; added == 0; { // a moment passes until it is known that it was done
			var err error
			if added, err = jobs.Add(t.Context(), thought(1)); err != nil {
				t.Fatal(err)
			}
		}
		<-did
	}
}

func jobsFair(t *testing.T, jobs storage.Jobs, _ storage.Store) {
	const many, few = 300, 60
	var flood []storage.Job
	for i := range many {
		flood = append(flood, thought(i))
	}
	adds(t, jobs, many, flood...)
	other := thought(many)
	other.Share = "another"
	adds(t, jobs, 1, other)
	before, found := 0, make(chan int, 1)
	work(t, jobs, func(_ context.Context, j storage.Job) error {
		if j.Game == other.Game {
			found <- before
		}
		before++
		return nil
	})
	if n := <-found; n > few {
		t.Errorf("%d jobs of the other share came first", n)
	}
}

func jobsFail(t *testing.T, jobs storage.Jobs, _ storage.Store) {
	did := make(chan storage.Job, 100)
	adds(t, jobs, 3, thought(0), thought(1), thought(2))
	work(t, jobs, func(_ context.Context, j storage.Job) error {
		if j.Game == "m0" {
			return errors.New("failed")
		}
		did <- j
		return nil
	})
	<-did
	<-did
}

func jobsStop(t *testing.T, jobs storage.Jobs, _ storage.Store) {
	begun, ended := make(chan struct{}, 10), make(chan struct{}, 10)
	stop := work(t, jobs, func(ctx context.Context, _ storage.Job) error {
		begun <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return ctx.Err()
	})
	adds(t, jobs, 1, thought(1))
	<-begun
	stop()
	if len(ended) != 1 {
		t.Error("Run has returned before the job had ended")
	}
}

func jobsSaved(t *testing.T, jobs storage.Jobs, store storage.Store) {
	did := make(chan storage.Job, 10)
	stop := work(t, jobs, func(_ context.Context, j storage.Job) error { did <- j; return nil })
	create := func(r storage.Record) error {
		err := store.Create(t.Context(), r)
		if err == nil {
			must(t, jobs.Saved(t.Context(), &r))
		}
		return err
	}
	hers := AgainstMachine(t, "hers", 0, true) // she is to move
	must(t, create(hers))
	its := AgainstMachine(t, "its", 0, false)
	must(t, create(its))
	if err := create(its); !errors.Is(err, storage.ErrExists) {
		t.Errorf("created twice: %v", err)
	}
	next := hers
	start := hers.Match.Game().Position()
	next.Match = Apply(t, hers.Match, match.Play{By: hers.Match.Turn(), Move: start.Moves()[0]})
	if err := store.Save(t.Context(), next.Match, hers.Match.Version+7); !errors.Is(err, storage.ErrConflict) {
		t.Errorf("an old version was saved: %v", err)
	}
	if j := <-did; j.Kind != storage.JobThink || j.Game != "its" || j.Version != its.Match.Version || j.Share != "g" {
		t.Errorf("the job is %+v", j)
	}
	must(t, store.Save(t.Context(), next.Match, hers.Match.Version))
	must(t, jobs.Saved(t.Context(), &next))
	if j := <-did; j.Game != "hers" || j.Version != next.Match.Version {
		t.Errorf("the job is %+v", j)
	}
	stop()
	if len(did) > 0 {
		t.Errorf("%+v was done too", <-did)
	}
}
