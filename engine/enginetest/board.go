package enginetest

import (
	"strings"
	"testing"

	"github.com/lascabot/lascabot/engine"
)

// Draw reads a drawn board: one line per rank from rank 7 down, which begins with
// the number of the rank and then has, for each of its squares, the letters of the
// column from the commander down, or a point when the square is empty:
//
//	7  .     .     .     .
//	6     .     b     .
//	5  .     wbb   .     .
//	4     .     .     .
//	3  .     .     .     .
//	2     .     .     .
//	1  .     .     .     .
//
// Spaces do not matter. Draw fails the test when the drawing is malformed or not a
// legal position.
func Draw(t testing.TB, rules engine.Rules, turn engine.Color, drawing string) engine.Position {
	t.Helper()
	s := engine.Setup{Turn: turn, Number: 1, Rules: rules}
	lines := strings.Split(strings.TrimSpace(drawing), "\n")
	if len(lines) != 7 {
		t.Fatalf("the drawing has %d ranks", len(lines))
	}
	for i, line := range lines {
		rank := 6 - i
		cells := strings.Fields(line)
		if len(cells) != 5-rank%2 || cells[0] != string(rune('1'+rank)) {
			t.Fatalf("malformed rank %d: %q", rank+1, line)
		}
		for j, cell := range cells[1:] {
			sq, _ := engine.SquareAt(2*j+rank%2, rank)
			s.Stacks[sq] = column(t, strings.Trim(cell, "."))
		}
	}
	p, err := s.Position()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func column(t testing.TB, letters string) engine.Stack {
	t.Helper()
	var pieces []engine.Piece
	for _, letter := range []byte(letters) {
		p, ok := engine.PieceOf(letter)
		if !ok {
			t.Fatalf("unknown piece %q", letter)
		}
		pieces = append(pieces, p)
	}
	return engine.StackOf(pieces...)
}

// Position reads position text. It fails the test when the text is not a legal
// position.
func Position(t testing.TB, text string, rules engine.Rules) engine.Position {
	t.Helper()
	p, err := ParseReference(text, rules.String()).Setup().Position()
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// Texts returns the standard form of moves.
func Texts(moves []engine.Move) []string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = m.String()
	}
	return texts
}
