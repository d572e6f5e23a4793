package pgstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// decodeRating reads a stored rating.
func decodeRating(scope string, u match.UserID, body string) (r storage.Rating, err error) {
	if err = decode(body, &r); err == nil {
		err = r.Check()
	}
	if err != nil {
		return storage.Rating{}, fmt.Errorf("the rating of %s in %s: %w", u, scope, damaged(err))
	}
	return r.Normal(), nil
}

// decodeOutcome reads a stored outcome.
func decodeOutcome(u match.UserID, body string) (o storage.Outcome, err error) {
	if err = decode(body, &o); err == nil {
		err = o.Check()
	}
	if err != nil {
		return storage.Outcome{}, fmt.Errorf("an outcome of %s: %w", u, damaged(err))
	}
	return o.Normal(), nil
}

// rating reads a rating, the zero value if there is none.
func rating(ctx context.Context, c *pgxpool.Conn, scope string, u match.UserID) (storage.Rating, error) {
	var body string
	err := c.QueryRow(ctx, "select body from ratings where scope = $1 and person = $2", []byte(scope), []byte(u)).Scan(&body)
	if errors.Is(err, pgx.ErrNoRows) {
		return storage.Rating{}, nil
	}
	if err != nil {
		return storage.Rating{}, err
	}
	return decodeRating(scope, u, body)
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
			stored, err := rating(ctx, c.tx, ch.Scope, ch.User)
			if err == nil {
				err = ch.CheckPrev(stored)
			}
			if err != nil {
				return false, err
			}
			next := ch.Next.Normal()
			body, err := text(next)
			if err != nil {
				return false, err
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
	body, err := text(o)
	if err != nil {
		return err
	}
	c.add(`insert into outcomes (person, at, game, scope, opponent, body) values ($1, $2, $3, $4, $5, $6)
		on conflict (person, at, game) do update set scope = excluded.scope, opponent = excluded.opponent, body = excluded.body`,
		[]byte(u), moment(o.At), []byte(o.Game), []byte(o.Scope), []byte(o.Opponent), body)
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
	type row struct {
		person []byte
		body   string
	}
	var all []row
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) error {
		if err := c.QueryRow(ctx, "select count(*) from ratings where scope = $1", []byte(scope)).Scan(&total); err != nil {
			return err
		}
		found, err := c.Query(ctx, "select person, body from ratings where scope = $1 order by value desc, person offset $2 limit $3",
			[]byte(scope), max(offset, 0), max(limit, 0))
		all, err = rows(found, err, func(r pgx.CollectableRow) (v row, err error) { return v, r.Scan(&v.person, &v.body) })
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	for _, v := range all {
		r, err := decodeRating(scope, match.UserID(v.person), v.body)
		if err != nil {
			s.log.WarnContext(ctx, "left a damaged rating out of a list", "err", err)
			continue
		}
		list = append(list, storage.Ranked{User: match.UserID(v.person), Rating: r})
	}
	return list, total, nil
}

// Outcomes implements [storage.Store].
func (s *Store) Outcomes(ctx context.Context, u match.UserID, limit int) (list []storage.Outcome, err error) {
	var all []string
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) error {
		found, err := c.Query(ctx, "select body from outcomes where person = $1 order by at desc, game desc limit $2", []byte(u), max(limit, 0))
		all, err = rows(found, err, pgx.RowTo[string])
		return err
	})
	for _, body := range all {
		o, damaged := decodeOutcome(u, body)
		if damaged != nil {
			s.log.WarnContext(ctx, "left a damaged outcome out of a list", "err", damaged)
			continue
		}
		list = append(list, o)
	}
	return list, err
}

// rewrite lets f change the outcomes of a query, but for damaged ones.
func rewrite(ctx context.Context, c *change, f func(*storage.Outcome), sql string, args ...any) error {
	type row struct {
		person []byte
		body   string
	}
	found, err := c.tx.Query(ctx, sql, args...)
	all, err := rows(found, err, func(r pgx.CollectableRow) (v row, err error) { return v, r.Scan(&v.person, &v.body) })
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b row) int { return cmp.Compare(a.body, b.body) })
	for _, v := range all {
		u := match.UserID(v.person)
		o, damaged := decodeOutcome(u, v.body)
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
	return s.update(ctx, long, []lock{lockOf(scopeLock, scope)}, func(ctx context.Context, c *change) error {
		err := rewrite(ctx, c, func(o *storage.Outcome) { o.Scope, o.AfterHere = "", 0 },
			`select person, body from outcomes where scope = $1 and person in (select person from ratings where scope = $1) for update`, []byte(scope))
		if err != nil {
			return err
		}
		c.add("delete from ratings where scope = $1", []byte(scope))
		return nil
	})
}

// ForgetRatings implements [storage.Store].
func (s *Store) ForgetRatings(ctx context.Context, u match.UserID) error {
	locks := []lock{lockOf(personLock, string(u))}
	return s.update(ctx, long, locks, func(ctx context.Context, c *change) error {
		if u == "" || u == storage.Deleted {
			c.none = true
			return nil
		}
		err := rewrite(ctx, c, func(o *storage.Outcome) { o.Opponent = storage.Deleted },
			"select person, body from outcomes where opponent = $1 for update", []byte(u))
		if err != nil {
			return err
		}
		c.add("delete from outcomes where person = $1", []byte(u))
		c.add("delete from ratings where person = $1", []byte(u))
		return nil
	})
}
