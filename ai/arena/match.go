package arena

import (
	"context"
	"errors"
	"fmt"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/engine"
)

// ErrNoOpenings says that [Options] has no openings. See [Openings] for some.
var ErrNoOpenings = errors.New("a match needs openings")

// Options says how to play a match.
type Options struct {
	// Openings are played in order, each twice, with colours changed.
	Openings []*engine.Game
	// Test, when set, ends the match as soon as it decides.
	Test *SPRT
	// MaxPlies is the length, opening included, at which a game is drawn; 0
	// for 400.
	MaxPlies int
	// Proven ends a game when the player to move announces a proven win or
	// loss, and takes that player's word for it. Without it games are played
	// out.
	Proven bool
	// Agreed, when not 0, ends a game when both players, with each of their last
	// four moves, have announced that the same side is ahead by this many points
	// or more. Players that announce no score never agree. If neither player
	// foresees the true result, it is missed.
	Agreed int
	Seed   uint64
	// Progress, when set, is called after every game, with the result so far
	// and the game.
	Progress func(Result, GameResult)
}

// GameResult is one game of a match.
type GameResult struct {
	Number  int           `json:"number"`  // from 1
	First   engine.Color  `json:"first"`   // the colour of the first player
	Result  string        `json:"result"`  // "1-0", "0-1" or "1/2-1/2"
	Reason  string        `json:"reason"`  // an [engine.Reason], "proven", "agreed", "too long", "program failed" or "illegal move"
	Opening int           `json:"opening"` // plies of the opening
	Moves   []engine.Move `json:"moves"`
	Failure string        `json:"failure,omitempty"` // what the loser did wrong, if it failed
}

// Play plays a match, two games per opening. On an error it returns the result so
// far as well. The error is [ErrNoOpenings], ctx's, or a player's.
//
// A player that is to move and returns an error that wraps [ErrProgram], or an illegal
// move, has lost the game, and the match goes on.
func Play(ctx context.Context, first, second Player, o Options) (Result, error) {
	res := Result{First: first.Name(), Second: second.Name()}
	if len(o.Openings) == 0 {
		return res, ErrNoOpenings
	}
	if o.MaxPlies == 0 {
		o.MaxPlies = 400
	}
	for i, opening := range o.Openings {
		var points [2]int // of the first player, in half points
		for _, c := range []engine.Color{engine.White, engine.Black} {
			players := [2]Player{first, second}
			if c == engine.Black {
				players = [2]Player{second, first}
			}
			seed := o.Seed + uint64(i)<<8 // the same for both games: only the colours change
			gr, result, err := playGame(ctx, players, opening, o, seed)
			if err != nil {
				return res, fmt.Errorf("game %d: %w", len(res.Games)+1, err)
			}
			gr.Number, gr.First = len(res.Games)+1, c
			switch result {
			case engine.Draw:
				points[c] = 1
			case engine.Wins(c):
				points[c] = 2
			}
			res.add(gr, points[c])
			if c == engine.Black {
				res.Pairs[points[0]+points[1]]++
			}
			if o.Progress != nil {
				o.Progress(res, gr)
			}
		}
		if o.Test != nil {
			res.Test = o.Test.decide(res.Pairs)
			if res.Test.Decision != Undecided {
				break
			}
		}
	}
	return res, nil
}

// agreedPlies is for how many plies in a row, counting both players', they have to
// agree on who wins.
const agreedPlies = 8

// agreement follows the scores that the players announce.
type agreement struct {
	winner engine.Color
	plies  int // in a row that announced this winner
}

// hear records the choice of the player to move.
func (a *agreement) hear(turn engine.Color, c Choice, points int) {
	winner := turn
	if c.Score < 0 {
		winner = turn.Other()
	}
	switch {
	case !c.Known || max(c.Score, -c.Score) < ai.Score(points):
		a.plies = 0
	case winner != a.winner:
		a.winner, a.plies = winner, 1
	default:
		a.plies++
	}
}

// playGame plays one game between White and Black, in that order.
func playGame(ctx context.Context, players [2]Player, opening *engine.Game, o Options, seed uint64) (GameResult, engine.Result, error) {
	g := opening.Clone()
	start := g.Position()
	gr := GameResult{Opening: len(g.Moves())}
	for _, p := range players {
		if err := p.NewGame(ctx, start.Rules(), seed); err != nil {
			return gr, 0, err
		}
	}
	result, reason := g.Result()
	ended := reason.String()
	var agreed agreement
	for result == engine.Ongoing {
		if err := ctx.Err(); err != nil {
			return gr, 0, err
		}
		if len(g.Moves()) >= o.MaxPlies {
			result, ended = engine.Draw, "too long"
			break
		}
		pos := g.Position()
		turn := pos.Turn()
		c, err := players[turn].Move(ctx, g)
		if errors.Is(err, ErrProgram) {
			result, ended, gr.Failure = engine.Wins(turn.Other()), "program failed", err.Error()
			break
		}
		if err != nil {
			return gr, 0, err
		}
		if err := g.Play(c.Move); err != nil {
			result, ended = engine.Wins(turn.Other()), "illegal move"
			gr.Failure = fmt.Sprintf("%s: %v", players[turn].Name(), err)
			break
		}
		if o.Proven && c.Known {
			if _, ok := c.Score.Win(); ok {
				result, ended = engine.Wins(turn), "proven"
				break
			}
			if _, ok := c.Score.Loss(); ok {
				result, ended = engine.Wins(turn.Other()), "proven"
				break
			}
		}
		if o.Agreed > 0 {
			if agreed.hear(turn, c, o.Agreed); agreed.plies >= agreedPlies {
				result, ended = engine.Wins(agreed.winner), "agreed"
				break
			}
		}
		result, reason = g.Result()
		ended = reason.String()
	}
	gr.Moves, gr.Result, gr.Reason = g.Moves(), result.String(), ended
	return gr, result, nil
}
