package tune

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/ai/eval"
	"github.com/lascabot/lascabot/engine"
)

// games plays a few quick games.
func games(t *testing.T, o GenerateOptions) []Game {
	t.Helper()
	var buf bytes.Buffer
	if err := Generate(t.Context(), &buf, o); err != nil {
		t.Fatal(err)
	}
	var out []Game
	if err := ReadGames(&buf, func(g Game) error { out = append(out, g); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGeneratedGamesAreLegalAndRepeatable(t *testing.T) {
	o := GenerateOptions{Games: 6, Nodes: 60, Random: 50, Seed: 3}
	all := games(t, o)
	if len(all) != 6 {
		t.Fatalf("%d games", len(all))
	}
	rules := map[engine.Rules]bool{}
	for i, g := range all {
		rules[g.Rules] = true
		played, err := engine.Replay(engine.Start(g.Rules), g.Moves)
		if err != nil {
			t.Errorf("game %d: %v", i, err)
			continue
		}
		if result, _ := played.Result(); result == engine.Draw && g.Result != 1 ||
			result == engine.WhiteWins && g.Result != 2 || result == engine.BlackWins && g.Result != 0 {
			t.Errorf("game %d: %v, recorded %d", i, result, g.Result)
		}
	}
	if len(rules) != 3 {
		t.Errorf("rules %v, want all", rules)
	}
	if d := cmp.Diff(all, games(t, o)); d != "" {
		t.Errorf("the same options give other games: %s", d)
	}
	o.First, o.Games = 4, 2
	if d := cmp.Diff(all[4:], games(t, o)); d != "" {
		t.Errorf("the continued run differs: %s", d)
	}
}

func TestGenerateStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var buf bytes.Buffer
	err := Generate(ctx, &buf, GenerateOptions{Games: 1000, Nodes: 20, Progress: func(int) { cancel() }})
	if !errors.Is(err, context.Canceled) || strings.Count(buf.String(), "\n") != 1 {
		t.Errorf("error %v after %d games", err, strings.Count(buf.String(), "\n"))
	}
}

func TestBrokenGamesAreNamedByLine(t *testing.T) {
	const good = `{"rules":"kawu","moves":["c3-d4"],"scores":[3],"result":1}`
	for name, text := range map[string]string{
		"not JSON":     good + "\nx\n",
		"missing":      good + "\n" + `{"rules":"kawu","moves":["c3-d4"],"scores":[],"result":1}` + "\n",
		"result":       good + "\n" + `{"rules":"kawu","moves":[],"scores":[],"result":3}` + "\n",
		"no such path": good + "\n" + `{"rules":"kawu","moves":["c3-c9"],"scores":[1],"result":0}` + "\n",
	} {
		err := ReadGames(strings.NewReader(text), func(Game) error { return nil })
		if !errors.Is(err, ErrGames) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestIllegalMoveInAGameIsRefused(t *testing.T) {
	var s Samples
	m, err := engine.ParseMove("a1-b2")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Add(Game{Moves: []engine.Move{m}, Scores: []int{0}}); !errors.Is(err, engine.ErrIllegalMove) {
		t.Errorf("error %v", err)
	}
}

func samples(t *testing.T, o GenerateOptions) *Samples {
	t.Helper()
	s := new(Samples)
	for _, g := range games(t, o) {
		if err := s.Add(g); err != nil {
			t.Fatal(err)
		}
	}
	if s.Len() == 0 {
		t.Fatal("no samples")
	}
	return s
}

func TestFitLowersTheLossAndIsRepeatable(t *testing.T) {
	train := samples(t, GenerateOptions{Games: 30, Nodes: 40, Seed: 1})
	unseen := samples(t, GenerateOptions{Games: 3, Nodes: 40, Seed: 2})
	bare := *eval.Default()[engine.Kawu]
	bare.Net = eval.Net{}
	before := map[string]float64{"linear": Loss(&bare, train, 0.5), "network": Loss(eval.Default()[engine.Kawu], train, 0.5)}
	for name, o := range map[string]FitOptions{
		"linear":  {Epochs: 3, Batch: 100, Rate: 0.02, ResultShare: 0.5, LinearOnly: true},
		"network": {Epochs: 2, Batch: 200, ResultShare: 0.5},
	} {
		var last Epoch
		o.Progress = func(e Epoch) { last = e }
		w, err := Fit(t.Context(), train, unseen, o)
		if err != nil {
			t.Fatal(err)
		}
		if after := Loss(w, train, 0.5); after >= before[name] {
			t.Errorf("%s: loss %v, before %v", name, after, before[name])
		}
		if d := last.Unseen - Loss(w, unseen, 0.5); last.Number != o.Epochs || math.Abs(d) > 0.01 {
			t.Errorf("%s: last pass %+v, rounding changes the loss by %v", name, last, d)
		}
		again, err := Fit(t.Context(), train, unseen, o)
		if err != nil || *again != *w {
			t.Errorf("%s: the same fit gives other weights (%v)", name, err)
		}
	}
}

func TestFitNeedsSamples(t *testing.T) {
	if _, err := Fit(t.Context(), new(Samples), nil, FitOptions{}); !errors.Is(err, ErrNoSamples) {
		t.Errorf("error %v", err)
	}
}

func TestGradientIsTheSlopeOfTheLoss(t *testing.T) {
	s := samples(t, GenerateOptions{Games: 2, Nodes: 40, Seed: 7})
	f := newFitter(FitOptions{ResultShare: 0.6, Seed: 1})
	n := s.Len() / 2
	h, terms, rows := s.sample(n)
	loss := func() float64 {
		f.join()
		return entropy(sigmoid(f.logit(h, terms, rows)), h.target(0.6))
	}
	f.learn(s, n)
	const step = 1.0 / 256
	for name, c := range map[string]struct{ value, slope *float32 }{
		"linear": {&f.p.linear[2*int(terms[0].term)], &f.grad.linear[2*int(terms[0].term)]},
		"row":    {&f.p.fine[rows[0]][3], &f.g[rows[0]][3]},
		"bias":   {&f.p.bias[5], &f.grad.bias[5]},
		"out":    {&f.p.out[h.stage][7], &f.grad.out[h.stage][7]},
	} {
		old := *c.value
		*c.value = old + step
		up := loss()
		*c.value = old - step
		down := loss()
		*c.value = old
		if slope := (up - down) / (2 * step); math.Abs(slope-float64(*c.slope)) > 0.02*math.Abs(slope)+1e-4 {
			t.Errorf("%s: gradient %v, slope %v", name, *c.slope, slope)
		}
	}
}
