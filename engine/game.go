package engine

import (
	"fmt"
	"slices"
)

// QuietLimit is the number of plies in a row without capture or promotion that
// draws the game.
const QuietLimit = 60

// RepetitionLimit is how often a position has to occur to draw the game.
const RepetitionLimit = 3

// Result is how a game stands.
type Result uint8

// The results.
const (
	Ongoing Result = iota
	WhiteWins
	BlackWins
	Draw
)

// Wins returns the result in which a side wins.
func Wins(c Color) Result { return WhiteWins + Result(c) }

// String returns the result as in game text: "*", "1-0", "0-1" or "1/2-1/2".
func (r Result) String() string {
	switch r {
	case WhiteWins:
		return "1-0"
	case BlackWins:
		return "0-1"
	case Draw:
		return "1/2-1/2"
	}
	return "*"
}

// ParseResult reads what [Result.String] writes; false for anything else.
func ParseResult(text string) (Result, bool) {
	for _, r := range []Result{Ongoing, WhiteWins, BlackWins, Draw} {
		if r.String() == text {
			return r, true
		}
	}
	return Ongoing, false
}

// MarshalText returns what [Result.String] does.
func (r Result) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what [Result.String] writes.
func (r *Result) UnmarshalText(text []byte) error {
	v, ok := ParseResult(string(text))
	if !ok {
		return fmt.Errorf("%q is not a result: 1-0, 0-1, 1/2-1/2 or *", clip(string(text)))
	}
	*r = v
	return nil
}

// Reason says by which rule a game has ended.
type Reason uint8

// The endings that the rules themselves bring about, in the order in which they
// are checked. Resignation and the like are not the board's business.
const (
	NotOver    Reason = iota
	NoMoves           // the side to move has no legal move and loses
	Repetition        // the same position for the third time
	NoProgress        // 60 plies without capture or promotion
)

// String returns a short name: "", "no moves", "repetition" or "no progress".
func (r Reason) String() string {
	return [...]string{"", "no moves", "repetition", "no progress"}[min(r, NoProgress)]
}

// Game is a game as it has gone so far: where it began, its moves, and how
// often each position has occurred. Make one with [NewGame]; a copy shares
// memory with the original, [Game.Clone] does not.
type Game struct {
	start  Position
	pos    Position
	moves  []Move
	counts map[Key]uint8
	result Result
	reason Reason
}

// NewGame begins a game at a position, which counts as occurring once.
func NewGame(start Position) *Game {
	g := &Game{start: start, pos: start, counts: map[Key]uint8{}}
	g.arrive()
	return g
}

// Replay plays moves from a position. When one is illegal or comes after the
// end it returns the game up to there and an error that names the ply.
func Replay(start Position, moves []Move) (*Game, error) {
	g := NewGame(start)
	for i, m := range moves {
		if err := g.Play(m); err != nil {
			return g, fmt.Errorf("ply %d: %w", i+1, err)
		}
	}
	return g, nil
}

// Clone returns an independent copy.
func (g *Game) Clone() *Game {
	c := *g
	c.moves = slices.Clone(g.moves)
	c.counts = make(map[Key]uint8, len(g.counts))
	for k, n := range g.counts {
		c.counts[k] = n
	}
	return &c
}

// Start returns the position the game began with.
func (g *Game) Start() Position { return g.start }

// Position returns the present position.
func (g *Game) Position() Position { return g.pos }

// Moves returns the moves so far; the caller must not change them.
func (g *Game) Moves() []Move { return g.moves }

// Result returns how the game stands by the rules of the board, and which rule
// ended it.
func (g *Game) Result() (Result, Reason) { return g.result, g.reason }

// Occurrences returns how often the present position has occurred, 1 or more.
func (g *Game) Occurrences() int { return int(g.counts[g.pos.Key()]) }

// Play plays a move. It returns an error that wraps [ErrIllegalMove] and leaves
// the game alone when the move is not legal or the game is over.
func (g *Game) Play(m Move) error {
	if g.result != Ongoing {
		return fmt.Errorf("%w: %v: the game is over, %v", ErrIllegalMove, m, g.result)
	}
	next, err := g.pos.Play(m)
	if err != nil {
		return err
	}
	g.pos = next
	g.moves = append(g.moves, m)
	g.arrive()
	return nil
}

// arrive counts the present position and decides whether the game is over, in
// the order that the rules give.
func (g *Game) arrive() {
	k := g.pos.Key()
	g.counts[k]++
	switch {
	case !g.pos.HasMoves():
		g.result, g.reason = Wins(g.pos.turn.Other()), NoMoves
	case g.counts[k] >= RepetitionLimit:
		g.result, g.reason = Draw, Repetition
	case g.pos.quiet >= QuietLimit:
		g.result, g.reason = Draw, NoProgress
	}
}
