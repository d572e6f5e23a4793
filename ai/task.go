package ai

import (
	"errors"
	"time"

	"github.com/lascabot/lascabot/engine"
)

var (
	// ErrNoMoves says that the side to move has no legal move. It has lost, and
	// there is nothing to search.
	ErrNoMoves = errors.New("no legal move to search")
	// ErrNoLimits says that a task would never end, because it has neither a
	// limit nor a level. Set one of them.
	ErrNoLimits = errors.New("search has no limit")
	// ErrLevel says that the task's level does not exist; see [Levels].
	ErrLevel = errors.New("no such level")
)

// Limits end a search as soon as one of them is reached. Zero means no limit.
type Limits struct {
	Nodes int64         // positions looked at
	Depth int           // plies of the main search
	Time  time.Duration // on the clock
}

func (l Limits) none() bool { return l.Nodes <= 0 && l.Depth <= 0 && l.Time <= 0 }

// Task asks a [Searcher] what to play in a position.
type Task struct {
	Position engine.Position
	// Seen holds the hashes of all earlier positions of the game, oldest
	// first, without the present one. The search needs it to see draws by
	// repetition; without it, it knows only the positions of its own lines.
	Seen []uint64
	// Level is how well to play, 0 for as well as the limits allow. A level
	// has limits of its own. Limits apply in addition.
	Level  Level
	Limits Limits
	// Seed makes games of one level differ. It does not change the strength.
	// Without a level it has no effect.
	Seed uint64
	// Lines is how many of the best moves get a line and a score of their own;
	// 0 and 1 both mean only the best. Each costs about as much as the first. A
	// level that opens from its list looks only at the move that it chose.
	Lines int
	// Progress, when set, is called with the report so far after every
	// finished depth, on the goroutine that called Search.
	Progress func(Report)
}

// TaskFor returns a task for the present position of a game, with the game's
// history. You still have to set a level or limits.
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

// check returns the limits that apply to the task, or what is wrong with it.
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

// sooner returns the stricter of two limits; 0 is no limit.
func sooner(a, b int64) int64 {
	if a <= 0 {
		return b
	}
	if b <= 0 {
		return a
	}
	return min(a, b)
}
