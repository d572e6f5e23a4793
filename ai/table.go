package ai

import "sync/atomic"

// bound says what a stored score is.
type bound uint8

const (
	noBound bound = iota // the move is worth keeping, the score is not
	upper
	lower
	exact
)

// entry is what the table knows of a position.
type entry struct {
	move  int // index of the move in the position's list, or noMove
	score int
	depth int
	bound bound
}

// cuts reports whether the score is outside a window, or is exact.
func (e *entry) cuts(alpha, beta int) bool {
	return e.bound == exact || e.bound == lower && e.score >= beta || e.bound == upper && e.score <= alpha
}

// refine returns the better estimate of a static value and the stored score.
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

// table is the transposition table. Every entry is one word, so that several
// goroutines may use it without locks: a word is either wholly the old or
// wholly the new entry. From the low bits: score 16, depth 8, move 8, bound 2,
// age 6, check 24.
type table struct {
	buckets []bucket
	age     uint64
	fresh   bool // entries of earlier searches do not count
}

type bucket [bucketSize]atomic.Uint64

func newTable(bytes int) *table {
	t := &table{buckets: make([]bucket, max(1, bytes/(8*bucketSize)))}
	wantHugePages(t.buckets)
	t.clear() // the system hands pages out when they are touched: not during a search
	return t
}

// next begins a search. When it is fresh nothing stored before is seen, so
// that the same search gives the same result.
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

// probe returns what is known of a position, nothing but noMove if it is not in
// the table.
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
