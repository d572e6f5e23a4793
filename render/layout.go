package render

import (
	"slices"

	"github.com/lascabot/lascabot/engine"
)

// layout is the list of a scene's parts, in the order in which they are drawn.
type layout struct {
	g     *geometry
	scene *Scene // as normal returns it
	list  []placed
}

// compose fills the list.
//
// Lines lie on the board and pieces stand on them, so that arrows do not hide the
// order of a column. Numbers and words come last.
func (l *layout) compose() {
	s, g := l.scene, l.g
	l.list = l.list[:0]
	l.add(part{kind: kindBoard, n: int16(s.Bottom)}, 0, 0)
	l.seats()
	l.tints()
	if !sharesLine(s.Previous, s.Last) {
		l.path(s.Previous, stylePrevious)
	}
	l.path(s.Last, styleLast)
	l.path(s.Partial, stylePartial)
	l.path(s.Hint, styleHint)
	for _, m := range slices.Backward(s.Line[:]) { // the arrow head of a ply lies over the lines of later plies
		l.path(m, styleLine)
	}
	l.ghosts(s.Last)
	l.ghosts(s.Partial)
	l.marks()
	for row := range 7 {
		for sq := range engine.Square(engine.NumSquares) {
			if x, y := g.corner(sq, s.Bottom); y == g.y0+row*g.s && s.Board.Stacks[sq] != 0 {
				l.column(sq, x, y)
			}
		}
	}
	l.numbers()
	for sq, st := range s.Board.Stacks {
		if n := st.Height(); n >= 2 {
			x, y := g.corner(engine.Square(sq), s.Bottom)
			top, _ := st.Top()
			lives := st.Lives()
			if lives == n {
				lives = 0
			}
			l.add(part{kind: kindTag, piece: engine.Soldier(top.Color()), n: int16(lives), m: int16(n)}, x, y)
		}
	}
	if s.Result != engine.Ongoing {
		l.add(part{kind: kindResult, n: int16(s.Result)}, g.x0+3*g.s, 0)
	}
}

// add adds a part at a place.
func (l *layout) add(p part, x, y int) { l.list = append(l.list, placed{p, x, y}) }

// at adds a part at a square.
func (l *layout) at(sq engine.Square, p part) {
	x, y := l.g.corner(sq, l.scene.Bottom)
	l.add(p, x, y)
}

// seats adds the discs of both sides, and lights the side to move.
func (l *layout) seats() {
	for far := range int16(2) {
		side := l.scene.Bottom
		if far == 1 {
			side = side.Other()
		}
		var lit int16
		if l.scene.Result == engine.Ongoing && l.scene.Board.Turn == side {
			lit = 1
			l.add(part{kind: kindLight, n: far}, 0, 0)
		}
		y := l.g.y0
		if far == 0 {
			y += 7 * l.g.s
		}
		l.add(part{kind: kindSeat, n: int16(side), m: lit, pass: uint8(far)}, 0, y)
	}
}

// tints colours squares. A square gets one tint: the one that matters most now.
func (l *layout) tints() {
	s := l.scene
	var done SquareSet
	tint := func(sq engine.Square, k ink, percent int16) {
		if !done.Has(sq) {
			done.Add(sq)
			l.at(sq, part{kind: kindTint, ink: k, n: percent})
		}
	}
	for sq := range engine.Square(engine.NumSquares) {
		if s.Picked.Has(sq) {
			tint(sq, inkSel, 45)
		} else if s.Targets.Has(sq) {
			tint(sq, inkSel, 34)
		}
	}
	if s.Hint != 0 {
		tint(s.Hint.From(), inkHint, 55)
		tint(s.Hint.To(), inkHint, 55)
	}
	path := func(m engine.Move, last, rest int16) {
		if m == 0 {
			return
		}
		tint(m.To(), inkLastTint, last)
		for i := range m.Len() - 1 {
			tint(m.At(i), inkLastTint, rest)
		}
	}
	path(s.Last, 66, 42)
	path(s.Previous, 30, 20)
}

// path draws a move as a line through the middles of its squares. The legs of a
// path that goes back and forth are shifted, so that they lie side by side.
func (l *layout) path(m engine.Move, st style) {
	if m == 0 {
		return
	}
	var flags uint8
	for i := 2; i < m.Len(); i++ {
		if m.At(i) == m.At(i-2) {
			flags = flagShifted
		}
	}
	if m.IsCapture() {
		flags |= flagLong
	}
	for pass := range uint8(len(strokes[st].width)) {
		if strokes[st].width[pass] == 0 {
			continue
		}
		begin := len(l.list)
		once := func(sq engine.Square, p part) {
			x, y := l.g.corner(sq, l.scene.Bottom)
			if q := (placed{p, x, y}); !slices.Contains(l.list[begin:], q) {
				l.list = append(l.list, q)
			}
		}
		for i := range m.Len() - 1 {
			p := part{kind: kindLeg, style: st, pass: pass, dir: l.direction(m, i), flags: flags}
			if flags&flagShifted != 0 {
				if i > 0 {
					before := l.direction(m, i-1)
					p.n = before.right(p.dir)
					if before == p.dir.opposite() {
						once(m.At(i), part{kind: kindTurn, style: st, pass: pass, dir: before})
					}
				}
				if i < m.Len()-2 {
					p.m = l.direction(m, i+1).right(p.dir)
				}
			}
			if i == m.Len()-2 && st != stylePartial {
				p.flags |= flagHead
			}
			once(m.At(i), p)
		}
		if strokes[st].start > 0 {
			once(m.From(), part{kind: kindStart, style: st, pass: pass, dir: l.direction(m, 0), flags: flags & flagShifted})
		}
	}
}

// sharesLine reports whether two paths share a line somewhere, as in a recapture.
// Drawing both would make a tangle.
func sharesLine(a, b engine.Move) bool {
	edges := func(m engine.Move, f func(x, y int)) {
		for i := range max(1, m.Len()) - 1 {
			// Twice the middle of a single step identifies it.
			from, to := m.At(i), m.At(i+1)
			df, dr := to.File()-from.File(), to.Rank()-from.Rank()
			f(2*from.File()+df/max(1, df*df/2), 2*from.Rank()+dr/max(1, dr*dr/2))
			f(2*to.File()-df/max(1, df*df/2), 2*to.Rank()-dr/max(1, dr*dr/2))
		}
	}
	shared := false
	edges(a, func(x, y int) {
		edges(b, func(u, v int) { shared = shared || x == u && y == v })
	})
	return shared
}

// direction returns the direction of leg i of a path in the picture.
func (l *layout) direction(m engine.Move, i int) dir {
	right := m.At(i+1).File() > m.At(i).File()
	down := m.At(i+1).Rank() < m.At(i).Rank()
	if l.scene.Bottom == engine.Black {
		right, down = !right, !down
	}
	switch {
	case right && down:
		return downRight
	case down:
		return downLeft
	case right:
		return upRight
	}
	return upLeft
}

// ghosts marks where captured single pieces stood.
func (l *layout) ghosts(m engine.Move) {
	var done SquareSet
	for i := range m.Jumps() {
		if sq := m.Over(i); l.scene.Board.Stacks[sq] == 0 && !done.Has(sq) {
			done.Add(sq)
			l.at(sq, part{kind: kindGhost})
		}
	}
}

// marks draws the marks that lie flat around the columns.
func (l *layout) marks() {
	s := l.scene
	for sq := range engine.Square(engine.NumSquares) {
		occupied := s.Board.Stacks[sq] != 0
		if s.Picked.Has(sq) {
			var flags uint8
			if s.Targets.Has(sq) {
				flags = flagDashed
			}
			l.at(sq, part{kind: kindFrame, flags: flags})
		} else if s.Must.Has(sq) {
			l.at(sq, part{kind: kindBrackets})
		}
		if s.Targets.Has(sq) && !occupied {
			l.at(sq, part{kind: kindTarget, n: int16(sq)})
		}
	}
}

// halo returns the colour of a column's halo, and whether it has one.
func (l *layout) halo(sq engine.Square) (ink, bool) {
	s := l.scene
	switch {
	case s.Picked.Has(sq):
		return inkSel, true
	case s.Must.Has(sq):
		return inkMust, true
	case s.Hint != 0 && s.Hint.From() == sq, s.Line[0] != 0 && s.Line[0].From() == sq:
		return inkHint, true
	}
	return 0, false
}

// column draws a column from its foot up: shadow, halo, outlines, bodies, face,
// counts.
func (l *layout) column(sq engine.Square, x, y int) {
	st := l.scene.Board.Stacks[sq]
	var buf [engine.MaxHeight]engine.Piece
	pieces := buf[:0]
	officers := 0
	for p := range st.All() {
		pieces = append(pieces, p)
		if p.IsOfficer() {
			officers++
		}
	}
	n := len(pieces)
	soldierT, officerT := l.g.thickness(n, officers)
	thickOf := func(p engine.Piece) int {
		if p.IsOfficer() {
			return officerT
		}
		return soldierT
	}
	height := soldierT*(n-officers) + officerT*officers
	foot := y + l.g.base
	l.add(part{kind: kindShadow, n: int16(height)}, x, foot)
	if k, ok := l.halo(sq); ok {
		l.add(part{kind: kindHalo, ink: k, n: int16(height)}, x, foot)
	}
	at := foot
	for i := n - 1; i >= 0; i-- {
		p := pieces[i]
		l.add(part{kind: kindOutline, piece: p, n: int16(thickOf(p))}, x, at)
		at -= thickOf(p)
	}
	at = foot
	for i := n - 1; i >= 0; i-- {
		p := pieces[i]
		line := lineNone
		if i+1 < n {
			line = lineGroove
			if pieces[i+1].Color() != p.Color() {
				line = lineChange
			}
		}
		l.add(part{kind: kindBody, piece: p, n: int16(thickOf(p)), m: line}, x, at)
		at -= thickOf(p)
	}
	l.add(part{kind: kindFace, piece: pieces[0]}, x, at)
	l.counts(pieces, thickOf, x, at)
}

// counts writes the number of pieces on long runs of equal pieces, if it fits. The
// pieces are still drawn; the number saves counting them.
func (l *layout) counts(pieces []engine.Piece, thickOf func(engine.Piece) int, x, top int) {
	for i := 0; i < len(pieces); {
		j := i
		for j < len(pieces) && pieces[j] == pieces[i] {
			j++
		}
		run := j - i
		height := run * thickOf(pieces[i])
		if (run >= 4 || run == 3 && len(pieces) >= 10) && 0.95*float64(height) >= 0.165*l.g.f {
			l.add(part{kind: kindCount, piece: engine.Soldier(pieces[i].Color()), n: int16(run), m: int16(height)}, x, top)
		}
		top += height
		i = j
	}
}

// numbers writes what has to be read above the columns: captures, the order of
// jumps or plies, and the names of occupied targets.
func (l *layout) numbers() {
	s := l.scene
	landings := func(m engine.Move, k ink) {
		if m.Jumps() < 2 {
			return
		}
		var at [engine.NumSquares]int16
		for i := range m.Jumps() {
			at[m.At(i+1)] |= 1 << (i + 1)
		}
		var aside SquareSet
		if k == inkLast && l.direction(m, m.Len()-2) == upRight {
			aside.Add(m.To())
		}
		l.pills(at, k, aside)
	}
	crosses := func(m engine.Move) {
		var taken [engine.NumSquares]int16
		for i := range m.Jumps() {
			taken[m.Over(i)]++
		}
		for sq, n := range taken {
			if n > 0 {
				var flags uint8
				if s.Board.Stacks[sq] == 0 {
					flags = flagAlone
				}
				l.at(engine.Square(sq), part{kind: kindCross, n: n, flags: flags})
			}
		}
	}
	crosses(s.Last)
	crosses(s.Partial)
	landings(s.Last, inkLast)
	landings(s.Partial, inkSel)
	if s.Line[0] != 0 && s.Line[1] == 0 {
		landings(s.Line[0], inkHint)
	} else {
		var own, reply [engine.NumSquares]int16
		for i, m := range s.Line {
			if m != 0 && i%2 == 0 {
				own[m.To()] |= 1 << (i + 1)
			} else if m != 0 {
				reply[m.To()] |= 1 << (i + 1)
			}
		}
		for sq := range own {
			if own[sq] != 0 { // one pill per square
				own[sq], reply[sq] = own[sq]|reply[sq], 0
			}
		}
		l.pills(reply, inkReply, 0)
		l.pills(own, inkHint, 0)
	}
	for sq := range engine.Square(engine.NumSquares) {
		if s.Targets.Has(sq) && s.Board.Stacks[sq] != 0 {
			l.at(sq, part{kind: kindName, n: int16(sq)})
		}
	}
}

// pills writes numbers at squares. On the squares of aside, an arrow head lies
// where the numbers usually stand.
func (l *layout) pills(at [engine.NumSquares]int16, k ink, aside SquareSet) {
	for sq, mask := range at {
		if mask != 0 {
			p := part{kind: kindNumbers, ink: k, n: mask}
			if aside.Has(engine.Square(sq)) {
				p.flags = flagHead
			}
			l.at(engine.Square(sq), p)
		}
	}
}
