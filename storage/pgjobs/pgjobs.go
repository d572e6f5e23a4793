package pgjobs

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/pgstore"
)

// How River works here.
const (
	cooldown = 2 * time.Millisecond   // between two looks for jobs after a notification
	poll     = 200 * time.Millisecond // without one
	kept     = time.Minute            // finished jobs
	attempts = 5
	addTime  = 5 * time.Second
	stopTime = 4 * time.Second // for calls that have been told to end
	// showAtOnce is how many boards are looked at at the same time. Showing them is not
	// waited for.
	showAtOnce = 16
)

// The queues. What a certain process is to show is in one of its own.
const (
	thinking = "think"
	showing  = "show"
	shownBy  = "show_" // and the process
)

// Options say what a process does.
type Options struct {
	AtOnce int  // jobs to think that are under way in it at the same time, at least 1
	Shows  bool // it talks to Discord: what it has saved itself, it shows itself
	Log    *slog.Logger
}

// Jobs are [storage.Jobs] in the database of a store. Make them with [Open].
type Jobs struct {
	opt    Options
	log    *slog.Logger
	name   string // of this process, in names of queues
	pool   *pgxpool.Pool
	client *river.Client[pgx.Tx]
	turns  turns
	again  atomic.Int64 // jobs handed out again

	do   func(context.Context, storage.Job) error
	stop context.Context // ends when Run is to
}

var _ storage.Jobs = (*Jobs)(nil)

// args is the stored form of a job.
type args struct {
	Game    []byte `json:"game" river:"unique"`
	Version uint64 `json:"version" river:"unique"`
	Share   string `json:"share"`
	// From is the process that has answered the last press in the game, "" if none has.
	From string `json:"from,omitempty"`
}

type thinkArgs struct{ args }

// Kind implements river.JobArgs.
func (thinkArgs) Kind() string { return string(storage.JobThink) }

type showArgs struct{ args }

// Kind implements river.JobArgs.
func (showArgs) Kind() string { return string(storage.JobShow) }

// states are those in which a job is not done yet.
var states = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning, rivertype.JobStateRetryable, rivertype.JobStateScheduled,
}

// Open makes River's tables, or brings them up to date, and has every save of a store add
// the jobs that follow from it, in one transaction. It is called before the store is used,
// and once for each. Errors are those of pgstore.Open.
func Open(ctx context.Context, store *pgstore.Store, o Options) (*Jobs, error) {
	driver := riverpgxv5.New(store.Pool())
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	log := slog.New(atLeast{o.Log.Handler()})
	tables, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: log})
	if err != nil {
		return nil, err
	}
	err = store.Migrate(ctx, func(ctx context.Context) error {
		_, err := tables.Migrate(ctx, rivermigrate.DirectionUp, nil)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the tables of jobs: %w", err)
	}
	pooled, err := store.Pooled(ctx)
	if err != nil {
		return nil, err
	}
	j := &Jobs{opt: o, log: o.Log, name: strconv.FormatUint(rand.Uint64(), 36), pool: store.Pool()}
	// Each process knows every kind, whatever it does: River's leader discards jobs of
	// kinds that it does not know when it finds them stuck.
	workers := river.NewWorkers()
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, job *river.Job[thinkArgs]) error {
		return j.work(ctx, storage.JobThink, job.Args.args)
	}))
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, job *river.Job[showArgs]) error {
		return j.work(ctx, storage.JobShow, job.Args.args)
	}))
	queues := map[string]river.QueueConfig{thinking: {MaxWorkers: max(1, o.AtOnce)}}
	if o.Shows {
		queues[showing] = river.QueueConfig{MaxWorkers: showAtOnce}
		queues[shownBy+j.name] = river.QueueConfig{MaxWorkers: showAtOnce}
	}
	j.client, err = river.NewClient(driver, &river.Config{
		Logger: log, Workers: workers, Queues: queues, FetchCooldown: cooldown, FetchPollInterval: poll, PollOnly: pooled,
		Hooks:       []rivertype.Hook{river.HookInsertBeginFunc(atOnce)},
		MaxAttempts: attempts, RetryPolicy: soon{}, ErrorHandler: told{o.Log},
		CompletedJobRetentionPeriod: kept, CancelledJobRetentionPeriod: kept, DiscardedJobRetentionPeriod: time.Hour,
		FetchOnlyKnownKinds: true, // while a newer program is rolled out, that one has more
	})
	if err != nil {
		return nil, err
	}
	store.OnSave(j.saved)
	return j, nil
}

// Saved implements [storage.Jobs]. The save has added the job itself.
func (j *Jobs) Saved(context.Context, *storage.Record) error { return nil }

// Stuck implements [storage.Jobs].
func (j *Jobs) Stuck() int { return int(j.again.Load()) }

// saved adds the jobs that follow from a save to its transaction.
func (j *Jobs) saved(ctx context.Context, tx pgx.Tx, r *storage.Record) error {
	var list []river.InsertManyParams
	own := j.doing(ctx)
	if next, ok := storage.JobOf(r); ok {
		list = append(list, j.params(next, own.from))
	}
	if own.away {
		list = append(list, j.params(storage.Job{Kind: storage.JobShow, Game: r.Match.ID, Version: r.Match.Version, Share: r.Share()}, own.from))
	}
	if len(list) == 0 {
		return nil
	}
	_, err := j.client.InsertManyFastTx(ctx, tx, list)
	return err
}

// longAgo has come by every clock: River would take that of the process, which may be
// ahead of the server's. So jobs of a priority are taken by their numbers.
var longAgo = time.Unix(0, 0)

// atOnce is called for each job that is added.
func atOnce(_ context.Context, p *rivertype.JobInsertParams) error {
	p.ScheduledAt = &longAgo
	return nil
}

// params is a job as River stores it. What a process is to show is in that one's queue.
func (j *Jobs) params(job storage.Job, from string) river.InsertManyParams {
	a := args{Game: []byte(job.Game), Version: job.Version, Share: job.Share, From: from}
	o := &river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: states}}
	if job.Kind == storage.JobThink {
		o.Queue, o.Priority = thinking, j.turns.priority(job.Share)
		return river.InsertManyParams{Args: thinkArgs{a}, InsertOpts: o}
	}
	if o.Queue = showing; from != "" {
		o.Queue = shownBy + from
	}
	return river.InsertManyParams{Args: showArgs{a}, InsertOpts: o}
}

// undone selects the jobs that are not done yet.
const undone = `select kind, args->>'game', (args->>'version')::bigint from river_job where state = any ($1::text[]::river_job_state[])`

// Add implements [storage.Jobs]. It first looks which jobs there are: River writes to
// the row of each that it finds again.
func (j *Jobs) Add(ctx context.Context, jobs ...storage.Job) (added int, err error) {
	ctx, cancel := context.WithTimeout(ctx, addTime)
	defer cancel()
	type key struct {
		kind, game string
		version    int64
	}
	rows, err := j.pool.Query(ctx, undone, names(states))
	if err != nil {
		return 0, pgstore.Translate(err)
	}
	known := map[key]bool{}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (k key, err error) {
		return k, row.Scan(&k.kind, &k.game, &k.version)
	})
	if err != nil {
		return 0, pgstore.Translate(err)
	}
	for _, k := range list {
		known[k] = true
	}
	var missing []river.InsertManyParams
	for _, job := range jobs {
		k := key{string(job.Kind), base64.StdEncoding.EncodeToString([]byte(job.Game)), int64(job.Version)}
		if !known[k] {
			missing = append(missing, j.params(job, ""))
			known[k] = true
		}
	}
	if len(missing) == 0 {
		return 0, nil
	}
	results, err := j.client.InsertMany(ctx, missing)
	for _, r := range results {
		if !r.UniqueSkippedAsDuplicate {
			added++
		}
	}
	return added, pgstore.Translate(err)
}

func names(states []rivertype.JobState) (list []string) {
	for _, s := range states {
		list = append(list, string(s))
	}
	return list
}
