package play

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Plan is what a person has planned in a game that waits for the opponent: if-then
// lines, and the one that is being made.
type Plan struct {
	Record storage.Record
	Seat   engine.Color
	// Lines are the stored lines from the position on the board on, the opponent's
	// move first.
	Lines [][]engine.Move
	// Line leads to Position, in which the opponent is to move after an even number
	// of moves, and the person after an odd one. Path is the beginning of the next.
	Line     []engine.Move
	Places   []int
	Position engine.Position
	Path     []engine.Square
	Over     bool // the game ends there
}

// Plan shows a person's lines, and stores the one that ends with a reply: the other
// lines that begin like it and reply differently are dropped, as are those that it
// continues. The error wraps [ErrNoPlans], [ErrOwnTurn], [ErrTooManyLines],
// match.ErrNotAccepted or match.ErrFinished; [ErrStale], with what there is now; or is
// as for [Service.Find].
func (s *Service) Plan(ctx context.Context, who Caller, in intent.Plan) (Plan, error) {
	p, err := s.planOf(ctx, who, in.Ref)
	if err != nil {
		return p, err
	}
	for _, place := range in.Line {
		moves := byName(&p.Position)
		if p.Over || place >= len(moves) {
			return p, ErrStale
		}
		p.play(moves[place], place)
	}
	if _, moves := p.Position.Continue(in.Path); len(moves) == 0 && len(in.Path) > 0 {
		return p, ErrStale
	}
	p.Path = in.Path
	if n := len(p.Line); n > 0 && n%2 == 0 && len(in.Path) == 0 {
		lines, changed := withLine(alive(&p.Record.Match, p.Record.Lines[p.Seat], p.Seat), storage.Line{Ply: len(p.Record.Match.Moves), Moves: p.Line})
		if len(lines) > storage.MaxLines {
			return p, ErrTooManyLines
		}
		if changed {
			return p, s.saveLines(ctx, &p, lines)
		}
	}
	return p, nil
}

// DropPlan deletes the lines that begin like that of the intent. It returns what is
// left, and the same errors as [Service.Plan].
func (s *Service) DropPlan(ctx context.Context, who Caller, in intent.DropPlan) (Plan, error) {
	p, err := s.planOf(ctx, who, in.Ref)
	if err != nil {
		return p, err
	}
	at, line := p, p
	for _, place := range in.Line {
		moves := byName(&line.Position)
		if line.Over || place >= len(moves) {
			return p, ErrStale
		}
		line.play(moves[place], place)
	}
	kept := slices.DeleteFunc(alive(&p.Record.Match, p.Record.Lines[p.Seat], p.Seat), func(l storage.Line) bool {
		rest := l.Moves[len(p.Record.Match.Moves)-l.Ply:]
		return len(rest) >= len(line.Line) && slices.Equal(rest[:len(line.Line)], line.Line)
	})
	return at, s.saveLines(ctx, &at, kept)
}

// planOf returns a person's plan at the position on the board.
func (s *Service) planOf(ctx context.Context, who Caller, ref intent.Ref) (Plan, error) {
	r, seat, err := s.Find(ctx, who, ref)
	p := Plan{Record: r, Seat: seat}
	if err != nil {
		return p, err
	}
	m := &r.Match
	if err = mayPlan(m, seat); err != nil && !errors.Is(err, ErrOwnTurn) {
		return p, err
	}
	p.Position = m.Game().Position()
	p.Lines = rests(m, r.Lines[seat], seat)
	switch {
	case err != nil:
		return p, err
	case ref.Version != 0 && ref.Version != m.Version:
		return p, ErrStale
	}
	return p, nil
}

// mayPlan returns why a side may not plan now, nil where it may.
func mayPlan(m *match.Match, by engine.Color) error {
	switch {
	case m.Seats[by.Other()].Machine():
		return ErrNoPlans
	case m.Phase == match.Proposed:
		return match.ErrNotAccepted
	case m.Phase == match.Finished:
		return match.ErrFinished
	case m.Turn() == by:
		return ErrOwnTurn
	}
	return nil
}

func (p *Plan) play(mv engine.Move, place int) {
	p.Line, p.Places = append(p.Line, mv), append(p.Places, place)
	g, err := engine.Replay(p.Record.Match.StartPosition(), append(slices.Clip(p.Record.Match.Moves), p.Line...))
	if err != nil { // the move is from the list of legal ones, but the game may be over
		p.Over = true
		return
	}
	p.Position = g.Position()
	_, why := g.Result()
	p.Over = why != engine.NotOver
}

// saveLines stores a person's lines. A game that has changed meanwhile is [ErrStale].
func (s *Service) saveLines(ctx context.Context, p *Plan, lines []storage.Line) error {
	err := s.opt.Store.SaveLines(ctx, p.Record.Match.ID, p.Record.Match.Version, p.Seat, lines)
	if errors.Is(err, storage.ErrConflict) {
		return ErrStale
	}
	if err == nil {
		p.Record.Lines[p.Seat] = lines
		p.Lines = rests(&p.Record.Match, lines, p.Seat)
	}
	return err
}

// byName returns the legal moves in the order of their names, which no version of
// this program changes.
func byName(pos *engine.Position) []engine.Move {
	moves := pos.Moves()
	slices.SortFunc(moves, func(a, b engine.Move) int { return cmp.Compare(a.String(), b.String()) })
	return moves
}

// Place returns the place of a move in a line of an intent.
func Place(pos *engine.Position, mv engine.Move) int { return slices.Index(byName(pos), mv) }

// withLine adds a line to others that are alive at the same position.
func withLine(lines []storage.Line, add storage.Line) (all []storage.Line, changed bool) {
	for _, old := range lines {
		rest := old.Moves[add.Ply-old.Ply:]
		same := 0
		for same < len(rest) && same < len(add.Moves) && rest[same] == add.Moves[same] {
			same++
		}
		switch {
		case same == len(add.Moves): // it is stored already, perhaps with more
			return lines, false
		case same == len(rest), same%2 == 1: // continued, or answered differently
		default:
			all = append(all, old)
		}
	}
	return append(all, add), true
}

// alive returns the lines that may still come into effect: the game has followed them
// so far, and there is a reply left.
func alive(m *match.Match, lines []storage.Line, seat engine.Color) []storage.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l storage.Line) bool {
		n := follows(m, l)
		return n < 0 || n >= len(l.Moves) || m.Phase != match.Playing || (m.Turn() == seat) != (n%2 == 1)
	})
}

// rests returns what is left of the lines that are alive.
func rests(m *match.Match, lines []storage.Line, seat engine.Color) (list [][]engine.Move) {
	for _, l := range alive(m, lines, seat) {
		list = append(list, l.Moves[len(m.Moves)-l.Ply:])
	}
	return list
}

// follows returns how many moves of a line the game has made, -1 if it has left it.
func follows(m *match.Match, l storage.Line) int {
	n := len(m.Moves) - l.Ply
	if n < 0 {
		return -1
	}
	made := m.Moves[l.Ply:]
	if n > len(l.Moves) {
		made = made[:len(l.Moves)]
	}
	if !slices.Equal(made, l.Moves[:len(made)]) {
		return -1
	}
	return n
}

// reply returns the stored reply of the side to move.
func reply(r *storage.Record, m *match.Match) (engine.Move, bool) {
	seat := m.Turn()
	for _, l := range alive(m, r.Lines[seat], seat) {
		return l.Moves[len(m.Moves)-l.Ply], true
	}
	return 0, false
}

// replies makes the replies that both sides have stored, after somebody has moved just
// now.
func (s *Service) replies(ctx context.Context, r *storage.Record, m match.Match, now time.Time) match.Match {
	for m.Phase == match.Playing {
		mv, ok := reply(r, &m)
		if !ok {
			break
		}
		next, err := m.Apply(match.PlayStored{By: m.Turn(), Move: mv}, now)
		if err != nil {
			s.opt.Log.ErrorContext(ctx, "a stored reply is no legal move", "game", m.ID, "move", mv, "err", err)
			break
		}
		m = next
	}
	return m
}

// LeftLines reports whether the game has left the lines that a person stored, so that
// none of them is alive, and forgets them. Whoever hears it says it once.
func (s *Service) LeftLines(ctx context.Context, who Caller, id match.ID) (storage.Record, bool) {
	r, seat, err := s.Find(ctx, who, intent.Ref{Game: id})
	if err != nil || len(r.Lines[seat]) == 0 || len(alive(&r.Match, r.Lines[seat], seat)) > 0 {
		return r, false
	}
	left := slices.ContainsFunc(r.Lines[seat], func(l storage.Line) bool { return follows(&r.Match, l) < 0 })
	err = s.opt.Store.SaveLines(ctx, id, r.Match.Version, seat, nil)
	return r, left && err == nil
}
