package engine

// MaxMoves is a practical bound on the legal moves of a position: the most found
// so far is 253, by a search over set-ups. It is not proven, so a buffer of this
// size may have to grow.
const MaxMoves = 256

// The four diagonal steps on the padded board.
var steps = [4]int{4, 5, -4, -5}

// AppendMoves appends every legal move to dst and returns it. Where there is a
// capture, only captures are legal. The same position always gives the same
// order. AppendMoves does not allocate when dst has room, and ignores draws.
func (p *Position) AppendMoves(dst []Move) []Move {
	s := p.side()
	up, down := s.jumpsUp(s.goUp()), s.jumpsDown(s.goDown())
	if up|down == 0 {
		return s.appendSteps(dst)
	}
	g := generator{p: p, list: dst}
	for from := (up | down).from(); from != 0; from &= from - 1 {
		b := bitIndex(from)
		path := Move(1 | b<<moveLenBits)
		if bit := from & -from; s.officers&bit != 0 {
			g.officer(b, path, 0, s.opp, s.empty()|bit, noStep)
		} else {
			g.soldier(s, b, path)
		}
	}
	return g.list
}

// appendSteps appends the moves of one step.
func (s side) appendSteps(dst []Move) []Move {
	for m := s.stepsUp(); m != 0; m &= m - 1 {
		b, d := m.first()
		dst = append(dst, stepMove(b, b+d))
	}
	for m := s.stepsDown(); m != 0; m &= m - 1 {
		b, d := m.first()
		dst = append(dst, stepMove(b, b-d))
	}
	return dst
}

// Moves returns every legal move as a new slice.
func (p *Position) Moves() []Move { return p.AppendMoves(nil) }

// CountMoves returns the number of legal moves.
func (p *Position) CountMoves() int {
	s := p.side()
	up, down := s.jumpsUp(s.goUp()), s.jumpsDown(s.goDown())
	if up|down == 0 {
		return s.stepsUp().count() + s.stepsDown().count()
	}
	n := s.countSoldiers(up, down)
	g := generator{p: p, count: true}
	for from := (up | down).from() & s.officers; from != 0; from &= from - 1 {
		g.officer(bitIndex(from), 0, 0, s.opp, s.empty()|from&-from, noStep)
	}
	return n + g.n
}

// HasMoves reports whether the side to move has a legal move. A side without one
// loses.
func (p *Position) HasMoves() bool {
	s := p.side()
	return s.stepsUp()|s.stepsDown() != 0 || p.MustCapture()
}

// MustCapture reports whether the side to move can capture; if it can, it must.
func (p *Position) MustCapture() bool { return p.CanCapture(p.turn) }

// CanCapture reports whether a side could capture if it were its turn. It does not
// allocate.
func (p *Position) CanCapture(c Color) bool {
	s := p.sideOf(c)
	return s.jumpsUp(s.goUp())|s.jumpsDown(s.goDown()) != 0
}

// generator lists or counts the moves of one position.
type generator struct {
	p     *Position
	list  []Move
	count bool // count only, leave list alone
	n     int  // captures found
	// jumped holds the bits of the squares that the current capture has jumped.
	jumped [MaxPath]uint8
}

func (g *generator) found(m Move) {
	g.n++
	if !g.count {
		g.list = append(g.list, m)
	}
}

// soldier lists the captures of a soldier that stands on bit b after the path.
// The masks from before the move are enough; [side.countSoldiers] says why.
func (g *generator) soldier(s side, b int, path Move) {
	bit := uint32(1) << (b & 31)
	can, forward := s.jumpsUp(bit), 2
	if s.up == 0 {
		can, forward = s.jumpsDown(bit), -2
	}
	if can == 0 {
		g.list = append(g.list, path)
	}
	for ; can != 0; can &= can - 1 {
		_, d := can.first()
		g.soldier(s, b+forward*d, path.then(b+forward*d))
	}
}

// noStep is the index of the last step when no jump has been made yet.
const noStep = 8

// officer extends the capture of an officer that has made depth jumps and stands
// on bit b. opp and empty are the enemy columns and the empty squares as the jumps
// have left them; the officer's first square counts as empty. came is the index of
// the last step.
func (g *generator) officer(b int, path Move, depth int, opp, empty uint32, came int) {
	p := g.p
	ended := true
	for i, d := range steps {
		over, land := b+d, b+2*d
		if opp>>uint(over)&1 == 0 || empty>>uint(land)&1 == 0 {
			continue
		}
		if p.rules == MindSports && i == came^2 {
			continue // straight back
		}
		ended = false
		rest := p.stacks[over].Rest()
		for _, j := range g.jumped[:depth] {
			if int(j) == over {
				rest = rest.Rest()
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
		g.officer(land, path.then(land), depth+1, opp2, empty2, i)
	}
	if ended && depth > 0 {
		g.found(path)
	}
}
