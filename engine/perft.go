package engine

// Perft returns the number of sequences of depth moves from a position, 1 for
// depth 0. Moves count by their path; draws are ignored. It is the usual check
// and speed measure of a move generator; the last ply is counted, not played.
func Perft(p Position, depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case depth == 1:
		return uint64(p.CountMoves())
	}
	var buf [64]Move
	var n uint64
	for _, m := range p.AppendMoves(buf[:0]) {
		next := p
		next.Make(m)
		n += Perft(next, depth-1)
	}
	return n
}
