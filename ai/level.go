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
//	1 - random   +192   =2   -6   96.5 %   +576 (+477..+803)
//	2 - 1        +135  =48  -17   79.5 %   +235 (+196..+281)
//	3 - 2        +145  =31  -24   80.2 %   +244 (+196..+301)
//	4 - 3        +145  =18  -37   77.0 %   +210 (+162..+266)
//	5 - 4        +152  =21  -27   81.2 %   +255 (+202..+320)
//	6 - 5        +137  =24  -39   74.5 %   +186 (+142..+237)
//	7 - 6        +144  =31  -25   79.8 %   +238 (+194..+290)
//	8 - 7        +117  =70  -13   76.0 %   +200 (+168..+236)
var profiles = [...]profile{
	{rating: 576, nodes: 30, depth: 1, long: 650, back: 650, free: 500, other: 450, error: 200, greed: 1000},
	{rating: 811, nodes: 80, depth: 2, long: 380, back: 380, free: 270, other: 215, error: 110, greed: 850},
	{rating: 1055, nodes: 200, depth: 3, long: 250, back: 250, free: 180, other: 140, error: 70, greed: 580},
	{rating: 1265, nodes: 500, depth: 4, long: 160, back: 160, free: 105, other: 80, error: 48, greed: 340},
	{rating: 1520, nodes: 1600, depth: 6, long: 62, back: 62, free: 40, other: 30, error: 25, greed: 120},
	{rating: 1706, nodes: 3500, depth: 8, long: 20, back: 20, free: 12, other: 10, error: 12, greed: 30},
	{rating: 1944, nodes: 8000},
	{rating: 2144, nodes: 40000},
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

func opening(p *engine.Position) bool {
	plies := 2 * (p.Number() - 1)
	if p.Turn() == engine.Black {
		plies++
	}
	return plies < varyPlies
}

// choose picks the move that a level plays.
func (l Level) choose(t *Task, moves []rootMove) *rootMove {
	if !opening(&t.Position) {
		return &moves[0]
	}
	n := 1
	for n < min(varyLines, len(moves)) && len(moves[n].line) > 0 && moves[0].score-moves[n].score <= varyBy {
		n++
	}
	return &moves[scramble(t.Seed^t.Position.Hash())%uint64(n)]
}
