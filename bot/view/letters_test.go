package view_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
)

// readLetters reads what Letters writes. The error says where the grid and the
// list below it disagree.
func readLetters(text string) (stacks [engine.NumSquares]engine.Stack, err error) {
	_, rest, ok := strings.Cut(text, "```\n")
	block, _, ok2 := strings.Cut(rest, "\n```")
	if !ok || !ok2 {
		return stacks, fmt.Errorf("no block")
	}
	lines := strings.Split(block, "\n")
	files := strings.Fields(lines[7])
	var heights [engine.NumSquares]int
	for _, line := range lines[:7] {
		cells := []rune(line)
		for i, file := range files {
			at := 2 + 4*i
			if at >= len(cells) {
				break
			}
			cell := strings.TrimSpace(string(cells[at:min(at+4, len(cells))]))
			if cell == "" || cell == "·" {
				continue
			}
			sq, err := engine.ParseSquare(file + string(cells[0]))
			if err != nil {
				return stacks, err
			}
			piece, ok := engine.PieceOf(cell[0])
			if !ok {
				return stacks, fmt.Errorf("%v: %q", sq, cell)
			}
			heights[sq] = 1
			if len(cell) > 1 {
				if heights[sq], err = strconv.Atoi(cell[1:]); err != nil {
					return stacks, err
				}
			}
			stacks[sq] = engine.StackOf(piece)
		}
	}
	for _, line := range lines[8:] {
		name, letters, _ := strings.Cut(line, " ")
		sq, err := engine.ParseSquare(name)
		if err != nil {
			return stacks, err
		}
		var pieces []engine.Piece
		for i := range len(letters) {
			p, ok := engine.PieceOf(letters[i])
			if !ok {
				return stacks, fmt.Errorf("%v: %q", sq, letters)
			}
			pieces = append(pieces, p)
		}
		if stacks[sq] != engine.StackOf(pieces[0]) {
			return stacks, fmt.Errorf("%v: the grid and the list differ", sq)
		}
		stacks[sq] = engine.StackOf(pieces...)
	}
	for sq, st := range stacks {
		if st.Height() != heights[sq] {
			return stacks, fmt.Errorf("%v: the grid has height %d, the list %d", engine.Square(sq), heights[sq], st.Height())
		}
	}
	return stacks, nil
}

func TestLettersTellTheWholeBoard(t *testing.T) {
	check := func(t tb, s engine.Setup) {
		for _, l := range languages() {
			for _, bottom := range []engine.Color{engine.White, engine.Black} {
				text := view.Letters(l, s, bottom)
				readable(t, "board in letters", text, 700) // what the text around it leaves
				got, err := readLetters(text)
				if err != nil {
					t.Errorf("%v:\n%s", err, text)
				}
				if got != s.Stacks {
					t.Errorf("read back as %v, want %v:\n%s", got, s.Stacks, text)
				}
				first, _, _ := strings.Cut(strings.TrimPrefix(text, "```\n"), " ")
				if want := map[engine.Color]string{engine.White: "7", engine.Black: "1"}[bottom]; first != want {
					t.Errorf("%v is at the bottom and rank %s on top", bottom, first)
				}
			}
		}
	}
	for h := 1; h <= engine.MaxHeight; h++ {
		check(t, tower(h))
	}
	check(t, engine.StartSetup(engine.Kawu))
	rapid.Check(t, func(t *rapid.T) { check(t, boards().Draw(t, "board")) })
}
