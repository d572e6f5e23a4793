package eval

import (
	"math/rand/v2"
	"testing"
)

func randomNet(rng *rand.Rand) *Net {
	n := new(Net)
	for i := range n.Rows {
		for k := range n.Rows[i] {
			n.Rows[i][k] = int16(rng.IntN(401) - 200)
		}
	}
	for s := range n.Out {
		for k := range n.Out[s] {
			n.Out[s][k] = int16(rng.IntN(255) - 127)
		}
	}
	return n
}

func TestFastAndPlainNetworkAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := randomNet(rng)
	var a, b, fast, plain sums
	for i := range a {
		a[i] = int16(rng.IntN(600) - 300)
		b[i] = int16(rng.IntN(600) - 300)
	}
	for range 1000 {
		draw := func() []uint16 {
			rows := make([]uint16, rng.IntN(6))
			for i := range rows {
				rows[i] = uint16(rng.IntN(NumRows))
			}
			return rows
		}
		plus, minus := draw(), draw()
		update(&fast, &a, &n.Rows, plus, minus)
		updateGo(&plain, &a, &n.Rows, plus, minus)
		if fast != plain {
			t.Fatalf("plus %v, minus %v: sums differ\n%v\n%v", plus, minus, fast, plain)
		}
		out := &n.Out[rng.IntN(NumStages)]
		if got, want := output(&fast, &b, out), outputGo(&fast, &b, out); got != want {
			t.Fatalf("output %d, want %d as in plain Go", got, want)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	n := randomNet(rand.New(rand.NewPCG(1, 2)))
	var s, d sums
	plus, minus := []uint16{5, 900}, []uint16{77, 2000}
	for b.Loop() {
		update(&d, &s, &n.Rows, plus, minus)
	}
}

func BenchmarkOutput(b *testing.B) {
	n := randomNet(rand.New(rand.NewPCG(1, 2)))
	var s, d sums
	for b.Loop() {
		output(&d, &s, &n.Out[0])
	}
}
