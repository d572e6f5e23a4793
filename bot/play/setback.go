package play

import (
	"context"
	"errors"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// maxShown is the highest version that anything may show: what follows it can be stored.
const maxShown = 1 << 62

// SetBack compares what a person has been shown of a game with what is stored. Where that
// is less, the store was put back to an older state, and the error wraps [ErrAhead]. The
// game, which goes on, then gets a version above all that may still be on any screen, and
// says that it was set back. A finished one stays as it is. The record is that of the
// game, also with [ErrAhead]. Any other error is as for [Service.Load].
func (s *Service) SetBack(ctx context.Context, who Caller, ref intent.Ref) (storage.Record, error) {
	return s.setBack(ctx, ref.Game, ref.Version, who.ID)
}

// setBack is [Service.SetBack] for a version that somebody, perhaps nobody in the game, was
// shown.
func (s *Service) setBack(ctx context.Context, id match.ID, shown uint64, who match.UserID) (storage.Record, error) {
	for {
		r, err := s.Load(ctx, id)
		switch {
		case err != nil || shown <= r.Match.Version || shown > maxShown: // the last was never written by us
			return r, err
		case r.Match.Phase == match.Finished:
			return r, ErrAhead
		}
		c := match.SetBack{Shown: shown}
		if seat, err := r.Match.SeatOf(who); err == nil {
			c.By, c.Here = seat, true
		}
		saved, err := s.save(ctx, r, c)
		switch {
		case errors.Is(err, storage.ErrConflict):
			continue
		case err != nil:
			return r, err
		}
		s.opt.Log.WarnContext(ctx, "a game was set back: the store is older than what people were shown",
			"game", id, "stored", r.Match.Version, "shown", shown, "now", saved.Match.Version)
		saved.Lines = [2][]storage.Line{} // as the store has it
		s.Complete(ctx, &saved)
		return saved, ErrAhead
	}
}

// Saw is [Service.Held] for a game of which a message in its place shows a version. If less
// is stored, the game is set back as by [Service.SetBack], without an error.
func (s *Service) Saw(ctx context.Context, id match.ID, version uint64) (storage.Record, error) {
	if _, err := s.setBack(ctx, id, version, ""); err != nil && !errors.Is(err, ErrAhead) {
		return storage.Record{}, err
	}
	return s.Held(ctx, id)
}

// recovered sets a game back whose own screen shows more than is stored: the store went
// back while the screen was being recorded. It returns the game as it is then.
func (s *Service) recovered(ctx context.Context, r storage.Record) (storage.Record, error) {
	if r.Screen.Version <= r.Match.Version {
		return r, nil
	}
	now, err := s.setBack(ctx, r.Match.ID, r.Screen.Version, "")
	if errors.Is(err, ErrAhead) {
		err = nil
	}
	return now, err
}

// jumps reports whether a game's next version is to jump: the game is as it was before an
// operator put an older state of the store in place, and nobody knows which versions
// people have been shown since.
func (s *Service) jumps(ctx context.Context, m *match.Match) bool {
	at := s.restored.Load()
	if at == nil {
		at = new(time.Time)
		if err := s.Note(ctx, storage.RestoredNote, at); err != nil {
			if ctx.Err() == nil {
				s.opt.Log.WarnContext(ctx, "could not read when the games were restored", "err", err)
			}
			return false
		}
		s.restored.Store(at)
	}
	return m.Changed.Before(*at)
}
