package pgstore

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// rating reads a rating, the zero value if there is none.
func rating(ctx context.Context, c querier, scope string, u match.UserID) (r storage.Rating, err error) {
	value, err := body(ctx, c, "select body from ratings where scope = $1 and person = $2", []byte(scope), []byte(u))
	if err == nil && value != nil {
		_, _, r, err = stored.DecodeRating(stored.RatingKey(scope, u), value)
	}
	return r, err
}

// outcome reads an outcome from its person, its time and game, and the value.
func (e entry) outcome() (match.UserID, storage.Outcome, error) {
	o, err := stored.DecodeOutcome(append(stored.NamePrefix(string(e.a)), e.b...), e.body)
	return match.UserID(e.a), o, err
}

// Rate implements [storage.Store].
func (s *Store) Rate(ctx context.Context, id match.ID, changes []storage.RatingChange, outcomes map[match.UserID]storage.Outcome) error {
	var locks []lock
	for _, c := range changes {
		scope := lockOf(scopeLock, c.Scope)
		scope.shared = true
		locks = append(locks, lockOf(personLock, string(c.User)), scope)
	}
	return s.change(ctx, id, locks, func(ctx context.Context, c *change, r *storage.Record) (bool, error) {
		whole, err := r.Count(changes, outcomes)
		if err != nil {
			return false, refuse(err)
		}
		for _, ch := range changes {
			old, err := rating(ctx, c.conn, ch.Scope, ch.User)
			if err == nil {
				err = ch.CheckPrev(old)
			}
			if err != nil {
				return false, err
			}
			next := ch.Next.Normal()
			body, err := stored.Encode(stored.Ratings, stored.RatingKey(ch.Scope, ch.User), next)
			if err != nil {
				return false, refuse(err)
			}
			c.add(`insert into ratings (scope, person, value, body) values ($1, $2, $3, $4)
				on conflict (scope, person) do update set value = excluded.value, body = excluded.body`,
				[]byte(ch.Scope), []byte(ch.User), next.Value, body)
		}
		for u, o := range whole {
			if err := c.putOutcome(u, o); err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// putOutcome stores an outcome.
func (c *change) putOutcome(u match.UserID, o storage.Outcome) error {
	body, err := stored.Encode(stored.Outcomes, stored.OutcomeKey(u, o), o)
	if err != nil {
		return refuse(err)
	}
	c.add(`insert into outcomes (person, at, game, scope, opponent, body) values ($1, $2, $3, $4, $5, $6)
		on conflict (person, at, game) do update set scope = excluded.scope, opponent = excluded.opponent, body = excluded.body`,
		[]byte(u), stored.AppendTime(nil, o.At), []byte(o.Game), []byte(o.Scope), []byte(o.Opponent), body)
	return nil
}

// Rating implements [storage.Store].
func (s *Store) Rating(ctx context.Context, scope string, u match.UserID) (r storage.Rating, err error) {
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) (err error) {
		r, err = rating(ctx, c, scope, u)
		return err
	})
	return r, err
}

// Ranking implements [storage.Store].
func (s *Store) Ranking(ctx context.Context, scope string, offset, limit int) (list []storage.Ranked, total int, err error) {
	var all []entry
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) (err error) {
		if err := c.QueryRow(ctx, "select count(*) from ratings where scope = $1", []byte(scope)).Scan(&total); err != nil {
			return err
		}
		all, err = entries(c.Query(ctx, "select scope, person, body from ratings where scope = $1 order by value desc, person offset $2 limit $3",
			[]byte(scope), max(offset, 0), max(limit, 0)))
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	for _, e := range all {
		_, u, r, err := stored.DecodeRating(stored.RatingKey(scope, match.UserID(e.b)), e.body)
		if err != nil {
			s.log.WarnContext(ctx, "left a damaged rating out of a list", "err", err)
			continue
		}
		list = append(list, storage.Ranked{User: u, Rating: r})
	}
	return list, total, nil
}

// Outcomes implements [storage.Store].
func (s *Store) Outcomes(ctx context.Context, u match.UserID, limit int) (list []storage.Outcome, err error) {
	all, err := read(ctx, s, patience, entries, "select "+outcome+" where person = $1 order by at desc, game desc limit $2", []byte(u), max(limit, 0))
	for _, e := range all {
		_, o, damaged := e.outcome()
		if damaged != nil {
			s.log.WarnContext(ctx, "left a damaged outcome out of a list", "err", damaged)
			continue
		}
		list = append(list, o)
	}
	return list, err
}

// outcome is what entries reads of an outcome.
const outcome = "person, at || game, body from outcomes"

// rewrite lets f change the outcomes of a query, but for damaged ones.
func rewrite(ctx context.Context, c *change, f func(*storage.Outcome), sql string, args ...any) error {
	all, err := entries(c.conn.Query(ctx, sql, args...))
	if err != nil {
		return err
	}
	for _, e := range all {
		u, o, damaged := e.outcome()
		if damaged != nil {
			continue
		}
		f(&o)
		if err := c.putOutcome(u, o); err != nil {
			return err
		}
	}
	return nil
}

// ForgetScope implements [storage.Store].
func (s *Store) ForgetScope(ctx context.Context, scope string) error {
	return s.update(ctx, order{limit: long, locks: []lock{lockOf(scopeLock, scope)}}, func(ctx context.Context, c *change) error {
		err := rewrite(ctx, c, func(o *storage.Outcome) { o.Scope, o.AfterHere = "", 0 },
			"select "+outcome+" where scope = $1 and person in (select person from ratings where scope = $1) order by person, at, game for update", []byte(scope))
		if err != nil {
			return err
		}
		c.add("delete from ratings where scope = $1", []byte(scope))
		return nil
	})
}

// ForgetRatings implements [storage.Store].
func (s *Store) ForgetRatings(ctx context.Context, u match.UserID) error {
	return s.update(ctx, order{limit: long, locks: []lock{lockOf(personLock, string(u))}}, func(ctx context.Context, c *change) error {
		if u == "" || u == storage.Deleted {
			c.none = true
			return nil
		}
		err := rewrite(ctx, c, func(o *storage.Outcome) { o.Opponent = storage.Deleted },
			"select "+outcome+" where opponent = $1 order by person, at, game for update", []byte(u))
		if err != nil {
			return err
		}
		c.add("delete from outcomes where person = $1", []byte(u))
		c.add("delete from ratings where person = $1", []byte(u))
		return nil
	})
}
