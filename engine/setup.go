package engine

import (
	"errors"
	"fmt"
	"strings"
)

// Limits of the two counters of a set-up.
const (
	MaxQuiet  = 999
	MaxNumber = 9999
)

// Setup is any arrangement of columns, legal or not. Setups are comparable (==) and
// equal when all fields are.
type Setup struct {
	Stacks [NumSquares]Stack // by Square
	Turn   Color             // the side to move
	Quiet  int               // plies since the last capture or promotion, 0 to MaxQuiet
	Number int               // the move number, 1 to MaxNumber; it rises after Black's moves
	Rules  Rules
}

// ErrSetup is what every [SetupError] wraps.
var ErrSetup = errors.New("set-up refused")

// SetupError lists every reason why a set-up is not a position.
type SetupError struct{ Reasons []string }

// Error names every reason.
func (e *SetupError) Error() string { return ErrSetup.Error() + ": " + strings.Join(e.Reasons, "; ") }

// Unwrap returns [ErrSetup].
func (e *SetupError) Unwrap() error { return ErrSetup }

// ProblemKind says what is wrong with a set-up.
type ProblemKind uint8

// The kinds of problem. Each comment names the fields of [Problem] that are set.
const (
	BadColumn        ProblemKind = iota // Square does not hold a column
	SoldierOnFarRank                    // Square has a soldier of Color in command on its far rank
	TooManyPieces                       // N pieces of Color, more than MaxPieces
	BadTurn                             // the side to move is neither White nor Black
	BadQuiet                            // the number of plies without progress is N
	BadNumber                           // the move number is N
	BadRules                            // the ruleset is unknown
)

// Problem is one reason why a set-up is not a position.
type Problem struct {
	Kind   ProblemKind
	Square Square
	Color  Color
	N      int
}

// String says in English what is wrong.
func (p Problem) String() string {
	switch p.Kind {
	case BadColumn:
		return fmt.Sprintf("%v does not hold a column", p.Square)
	case SoldierOnFarRank:
		return fmt.Sprintf("%v has a %v soldier in command on its far rank", p.Square, p.Color)
	case TooManyPieces:
		return fmt.Sprintf("%d %v pieces; at most %d are allowed", p.N, p.Color, MaxPieces)
	case BadTurn:
		return "the side to move is neither white nor black"
	case BadQuiet:
		return fmt.Sprintf("the number of plies without capture or promotion is %d, not 0 to %d", p.N, MaxQuiet)
	case BadNumber:
		return fmt.Sprintf("the move number is %d, not 1 to %d", p.N, MaxNumber)
	case BadRules:
		return "unknown rules"
	}
	return fmt.Sprintf("ProblemKind(%d)", p.Kind)
}

// Check returns every reason why the set-up is not a position, and nil when it is
// one.
func (s *Setup) Check() []Problem {
	var found []Problem
	var pieces [2]int
	for i, st := range s.Stacks {
		sq := Square(i)
		if !st.Valid() {
			found = append(found, Problem{Kind: BadColumn, Square: sq})
			continue
		}
		for p := range st.All() {
			pieces[p.Color()]++
		}
		if top, ok := st.Top(); ok && !top.IsOfficer() && sq.Rank() == farRank(top.Color()) {
			found = append(found, Problem{Kind: SoldierOnFarRank, Square: sq, Color: top.Color()})
		}
	}
	for c, n := range pieces {
		if n > MaxPieces {
			found = append(found, Problem{Kind: TooManyPieces, Color: Color(c), N: n})
		}
	}
	if s.Turn > Black {
		found = append(found, Problem{Kind: BadTurn})
	}
	if s.Quiet < 0 || s.Quiet > MaxQuiet {
		found = append(found, Problem{Kind: BadQuiet, N: s.Quiet})
	}
	if s.Number < 1 || s.Number > MaxNumber {
		found = append(found, Problem{Kind: BadNumber, N: s.Number})
	}
	if !s.Rules.Valid() {
		found = append(found, Problem{Kind: BadRules})
	}
	return found
}

// Problems returns what [Setup.Check] finds, in English.
func (s *Setup) Problems() []string {
	var reasons []string
	for _, p := range s.Check() {
		reasons = append(reasons, p.String())
	}
	return reasons
}

func farRank(c Color) int {
	if c == White {
		return 6
	}
	return 0
}

// Position returns the set-up as a playable position, or a [*SetupError] that lists
// everything that is wrong with it.
func (s Setup) Position() (Position, error) {
	if reasons := s.Problems(); len(reasons) > 0 {
		return Position{}, &SetupError{reasons}
	}
	p := Position{turn: s.Turn, quiet: uint16(s.Quiet), number: uint16(s.Number), rules: s.Rules}
	for i, st := range s.Stacks {
		if st == 0 {
			continue
		}
		b := int(bitOf[i])
		top := Piece(st & 3)
		p.stacks[b] = st
		p.own[top.Color()] |= 1 << b
		if top.IsOfficer() {
			p.officers |= 1 << b
		}
		p.hash ^= mix(b, st)
	}
	if s.Turn == Black {
		p.hash ^= hashTurn
	}
	return p, nil
}

// Jump makes the jumps of a capture, or of the beginning of one, for a picture of
// it. The column moves, and the commanders of the columns that it jumps over go
// under it. Nothing is promoted, and the side to move and the counters stay. The
// path must be [Move.Valid]. Nothing else is checked: where there is nothing to
// take, the column only moves.
func (s *Setup) Jump(m Move) {
	for i := range m.Jumps() {
		from, over, to := m.At(i), m.Over(i), m.At(i+1)
		column, taken := s.Stacks[from], s.Stacks[over]
		if column != 0 && taken != 0 && column.Height() < MaxHeight {
			column, taken = column.with(Piece(taken&3)), taken.Rest()
		}
		s.Stacks[from], s.Stacks[over], s.Stacks[to] = 0, taken, column
	}
}

// Ply returns the move number of ply i, counted from 0, in a game that begins with
// the set-up, and the side that makes it. The number stays at [MaxNumber] once
// there.
func (s *Setup) Ply(i int) (number int, side Color) {
	return min(s.Number+(i+int(s.Turn))/2, MaxNumber), s.Turn ^ Color(i&1)
}

// StartSetup returns the usual start of a game as a set-up.
func StartSetup(r Rules) Setup {
	s := Setup{Turn: White, Number: 1, Rules: r}
	for i := range 11 {
		s.Stacks[i] = StackOf(WhiteSoldier)
		s.Stacks[NumSquares-1-i] = StackOf(BlackSoldier)
	}
	return s
}

// Start returns the usual start of a game. It panics when the rules are not
// [Rules.Valid].
func Start(r Rules) Position {
	p, err := StartSetup(r).Position()
	if err != nil {
		panic("engine: unknown rules") // values from outside go through ParseRules
	}
	return p
}
