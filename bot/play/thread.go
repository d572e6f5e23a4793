package play

import (
	"context"
	"errors"

	"github.com/lascabot/lascabot/storage"
)

// placeFor returns where a new game of a person's is played: in a thread of its own, once
// it begins, where the server wants that and Discord lets the application start one; a
// rematch in the thread of the game before it, where both look for it, and which then has
// all of their games.
func (s *Service) placeFor(ctx context.Context, who Caller, at storage.Place) storage.Place {
	inThread := at.Parent != "" && at.Parent != at.Channel
	at.Thread = ""
	switch {
	case inThread:
		at.Thread = storage.ThreadOpen
		return at
	case who.Threads && who.Place.Channel == at.Channel && s.threads(ctx, at.Guild):
		at.Thread = storage.ThreadWanted
	}
	at.Parent = ""
	return at
}

// threads reports whether games on a server get threads.
func (s *Service) threads(ctx context.Context, guild string) bool {
	return guild != "" && s.settings(ctx, guildKey(guild)).Threads
}

// LacksThread reports whether a game that a person has begun would have a thread of its
// own if the application could start one.
func (s *Service) LacksThread(ctx context.Context, who Caller, r *storage.Record) bool {
	return !who.Threads && who.Parent == "" && r.Place.Thread == "" && s.threads(ctx, who.Place.Guild)
}

// passOn leaves the thread of a finished game to its rematch, after which it is archived.
func (s *Service) passOn(ctx context.Context, old *storage.Record) {
	if old.Place.Thread != storage.ThreadOpen {
		return
	}
	if err := s.Moved(ctx, old, storage.Place{Channel: old.Place.Channel, Thread: storage.ThreadClosed, Parent: old.Place.Parent}); err != nil && !errors.Is(err, storage.ErrNotFound) {
		s.opt.Log.WarnContext(ctx, "could not record that a rematch has the thread of a game, which is archived while it goes on", "game", old.Match.ID, "err", err)
	}
}

// Moved records where a game goes on and how it stands to its thread, as
// [storage.Store.Move] does, also in r. The caller holds the game's screen, but for a
// game that is over.
func (s *Service) Moved(ctx context.Context, r *storage.Record, to storage.Place) error {
	if err := s.opt.Store.Move(ctx, r.Match.ID, r.Place, to); err != nil {
		return err
	}
	s.waits(r, false) // in the channel where it was
	r.Place.Channel, r.Place.Thread, r.Place.Parent = to.Channel, to.Thread, to.Parent
	return nil
}

// Idle reports whether no game goes on in a channel.
func (s *Service) Idle(ctx context.Context, channel string) (bool, error) {
	list, err := s.opt.Store.ListByChannel(ctx, channel, 1)
	return len(list) == 0, err
}

// archivedLater reports whether a game's thread is to be archived, but not yet.
func (s *Service) archivedLater(r *storage.Record) bool {
	at, ok := r.Archive()
	return ok && s.opt.Now().Before(at)
}
