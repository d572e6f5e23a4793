package view_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// planned is the plan of the one who waits in a game, at the end of a line.
func planned(r *storage.Record, line []engine.Move, stored ...[]engine.Move) *play.Plan {
	p := &play.Plan{Record: *r, Seat: r.Match.Turn().Other(), Lines: stored, Position: r.Match.Game().Position()}
	for _, mv := range line {
		p.Places = append(p.Places, play.Place(&p.Position, mv))
		p.Line = append(p.Line, mv)
		p.Position.MakeUnchecked(mv)
	}
	return p
}

func TestPlansKeepDiscordsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := matches().Draw(t, "match")
		if m.Phase != match.Playing || m.Seats[0].Machine() || m.Seats[1].Machine() {
			return
		}
		r := storage.Record{Match: m, Place: storage.Place{Guild: "7", Channel: "8"}}
		p := planned(&r, nil)
		for range rapid.IntRange(0, 3).Draw(t, "plies") {
			moves := p.Position.Moves()
			if len(moves) == 0 {
				return
			}
			p = planned(&r, append(p.Line, rapid.SampledFrom(moves).Draw(t, "move")))
		}
		if !p.Position.HasMoves() {
			return
		}
		long := move("a1xc3xe5xg7xe5xc3xa5xc7xe5xg3xe1")
		for range storage.MaxLines {
			var line []engine.Move
			for range 24 {
				line = append(line, long)
			}
			p.Lines = append(p.Lines, line)
		}
		for _, l := range languages() {
			for _, look := range []view.Look{{}, {Boards: view.InLetters}} {
				msg := view.Planning(l, look, p)
				keeps(t, msg)
				if len(msg.Rows) == 0 {
					t.Fatal("nothing can be pressed")
				}
			}
		}
	})
}
