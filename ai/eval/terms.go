package eval

import (
	"math/bits"

	"github.com/lascabot/lascabot/engine"
)

// A Term is one number of the linear evaluation. Terms from a group follow one
// another, so that a group's constant is the index of its first term.
type Term int

// The groups of terms.
const (
	// Commander: soldier, officer.
	Commander Term = 0
	// Lives below the commander: 2nd, 3rd, 4th, 5th and deeper; soldier and
	// officer each.
	Lives = Commander + 2
	// Prisoners under 1, 2, 3 or more lives: 1st to 5th and deeper; soldier
	// and officer each.
	Prisoners = Lives + 8
	// Buried men lie below prisoners, which happens in set-ups only.
	Buried = Prisoners + 30
	// Squares: six kinds of column on 14 classes of squares.
	Squares = Buried + 1
	// SafeMover and SafeWaiter: 0 to 8 and more quiet moves after which the
	// moved column cannot be jumped at once, of the side to move and of the
	// other side.
	SafeMover  = Squares + kinds*classes
	SafeWaiter = SafeMover + 9
	// Mobility is each quiet move.
	Mobility = SafeWaiter + 9
	// Threatened is each column of the side to move that could be jumped if
	// the other side were to move; ThreatenedLoaded one of those with a
	// single life over prisoners.
	Threatened       = Mobility + 1
	ThreatenedLoaded = Threatened + 1
	// Tempo is the right to move.
	Tempo = ThreatenedLoaded + 1
	// Parity of the ranks of all columns, up to 3, 4, 5, 6 columns.
	Parity = Tempo + 1
	// Backed is each column with an own column diagonally behind it.
	Backed = Parity + 4
	// LoadedNear is each column with one life over prisoners beside an enemy.
	LoadedNear = Backed + 1
	// Columns commanded: 1 to 11 and more.
	Columns = LoadedNear + 1
	// LoadedGuarded is each column with one life over prisoners beside an own
	// officer.
	LoadedGuarded = Columns + 11
	// NumTerms is the number of terms.
	NumTerms = LoadedGuarded + 1
)

const (
	kinds   = 6 // of columns: bare, two lives or more, one life over prisoners; soldier and officer
	classes = 14
)

// classOf maps a bit of the board, seen from the owner's side, to its class:
// two a rank, by the distance from the middle.
var classOf = func() (t [32]uint8) {
	for s := range engine.Square(engine.NumSquares) {
		inner := s.File() == 3
		if s.Rank()%2 == 0 {
			inner = s.File() == 2 || s.File() == 4
		}
		c := 2 * s.Rank()
		if inner {
			c++
		}
		t[s.Bit()] = uint8(c)
	}
	return t
}()

// contents calls add for every term of a column's pieces, from its owner's
// side.
func contents(s engine.Stack, add func(Term, int)) {
	owner, _ := s.Top()
	lives, prisoners := 0, 0
	for p := range s.All() {
		rank := Term(0)
		if p.IsOfficer() {
			rank = 1
		}
		own := p.Color() == owner.Color()
		switch {
		case own && prisoners == 0:
			lives++
			if lives == 1 {
				add(Commander+rank, 1)
			} else {
				add(Lives+2*Term(min(lives, 5)-2)+rank, 1)
			}
		case !own:
			prisoners++
			add(Prisoners+2*Term(5*(min(lives, 3)-1)+min(prisoners, 5)-1)+rank, 1)
		default:
			add(Buried, 1)
		}
	}
}

// kindOf returns the kind of a column.
func kindOf(s engine.Stack) int {
	k := 0
	if lives := s.Lives(); lives >= 2 {
		k = 1
	} else if s.Height() > lives {
		k = 2
	}
	if top, _ := s.Top(); top.IsOfficer() {
		k += 3
	}
	return k
}

const (
	oddRanks = uint32(0xe0 | 0xe0<<9 | 0xe0<<18)
	interior = uint32(0xe0 | 0xc00 | 0xe0<<9 | 0xc00<<9 | 0xe0<<18)
)

// neighbours returns the squares beside the squares of a mask.
func neighbours(m uint32) uint32 {
	return (m<<4 | m<<5 | m>>4 | m>>5) & engine.BoardMask
}

// forces is one side's pieces on the board as masks.
type forces struct {
	own, up, down uint32 // columns; those that may go up and down the board
}

func forcesOf(p *engine.Position, c engine.Color) forces {
	own := p.Commanded(c)
	officers := own & p.Officers()
	if c == engine.White {
		return forces{own, own, officers}
	}
	return forces{own, officers, own}
}

// mobility counts a side's quiet moves and those of them after which the moved
// column cannot be jumped at once, and gives the side's columns that could be
// jumped now.
func mobility(f, foe *forces, empty uint32) (all, safe int, threatened uint32) {
	// near: squares with an enemy beside them, on the side named, that may
	// jump towards them; from: those with an empty square behind them too.
	nearA := interior & (foe.down >> 5) // the enemy comes from above right
	nearB := interior & (foe.down >> 4) // above left
	nearC := interior & (foe.up << 4)   // below right
	nearD := interior & (foe.up << 5)   // below left
	fromA, fromB := nearA&(empty<<5), nearB&(empty<<4)
	fromC, fromD := nearC&(empty>>4), nearD&(empty>>5)
	axis1, axis2 := fromA|fromD, fromB|fromC
	ne, nw := f.up<<5&empty, f.up<<4&empty
	se, sw := f.down>>4&empty, f.down>>5&empty
	all = bits.OnesCount32(ne) + bits.OnesCount32(nw) + bits.OnesCount32(se) + bits.OnesCount32(sw)
	// The square left behind is empty: an enemy straight ahead can jump to it.
	safe = bits.OnesCount32(ne&^(axis2|nearA)) + bits.OnesCount32(nw&^(axis1|nearB)) +
		bits.OnesCount32(se&^(axis1|nearC)) + bits.OnesCount32(sw&^(axis2|nearD))
	return all, safe, f.own & (axis1 | axis2)
}
