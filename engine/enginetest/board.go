package enginetest

import (
	"strings"
	"testing"

	"github.com/lascabot/lascabot/engine"
)

// Draw reads a drawn board, one line a rank from rank 7 down, with the number of
// the rank in front, a column's letters from the commander down for each of its
// squares, and a point for an empty one:
//
//	7  .     .     .     .
//	6     .     b     .
//	5  .     wbb   .     .
//	4     .     .     .
//	3  .     .     .     .
//	2     .     .     .
//	1  .     .     .     .
//
// Spaces are free. It fails the test when the drawing is malformed or no legal
// position.
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

// Position reads position text and fails the test when it is no legal position.
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
