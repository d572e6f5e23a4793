package eval

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/lascabot/lascabot/engine"
)

// plainValue computes the value of a position from its features, in floating
// point.
func plainValue(w *Weights, f *Features) float64 {
	v := 0.0
	for t, n := range f.Counts {
		v += float64(n) * (float64(w.Linear[t][0])*float64(f.Share) + float64(w.Linear[t][1])*float64(1-f.Share))
	}
	a, b := w.Net.Bias, w.Net.Bias
	for _, r := range f.Rows {
		for i := range a {
			a[i] += w.Net.Rows[r][i]
			b[i] += w.Net.Rows[OtherLook[r]][i]
		}
	}
	out := 0.0
	for i := range a {
		x, y := float64(min(max(a[i], 0), One))/One, float64(min(max(b[i], 0), One))/One
		out += x*x*float64(w.Net.Out[f.Stage][i])/OneOut + y*y*float64(w.Net.Out[f.Stage][Hidden+i])/OneOut
	}
	return (v + out*pointsPerLogit) * float64(f.Fade)
}

func TestUpdatedValueIsTheValueOfTheFeatures(t *testing.T) {
	w := Default()[engine.Kawu]
	if name := os.Getenv("LASCA_WEIGHTS"); name != "" {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if w, err = Decode(b); err != nil {
			t.Fatal(err)
		}
	}
	e := New(w)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		p := engine.Start(engine.Kawu)
		var st State
		e.Reset(&st, &p)
		for range 120 {
			moves := p.Moves()
			if len(moves) == 0 {
				break
			}
			next, m := p, moves[rng.IntN(len(moves))]
			next.MakeUnchecked(m)
			var after, scratch State
			e.Update(&after, &st, m, &p, &next)
			p, st = next, after
			e.Reset(&scratch, &p)
			if scratch != st {
				t.Fatalf("after %v: the updated state differs from one computed from scratch", m)
			}
			var f Features
			f.Read(&p)
			got, want := float64(e.Value(&st, &p)), plainValue(w, &f)
			if d := got - want; d > 3 || d < -3 {
				t.Fatalf("value %v, by features %v: %v", got, want, p.Setup())
			}
		}
	}
}
