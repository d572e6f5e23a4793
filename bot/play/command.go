package play

import (
	"context"
	"errors"
	"fmt"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/storage"
)

// errNotWhole says that a path is the beginning of a legal move, not a move.
var errNotWhole = errors.New("the move is not whole yet")

// Act does what an intent asks of one game, and saves the game.
//
// The record is the game as it is afterwards, also with an error where there is
// a game. rest is what of an intent.Step's path is still the beginning of a move
// there: all of it before the move is whole, or while the person is asked once more
// whether to play it; nothing after.
//
// The error wraps [ErrStale] when the intent was made for another version of the
// game; a value of packages match or storage; [ErrBoardGone] or [ErrUnsure] for a
// claim, for which the caller holds the game's screen; or a *notation.MoveError for a
// typed move.
func (s *Service) Act(ctx context.Context, who Caller, in intent.Intent) (r storage.Record, rest []engine.Square, err error) {
	ref := in.About()
	for {
		var seat engine.Color
		r, seat, err = s.Find(ctx, who, ref)
		if err != nil {
			return r, nil, err
		}
		if ref.Version != 0 && ref.Version != r.Match.Version && !standing(in) {
			return r, nil, ErrStale
		}
		c, err := commandOf(in, &r.Match, seat)
		if step, ok := in.(intent.Step); ok && err == nil && !step.Sure && s.Confirms(ctx, who.ID) && r.Match.Phase == match.Playing {
			return r, step.Path, nil
		}
		switch {
		case errors.Is(err, errNotWhole):
			return r, in.(intent.Step).Path, nil
		case err != nil:
			return r, nil, err
		}
		switch claim := c.(type) {
		case match.Claim:
			claim.Told = r.Told()
			if claim.Extra, err = s.stood(ctx, &r); err != nil {
				return r, nil, err
			}
			c = claim
		case match.Accept:
			if err := s.mayJoin(ctx, who.ID); err != nil {
				return r, nil, err
			}
		}
		if claim, ok := c.(match.Claim); ok {
			if c, err = s.proven(ctx, &r, claim); err != nil {
				return r, nil, err
			}
		}
		if err := s.renamed(ctx, &r, who); err != nil {
			return r, nil, err
		}
		saved, err := s.save(ctx, r, c)
		if errors.Is(err, storage.ErrConflict) {
			continue // somebody was faster: decide again on what there is now
		}
		if _, gave := c.(match.GiveTime); gave && err == nil {
			s.lookAgain(ctx, &saved)
		}
		return saved, nil, err
	}
}

// standing reports whether an intent holds whatever has happened in the game
// since: a resignation does.
func standing(in intent.Intent) bool {
	_, ok := in.(intent.Resign)
	return ok
}

// commandOf turns an intent into what a side does in a game.
func commandOf(in intent.Intent, m *match.Match, by engine.Color) (match.Command, error) {
	switch in := in.(type) {
	case intent.Step:
		return playPath(in.Path, m, by)
	case intent.Move:
		return playText(in.Text, m, by)
	case intent.Accept:
		return match.Accept{By: by}, nil
	case intent.Decline, intent.Block:
		return match.Decline{By: by}, nil
	case intent.Withdraw:
		return match.Withdraw{By: by}, nil
	case intent.Undo:
		to, _ := m.UndoPly(by)
		return match.RequestUndo{By: by, To: to}, nil
	case intent.AllowUndo:
		return match.AcceptUndo{By: by}, nil
	case intent.RefuseUndo:
		return match.DeclineUndo{By: by}, nil
	case intent.Draw:
		return match.OfferDraw{By: by}, nil
	case intent.AcceptDraw:
		return match.AcceptDraw{By: by}, nil
	case intent.DeclineDraw:
		return match.DeclineDraw{By: by}, nil
	case intent.DropUndo:
		return match.DropRequest{By: by}, nil
	case intent.DropDraw:
		return match.DropOffer{By: by}, nil
	case intent.Resign:
		return match.Resign{By: by}, nil
	case intent.Abort:
		return match.Abort{By: by}, nil
	case intent.Claim:
		return match.Claim{By: by}, nil
	case intent.GiveTime:
		return match.GiveTime{By: by, For: day}, nil
	}
	return nil, fmt.Errorf("%T does not change a game", in)
}

// playPath makes the command of a move that is entered square by square. A path
// that begins no legal move is [ErrStale], since no button offers one.
func playPath(path []engine.Square, m *match.Match, by engine.Color) (match.Command, error) {
	pos, err := positionFor(m, by)
	if pos == nil {
		return match.Play{By: by}, err
	}
	next, moves := pos.Continue(path)
	switch {
	case len(moves) == 0:
		return nil, ErrStale
	case len(next) > 0:
		return nil, errNotWhole
	}
	return match.Play{By: by, Move: moves[0]}, nil
}

// playText makes the command of a typed move.
func playText(text string, m *match.Match, by engine.Color) (match.Command, error) {
	pos, err := positionFor(m, by)
	if pos == nil {
		return match.Play{By: by}, err
	}
	move, err := notation.FindMove(pos, text)
	return match.Play{By: by, Move: move}, err
}

// positionFor returns the position in which a side is to move. It is nil, and
// the error match.ErrNotYourTurn, when the other side is; nil without an error
// when nobody is, in which case match.Apply says why.
func positionFor(m *match.Match, by engine.Color) (*engine.Position, error) {
	switch {
	case m.Phase != match.Playing:
		return nil, nil
	case m.Turn() != by:
		return nil, match.ErrNotYourTurn
	}
	pos := m.Game().Position()
	return &pos, nil
}

// save applies a command to a loaded record and stores the result, if what it depends
// on still holds.
func (s *Service) save(ctx context.Context, r storage.Record, c match.Command, on ...storage.Basis) (storage.Record, error) {
	now := s.opt.Now()
	next, err := r.Match.Apply(c, now)
	if err != nil {
		return r, err
	}
	if s.jumps(ctx, &r.Match) {
		next.Version += match.VersionJump
	}
	if _, moved := c.(match.Play); moved {
		next = s.replies(ctx, &r, next, now)
	}
	if err := s.opt.Store.Save(ctx, next, r.Match.Version, on...); err != nil {
		return r, err
	}
	s.opt.Log.DebugContext(ctx, "game saved", "game", next.ID, "version", next.Version, "command", fmt.Sprintf("%T", c))
	r.Match = next
	if next.Phase == match.Finished {
		s.over(&r)
	}
	if next.Counts() {
		s.countSoon()
	}
	s.queue(ctx, &r)
	return r, nil
}
