package storage

import (
	"context"
	"errors"

	"github.com/lascabot/lascabot/engine/match"
)

// ErrFull means that too much work waits for one more. It stays due in the store.
var ErrFull = errors.New("too much work is waiting")

// JobKind says what is to be done in a game.
type JobKind string

// The kinds of jobs. A job only ever says sooner what the game's record says too
// ([Record.Due]), so it may be lost or done twice.
const (
	// JobThink is that the machine has to act: [DueMachine].
	JobThink JobKind = "think"
	// JobShow is that the game's screen is behind: [DueScreen].
	JobShow JobKind = "show"
)

// Job is work in a game that need not be done by the process that knows of it.
type Job struct {
	Kind    JobKind
	Game    match.ID
	Version uint64 // that the game has; at another, there is nothing to be done
	Share   string // whose turn it takes: [Record.Share]
	// Away is set in a [JobThink] after whose save another process shows the game. It is
	// told so in one step with that save.
	Away bool
}

// JobOf returns the machine's job in a game, if it has one.
func JobOf(r *Record) (j Job, ok bool) {
	return Job{Kind: JobThink, Game: r.Match.ID, Version: r.Match.Version, Share: r.Share()}, r.Match.MachineDue()
}

// Share says whose turn the work for a game takes: its server's or, where there is none,
// its channel's.
func (r *Record) Share() string {
	if r.Place.Guild != "" {
		return r.Place.Guild
	}
	return r.Place.Channel
}

// Jobs hand out work to whoever can do it, in this process or in another. Shares take
// turns, so that what one of them wants done at once does not keep the others waiting.
// All methods may be called from several goroutines.
type Jobs interface {
	// Saved adds the machine's job in a game that has just been saved by this process,
	// unless the save itself has added it in the same step. It does not wait. The error
	// wraps [ErrFull].
	Saved(ctx context.Context, r *Record) error
	// Add adds those jobs that neither wait nor are being done: jobs of the same kind,
	// game and version are the same. It returns how many it has added. The error wraps
	// [ErrFull], or is one that every method of [Store] may return.
	Add(ctx context.Context, jobs ...Job) (added int, err error)
	// Run calls do for each job, for several at a time, until ctx ends, and returns when
	// all calls have. A job is done once do returns no error; else it may be tried again
	// or dropped. Run may be called once.
	Run(ctx context.Context, do func(context.Context, Job) error) error
	// Stuck returns how many jobs this process has handed out again so far, because
	// whoever had them did not get on.
	Stuck() int
}
