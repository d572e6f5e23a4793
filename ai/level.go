package ai

import (
	"math/bits"

	"github.com/lascabot/lascabot/engine"
)

// Level is a strength for people to choose, 1 (a child who knows the rules can
// win) to 8. Level 0 is no level: as strong as the limits allow.
type Level int

// Levels returns the levels, the weakest first.
func Levels() []Level {
	out := make([]Level, len(profiles))
	for i := range out {
		out[i] = Level(i + 1)
	}
	return out
}

// Nodes returns how many positions a level looks at for one move. Levels are
// bounded by positions, not by time, so that a busy machine does not weaken
// them.
func (l Level) Nodes() int64 {
	if l < 1 || int(l) > len(profiles) {
		return 0
	}
	return l.profile().nodes
}

// Rating returns how strong a level is, in Elo above a player that draws its
// moves by lot, as measured by matches of neighbouring levels; 0 for no level.
// Long ladders add up errors: the distance of neighbours is the better known
// part of it.
func (l Level) Rating() int {
	if l < 1 || int(l) > len(profiles) {
		return 0
	}
	return l.profile().rating
}

// profile is how a level plays.
type profile struct {
	nodes  int64
	rating int
	depth  int // plies, 0 for no limit
	// What it overlooks, in thousandths: captures of two jumps and more, jumps
	// backwards, jumps that free a column, and other moves. All by half on the
	// board itself.
	long, back, free, other int
	// How far its judgement of a position is off, in points either way, and
	// how much of it is only the count of pieces, in thousandths.
	error, greed int
}

func (l Level) profile() *profile { return &profiles[l-1] }

// profiles are the levels. The ladder that the ratings come from, 200 games a
// pair under the open rules from even openings of eight plies,
// both colours, played to the end; Elo with its 95 % range:
//
//	1 - random   +192   =4   -4   97.0 %   +604 (+502..+850)
//	2 - 1        +130  =56  -14   79.0 %   +230 (+189..+278)
//	3 - 2        +143  =27  -30   78.2 %   +222 (+174..+280)
//	4 - 3        +151  =15  -34   79.2 %   +233 (+180..+298)
//	5 - 4        +146  =20  -34   78.0 %   +220 (+173..+275)
//	6 - 5        +139  =35  -26   78.2 %   +222 (+175..+278)
//	7 - 6        +132  =58  -10   80.5 %   +246 (+204..+295)
//	8 - 7        +113  =81   -6   76.8 %   +207 (+176..+242)
var profiles = [...]profile{
	{rating: 604, nodes: 30, depth: 1, long: 500, back: 500, free: 340, other: 265, error: 125, greed: 1000},
	{rating: 834, nodes: 80, depth: 2, long: 312, back: 312, free: 218, other: 172, error: 93, greed: 765},
	{rating: 1056, nodes: 200, depth: 3, long: 195, back: 195, free: 141, other: 109, error: 58, greed: 470},
	{rating: 1289, nodes: 600, depth: 4, long: 115, back: 115, free: 75, other: 57, error: 38, greed: 260},
	{rating: 1509, nodes: 1800, depth: 6, long: 50, back: 50, free: 33, other: 25, error: 20, greed: 100},
	{rating: 1731, nodes: 5200, depth: 8, long: 20, back: 20, free: 12, other: 10, error: 12, greed: 30},
	{rating: 1977, nodes: 9200},
	{rating: 2184, nodes: 40000},
}

// sight is what keeps a level from seeing everything. It depends on the seed
// and the position only, so that what is overlooked once stays overlooked, as
// with people, and the same task gives the same report.
type sight struct {
	profile
	seed uint64
	salt uint64 // keeps its scores apart in the table
}

func (l Level) sight(seed uint64) *sight {
	p := l.profile()
	s := &sight{profile: *p, seed: scramble(seed ^ uint64(l)<<56)}
	s.salt = s.seed | 1
	return s
}

// scramble spreads a number's bits (splitmix64's finisher).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// chance returns in thousandths how likely a move is to be overlooked.
func (s *sight) chance(p *engine.Position, m engine.Move) int {
	backward := p.Turn() == engine.White && m.Bit(1) < m.Bit(0) || p.Turn() == engine.Black && m.Bit(1) > m.Bit(0)
	c := s.other
	if m.IsCapture() {
		if n := m.Jumps(); n >= 2 {
			c = max(c, min(s.long*n/2, 900))
		}
		if loot(p, m) > 6*int32(m.Jumps()) { // more than what it takes: something is freed
			c = max(c, s.free)
		}
	}
	if backward {
		c = max(c, s.back)
	}
	return c
}

// overlook takes the moves that are not seen out of a node's list. One always
// stays. What stands on the board is overlooked half as often as what has to be
// imagined.
func (s *sight) overlook(n *node, onBoard bool) {
	if s.long+s.back+s.free+s.other == 0 {
		return
	}
	h := n.pos.Hash() ^ s.seed
	of := uint64(1000)
	if onBoard {
		of = 2000
	}
	kept := 0
	for _, m := range n.moves[:n.n] {
		if int(scramble(h^uint64(m))>>11%of) < s.chance(&n.pos, m) {
			continue
		}
		n.moves[kept] = m
		kept++
	}
	n.n = max(kept, 1)
}

// misjudge bends the static value of a node.
func (s *sight) misjudge(n *node, v int) int {
	if s.greed > 0 {
		v = (v*(1000-s.greed) + count(&n.pos)*s.greed) / 1000
	}
	if s.error > 0 {
		h := scramble(n.pos.Hash() ^ s.seed)
		v += (int(h%uint64(s.error+1)) + int(h>>32%uint64(s.error+1))) - s.error
	}
	return v
}

// count is how a beginner counts: a column is worth its commander, and a little
// for every man below.
func count(p *engine.Position) int {
	v := 0
	for c, sign := engine.White, 1; c <= engine.Black; c, sign = c+1, -1 {
		own := p.Commanded(c)
		for m := own; m != 0; m &= m - 1 {
			b := bits.TrailingZeros32(m)
			s := p.StackAt(b)
			v += sign * (100 + 30*int(s>>1&1) + 12*(s.Height()-1))
		}
	}
	if p.Turn() == engine.Black {
		return -v
	}
	return v
}

// A level that errs still opens in different ways: during the first plies it
// picks by the seed among moves that are nearly as good as the best.
const (
	varyPlies = 8
	varyLines = 3
	varyBy    = 60 // points
)

// lines returns how many moves the level wants scores of.
func (l Level) lines(p *engine.Position) int {
	if opening(p) {
		return varyLines
	}
	return 1
}

// opening reports whether a game has just begun. The small endings that are
// searched in full do not count, though they mostly begin at move 1: one move
// may be the only right one there.
func opening(p *engine.Position) bool {
	plies := 2 * (p.Number() - 1)
	if p.Turn() == engine.Black {
		plies++
	}
	return plies < varyPlies && countPieces(p) > fullPieces
}

// choose picks the move that a level plays. What is proven is no matter of taste.
func (l Level) choose(t *Task, moves []rootMove) *rootMove {
	if best := moves[0].score; !opening(&t.Position) || best >= provenFrom || best <= -provenFrom {
		return &moves[0]
	}
	n := 1
	for n < min(varyLines, len(moves)) && len(moves[n].line) > 0 && moves[0].score-moves[n].score <= varyBy {
		n++
	}
	return &moves[scramble(t.Seed^t.Position.Hash())%uint64(n)]
}
