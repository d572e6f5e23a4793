package eval

import "github.com/lascabot/lascabot/engine"

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
	// NumTerms is the number of terms.
	NumTerms = Squares + kinds*classes
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
