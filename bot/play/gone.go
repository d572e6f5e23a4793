package play

import (
	"hash/maphash"
	"sync"
	"time"

	"github.com/lascabot/lascabot/engine/match"
)

// goneTime is for how long it is remembered that somebody's data was deleted: longer
// than Discord lets an interaction be answered.
const goneTime = 20 * time.Minute

// gone remembers when people's data was deleted, by hashes, so that it keeps nobody's
// ID. What was asked for before a deletion and is only now decided would bring the
// person back. It does not outlive the program, and neither does what was asked of it.
type gone struct {
	seed maphash.Seed

	mu sync.Mutex
	at map[uint64]time.Time
}

func newGone() gone { return gone{seed: maphash.MakeSeed(), at: map[uint64]time.Time{}} }

// leaves notes that nothing is stored about a person any more.
func (g *gone) leaves(who match.UserID, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for key, at := range g.at {
		if now.Sub(at).Abs() > goneTime {
			delete(g.at, key)
		}
	}
	g.at[maphash.String(g.seed, string(who))] = now.Truncate(time.Millisecond) // as fine as Discord's IDs
}

// since reports whether a person's data was deleted after something was asked for; a
// zero time is now.
func (g *gone) since(who match.UserID, asked time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	at, known := g.at[maphash.String(g.seed, string(who))]
	return known && !asked.IsZero() && asked.Before(at)
}
