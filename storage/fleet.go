package storage

import (
	"context"
	"time"
)

// Lease is a name that an owner has for a while, such as a shard of the connection to
// Discord.
type Lease struct {
	Name  string
	Owner string
	Left  time.Duration // until it runs out, unless it is renewed
	Note  string        // what the owner says about itself or the name
}

// ClaimsKept is how long a fleet remembers who has claimed what, at least: longer than
// Discord lets an interaction be answered.
const ClaimsKept = 20 * time.Minute

// Fleet is what equal processes that share a store divide their work by. All times are
// by the store's own clock, so those of the processes need not agree. All methods may be
// called from several goroutines and may be repeated when it is not known whether they
// came about. Their errors are those that every method of [Store] may return.
//
// A lease does not keep anybody from anything: a process that was frozen may think that
// it still has one. Whoever relies on it counts, by its own monotonic clock, from before
// it asked, and stops before the term is over.
type Fleet interface {
	// Hold gives an owner those of some names that nobody else has, for a term from now
	// on, with a note, and renews those that it has already. It returns the names that
	// the owner has now, in the order in which they were given. Other names that it has
	// run on as they are.
	Hold(ctx context.Context, owner string, term time.Duration, note string, names ...string) ([]string, error)
	// Release frees those of some names that an owner has.
	Release(ctx context.Context, owner string, names ...string) error
	// Leases returns the leases that have not run out, sorted by name.
	Leases(ctx context.Context) ([]Lease, error)
	// Reserve gives out moments that are a time apart: it returns how long to wait for
	// the next one, which is the caller's alone.
	Reserve(ctx context.Context, name string, every time.Duration) (time.Duration, error)
	// Claim reports whether an owner is the one who has claimed an ID first. So a
	// claim whose outcome is unknown can be repeated. IDs may be forgotten after
	// [ClaimsKept].
	Claim(ctx context.Context, owner, id string) (bool, error)
}
