package engine_test

import (
	"testing"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

// BenchmarkPerft counts from the usual start, where most moves are quiet. Perft is
// usually compared by leaves/s.
func BenchmarkPerft(b *testing.B) {
	for _, rules := range engine.AllRules() {
		b.Run(rules.String(), func(b *testing.B) {
			b.ReportAllocs()
			var leaves uint64
			for b.Loop() {
				leaves += engine.Perft(engine.Start(rules), 13)
			}
			b.ReportMetric(float64(leaves)/b.Elapsed().Seconds(), "leaves/s")
		})
	}
}

// benchPositions returns positions from every stage of a game.
func benchPositions(b *testing.B) []engine.Position {
	games, err := enginetest.Games()
	if err != nil {
		b.Fatal(err)
	}
	var all []engine.Position
	for _, g := range games {
		for i := 0; i < len(g.After); i += 5 {
			all = append(all, enginetest.Position(b, g.After[i], g.Rules))
		}
	}
	return all
}

func BenchmarkAppendMoves(b *testing.B) {
	positions := benchPositions(b)
	buf := make([]engine.Move, 0, engine.MaxMoves)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		buf = positions[n%len(positions)].AppendMoves(buf[:0])
		n++
	}
}

func BenchmarkCountMoves(b *testing.B) {
	positions := benchPositions(b)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		positions[n%len(positions)].CountMoves()
		n++
	}
}

func BenchmarkMake(b *testing.B) {
	positions := benchPositions(b)
	var moves []engine.Move
	for _, p := range positions {
		if !p.HasMoves() {
			moves = append(moves, 0)
			continue
		}
		moves = append(moves, p.Moves()[0])
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		i := n % len(positions)
		if moves[i] != 0 {
			p := positions[i]
			p.MakeUnchecked(moves[i])
		}
		n++
	}
}

func BenchmarkKey(b *testing.B) {
	positions := benchPositions(b)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		positions[n%len(positions)].Key()
		n++
	}
}

// BenchmarkTree walks the moves as a search does, with a list, a copy and a move for
// each node. The metric is nodes/s.
func BenchmarkTree(b *testing.B) {
	const depth = 11
	var lists [depth][]engine.Move
	for i := range lists {
		lists[i] = make([]engine.Move, 0, engine.MaxMoves)
	}
	var line [depth + 1]engine.Position
	line[0] = engine.Start(engine.Kawu)
	nodes := 0
	var walk func(ply int)
	walk = func(ply int) {
		nodes++
		if ply == depth {
			return
		}
		lists[ply] = line[ply].AppendMoves(lists[ply][:0])
		for _, m := range lists[ply] {
			line[ply+1] = line[ply]
			line[ply+1].MakeUnchecked(m)
			walk(ply + 1)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		walk(0)
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}
