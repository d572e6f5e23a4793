package tune

import (
	"math"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/ai/eval"
	"github.com/lascabot/lascabot/engine"
)

// Samples are positions with the targets to learn, packed to save memory. The zero
// value is empty and ready to use.
type Samples struct {
	head  []head
	terms []term
	rows  []uint16
}

type head struct {
	terms, rows int32   // where those of the next sample begin
	result      float32 // of the game, 0 to 1
	chance      float32 // the search's opinion, 0 to 1
	share, fade float32
	stage       uint8
}

type term struct {
	term  uint8
	count int8
}

// Len returns the number of samples.
func (s *Samples) Len() int { return len(s.head) }

// Add adds the positions of a game that are worth learning from: those that were
// searched and in which the side to move need not capture. If a move of the game
// is illegal, it returns an error that wraps [engine.ErrIllegalMove].
func (s *Samples) Add(g Game) error {
	p := engine.Start(g.Rules)
	var f eval.Features
	branches := g.Branches
	for i, m := range g.Moves {
		for len(branches) > 0 && branches[0].Ply == i {
			if err := s.addBranch(&f, p, &branches[0]); err != nil {
				return err
			}
			branches = branches[1:]
		}
		if g.Scores[i] != NoScore && !p.MustCapture() {
			f.Read(&p)
			result := float32(g.Result) / 2
			if p.Turn() == engine.Black {
				result = 1 - result
			}
			s.add(&f, result, float32(ai.Score(g.Scores[i]).WinChance()))
		}
		next, err := p.Play(m)
		if err != nil {
			return err
		}
		p = next
	}
	return nil
}

// addBranch adds the end of a branch. Nothing is known about it but the search's
// opinion, so that is both targets.
func (s *Samples) addBranch(f *eval.Features, p engine.Position, b *Branch) error {
	for _, m := range b.Moves {
		next, err := p.Play(m)
		if err != nil {
			return err
		}
		p = next
	}
	chance := float32(ai.Score(b.Score).WinChance())
	f.Read(&p)
	s.add(f, chance, chance)
	return nil
}

func (s *Samples) add(f *eval.Features, result, chance float32) {
	for t, n := range f.Counts {
		if n != 0 {
			s.terms = append(s.terms, term{uint8(t), n})
		}
	}
	s.rows = append(s.rows, f.Rows...)
	s.head = append(s.head, head{
		terms: int32(len(s.terms)), rows: int32(len(s.rows)), result: result, chance: chance,
		share: f.Share, fade: f.Fade, stage: uint8(f.Stage),
	})
}

// sample returns the parts of one sample.
func (s *Samples) sample(i int) (h *head, terms []term, rows []uint16) {
	h = &s.head[i]
	var t0, r0 int32
	if i > 0 {
		t0, r0 = s.head[i-1].terms, s.head[i-1].rows
	}
	return h, s.terms[t0:h.terms], s.rows[r0:h.rows]
}

// target mixes the result of the game with the search's opinion.
func (h *head) target(resultShare float32) float32 {
	return resultShare*h.result + (1-resultShare)*h.chance
}

// Floor returns the least loss that any weights can have on the samples: the mean
// entropy of the targets.
func (s *Samples) Floor(resultShare float64) float64 {
	sum := 0.0
	for i := range s.head {
		t := s.head[i].target(float32(resultShare))
		sum += entropy(t, t)
	}
	return sum / float64(max(1, len(s.head)))
}

// entropy returns the loss of predicting p when the target is t.
func entropy(p, t float32) float64 {
	const least = 1e-7
	q := math.Min(math.Max(float64(p), least), 1-least)
	return -float64(t)*math.Log(q) - float64(1-t)*math.Log(1-q)
}
