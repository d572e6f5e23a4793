package pgjobs

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// When jobs are handed out again.
const (
	// stuckAfter is after how long a job that is under way is taken from whoever has it.
	// The strongest level thinks for a fraction of a second.
	stuckAfter = 4 * time.Second
	// leftAfter is after how long any process may show what one of them was to show.
	leftAfter = 1500 * time.Millisecond
	// ahead is by how much the clock of a process may be ahead of the server's.
	ahead     = 2 * time.Second
	mendEvery = time.Second
	mendTime  = 2 * time.Second
)

// Run implements [storage.Jobs]. While the database does not answer it goes on trying.
func (j *Jobs) Run(ctx context.Context, do func(context.Context, storage.Job) error) error {
	j.do, j.stop = do, ctx
	work := context.WithoutCancel(ctx)
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		err := j.client.Start(work)
		if err == nil {
			break
		}
		j.log.WarnContext(ctx, "could not begin to look for jobs; will retry", "err", err)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
	var mending sync.WaitGroup
	mending.Go(func() { j.mend(ctx) })
	<-ctx.Done()
	mending.Wait()
	ending, cancel := context.WithTimeout(work, stopTime)
	defer cancel()
	if err := j.client.StopAndCancel(ending); err != nil {
		j.log.WarnContext(ctx, "some jobs were not given back; others will take them", "err", err)
	}
	return nil
}

// under is what a call of do is about.
type under struct {
	from string // the process that shows the game, "" for any
	away bool   // it is another one
}

type underKey struct{}

// work does a job that River hands out.
func (j *Jobs) work(ctx context.Context, kind storage.JobKind, a args) error {
	own := under{from: a.From}
	if own.from == "" && j.opt.Shows {
		own.from = j.name
	}
	own.away = kind == storage.JobThink && (!j.opt.Shows || own.from != j.name)
	ctx, cancel := context.WithCancel(context.WithValue(ctx, underKey{}, own))
	defer cancel()
	defer context.AfterFunc(j.stop, cancel)()
	job := storage.Job{Kind: kind, Game: match.ID(a.Game), Version: a.Version, Share: a.Share, Away: own.away}
	err := j.do(ctx, job)
	if err != nil && j.stop.Err() != nil {
		return river.JobSnooze(0) // another process does it
	}
	return err
}

// doing says what a save is about: the job that it belongs to, or somebody's press, which
// this process answers.
func (j *Jobs) doing(ctx context.Context) under {
	own, ok := ctx.Value(underKey{}).(under)
	if !ok && j.opt.Shows {
		own.from = j.name
	}
	return own
}

// stuck hands out again what has been under way for too long, and what a clock that is
// ahead has put off; left is what the process that it is for does not show.
const (
	stuck = `update river_job set state = 'available', scheduled_at = now()
		where state = 'running' and attempted_at < now() - $1::interval or state = 'available' and scheduled_at > now() + $2::interval`
	left = `update river_job set queue = $1 where state = 'available' and starts_with(queue, $2) and created_at < now() - $3::interval`
)

// mend hands out again, until ctx ends, what nobody gets on with. Each process does so,
// as it may be the only one.
func (j *Jobs) mend(ctx context.Context) {
	tick := time.NewTicker(mendEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := j.change(ctx, stuck, stuckAfter, ahead)
		if err == nil {
			err = j.change(ctx, left, showing, shownBy, leftAfter)
		}
		if err != nil && ctx.Err() == nil {
			j.log.WarnContext(ctx, "could not look for jobs that nobody gets on with; will retry", "err", err)
		}
	}
}

func (j *Jobs) change(ctx context.Context, sql string, with ...any) error {
	ctx, cancel := context.WithTimeout(ctx, mendTime)
	defer cancel()
	tag, err := j.pool.Exec(ctx, sql, with...)
	j.again.Add(tag.RowsAffected())
	return err
}

// soon tries a job that has failed again in a second.
type soon struct{}

func (soon) NextRetry(*rivertype.JobRow) time.Time { return time.Now().Add(time.Second) }

// told says in the log which jobs fail.
type told struct{ log *slog.Logger }

func (t told) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	t.log.ErrorContext(ctx, "a job has failed; will retry", "kind", job.Kind, "job", job.ID, "attempt", job.Attempt, "err", err)
	return nil
}

func (t told) HandlePanic(ctx context.Context, job *rivertype.JobRow, panicked any, trace string) *river.ErrorHandlerResult {
	t.log.ErrorContext(ctx, "a job has panicked; will retry", "kind", job.Kind, "job", job.ID, "panic", panicked, "stack", trace)
	return nil
}

// atLeast keeps River's own lines out of the log unless they are warnings: it tells at
// length how it starts and stops.
type atLeast struct{ slog.Handler }

func (a atLeast) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && a.Handler.Enabled(ctx, l)
}

func (a atLeast) WithAttrs(attrs []slog.Attr) slog.Handler {
	return atLeast{a.Handler.WithAttrs(attrs)}
}
func (a atLeast) WithGroup(name string) slog.Handler { return atLeast{a.Handler.WithGroup(name)} }
