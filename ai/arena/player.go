package arena

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/engine"
)

// Player chooses moves.
type Player interface {
	// Name returns the player's name for reports.
	Name() string
	// NewGame is called before every game, with its rules and seed.
	NewGame(ctx context.Context, rules engine.Rules, seed uint64) error
	// Move chooses a move in a game that is not over. It must not change g.
	Move(ctx context.Context, g *engine.Game) (Choice, error)
	// Close releases what the player holds. It is called once, at the end.
	Close() error
}

// Choice is a player's move.
type Choice struct {
	Move engine.Move
	// Score is the player's score of the move, for the player. It counts only
	// if Known.
	Score ai.Score
	Known bool
}

// Machine is a player that searches.
type Machine struct {
	name     string
	searcher *ai.Searcher
	level    ai.Level
	limits   ai.Limits
	seed     uint64
}

var _ Player = (*Machine)(nil)

// NewMachine returns a player that searches at a level, 0 for none, within limits.
// Nothing else may use the searcher at the same time. A player with a level
// announces no scores.
func NewMachine(name string, s *ai.Searcher, level ai.Level, limits ai.Limits) *Machine {
	return &Machine{name: name, searcher: s, level: level, limits: limits}
}

// Name returns the name given to [NewMachine].
func (m *Machine) Name() string { return m.name }

// NewGame clears the searcher's memory.
func (m *Machine) NewGame(_ context.Context, _ engine.Rules, seed uint64) error {
	m.seed = seed
	m.searcher.Forget()
	return nil
}

// Move searches for the best move.
func (m *Machine) Move(ctx context.Context, g *engine.Game) (Choice, error) {
	t := ai.TaskFor(g)
	t.Level, t.Limits, t.Seed = m.level, m.limits, m.seed
	r, err := m.searcher.Search(ctx, t)
	return Choice{Move: r.Best, Score: r.Score, Known: m.level == 0}, err
}

// Close does nothing.
func (m *Machine) Close() error { return nil }

// Chance is a player that plays random moves. Call NewGame before Move.
type Chance struct{ rng *rand.Rand }

var _ Player = (*Chance)(nil)

// Name returns "random".
func (c *Chance) Name() string { return "random" }

// NewGame starts a new sequence of random numbers.
func (c *Chance) NewGame(_ context.Context, _ engine.Rules, seed uint64) error {
	c.rng = rand.New(rand.NewPCG(seed, 0x1a5ca))
	return nil
}

// Move returns a random legal move.
func (c *Chance) Move(_ context.Context, g *engine.Game) (Choice, error) {
	p := g.Position()
	moves := p.Moves()
	if len(moves) == 0 {
		return Choice{}, fmt.Errorf("random: %w", ai.ErrNoMoves)
	}
	return Choice{Move: moves[c.rng.IntN(len(moves))]}, nil
}

// Close does nothing.
func (c *Chance) Close() error { return nil }
