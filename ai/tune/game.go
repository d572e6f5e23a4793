package tune

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/ai/eval"
	"github.com/lascabot/lascabot/engine"
)

// ErrGames says that data is not games as [Generate] writes them.
var ErrGames = errors.New("unusable training games")

// Game is one game of self-play. In a file it is a line of JSON.
type Game struct {
	Rules engine.Rules  `json:"rules"`
	Moves []engine.Move `json:"moves"`
	// Scores holds the search's score of each move, in points for the side that
	// made it, or NoScore for a random move.
	Scores []int `json:"scores"`
	// Result is White's: 0 for a loss, 1 for a draw, 2 for a win.
	Result int `json:"result"`
	// Branches are positions near the game, such as a search meets, in the
	// order of the game.
	Branches []Branch `json:"branches,omitempty"`
}

// Branch is a few random moves from a position of a game.
type Branch struct {
	Ply   int           `json:"ply"`   // moves of the game before it
	Moves []engine.Move `json:"moves"` // away from the game
	// Score is the search's score of the position that they lead to, in points
	// for the side to move there.
	Score int `json:"score"`
}

// NoScore is the score of a move that was not searched.
const NoScore = 99999

// GenerateOptions says which games [Generate] plays.
type GenerateOptions struct {
	Games int
	// First is the number of the first game. A game depends only on Seed and
	// its number, so you can continue a run.
	First   int
	Rules   []engine.Rules // used in turn; empty for all
	Nodes   int64          // positions per move, 0 for 2,000
	Opening int            // random plies at the start, give or take one; 0 for 8
	Random  int            // share of random moves later, in thousandths
	Branch  int            // share of positions with a branch, in thousandths
	Seed    uint64
	Weights eval.Set // empty for the program's own
	// Progress, when set, is called with the games played after every game.
	Progress func(played int)
}

// Generate plays games and writes them to w as lines of JSON. A game ends when it
// is over or one side has a proven win. The same options give the same games as
// long as the search and the weights do not change. When ctx ends, Generate
// returns ctx's error; the games written so far are complete.
func Generate(ctx context.Context, w io.Writer, o GenerateOptions) error {
	if o.Nodes == 0 {
		o.Nodes = 2000
	}
	if o.Opening == 0 {
		o.Opening = 8
	}
	if len(o.Rules) == 0 {
		o.Rules = engine.AllRules()
	}
	if o.Weights == (eval.Set{}) {
		o.Weights = eval.Default()
	}
	s := ai.NewSearcherWith(4<<20, o.Weights)
	out := json.NewEncoder(w)
	for i := range o.Games {
		n := o.First + i
		g, err := o.play(ctx, s, o.Rules[n%len(o.Rules)], rand.New(rand.NewPCG(o.Seed, uint64(n))))
		if err != nil {
			return err
		}
		if err := out.Encode(g); err != nil {
			return err
		}
		if o.Progress != nil {
			o.Progress(i + 1)
		}
	}
	return nil
}

// play plays one game.
func (o *GenerateOptions) play(ctx context.Context, s *ai.Searcher, rules engine.Rules, rng *rand.Rand) (Game, error) {
	g := engine.NewGame(engine.Start(rules))
	out := Game{Rules: rules}
	plies := o.Opening + rng.IntN(3) - 1
	result, _ := g.Result()
	for ply := 0; result == engine.Ongoing; ply++ {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		p := g.Position()
		if ply >= plies && rng.IntN(1000) < o.Branch {
			b, ok, err := o.branch(ctx, s, p, rng)
			if err != nil {
				return out, err
			}
			if ok {
				b.Ply = ply
				out.Branches = append(out.Branches, b)
			}
		}
		var m engine.Move
		score := NoScore
		if ply < plies || rng.IntN(1000) < o.Random {
			moves := p.Moves()
			m = moves[rng.IntN(len(moves))]
		} else {
			t := ai.TaskFor(g)
			t.Limits.Nodes = o.Nodes
			r, err := s.Search(ctx, t)
			if err != nil {
				return out, err
			}
			m, score = r.Best, r.Score.Points()
		}
		out.Moves = append(out.Moves, m)
		out.Scores = append(out.Scores, score)
		if err := g.Play(m); err != nil {
			return out, err
		}
		result, _ = g.Result()
		if score != NoScore && result == engine.Ongoing {
			if _, ok := ai.Score(score).Win(); ok {
				result = engine.Wins(p.Turn())
			} else if _, ok := ai.Score(score).Loss(); ok {
				result = engine.Wins(p.Turn().Other())
			}
		}
	}
	switch result {
	case engine.WhiteWins:
		out.Result = 2
	case engine.Draw:
		out.Result = 1
	}
	return out, nil
}

// branch plays up to three random moves away from the game, and more until there
// is no capture, and searches there. It returns false when the moves end the game.
func (o *GenerateOptions) branch(ctx context.Context, s *ai.Searcher, p engine.Position, rng *rand.Rand) (Branch, bool, error) {
	var b Branch
	for left := 1 + rng.IntN(3); left > 0 || p.MustCapture(); left-- {
		moves := p.Moves()
		if len(moves) == 0 {
			return b, false, nil
		}
		m := moves[rng.IntN(len(moves))]
		b.Moves = append(b.Moves, m)
		p.MakeUnchecked(m)
	}
	if !p.HasMoves() {
		return b, false, nil
	}
	r, err := s.Search(ctx, ai.Task{Position: p, Limits: ai.Limits{Nodes: o.Nodes}})
	b.Score = r.Score.Points()
	return b, true, err
}

// ReadGames calls yield for every game of a file. If a line is not a game, the
// error wraps [ErrGames] and names the line. An error from yield ends the reading
// and is returned as it is.
func ReadGames(r io.Reader, yield func(Game) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for line := 1; in.Scan(); line++ {
		var g Game
		if err := json.Unmarshal(in.Bytes(), &g); err != nil {
			return fmt.Errorf("%w: line %d: %w", ErrGames, line, err)
		}
		if len(g.Moves) != len(g.Scores) || g.Result < 0 || g.Result > 2 {
			return fmt.Errorf("%w: line %d: %d moves with %d scores, result %d", ErrGames, line, len(g.Moves), len(g.Scores), g.Result)
		}
		if err := yield(g); err != nil {
			return err
		}
	}
	return in.Err()
}
