package play

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/turns"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// When the machine agrees to a draw: not before drawPly, and only when its own
// winning chances are no better than drawChance.
const (
	drawPly    = 20
	drawChance = 0.49
)

// Do does a job, and returns when it is done. Where there is nothing to do any more, it
// does nothing. The error is the store's, the search's or the context's, or wraps
// [ErrBusy].
func (s *Service) Do(ctx context.Context, j storage.Job) error {
	r, err := s.opt.Store.Load(ctx, j.Game)
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	switch j.Kind {
	case storage.JobThink:
		if r.Match.Version == j.Version && r.Match.MachineDue() {
			return s.think(ctx, r, j.Away)
		}
	case storage.JobShow:
		if r.Match.Counts() && !r.Counted {
			s.countSoon() // its last move was another process's
		}
		if r.Behind() {
			s.opt.Screen.Refresh(j.Game)
		}
	}
	return nil
}

// queue has the machine act in a game that has just been saved, if it has to.
func (s *Service) queue(ctx context.Context, r *storage.Record) {
	if err := s.opt.Jobs.Saved(ctx, r); err != nil {
		s.opt.Log.WarnContext(ctx, "the machine's move has to wait; will retry", "game", r.Match.ID, "err", err)
	}
}

// mend adds the machine's jobs that nobody has: they did not fit, failed, or went with
// their process.
func (s *Service) mend(ctx context.Context) {
	ids, err := s.opt.Store.ListDue(ctx, storage.DueMachine, s.opt.Now(), sweepLimit)
	var jobs []storage.Job
	for _, id := range ids {
		_ = s.visit(ctx, id, func(_ context.Context, r storage.Record) error {
			if j, ok := storage.JobOf(&r); ok {
				jobs = append(jobs, j)
			}
			return nil
		})
	}
	added := 0
	if err == nil && len(jobs) > 0 {
		added, err = s.opt.Jobs.Add(ctx, jobs...)
	}
	if added > 0 && s.opt.Mended != nil {
		s.opt.Mended(added)
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.ErrorContext(ctx, "could not look where the machine has to move; will retry", "err", err)
	}
}

// think has the machine act in a game. The screen is left alone if it is away, with
// another process.
func (s *Service) think(ctx context.Context, r storage.Record, away bool) error {
	m := r.Match
	seat := m.Turn()
	if m.Offer != nil {
		seat = m.Offer.By.Other()
	}
	task := ai.TaskFor(m.Game())
	task.Level = ai.Level(m.Seats[seat].Level)
	task.Seed = seedOf(m.ID, len(m.Moves))
	rep, err := s.ask(ctx, turns.Job{Key: fmt.Sprintf("%s %d", m.ID, m.Version), Share: r.Share(), Task: task})
	if err == nil {
		err = s.answer(ctx, r, seat, rep)
	}
	switch {
	case errors.Is(err, storage.ErrConflict), errors.Is(err, storage.ErrNotFound):
		return nil // whoever was faster has seen to what is due now
	case err == nil && !away:
		s.opt.Screen.Refresh(m.ID)
	}
	return err
}

// answer saves what the machine decided about the game as it was when it began to
// think. The error wraps storage.ErrConflict when the game has changed meanwhile.
func (s *Service) answer(ctx context.Context, r storage.Record, seat engine.Color, rep ai.Report) error {
	var c match.Command = match.Play{By: seat, Move: rep.Best}
	if o := r.Match.Offer; o != nil && o.By != seat {
		c = match.DeclineDraw{By: seat}
		if agrees(&r.Match, seat, rep.Score) {
			c = match.AcceptDraw{By: seat}
		}
	}
	_, err := s.save(ctx, r, c)
	return err
}

// agrees decides on a draw offer to the machine. The score is for the side to
// move.
func agrees(m *match.Match, seat engine.Color, score ai.Score) bool {
	chance := score.WinChance()
	if m.Turn() != seat {
		chance = 1 - chance
	}
	return len(m.Moves) >= drawPly && chance <= drawChance
}

// hintNodes is how many positions are searched for a hint: ten times as many as
// the strongest level looks at.
const hintNodes = 400_000

// Hint finds the best move for a person in a game against the machine, or in one whose
// players have agreed to hints, and waits for it; whoever asks the same at the same time
// shares the answer. A level varies its openings at random; a hint does not. Only the
// person to move may ask, and the button of an older board asks about the position that
// there is. A rated game becomes casual, which casual says. The record is that of the
// game, also with an error where there is a game. The error is as for [Service.Find], or
// wraps match.ErrNotAccepted, match.ErrFinished, [ErrNoHints], match.ErrNotYourTurn,
// [ErrBusy] or, if a rated game has gone on meanwhile, [ErrStale]; or it is the context's
// or the search's.
func (s *Service) Hint(ctx context.Context, who Caller, ref intent.Ref) (r storage.Record, rep ai.Report, casual bool, err error) {
	var seat engine.Color
	r, seat, err = s.Find(ctx, who, ref)
	if err == nil {
		err = mayHint(&r.Match, seat)
	}
	if err != nil {
		return r, ai.Report{}, false, err
	}
	key := fmt.Sprintf("hint %s %d", r.Match.ID, r.Match.Version)
	rep, err = share(ctx, &s.questions, key, func(ctx context.Context) (ai.Report, error) {
		task := ai.TaskFor(r.Match.Game())
		task.Limits.Nodes = hintNodes
		return s.ask(ctx, turns.Job{Key: key, Share: r.Share(), Task: task})
	})
	if err != nil || !r.Match.Terms.Rated {
		return r, rep, false, err
	}
	r, err = s.hinted(ctx, r, seat)
	return r, rep, true, err
}

// hinted makes a rated game casual, before anybody reads a hint about its position. Who
// asks twice at the same moment has both answered. The error is [ErrStale] when the
// game has gone on.
func (s *Service) hinted(ctx context.Context, r storage.Record, seat engine.Color) (storage.Record, error) {
	for {
		saved, err := s.save(ctx, r, match.Hinted{By: seat})
		if !errors.Is(err, storage.ErrConflict) {
			return saved, err
		}
		now, err := s.opt.Store.Load(ctx, r.Match.ID)
		switch {
		case err != nil:
			return r, err
		case now.Match.Phase != match.Playing || !slices.Equal(now.Match.Moves, r.Match.Moves):
			return now, ErrStale
		case !now.Match.Terms.Rated:
			return now, nil
		}
		r = now
	}
}

// ask submits a job under a key of its own and waits for its result. When nobody
// waits any more, the job is dropped.
func (s *Service) ask(ctx context.Context, j turns.Job) (ai.Report, error) {
	type result struct {
		rep ai.Report
		err error
	}
	done := make(chan result, 1)
	// The key of a job that was given up stays with the pool until its turn comes,
	// and would keep out another of the same.
	j.Key = fmt.Sprintf("%s #%d", j.Key, s.asked.Add(1))
	j.Dropped = func() bool { return ctx.Err() != nil }
	j.Done = func(_ context.Context, rep ai.Report, err error) { done <- result{rep, err} }
	if err := s.opt.Machine.Submit(j); err != nil {
		return ai.Report{}, fmt.Errorf("%w: %w", ErrBusy, err)
	}
	select {
	case v := <-done:
		return v.rep, v.err
	case <-ctx.Done():
		return ai.Report{}, ctx.Err()
	}
}

// seedOf makes openings vary from game to game, while the same position of the
// same game always gets the same answer, also after a restart.
func seedOf(id match.ID, ply int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", id, ply)
	return h.Sum64()
}
