package tune

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/lascabot/lascabot/ai/eval"
	"github.com/lascabot/lascabot/engine"
)

// ErrNoSamples says that [Fit] was given no samples.
var ErrNoSamples = errors.New("no samples to learn from")

// FitOptions says how [Fit] learns.
type FitOptions struct {
	// Start is where to start from, nil for the program's own weights of the
	// first ruleset. If it has no network, Fit starts a new one.
	Start  *eval.Weights
	Epochs int     // passes over the samples, 0 for 12
	Batch  int     // samples per step, 0 for 4,096
	Rate   float64 // learning rate of the first step, 0 for 0.002; it falls to a hundredth
	// ResultShare is the share of the game's result in the target, 0 for 0.3.
	// The rest is the search's opinion.
	ResultShare float64
	// LinearOnly fits only the linear terms; the weights then have no network.
	LinearOnly bool
	Seed       uint64
	// Progress, when set, is called after every pass.
	Progress func(Epoch)
}

// Epoch is the outcome of one pass. Losses are mean cross-entropies; lower is
// better.
type Epoch struct {
	Number   int     // from 1
	Training float64 // mean loss during the pass
	Unseen   float64 // loss after the pass on the samples kept apart; NaN without any
}

const (
	hidden     = eval.Hidden
	linearSize = 2 * int(eval.NumTerms)
	unit       = 150 // points that multiply the odds of winning by e
)

// params are all numbers to learn. Gradients and moments have the same type. The
// rows of the network are the sum of a fine and a coarse part, so rare rows borrow
// from frequent ones.
type params struct {
	linear [linearSize]float32
	fine   [eval.NumRows][hidden]float32
	coarse [eval.NumBaseRows][hidden]float32
	bias   [hidden]float32
	out    [eval.NumStages][2 * hidden]float32
}

// fitter is one run.
type fitter struct {
	o      FitOptions
	p      params
	grad   params
	m, v   params                        // Adam's moments
	rows   [eval.NumRows][hidden]float32 // fine and coarse together
	g      [eval.NumRows][hidden]float32 // gradient of rows
	step   int
	rate   float64
	looks  [2][hidden]float32
	mirror bool
}

// Fit learns weights from samples and measures them on unseen, which may be nil.
// The same samples and options give the same weights. When ctx ends, Fit returns
// what it has learnt so far, without an error. Without samples the error is
// [ErrNoSamples].
func Fit(ctx context.Context, samples, unseen *Samples, o FitOptions) (*eval.Weights, error) {
	if samples.Len() == 0 {
		return nil, ErrNoSamples
	}
	if o.Epochs == 0 {
		o.Epochs = 12
	}
	if o.Batch == 0 {
		o.Batch = 4096
	}
	if o.Rate == 0 {
		o.Rate = 0.002
	}
	if o.ResultShare == 0 {
		o.ResultShare = 0.3
	}
	f := newFitter(o)
	rng := rand.New(rand.NewPCG(o.Seed, 0x0de))
	order := rng.Perm(samples.Len())
	steps := o.Epochs * ((len(order) + o.Batch - 1) / o.Batch)
	for epoch := range o.Epochs {
		rng.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		loss := 0.0
		for at := 0; at < len(order); at += o.Batch {
			if ctx.Err() != nil {
				return f.weights(), nil
			}
			batch := order[at:min(at+o.Batch, len(order))]
			for _, i := range batch {
				f.mirror = rng.Uint64()&1 != 0
				loss += f.learn(samples, i)
			}
			done := float64(f.step) / float64(steps)
			f.rate = o.Rate * (0.01 + 0.99*(1+math.Cos(math.Pi*done))/2)
			f.update(float32(len(batch)))
		}
		if o.Progress != nil {
			o.Progress(Epoch{Number: epoch + 1, Training: loss / float64(len(order)), Unseen: f.measure(unseen)})
		}
	}
	return f.weights(), nil
}

// Loss returns the mean cross-entropy of weights on samples, for the given share
// of the result in the target. It is NaN without samples.
func Loss(w *eval.Weights, s *Samples, resultShare float64) float64 {
	f := &fitter{o: FitOptions{ResultShare: resultShare}}
	f.load(w)
	return f.measure(s)
}

// newFitter returns a fitter with the numbers for the first step.
func newFitter(o FitOptions) *fitter {
	if o.Start == nil {
		o.Start = eval.Default()[engine.Kawu]
	}
	f := &fitter{o: o}
	f.begin(rand.New(rand.NewPCG(o.Seed, 0xf17)))
	return f
}

// begin sets the numbers to the start weights and, if these have no network, to
// small random ones.
func (f *fitter) begin(rng *rand.Rand) {
	f.load(f.o.Start)
	if f.o.LinearOnly {
		return
	}
	var zero eval.Net
	if f.o.Start.Net != zero {
		return // continue with this network
	}
	for r := range f.p.coarse {
		for i := range f.p.coarse[r] {
			f.p.coarse[r][i] = float32(rng.NormFloat64() * 0.1)
		}
	}
	for i := range f.p.bias {
		f.p.bias[i] = 0.3
	}
	for s := range f.p.out {
		for i := range f.p.out[s] {
			if s == 0 {
				f.p.out[s][i] = float32(rng.NormFloat64() * 0.05)
			} else {
				f.p.out[s][i] = f.p.out[0][i]
			}
		}
	}
	f.join()
}

// load sets the numbers to weights.
func (f *fitter) load(w *eval.Weights) {
	for i, v := range w.Linear {
		f.p.linear[2*i] = float32(v[0]) / unit
		f.p.linear[2*i+1] = float32(v[1]) / unit
	}
	for r := range w.Net.Rows {
		for i, v := range w.Net.Rows[r] {
			f.p.fine[r][i] = float32(v) / eval.One
		}
	}
	for i, v := range w.Net.Bias {
		f.p.bias[i] = float32(v) / eval.One
	}
	for s := range w.Net.Out {
		for i, v := range w.Net.Out[s] {
			f.p.out[s][i] = float32(v) / eval.OneOut
		}
	}
	f.join()
}

// join adds the fine and the coarse part of the rows.
func (f *fitter) join() {
	for r := range f.rows {
		fine, coarse, row := &f.p.fine[r], &f.p.coarse[eval.BaseRow[r]], &f.rows[r]
		for i := range row {
			row[i] = fine[i] + coarse[i]
		}
	}
}

// logit returns the value of a sample in logits. It leaves the two views in looks,
// for learn.
func (f *fitter) logit(h *head, terms []term, rows []uint16) float32 {
	v := float32(0)
	for _, t := range terms {
		v += float32(t.count) * (f.p.linear[2*int(t.term)]*h.share + f.p.linear[2*int(t.term)+1]*(1-h.share))
	}
	if f.o.LinearOnly {
		return v * h.fade
	}
	a, b := &f.looks[0], &f.looks[1]
	*a, *b = f.p.bias, f.p.bias
	for _, r := range rows {
		if f.mirror {
			r = eval.Mirrored[r]
		}
		x, y := &f.rows[r], &f.rows[eval.OtherLook[r]]
		for i := range a {
			a[i] += x[i]
			b[i] += y[i]
		}
	}
	out := &f.p.out[h.stage]
	for i := range a {
		x, y := min(max(a[i], 0), 1), min(max(b[i], 0), 1)
		v += x*x*out[i] + y*y*out[hidden+i]
	}
	return v * h.fade
}

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }

// learn adds the gradient of one sample and returns its loss.
func (f *fitter) learn(s *Samples, n int) float64 {
	h, terms, rows := s.sample(n)
	p := sigmoid(f.logit(h, terms, rows))
	t := h.target(float32(f.o.ResultShare))
	d := (p - t) * h.fade
	for _, t := range terms {
		f.grad.linear[2*int(t.term)] += d * float32(t.count) * h.share
		f.grad.linear[2*int(t.term)+1] += d * float32(t.count) * (1 - h.share)
	}
	if !f.o.LinearOnly {
		out, gout := &f.p.out[h.stage], &f.grad.out[h.stage]
		var da, db [hidden]float32
		for i := range da {
			if x := f.looks[0][i]; x > 0 {
				x = min(x, 1)
				gout[i] += d * x * x
				if x < 1 {
					da[i] = d * 2 * x * out[i]
				}
			}
			if y := f.looks[1][i]; y > 0 {
				y = min(y, 1)
				gout[hidden+i] += d * y * y
				if y < 1 {
					db[i] = d * 2 * y * out[hidden+i]
				}
			}
			f.grad.bias[i] += da[i] + db[i]
		}
		for _, r := range rows {
			if f.mirror {
				r = eval.Mirrored[r]
			}
			x, y := &f.g[r], &f.g[eval.OtherLook[r]]
			for i := range da {
				x[i] += da[i]
				y[i] += db[i]
			}
		}
	}
	return entropy(p, t)
}

// update makes one step of Adam and clears the gradient.
func (f *fitter) update(n float32) {
	f.step++
	scale := 1 / n
	f.adam(f.p.linear[:], f.grad.linear[:], f.m.linear[:], f.v.linear[:], scale, 0)
	if f.o.LinearOnly {
		return
	}
	for r := range f.g {
		g, c := &f.g[r], &f.grad.coarse[eval.BaseRow[r]]
		for i := range g {
			c[i] += g[i]
		}
		f.adam(f.p.fine[r][:], g[:], f.m.fine[r][:], f.v.fine[r][:], scale, fineDecay)
	}
	for r := range f.p.coarse {
		f.adam(f.p.coarse[r][:], f.grad.coarse[r][:], f.m.coarse[r][:], f.v.coarse[r][:], scale, 0)
	}
	f.adam(f.p.bias[:], f.grad.bias[:], f.m.bias[:], f.v.bias[:], scale, 0)
	const most = 127.0 / eval.OneOut
	for s := range f.p.out {
		f.adam(f.p.out[s][:], f.grad.out[s][:], f.m.out[s][:], f.v.out[s][:], scale, 0)
		for i := range f.p.out[s] {
			f.p.out[s][i] = min(max(f.p.out[s][i], -most), most)
		}
	}
	f.join()
}

// fineDecay is the weight decay of the fine part of the rows.
const fineDecay = 0.01

// adam updates the parameters p from the gradients g and the moments m and v, and
// clears g.
func (f *fitter) adam(p, g, m, v []float32, scale, decay float32) {
	const b1, b2, tiny = 0.9, 0.999, 1e-8
	c1 := float32(1 / (1 - math.Pow(b1, float64(f.step))))
	c2 := float32(1 / (1 - math.Pow(b2, float64(f.step))))
	rate := float32(f.rate)
	for i, x := range g {
		x *= scale
		g[i] = 0
		m[i] = b1*m[i] + (1-b1)*x
		v[i] = b2*v[i] + (1-b2)*x*x
		if v[i] == 0 {
			continue
		}
		p[i] -= rate * (m[i]*c1/(float32(math.Sqrt(float64(v[i]*c2)))+tiny) + decay*p[i])
	}
}

// measure returns the mean loss on samples, NaN without any.
func (f *fitter) measure(s *Samples) float64 {
	if s == nil || s.Len() == 0 {
		return math.NaN()
	}
	f.mirror = false
	loss := 0.0
	for i := range s.Len() {
		h, terms, rows := s.sample(i)
		loss += entropy(sigmoid(f.logit(h, terms, rows)), h.target(float32(f.o.ResultShare)))
	}
	return loss / float64(s.Len())
}

// weights returns the numbers, rounded.
func (f *fitter) weights() *eval.Weights {
	w := new(eval.Weights)
	for i := range w.Linear {
		w.Linear[i] = [2]int16{round(f.p.linear[2*i]*unit, 32000), round(f.p.linear[2*i+1]*unit, 32000)}
	}
	if f.o.LinearOnly {
		return w
	}
	for r := range w.Net.Rows {
		for i := range w.Net.Rows[r] {
			w.Net.Rows[r][i] = round(f.rows[r][i]*eval.One, maxRow)
		}
	}
	for i := range w.Net.Bias {
		w.Net.Bias[i] = round(f.p.bias[i]*eval.One, maxRow)
	}
	for s := range w.Net.Out {
		for i := range w.Net.Out[s] {
			w.Net.Out[s][i] = round(f.p.out[s][i]*eval.OneOut, 127)
		}
	}
	return w
}

// maxRow bounds the numbers of a row, so that the sums of a full board fit in 16
// bits.
const maxRow = 32000 / (engine.NumSquares + 1)

func round(x float32, most float64) int16 {
	return int16(math.Round(math.Min(math.Max(float64(x), -most), most)))
}
