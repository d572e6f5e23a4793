package view

import (
	"fmt"
	"strings"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/engine"
)

// Letters draws a board in letters, for screen readers and for channels where the
// bot may not attach pictures: a grid with each column's commander and height, and
// below it every column of more than one piece in full.
func Letters(l i18n.Lang, board engine.Setup, bottom engine.Color) string {
	var b strings.Builder
	var tall []string
	for row := range 7 {
		rank := 6 - row
		if bottom == engine.Black {
			rank = row
		}
		fmt.Fprintf(&b, "%d ", rank+1)
		for col := range 7 {
			file := col
			if bottom == engine.Black {
				file = 6 - col
			}
			sq, playing := engine.SquareAt(file, rank)
			if !playing {
				b.WriteString("    ")
				continue
			}
			st := board.Stacks[sq]
			top, ok := st.Top()
			switch {
			case !ok:
				b.WriteString(" ·  ")
			case st.Height() == 1:
				fmt.Fprintf(&b, " %c  ", top.Letter())
			default:
				fmt.Fprintf(&b, " %c%-2d", top.Letter(), st.Height())
				tall = append(tall, fmt.Sprintf("%v %v", sq, st))
			}
		}
		trimmed := strings.TrimRight(b.String(), " ")
		b.Reset()
		b.WriteString(trimmed + "\n")
	}
	files := "   a   b   c   d   e   f   g"
	if bottom == engine.Black {
		files = "   g   f   e   d   c   b   a"
	}
	b.WriteString(files)
	for _, line := range tall {
		b.WriteString("\n" + line)
	}
	return "```\n" + b.String() + "\n```" + l.T(i18n.LettersLegend)
}
