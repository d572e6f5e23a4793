package eval

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/engine"
)

func TestWeightsFileIsReadBackAsWritten(t *testing.T) {
	w := *Default()[engine.Kawu]
	w.Linear[3] = [2]int16{-7, 300}
	w.Net.Rows[17][5] = -20
	w.Net.Bias[1] = 9
	w.Net.Out[NumStages-1][2*Hidden-1] = 127
	got, err := Decode(w.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(w.Linear, got.Linear); d != "" || *got != w {
		t.Errorf("differs: %s", d)
	}
}

func TestDamagedWeightsFileIsRefused(t *testing.T) {
	good := Default()[engine.Kawu].Encode()
	for _, i := range []int{0, len(magic), len(magic) + 3, len(header()) - 1, len(header()), len(good) / 2, len(good) - 1} {
		bad := append([]byte(nil), good...)
		bad[i] ^= 1
		if _, err := Decode(bad); !errors.Is(err, ErrWeights) {
			t.Errorf("byte %d flipped: error %v, want ErrWeights", i, err)
		}
	}
	for _, n := range []int{0, 3, len(magic), len(header()), len(good) - 2} {
		if _, err := Decode(good[:n]); !errors.Is(err, ErrWeights) {
			t.Errorf("%d bytes: error %v, want ErrWeights", n, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(Default()[engine.Kawu].Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := Decode(data)
		if (err == nil) == (w == nil) {
			t.Fatalf("weights %v, error %v", w != nil, err)
		}
		if err == nil && string(w.Encode()) != string(data) {
			t.Fatal("written differently")
		}
	})
}
