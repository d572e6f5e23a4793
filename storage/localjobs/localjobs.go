// Package localjobs does jobs in the process that knows of them: for a program that has
// its games to itself.
//
// # Design
//
// Shares (servers, or channels of direct messages) take turns in a ring ([Queue]), so that
// a thousand games on one server delay another server's game by one job for each that is
// done at the same time. The queue is in memory and bounded. A job that does not fit or
// goes with the process is not lost: what is due stands in the games' records, and whoever
// looks there adds it again.
//
// Package bot/turns serves its searches in the same rotation.
package localjobs

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/lascabot/lascabot/storage"
)

// How many jobs may wait.
const (
	perShare = 1000
	total    = 10_000
)

// Jobs are [storage.Jobs] in this process. Make them with [New].
type Jobs struct {
	queue   *Queue[storage.Job]
	workers int
	log     *slog.Logger
}

var _ storage.Jobs = (*Jobs)(nil)

// New makes jobs of which so many are done at the same time, at least one.
func New(workers int, log *slog.Logger) *Jobs {
	return &Jobs{NewQueue[storage.Job](perShare, total), max(workers, 1), log}
}

// Saved implements [storage.Jobs].
func (l *Jobs) Saved(ctx context.Context, r *storage.Record) error {
	j, ok := storage.JobOf(r)
	if !ok {
		return nil
	}
	_, err := l.Add(ctx, j)
	return err
}

// Add implements [storage.Jobs].
func (l *Jobs) Add(_ context.Context, jobs ...storage.Job) (added int, err error) {
	for _, j := range jobs {
		key := fmt.Sprintf("%s %s %d", j.Kind, j.Game, j.Version)
		one, err := l.queue.Put(Item[storage.Job]{Key: key, Share: j.Share, Value: j})
		if err != nil {
			return added, err
		}
		if one {
			added++
		}
	}
	return added, nil
}

// Stuck implements [storage.Jobs]: there is nobody else to take a job from.
func (l *Jobs) Stuck() int { return 0 }

// Run implements [storage.Jobs]. A job that fails is dropped.
func (l *Jobs) Run(ctx context.Context, do func(context.Context, storage.Job) error) error {
	defer context.AfterFunc(ctx, l.queue.Close)()
	var wg sync.WaitGroup
	for range l.workers {
		wg.Go(func() {
			for {
				i, ok := l.queue.Take()
				if !ok {
					return
				}
				if err := do(ctx, i.Value); err != nil && ctx.Err() == nil {
					l.log.ErrorContext(ctx, "a job has failed; will retry", "kind", i.Value.Kind, "game", i.Value.Game, "version", i.Value.Version, "err", err)
				}
				l.queue.Idle()
				l.queue.Done(i.Key)
			}
		})
	}
	wg.Wait()
	return nil
}
