// Package pace limits how often each person may do something.
//
// # Design
//
// Whoever keeps within a limit costs no memory for long: who may do everything
// again needs no entry. Entries are looked through whenever their number has
// doubled, so that the cost of a call stays the same however many people there
// are.
package pace

import (
	"hash/maphash"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/lascabot/lascabot/engine/match"
)

// Limit is how often each person may do something. Its methods may be called from
// several goroutines.
type Limit struct {
	every time.Duration
	burst int
	seed  maphash.Seed

	mu  sync.Mutex
	by  map[uint64]*rate.Limiter // by a hash, so that nobody's ID is kept
	big int                      // the number of entries at which they are looked through
}

// New returns a limit of burst times at once, and then once in every so long.
func New(burst int, every time.Duration) *Limit {
	return &Limit{every: every, burst: burst, seed: maphash.MakeSeed(), by: map[uint64]*rate.Limiter{}, big: leastBig}
}

// leastBig is a number of entries that costs nothing to keep.
const leastBig = 64

// Take counts a person's doing something now, and returns 0; or, where that would
// be too often, counts nothing and returns how long the person has to wait.
func (l *Limit) Take(who match.UserID, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := maphash.String(l.seed, string(who))
	own := l.by[key]
	if own == nil {
		l.tidy(now)
		own = rate.NewLimiter(rate.Every(l.every), l.burst)
		l.by[key] = own
	}
	r := own.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return (wait + time.Millisecond - 1).Truncate(time.Millisecond) // rates are not exact
}

// tidy drops those who may do everything again; l.mu is held.
func (l *Limit) tidy(now time.Time) {
	if len(l.by) < l.big {
		return
	}
	for who, own := range l.by {
		if own.TokensAt(now) >= float64(l.burst) {
			delete(l.by, who)
		}
	}
	l.big = max(leastBig, 2*len(l.by))
}

// Forget drops what is kept about a person, who may then do everything again.
func (l *Limit) Forget(who match.UserID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.by, maphash.String(l.seed, string(who)))
}
