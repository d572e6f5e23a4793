package engine

import "math/bits"

// MaxMoves is a bound on the legal moves of a position that comes up in
// practice: the most found so far is 253, by search over set-ups. Buffers of
// this size seldom grow.
const MaxMoves = 256

// The four diagonal steps on the padded board.
var steps = [4]int{4, 5, -4, -5}

// AppendMoves appends every legal move to dst and returns it, captures only
// when there is one. The order is the same for the same position. It does not
// allocate when dst has room. Draws are not considered.
func (p *Position) AppendMoves(dst []Move) []Move {
	g := generator{p: p, list: dst}
	if g.captures(p.capturers()) == 0 {
		g.quiet()
	}
	return g.list
}

// Moves returns every legal move in a new slice.
func (p *Position) Moves() []Move { return p.AppendMoves(nil) }

// CountMoves returns the number of legal moves.
func (p *Position) CountMoves() int {
	if from := p.capturers(); from != 0 {
		g := generator{p: p, count: true}
		return g.captures(from)
	}
	return p.countQuiet()
}

// HasMoves reports whether the side to move has a legal move. A side that has
// none loses.
func (p *Position) HasMoves() bool { return p.capturers() != 0 || p.countQuiet() > 0 }

// MustCapture reports whether the side to move has a capture, which is then
// compulsory.
func (p *Position) MustCapture() bool { return p.capturers() != 0 }

// up and down return the columns of the side to move that may go up, and down,
// the board.
func (p *Position) up() uint32 {
	if p.turn == White {
		return p.own[White]
	}
	return p.own[Black] & p.officers
}

func (p *Position) down() uint32 {
	if p.turn == Black {
		return p.own[Black]
	}
	return p.own[White] & p.officers
}

// capturers returns the columns that have a jump.
func (p *Position) capturers() uint32 {
	opp := p.own[p.turn^1]
	empty := valid &^ (p.own[0] | p.own[1])
	return p.up()&(opp>>4&(empty>>8)|opp>>5&(empty>>10)) |
		p.down()&(opp<<4&(empty<<8)|opp<<5&(empty<<10))
}

func (p *Position) countQuiet() int {
	empty := valid &^ (p.own[0] | p.own[1])
	up, down := p.up(), p.down()
	return bits.OnesCount32(up&(empty>>4)) + bits.OnesCount32(up&(empty>>5)) +
		bits.OnesCount32(down&(empty<<4)) + bits.OnesCount32(down&(empty<<5))
}

// generator lists or counts the moves of one position.
type generator struct {
	p     *Position
	list  []Move
	count bool // count only, leave list alone
	n     int  // captures found
	// first and last bound the steps that the column being followed may take.
	first, last int
	// jumped holds the squares that the capture being followed has jumped.
	jumped [MaxPath]uint8
}

// quiet appends the moves of one step.
func (g *generator) quiet() {
	empty := valid &^ (g.p.own[0] | g.p.own[1])
	up, down := g.p.up(), g.p.down()
	g.step(up&(empty>>4), 4)
	g.step(up&(empty>>5), 5)
	g.step(down&(empty<<4), -4)
	g.step(down&(empty<<5), -5)
}

func (g *generator) step(from uint32, d int) {
	for ; from != 0; from &= from - 1 {
		b := bitIndex(from)
		g.list = append(g.list, stepMove(b, b+d))
	}
}

// captures follows every capture of the given columns and returns how many
// there are.
func (g *generator) captures(from uint32) int {
	p := g.p
	opp := p.own[p.turn^1]
	empty := valid &^ (p.own[0] | p.own[1])
	for ; from != 0; from &= from - 1 {
		b := bitIndex(from)
		bit := from & -from
		switch {
		case p.officers&bit != 0:
			g.first, g.last = 0, 4
		case p.turn == White:
			g.first, g.last = 0, 2
		default:
			g.first, g.last = 2, 4
		}
		g.follow(b, Move(1|b<<moveLenBits), 0, opp, empty|bit, noStep)
	}
	return g.n
}

// noStep stands for "no jump made yet" where a step is named.
const noStep = 8

// follow extends a capture that has made depth jumps and stands on bit b. opp
// and empty are the enemy's columns and the empty squares as the jumps have
// left them; the moving column's own first square counts as empty.
func (g *generator) follow(b int, path Move, depth int, opp, empty uint32, came int) {
	p := g.p
	ended := true
	for i := g.first; i < g.last; i++ {
		d := steps[i]
		over, land := b+d, b+2*d
		if opp>>uint(over)&1 == 0 || empty>>uint(land)&1 == 0 {
			continue
		}
		if p.rules == MindSports && i == came^2 {
			continue // straight back
		}
		ended = false
		next := path.then(land)
		if g.last-g.first == 2 && isFar(p.turn, land) {
			g.found(next) // promotion ends the move
			continue
		}
		rest := p.stacks[over].popped()
		for _, j := range g.jumped[:depth] {
			if int(j) == over {
				rest = rest.popped()
			}
		}
		opp2, empty2 := opp, empty
		switch {
		case rest == 0:
			opp2 &^= 1 << over
			empty2 |= 1 << over
		case Color(rest&1) == p.turn || p.rules == Lasker:
			opp2 &^= 1 << over
		}
		g.jumped[depth] = uint8(over)
		g.follow(land, next, depth+1, opp2, empty2, i)
	}
	if ended && depth > 0 {
		g.found(path)
	}
}

func (g *generator) found(m Move) {
	g.n++
	if !g.count {
		g.list = append(g.list, m)
	}
}
