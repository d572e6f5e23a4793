package memstore

import (
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// hold returns an error unless what a change was decided on still holds; s.mu is held.
func (s *Store) hold(on []storage.Basis) error {
	for _, b := range on {
		for key := range b.Notes {
			if err := b.CheckNote(key, s.states[key]); err != nil {
				return err
			}
		}
		for _, u := range b.People {
			for id, r := range s.records {
				if _, err := r.Match.SeatOf(u); err != nil || r.Match.Phase == match.Finished {
					continue
				}
				if err := b.CheckGame(id); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
