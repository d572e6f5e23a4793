package eval

import "github.com/lascabot/lascabot/engine"

// A term is an input of the linear evaluation: something that a column has, or
// where it stands.
type term int

// The groups of terms. The terms of a group are consecutive; the constant is
// the first of them.
const (
	// The commander: soldier, officer.
	commanderTerms term = 0
	// Lives below the commander: 2nd, 3rd, 4th, 5th and deeper; soldier and
	// officer each.
	lifeTerms = commanderTerms + 2
	// Prisoners under 1, 2, or 3 and more lives: 1st to 4th, 5th and deeper;
	// soldier and officer each.
	prisonerTerms = lifeTerms + 8
	// Own pieces below prisoners, which only set-ups have.
	buriedTerm = prisonerTerms + 30
	// Six kinds of column on 14 classes of squares.
	squareTerms = buriedTerm + 1
)

// NumTerms is the number of terms of the linear evaluation.
const NumTerms = int(squareTerms) + kinds*classes

const (
	kinds   = 6  // of columns: one bare piece, two lives or more, one life over prisoners; soldier and officer each
	classes = 14 // of squares
)

// classOf maps a bit of the board, seen from the owner's side, to the class of
// its square. Every rank has two classes, the inner and the outer squares.
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

// contents calls add for the terms of a column's pieces, from its owner's side.
func contents(s engine.Stack, add func(term, int)) {
	owner, _ := s.Top()
	lives, prisoners := 0, 0
	for p := range s.All() {
		rank := term(0)
		if p.IsOfficer() {
			rank = 1
		}
		own := p.Color() == owner.Color()
		switch {
		case own && prisoners == 0:
			lives++
			if lives == 1 {
				add(commanderTerms+rank, 1)
			} else {
				add(lifeTerms+2*term(min(lives, 5)-2)+rank, 1)
			}
		case !own:
			prisoners++
			add(prisonerTerms+2*term(5*(min(lives, 3)-1)+min(prisoners, 5)-1)+rank, 1)
		default:
			add(buriedTerm, 1)
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
