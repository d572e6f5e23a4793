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
	// Name says who plays, for reports.
	Name() string
	// NewGame is called before a game, with its rules and a seed of its own.
	NewGame(ctx context.Context, rules engine.Rules, seed uint64) error
	// Move chooses a move in a game that is not over.
	Move(ctx context.Context, g *engine.Game) (Choice, error)
	// Close gives up what the player holds.
	Close() error
}

// Choice is a player's move.
type Choice struct {
	Move engine.Move
	// Score is what the player thinks of it; it counts only if Known.
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

// NewMachine returns a player that searches at a level (0 for none) within
// limits. The searcher must not be used elsewhere meanwhile.
func NewMachine(name string, s *ai.Searcher, level ai.Level, limits ai.Limits) *Machine {
	return &Machine{name: name, searcher: s, level: level, limits: limits}
}

// Name returns the name given.
func (m *Machine) Name() string { return m.name }

// NewGame empties the searcher's memory.
func (m *Machine) NewGame(_ context.Context, _ engine.Rules, seed uint64) error {
	m.seed = seed
	m.searcher.Forget()
	return nil
}

// Move searches.
func (m *Machine) Move(ctx context.Context, g *engine.Game) (Choice, error) {
	t := ai.TaskFor(g)
	t.Level, t.Limits, t.Seed = m.level, m.limits, m.seed
	r, err := m.searcher.Search(ctx, t)
	return Choice{Move: r.Best, Score: r.Score, Known: m.level == 0}, err
}

// Close does nothing.
func (m *Machine) Close() error { return nil }

// Chance is a player that draws its moves.
type Chance struct{ rng *rand.Rand }

var _ Player = (*Chance)(nil)

// Name returns "random".
func (c *Chance) Name() string { return "random" }

// NewGame starts the numbers anew.
func (c *Chance) NewGame(_ context.Context, _ engine.Rules, seed uint64) error {
	c.rng = rand.New(rand.NewPCG(seed, 0x1a5ca))
	return nil
}

// Move draws a legal move.
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
