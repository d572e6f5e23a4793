package engine

import (
	"fmt"
	"slices"
)

// QuietLimit is the number of plies in a row without capture or promotion that
// draws the game.
const QuietLimit = 60

// RepetitionLimit is how many times a position must occur to draw the game.
const RepetitionLimit = 3

// Result says who has won a game, or that it is drawn or still running.
type Result uint8

// The results.
const (
	Ongoing Result = iota
	WhiteWins
	BlackWins
	Draw
)

// Wins returns the result of a win for a side.
func Wins(c Color) Result { return WhiteWins + Result(c) }

// String returns the result as game text writes it: "*", "1-0", "0-1" or
// "1/2-1/2".
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

// ParseResult reads what [Result.String] writes, and returns false for anything
// else.
func ParseResult(text string) (Result, bool) {
	for _, r := range []Result{Ongoing, WhiteWins, BlackWins, Draw} {
		if r.String() == text {
			return r, true
		}
	}
	return Ongoing, false
}

// MarshalText returns the same text as [Result.String].
func (r Result) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what [Result.String] writes.
func (r *Result) UnmarshalText(text []byte) error {
	v, ok := ParseResult(string(text))
	if !ok {
		return fmt.Errorf("%q is not a result; write 1-0, 0-1, 1/2-1/2 or *", clip(string(text)))
	}
	*r = v
	return nil
}

// Reason says which rule ended a game.
type Reason uint8

// The endings that follow from the rules alone, in the order in which they are
// checked. Resignation and the like are not decided on the board.
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

// Game is a game so far: its start, its moves, and how many times each position
// has occurred. Make one with [NewGame]. A copy shares memory with the original;
// use [Game.Clone] for an independent one.
type Game struct {
	start  Position
	pos    Position
	moves  []Move
	counts map[Key]uint8
	result Result
	reason Reason
}

// NewGame starts a game from a position, which counts as having occurred once.
func NewGame(start Position) *Game {
	g := &Game{start: start, pos: start, counts: map[Key]uint8{}}
	g.arrive()
	return g
}

// Replay plays moves from a position. When a move is illegal or comes after the
// end of the game, Replay returns the game up to there and an error that names the
// ply, counted from 1, and wraps [ErrIllegalMove].
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

// Position returns the current position.
func (g *Game) Position() Position { return g.pos }

// Moves returns the moves so far. The caller must not change the slice.
func (g *Game) Moves() []Move { return g.moves }

// Result returns the result by the rules of the board, and the rule that ended
// the game.
func (g *Game) Result() (Result, Reason) { return g.result, g.reason }

// Occurrences returns how many times the current position has occurred, 1 or
// more.
func (g *Game) Occurrences() int { return int(g.counts[g.pos.Key()]) }

// Play plays a move. When the move is not legal or the game is over, it leaves the
// game as it is and returns an error that wraps [ErrIllegalMove].
func (g *Game) Play(m Move) error {
	if g.result != Ongoing {
		return fmt.Errorf("%w: %v: the game is over (%v)", ErrIllegalMove, m, g.result)
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

// arrive counts the current position and decides whether the game is over,
// checking the endings in the order that the rules give.
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
