package memstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/lascabot/lascabot/storage"
)

// fleet is what a store keeps for [storage.Fleet].
type fleet struct {
	leases map[string]lease
	next   map[string]time.Time // the first moment of a name that is not given out
	claims map[string]claim
}

type lease struct {
	owner, note string
	until       time.Time
}

type claim struct {
	owner string
	at    time.Time
}

func newFleet() fleet {
	return fleet{leases: map[string]lease{}, next: map[string]time.Time{}, claims: map[string]claim{}}
}

var _ storage.Fleet = (*Store)(nil)

// Hold implements [storage.Fleet].
func (s *Store) Hold(ctx context.Context, owner string, term time.Duration, note string, names ...string) (held []string, err error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	now := time.Now()
	for _, name := range names {
		if l, ok := s.fleet.leases[name]; ok && l.owner != owner && l.until.After(now) {
			continue
		}
		s.fleet.leases[name] = lease{owner, note, now.Add(term)}
		held = append(held, name)
	}
	return held, nil
}

// Release implements [storage.Fleet].
func (s *Store) Release(ctx context.Context, owner string, names ...string) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	for _, name := range names {
		if s.fleet.leases[name].owner == owner {
			delete(s.fleet.leases, name)
		}
	}
	return nil
}

// Leases implements [storage.Fleet].
func (s *Store) Leases(ctx context.Context) (list []storage.Lease, err error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	now := time.Now()
	for name, l := range s.fleet.leases {
		if left := l.until.Sub(now); left > 0 {
			list = append(list, storage.Lease{Name: name, Owner: l.owner, Left: left, Note: l.note})
		}
	}
	slices.SortFunc(list, func(a, b storage.Lease) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// Reserve implements [storage.Fleet].
func (s *Store) Reserve(ctx context.Context, name string, every time.Duration) (time.Duration, error) {
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	now := time.Now()
	at := s.fleet.next[name]
	if at.Before(now) {
		at = now
	}
	s.fleet.next[name] = at.Add(every)
	return at.Sub(now), nil
}

// Claim implements [storage.Fleet].
func (s *Store) Claim(ctx context.Context, owner, id string) (bool, error) {
	if err := s.begin(ctx); err != nil {
		return false, err
	}
	defer s.mu.Unlock()
	now := time.Now()
	for id, c := range s.fleet.claims {
		if now.Sub(c.at) > storage.ClaimsKept {
			delete(s.fleet.claims, id)
		}
	}
	if _, ok := s.fleet.claims[id]; !ok {
		s.fleet.claims[id] = claim{owner, now}
	}
	return s.fleet.claims[id].owner == owner, nil
}
