package notation

import (
	"errors"
	"fmt"
	"strings"

	"github.com/lascabot/lascabot/engine"
)

// ErrAmbiguous means that a text fits several legal moves. An error that wraps it
// also wraps [engine.ErrIllegalMove].
var ErrAmbiguous = errors.New("several moves fit")

// MoveKind says why [FindMove] did not find a move.
type MoveKind uint8

// The reasons. The comments say what else the [MoveError] holds. In all but the
// first four, Text is the squares as they were understood, such as c3-d4, and
// Named holds them.
const (
	MoveMissing    MoveKind = iota // there is no square in the text
	MoveTooLong                    // more than MaxMoveText bytes; Text is the beginning
	NotASquare                     // Text is not the name of a square
	LightSquare                    // Text is a square of the board that no piece stands on, such as c4
	NoLegalMoves                   // the side to move has no legal move
	EmptySquare                    // Named[0] is empty; Squares: the columns that can move
	NotYourColumn                  // Named[0] is the opponent's; Squares: the columns that can move
	Blocked                        // the column on Named[0] cannot move; Squares: the columns that can
	MustCapture                    // a capture is compulsory; Squares: the columns that can capture, Moves: their captures
	MoveUnfinished                 // only one square is given; Squares: where its column may go next, Moves: its moves
	CaptureGoesOn                  // the capture must be completed; Squares: the next landing squares, Moves: the complete captures
	MoveEnds                       // the move ends before the text does; Squares: where it ends, Moves: the moves that end there
	SeveralMoves                   // Moves: all moves that fit
	CannotGoThere                  // Moves: the moves of the column on Named[0], Squares: where they end
)

// MoveError says why a text does not describe a legal move. It holds what a user
// interface needs to say so in its own words and to offer what is possible.
type MoveError struct {
	Kind    MoveKind
	Text    string
	Named   []engine.Square
	Squares []engine.Square // in board order
	Moves   []engine.Move
}

// shown is the largest number of squares or moves that the English sentence lists.
const shown = 12

// Error says why in an English sentence, and what is possible instead.
func (e *MoveError) Error() string {
	switch e.Kind {
	case MoveMissing:
		return "no move given; write one such as c3-d4"
	case MoveTooLong:
		return fmt.Sprintf("%q is too long for a move", e.Text)
	case NotASquare:
		return fmt.Sprintf("%q is not a square of the board; write squares such as c3, or Lasker's numbers 1 to 25", e.Text)
	case LightSquare:
		return fmt.Sprintf("%s is a light square; Lasca is played on the dark ones", e.Text)
	case NoLegalMoves:
		return "there is no legal move"
	case EmptySquare:
		return fmt.Sprintf("%v is empty; you can move %s", e.from(), list(e.Squares))
	case NotYourColumn:
		return fmt.Sprintf("the column on %v is not yours; you can move %s", e.from(), list(e.Squares))
	case Blocked:
		return fmt.Sprintf("the column on %v cannot move; you can move %s", e.from(), list(e.Squares))
	case MustCapture:
		return fmt.Sprintf("you must capture; the columns that can are %s", list(e.Squares))
	case MoveUnfinished:
		return fmt.Sprintf("%s is only the beginning of a move; go on to %s", e.Text, list(e.Squares))
	case CaptureGoesOn:
		return fmt.Sprintf("the capture goes on after %s; go on to %s", e.Text, list(e.Squares))
	case MoveEnds:
		return fmt.Sprintf("%s goes too far; the move ends on %s", e.Text, list(e.Squares))
	case SeveralMoves:
		return fmt.Sprintf("%s fits several moves: %s", e.Text, list(e.Moves))
	case CannotGoThere:
		return fmt.Sprintf("%s is not possible; from %v there is %s", e.Text, e.from(), list(e.Moves))
	}
	return fmt.Sprintf("MoveKind(%d)", e.Kind)
}

// Unwrap returns [engine.ErrMoveSyntax] when the text is not a list of squares, and
// otherwise [engine.ErrIllegalMove]; where they apply, it also returns
// [engine.ErrSquareSyntax] or [ErrAmbiguous].
func (e *MoveError) Unwrap() []error {
	switch e.Kind {
	case MoveMissing, MoveTooLong:
		return []error{engine.ErrMoveSyntax}
	case NotASquare, LightSquare:
		return []error{engine.ErrMoveSyntax, engine.ErrSquareSyntax}
	case SeveralMoves:
		return []error{engine.ErrIllegalMove, ErrAmbiguous}
	}
	return []error{engine.ErrIllegalMove}
}

// from returns the first square that was named. FindMove always sets it where it is
// used.
func (e *MoveError) from() engine.Square {
	if len(e.Named) == 0 {
		return engine.NumSquares
	}
	return e.Named[0]
}

func list[T fmt.Stringer](items []T) string {
	var names []string
	for i, item := range items {
		if i == shown {
			names = append(names, "…")
			break
		}
		names = append(names, item.String())
	}
	return strings.Join(names, ", ")
}

// LegalUnder returns the other rulesets under which, from a start, the moves of a game
// and then the move that a text describes are legal.
func LegalUnder(start engine.Setup, moves []engine.Move, text string) []engine.Rules {
	var out []engine.Rules
	for _, rules := range engine.AllRules() {
		if rules == start.Rules {
			continue
		}
		other := start
		other.Rules = rules
		p, err := other.Position()
		for i := 0; i < len(moves) && err == nil; i++ {
			p, err = p.Play(moves[i])
		}
		if err == nil {
			_, err = FindMove(&p, text)
		}
		if err == nil {
			out = append(out, rules)
		}
	}
	return out
}
