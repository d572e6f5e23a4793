package ai

import (
	"context"
	"testing"

	"github.com/lascabot/lascabot/engine"
)

func TestSignatureIsRepeatable(t *testing.T) {
	a, b := Bench(t.Context(), 6), Bench(t.Context(), 6)
	if a.Nodes != b.Nodes || a.Nodes == 0 || a.Positions != b.Positions || a.Positions < 40 {
		t.Errorf("%+v, then %+v", a, b)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if b := Bench(ctx, 6); b.Positions != 0 {
		t.Errorf("%d positions after ctx ended", b.Positions)
	}
}

func BenchmarkSearch(b *testing.B) {
	s := NewSearcher(64 << 20)
	p := engine.Start(engine.Kawu)
	var nodes int64
	for b.Loop() {
		nodes += want(b, s, Task{Position: p, Limits: Limits{Nodes: 300_000}}).Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}
