package play

import (
	"context"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// backlogLimit is how many games of a kind are counted.
const backlogLimit = 1000

// Backlog is what remains to be done of a kind of work.
type Backlog struct {
	Kind storage.Due
	// Count is in how many games it is due. More says that it is in more than that.
	Count int
	More  bool
	// Oldest is for how long it has been due in the game that has waited longest; 0 if
	// none waits, or all for a time that has not come.
	Oldest time.Duration
}

// Backlog returns what is due now, for every kind of work that these options ask for. It
// counts screens that Discord has refused, and threads to be archived, though they wait
// for a time that may lie ahead. The error is the store's or the context's.
func (s *Service) Backlog(ctx context.Context) ([]Backlog, error) {
	now := s.opt.Now()
	var list []Backlog
	for _, kind := range storage.Dues() {
		wait := time.Duration(0) // after the time by which the store lists this work
		switch kind {
		case storage.DueReminder:
			wait = match.Away
		case storage.DueRemoval:
			if wait = s.opt.KeepFinished; wait <= 0 {
				continue
			}
		}
		ids, err := s.opt.Store.ListDue(ctx, kind, now.Add(-wait), backlogLimit+1)
		if err != nil {
			return nil, err
		}
		b := Backlog{Kind: kind, Count: min(len(ids), backlogLimit), More: len(ids) > backlogLimit}
		if len(ids) > 0 {
			// A game that cannot be read, or has gone on, is not what has waited longest.
			if r, err := s.opt.Store.Load(ctx, ids[0]); err == nil {
				if at, ok := r.Due(kind); ok {
					b.Oldest = max(0, now.Sub(at)-wait)
				}
			}
		}
		list = append(list, b)
	}
	return list, nil
}
