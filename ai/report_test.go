package ai

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

func path(t *testing.T, texts ...string) []engine.Move {
	t.Helper()
	var out []engine.Move
	for _, text := range texts {
		m, err := engine.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

func TestTallyCountsAlongTheLine(t *testing.T) {
	start := engine.Start(engine.Kawu)
	for name, c := range map[string]struct {
		position engine.Position
		line     []engine.Move
		want     Tally
	}{
		"exchange":  {start, path(t, "c3-b4", "a5xc3", "b2xd4"), Tally{Taken: 1, Lost: 1, Freed: 1, Plies: 3}},
		"lost only": {start, path(t, "c3-b4", "a5xc3"), Tally{Lost: 1, Plies: 2}},
		"promotion": {enginetest.Position(t, ",,,/w,,/,,,/,,/,,,/,,b/,,, w 0 1", engine.Kawu), path(t, "b6-a7", "f2-g1"),
			Tally{Promoted: 1, Promotes: 1, Plies: 2}},
		"illegal": {start, path(t, "c3-b4", "a7-b6"), Tally{Plies: 1}},
		"no line": {start, nil, Tally{}},
	} {
		if d := cmp.Diff(c.want, TallyOf(c.position, c.line)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestLinesAreTheBestMovesInOrder(t *testing.T) {
	s := NewSearcher(smallTable)
	for _, task := range midgames(t, 20) {
		task.Limits.Depth = 5
		task.Lines = 4
		r := want(t, s, task)
		if n := min(4, task.Position.CountMoves()); len(r.Lines) != n {
			t.Errorf("%d lines, want %d", len(r.Lines), n)
		}
		seen := map[engine.Move]bool{}
		for i, l := range r.Lines {
			if seen[l.Move] {
				t.Errorf("%v is there twice", l.Move)
			}
			seen[l.Move] = true
			if i > 0 && l.Score > r.Lines[i-1].Score {
				t.Errorf("line %d: %v after %v", i, l.Score, r.Lines[i-1].Score)
			}
		}
		if r.Best != r.Lines[0].Move || r.Score != r.Lines[0].Score {
			t.Errorf("best %v %v, first line %+v", r.Best, r.Score, r.Lines[0])
		}
	}
}

func TestTaskForAGameHoldsItsHistory(t *testing.T) {
	g := engine.NewGame(engine.Start(engine.Kawu))
	var hashes []uint64
	for _, m := range path(t, "c3-b4", "a5xc3", "b2xd4") {
		p := g.Position()
		hashes = append(hashes, p.Hash())
		if err := g.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	task := TaskFor(g)
	if d := cmp.Diff(hashes, task.Seen); d != "" || task.Position != g.Position() {
		t.Errorf("history: %s", d)
	}
}
