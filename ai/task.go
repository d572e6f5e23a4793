package ai

import (
	"errors"
	"time"

	"github.com/lascabot/lascabot/engine"
)

var (
	// ErrNoMoves says that the side to move has no legal move: it has lost and
	// there is nothing to search.
	ErrNoMoves = errors.New("no legal move to search")
	// ErrNoLimits says that a task would run for ever: it has neither a limit
	// nor a level. Set one of the limits.
	ErrNoLimits = errors.New("search has no limit")
	// ErrLevel says that a task names a level that does not exist.
	ErrLevel = errors.New("no such level")
)

// Limits end a search; the first one reached does. Zero means no limit.
type Limits struct {
	Nodes int64         // positions looked at
	Depth int           // plies of the main search
	Time  time.Duration // on the clock
}

func (l Limits) none() bool { return l.Nodes <= 0 && l.Depth <= 0 && l.Time <= 0 }

// Task is one question to a [Searcher]: what to play here.
type Task struct {
	Position engine.Position
	// Seen holds the hashes of all earlier positions of the game, oldest
	// first, the present one not included. Draws by repetition are judged by
	// it; without it the search knows only what it sees itself.
	Seen []uint64
	// Level is how well to play, 0 for as well as the limits allow. A level
	// has its own limit of nodes; limits given here come on top.
	Level  Level
	Limits Limits
	// Seed makes different games of one level different. It does not change
	// the strength, and without a level it changes nothing.
	Seed uint64
	// Lines is how many of the best moves get a line and a score of their own,
	// 0 and 1 for the best only. Each costs about as much as the first.
	Lines int
	// Progress, when set, is called with the report so far after every
	// finished depth, from the goroutine that searches.
	Progress func(Report)
}

// TaskFor returns the task for the present position of a game, with its
// history; level and limits are still to be set.
func TaskFor(g *engine.Game) Task {
	t := Task{Position: g.Position()}
	p := g.Start()
	moves := g.Moves()
	t.Seen = make([]uint64, 0, len(moves))
	for _, m := range moves {
		t.Seen = append(t.Seen, p.Hash())
		p.MakeUnchecked(m)
	}
	return t
}

// check returns the limits that hold for the task, or what is wrong with it.
func (t *Task) check() (Limits, error) {
	l := t.Limits
	if t.Level < 0 || int(t.Level) > len(profiles) {
		return l, ErrLevel
	}
	if t.Level > 0 {
		p := t.Level.profile()
		l.Nodes = sooner(l.Nodes, p.nodes)
		l.Depth = int(sooner(int64(l.Depth), int64(p.depth)))
	}
	if l.none() {
		return l, ErrNoLimits
	}
	if !t.Position.HasMoves() {
		return l, ErrNoMoves
	}
	return l, nil
}

// sooner returns the stricter of two limits, 0 being none.
func sooner(a, b int64) int64 {
	if a <= 0 {
		return b
	}
	if b <= 0 {
		return a
	}
	return min(a, b)
}
