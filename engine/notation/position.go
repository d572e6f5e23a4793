package notation

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lascabot/lascabot/engine"
)

// MaxPositionText is the length of the longest position text that is read, in
// bytes.
const MaxPositionText = 256

// ErrPositionSyntax is what every [PositionError] wraps.
var ErrPositionSyntax = errors.New("not a position")

// PositionKind says what is wrong with a position text.
type PositionKind uint8

// The kinds of problem. Each comment names the fields of [PositionProblem] that are
// set.
const (
	TextTooLong     PositionKind = iota // N bytes, more than MaxPositionText
	WrongRanks                          // N ranks instead of seven
	WrongSquares                        // Rank (1 to 7) has N squares instead of Want
	UnknownLetter                       // Text is not one of w b W B; it is on Square when OnSquare is set
	SideMissing                         // nothing after the board
	SideMalformed                       // Text is in the place of the side to move and is not w or b
	CounterMissing                      // one counter instead of two or none
	QuietMalformed                      // Text is not a number of plies
	NumberMalformed                     // Text is not a move number
	TrailingText                        // Text follows the move number
	SetupRefused                        // the text can be read, but Setup is wrong with what it shows
)

// PositionProblem is one reason why a text is refused.
type PositionProblem struct {
	Kind     PositionKind
	Rank     int
	N, Want  int
	Square   engine.Square
	OnSquare bool
	Text     string
	Setup    engine.Problem
}

// String says in English what is wrong.
func (p PositionProblem) String() string {
	switch p.Kind {
	case TextTooLong:
		return fmt.Sprintf("the text has %d bytes; at most %d are read", p.N, MaxPositionText)
	case WrongRanks:
		return fmt.Sprintf("%d ranks instead of 7; write ranks 7 to 1 with / between them", p.N)
	case WrongSquares:
		return fmt.Sprintf("rank %d has %d squares instead of %d; write a comma between squares", p.Rank, p.N, p.Want)
	case UnknownLetter:
		if p.OnSquare {
			return fmt.Sprintf("unknown letter %q on %v; pieces are w, b, W and B", p.Text, p.Square)
		}
		return fmt.Sprintf("unknown letter %q; pieces are w, b, W and B", p.Text)
	case SideMissing:
		return "the side to move is missing; write w or b after the board"
	case SideMalformed:
		return fmt.Sprintf("the side to move is %q; write w or b", p.Text)
	case CounterMissing:
		return "the move number is missing; write both counters or neither"
	case QuietMalformed:
		return fmt.Sprintf("the number of plies without capture or promotion is %q, not 0 to %d", p.Text, engine.MaxQuiet)
	case NumberMalformed:
		return fmt.Sprintf("the move number is %q, not 1 to %d", p.Text, engine.MaxNumber)
	case TrailingText:
		return fmt.Sprintf("there is %q after the move number", p.Text)
	case SetupRefused:
		return p.Setup.String()
	}
	return fmt.Sprintf("PositionKind(%d)", p.Kind)
}

// PositionError lists everything that is wrong with a position text.
type PositionError struct{ Problems []PositionProblem }

// Error names every reason.
func (e *PositionError) Error() string {
	reasons := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		reasons[i] = p.String()
	}
	return ErrPositionSyntax.Error() + ": " + strings.Join(reasons, "; ")
}

// Unwrap returns [ErrPositionSyntax], and also [engine.ErrSetup] when the set-up in
// the text is not a position.
func (e *PositionError) Unwrap() []error {
	for _, p := range e.Problems {
		if p.Kind == SetupRefused {
			return []error{ErrPositionSyntax, engine.ErrSetup}
		}
	}
	return []error{ErrPositionSyntax}
}

// squaresOn returns how many squares a rank (0 to 6) has.
func squaresOn(rank int) int { return 4 - rank%2 }

// ParsePosition reads a position text, such as
//
//	b,b,b,b/b,b,b/b,b,b,b/,,/w,w,w,w/w,w,w/w,w,w,w w 0 1
//
// with ranks 7 to 1, every column from its commander down, the side to move and
// optionally both counters (0 and 1 when they are missing). The set-up that it
// returns is a position under the given rules. Otherwise the error is a
// [*PositionError] that lists everything that is wrong.
func ParsePosition(text string, rules engine.Rules) (engine.Setup, error) {
	if len(text) > MaxPositionText {
		return engine.Setup{}, &PositionError{[]PositionProblem{{Kind: TextTooLong, N: len(text)}}}
	}
	r := positionReader{setup: engine.Setup{Number: 1, Rules: rules}}
	fields := strings.Fields(text)
	if len(fields) == 0 {
		fields = []string{""}
	}
	r.board(fields[0])
	r.fields(fields[1:])
	r.check()
	if len(r.problems) > 0 {
		return engine.Setup{}, &PositionError{r.problems}
	}
	return r.setup, nil
}

// positionReader collects a set-up and everything that is wrong with it.
type positionReader struct {
	setup    engine.Setup
	pieces   [2]int // all pieces, also those that are not placed in the set-up
	problems []PositionProblem
}

// note adds a problem unless it is already there.
func (r *positionReader) note(p PositionProblem) {
	if !slices.Contains(r.problems, p) {
		r.problems = append(r.problems, p)
	}
}

func (r *positionReader) board(text string) {
	ranks := strings.Split(text, "/")
	if len(ranks) != 7 {
		r.note(PositionProblem{Kind: WrongRanks, N: len(ranks)})
	}
	for i, rank := range ranks {
		columns := strings.Split(rank, ",")
		n := 6 - i
		placed := len(ranks) == 7
		if placed && len(columns) != squaresOn(n) {
			r.note(PositionProblem{Kind: WrongSquares, Rank: n + 1, N: len(columns), Want: squaresOn(n)})
			placed = false
		}
		for j, column := range columns {
			var sq engine.Square
			if placed {
				sq, _ = engine.SquareAt(2*j+n%2, n)
			}
			stack := r.column(column, sq, placed)
			if placed {
				r.setup.Stacks[sq] = stack
			}
		}
	}
}

func (r *positionReader) column(text string, sq engine.Square, placed bool) engine.Stack {
	pieces := make([]engine.Piece, 0, engine.MaxHeight)
	for _, letter := range text {
		p, ok := engine.PieceOf(byte(min(letter, 255)))
		if !ok {
			r.note(PositionProblem{Kind: UnknownLetter, Text: string(letter), Square: sq, OnSquare: placed})
			continue
		}
		pieces = append(pieces, p)
		r.pieces[p.Color()]++
	}
	return engine.StackOf(pieces...)
}

// fields reads what follows the board.
func (r *positionReader) fields(f []string) {
	if len(f) == 0 {
		r.note(PositionProblem{Kind: SideMissing})
		return
	}
	switch f[0] {
	case "w":
		r.setup.Turn = engine.White
	case "b":
		r.setup.Turn = engine.Black
	default:
		r.note(PositionProblem{Kind: SideMalformed, Text: f[0]})
	}
	var ok bool
	if len(f) > 1 {
		if r.setup.Quiet, ok = counter(f[1], 0, engine.MaxQuiet); !ok {
			r.note(PositionProblem{Kind: QuietMalformed, Text: f[1]})
		}
	}
	switch {
	case len(f) == 2:
		r.note(PositionProblem{Kind: CounterMissing})
	case len(f) > 2:
		if r.setup.Number, ok = counter(f[2], 1, engine.MaxNumber); !ok {
			r.note(PositionProblem{Kind: NumberMalformed, Text: f[2]})
			r.setup.Number = 1
		}
	}
	if len(f) > 3 {
		r.note(PositionProblem{Kind: TrailingText, Text: strings.Join(f[3:], " ")})
	}
}

// counter reads a number in digits. It returns false for anything else and for a
// number out of range.
func counter(text string, least, most int) (int, bool) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, false
	}
	return n, true
}

// check adds what the rules refuse. The reader itself counts the pieces, so that too
// many are reported even when a rank could not be placed.
func (r *positionReader) check() {
	for _, p := range r.setup.Check() {
		if p.Kind != engine.TooManyPieces {
			r.note(PositionProblem{Kind: SetupRefused, Setup: p})
		}
	}
	for c, n := range r.pieces {
		if n > engine.MaxPieces {
			r.note(PositionProblem{Kind: SetupRefused,
				Setup: engine.Problem{Kind: engine.TooManyPieces, Color: engine.Color(c), N: n}})
		}
	}
}

// FormatPosition writes a set-up as position text, always with both counters. When
// the set-up is a position, [ParsePosition] reads it back unchanged. The text does
// not say which rules apply.
func FormatPosition(s engine.Setup) string {
	b := make([]byte, 0, MaxPositionText)
	for rank := 6; rank >= 0; rank-- {
		for j := range squaresOn(rank) {
			if j > 0 {
				b = append(b, ',')
			}
			sq, _ := engine.SquareAt(2*j+rank%2, rank)
			for p := range s.Stacks[sq].All() {
				b = append(b, p.Letter())
			}
		}
		if rank > 0 {
			b = append(b, '/')
		}
	}
	side := byte('w')
	if s.Turn == engine.Black {
		side = 'b'
	}
	b = append(b, ' ', side, ' ')
	b = strconv.AppendInt(b, int64(s.Quiet), 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(s.Number), 10)
	return string(b)
}
