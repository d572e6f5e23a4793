package play

import (
	"context"
	"hash/maphash"
	"sync"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const (
	// mostNames is how many people are remembered; then all are seen anew.
	mostNames = 1 << 14
	// mostRenames is how many people may wait for their games to be looked at.
	mostRenames = 64
)

// names remembers with which name people were last seen, by hashes, so that neither
// a name nor an ID is kept of anybody whose data is deleted.
type names struct {
	seed maphash.Seed
	due  chan named

	mu   sync.Mutex
	last map[uint64]uint64
}

// named is a person with a name that has not been seen before.
type named struct {
	who  match.UserID
	name string
}

func newNames() names {
	return names{seed: maphash.MakeSeed(), due: make(chan named, mostRenames), last: map[uint64]uint64{}}
}

// Called notes how a person is called, after each interaction. It does not wait: when
// the name is new, [Service.Run] writes it into the person's unfinished games.
func (s *Service) Called(who match.UserID, name string) {
	n := &s.names
	if who == "" || name == "" {
		return
	}
	key, now := maphash.String(n.seed, string(who)), maphash.String(n.seed, name)
	n.mu.Lock()
	defer n.mu.Unlock()
	if last, ok := n.last[key]; ok && last == now {
		return
	}
	select {
	case n.due <- named{who, name}:
		if len(n.last) >= mostNames {
			clear(n.last)
		}
		n.last[key] = now
	default: // too many at once: the next interaction tries again
	}
}

// rename writes new names into unfinished games until ctx ends.
func (s *Service) rename(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case n := <-s.names.due:
			if err := s.renameIn(ctx, n); err != nil && ctx.Err() == nil {
				s.names.mu.Lock()
				delete(s.names.last, maphash.String(s.names.seed, string(n.who)))
				s.names.mu.Unlock()
				s.opt.Log.WarnContext(ctx, "could not write a new name into games; will retry", "err", err)
			}
		}
	}
}

// renamed writes the name of somebody who acts in a game into it, so that the message
// that answers shows it. It is [Service.Called] for the game at hand.
func (s *Service) renamed(ctx context.Context, r *storage.Record, who Caller) error {
	if who.Name == "" || !r.Rename(who.ID, who.Name) {
		return nil
	}
	return s.opt.Store.Rename(ctx, r.Match.ID, who.ID, who.Name)
}

// renameIn renames a person in their unfinished games. The store looks for the person
// again as it writes, so that nobody who has been deleted meanwhile comes back.
func (s *Service) renameIn(ctx context.Context, n named) error {
	list, err := s.opt.Store.ListByUser(ctx, n.who, listGames)
	for i := range list {
		if list[i].Rename(n.who, n.name) {
			if failed := s.opt.Store.Rename(ctx, list[i].Match.ID, n.who, n.name); failed != nil {
				err = failed
			}
		}
	}
	return err
}
