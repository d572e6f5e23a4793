package ai

import "sync/atomic"

// bound says what a stored score means.
type bound uint8

const (
	noBound bound = iota // nothing; only the move is worth keeping
	upper                // the value is at most the score
	lower                // the value is at least the score
	exact
)

// entry is what the table knows about a position.
type entry struct {
	move  int // index of the best move in the position's list, or noMove
	score int
	depth int // plies that were searched
	bound bound
}

// cuts reports whether the score is outside a window, or is exact.
func (e *entry) cuts(alpha, beta int) bool {
	return e.bound == exact || e.bound == lower && e.score >= beta || e.bound == upper && e.score <= alpha
}

// refine returns the stored score instead of a static value where it says more.
func (e *entry) refine(static int) int {
	if e.score < provenFrom && e.score > -provenFrom &&
		(e.bound == exact || e.bound == lower && e.score > static || e.bound == upper && e.score < static) {
		return e.score
	}
	return static
}

const (
	noMove     = 255
	bucketSize = 8
	ages       = 64
)

// table is the transposition table. Every entry is one word, so several
// goroutines can use it without locks: they read either the old entry or the new
// one. The bits, from the low end: score 16, depth 8, move 8, bound 2, age 6,
// check 24.
type table struct {
	buckets []bucket
	age     uint64
	fresh   bool // ignore entries of earlier searches
}

type bucket [bucketSize]atomic.Uint64

func newTable(bytes int) *table {
	t := &table{buckets: make([]bucket, max(1, bytes/(8*bucketSize)))}
	wantHugePages(t.buckets)
	t.clear() // touch all pages now: the system provides them only then, which slows a search
	return t
}

// next begins a search. A fresh search does not see what was stored before, so
// the same search gives the same result.
func (t *table) next(fresh bool) {
	t.fresh = fresh
	t.age++
	if t.age == ages {
		t.clear()
	}
}

func (t *table) clear() {
	clear(t.buckets)
	t.age = 1
}

func (t *table) bucket(key uint64) *bucket {
	return &t.buckets[(key&0xffffffff)*uint64(len(t.buckets))>>32]
}

// probe returns what the table knows about a position. If that is nothing, the
// entry has noMove and noBound.
func (t *table) probe(key uint64) entry {
	b := t.bucket(key)
	for i := range b {
		w := b[i].Load()
		if w>>40 == key>>40 && w != 0 {
			if t.fresh && w>>34&(ages-1) != t.age {
				continue
			}
			return entry{
				score: int(int16(w)), depth: int(uint8(w >> 16)), move: int(uint8(w >> 24)), bound: bound(w >> 32 & 3),
			}
		}
	}
	return entry{move: noMove}
}

// store keeps an entry, in place of the least useful one of its bucket. An entry
// without a move keeps the move that was known before.
func (t *table) store(key uint64, e entry) {
	b := t.bucket(key)
	slot, worst := 0, 1<<20
	for i := range b {
		w := b[i].Load()
		age := w >> 34 & (ages - 1)
		if w>>40 == key>>40 && w != 0 && !(t.fresh && age != t.age) {
			if e.move == noMove {
				e.move = int(uint8(w >> 24))
			}
			slot = i
			break
		}
		worth := -1000
		if w != 0 && age == t.age {
			worth = int(uint8(w >> 16))
		} else if w != 0 && !t.fresh {
			worth = int(uint8(w>>16)) - 4*int((t.age-age)&(ages-1))
		}
		if worth < worst {
			slot, worst = i, worth
		}
	}
	b[slot].Store(uint64(uint16(e.score)) | uint64(uint8(min(max(e.depth, 0), 255)))<<16 | uint64(uint8(e.move))<<24 |
		uint64(e.bound)<<32 | t.age<<34 | key>>40<<40)
}
