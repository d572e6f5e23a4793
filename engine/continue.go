package engine

import "slices"

// Continue is for entering a path square by square. For the squares entered so
// far it returns the squares that may come next, in board order, and the legal
// moves that begin with the prefix. An empty prefix asks for the columns that may
// move. When the prefix is a whole move, next is empty and moves holds that move
// alone, since no legal move is the beginning of another. Both are empty when no
// legal move begins with the prefix.
func (p *Position) Continue(prefix []Square) (next []Square, moves []Move) {
	for _, m := range p.Moves() {
		if m.size() < len(prefix) {
			continue
		}
		fits := true
		for i, s := range prefix {
			if m.At(i) != s {
				fits = false
				break
			}
		}
		if !fits {
			continue
		}
		moves = append(moves, m)
		if m.size() > len(prefix) {
			next = append(next, m.At(len(prefix)))
		}
	}
	slices.Sort(next)
	return slices.Compact(next), moves
}
