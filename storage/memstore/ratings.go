package memstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// ratingKey says whose rating is meant, and where.
type ratingKey struct {
	scope string
	user  match.UserID
}

// Rate implements [storage.Store].
func (s *Store) Rate(ctx context.Context, id match.ID, changes []storage.RatingChange, outcomes map[match.UserID]storage.Outcome) error {
	return s.change(ctx, id, func(r *storage.Record) (bool, error) {
		whole, err := r.Count(changes, outcomes)
		if err != nil {
			return false, err
		}
		for _, c := range changes {
			if err := c.CheckPrev(s.ratings[ratingKey{c.Scope, c.User}]); err != nil {
				return false, err
			}
		}
		for _, c := range changes {
			s.ratings[ratingKey{c.Scope, c.User}] = c.Next.Normal()
		}
		for u, o := range whole {
			list := append(s.outcomes[u], o)
			slices.SortFunc(list, func(a, b storage.Outcome) int {
				return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Game, b.Game))
			})
			s.outcomes[u] = list
		}
		return true, nil
	})
}

// Rating implements [storage.Store].
func (s *Store) Rating(ctx context.Context, scope string, u match.UserID) (storage.Rating, error) {
	if err := s.begin(ctx); err != nil {
		return storage.Rating{}, err
	}
	defer s.mu.Unlock()
	return s.ratings[ratingKey{scope, u}], nil
}

// Ranking implements [storage.Store].
func (s *Store) Ranking(ctx context.Context, scope string, offset, limit int) (list []storage.Ranked, total int, err error) {
	if err := s.begin(ctx); err != nil {
		return nil, 0, err
	}
	defer s.mu.Unlock()
	var all []storage.Ranked
	for key, r := range s.ratings {
		if key.scope == scope {
			all = append(all, storage.Ranked{User: key.user, Rating: r})
		}
	}
	slices.SortFunc(all, func(a, b storage.Ranked) int {
		return cmp.Or(cmp.Compare(b.Rating.Value, a.Rating.Value), cmp.Compare(a.User, b.User))
	})
	from := min(max(offset, 0), len(all))
	list = append(list, all[from:min(from+max(limit, 0), len(all))]...)
	return list, len(all), nil
}

// Outcomes implements [storage.Store].
func (s *Store) Outcomes(ctx context.Context, u match.UserID, limit int) ([]storage.Outcome, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var list []storage.Outcome
	for _, o := range slices.Backward(s.outcomes[u]) {
		if len(list) < limit {
			list = append(list, o)
		}
	}
	return list, nil
}

// ForgetScope implements [storage.Store].
func (s *Store) ForgetScope(ctx context.Context, scope string) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	for key := range s.ratings {
		if key.scope != scope {
			continue
		}
		delete(s.ratings, key)
		for i, o := range s.outcomes[key.user] {
			if o.Scope == scope {
				s.outcomes[key.user][i].Scope, s.outcomes[key.user][i].AfterHere = "", 0
			}
		}
	}
	return nil
}

// ForgetRatings implements [storage.Store].
func (s *Store) ForgetRatings(ctx context.Context, u match.UserID) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	for key := range s.ratings {
		if key.user == u {
			delete(s.ratings, key)
		}
	}
	delete(s.outcomes, u)
	for _, list := range s.outcomes {
		for i := range list {
			if u != "" && list[i].Opponent == u {
				list[i].Opponent = storage.Deleted
			}
		}
	}
	return nil
}
