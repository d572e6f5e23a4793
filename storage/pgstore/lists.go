package pgstore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// read returns all rows of a query.
func read[T any](ctx context.Context, s *Store, limit time.Duration, scan func(pgx.Rows, error) ([]T, error), sql string, args ...any) (list []T, err error) {
	err = s.read(ctx, limit, func(ctx context.Context, c *pgxpool.Conn) (err error) {
		list, err = scan(c.Query(ctx, sql, args...))
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// ListDue implements [storage.Store].
func (s *Store) ListDue(ctx context.Context, kind storage.Due, before time.Time, limit int) ([]match.ID, error) {
	if !slices.Contains(storage.Dues(), kind) {
		return nil, fmt.Errorf("unknown kind of work %q", kind)
	}
	column, args := dueColumn(kind), []any{max(limit, 0)}
	sql := "select id from games where " + column + " is not null"
	if kind.Timed() {
		sql += " and " + column + " < $2"
		args = append(args, stored.AppendTime(nil, before))
	}
	return read(ctx, s, patience, texts[match.ID], sql+" order by "+column+", id limit $1", args...)
}

// ListByUser implements [storage.Store].
func (s *Store) ListByUser(ctx context.Context, u match.UserID, limit int) ([]storage.Record, error) {
	if u == "" {
		limit = 0
	}
	return s.list(ctx, patience, ofPerson+" order by changed desc, id desc limit $2", []byte(u), max(limit, 0))
}

// ListByChannel implements [storage.Store].
func (s *Store) ListByChannel(ctx context.Context, channel string, limit int) ([]storage.Record, error) {
	return s.list(ctx, patience, "select id, body from games where channel = $1 and live order by changed desc, id desc limit $2", []byte(channel), max(limit, 0))
}

// ListOf implements [storage.Store].
func (s *Store) ListOf(ctx context.Context, of storage.Of, after match.ID, limit int) ([]storage.Record, error) {
	sql, key := "select id, body from games where guild = $1 and id > $2 order by id limit $3", of.Guild
	if of.User != "" {
		sql, key = `select id, body from games where seat0 = $1 and id > $2
			union select id, body from games where seat1 = $1 and id > $2 order by id limit $3`, string(of.User)
	}
	if key == "" {
		limit = 0
	}
	return s.list(ctx, long, sql, []byte(key), []byte(after), max(limit, 0))
}

// list returns the records of a query, but for damaged ones.
func (s *Store) list(ctx context.Context, limit time.Duration, sql string, args ...any) (list []storage.Record, err error) {
	all, err := read(ctx, s, limit, games, sql, args...)
	for _, g := range all {
		r, damaged := g.record()
		if damaged != nil {
			s.log.WarnContext(ctx, "left a damaged game out of a list", "match", g.id, "err", damaged)
			continue
		}
		list = append(list, r)
	}
	return list, err
}

// Guilds implements [storage.Store].
func (s *Store) Guilds(ctx context.Context) ([]string, error) {
	return read(ctx, s, long, texts[string], "select distinct guild from games where guild <> '' union select distinct scope from ratings where scope <> $1 order by 1",
		[]byte(storage.Overall))
}

// page is the number of records that All reads at a time.
const page = 200

// All yields every record, ordered by ID. For a damaged record it yields an error
// that wraps storage.ErrDamaged and names the match, and goes on; after any other
// error it stops. A game that changes in the meantime comes once, in one of its
// versions.
func (s *Store) All(ctx context.Context) iter.Seq2[storage.Record, error] {
	return func(yield func(storage.Record, error) bool) {
		last := []byte{} // no ID is empty
		for {
			list, err := read(ctx, s, bulk, games, "select id, body from games where id > $1 order by id limit $2", last, page)
			if err != nil {
				yield(storage.Record{}, err)
				return
			}
			for _, g := range list {
				if !yield(g.record()) {
					return
				}
				last = []byte(g.id)
			}
			if len(list) < page {
				return
			}
		}
	}
}

// CreateAll stores new records in one transaction: all of them or, on an error, no
// record. A match whose ID is already stored stays as it is. CreateAll returns the
// number of records stored. The error names the match.
func (s *Store) CreateAll(ctx context.Context, records []storage.Record) (created int, err error) {
	var all [][]any
	for _, r := range records {
		if err := r.Check(); err != nil {
			return 0, err
		}
		r = r.Normal()
		list, err := values(&r)
		if err != nil {
			return 0, err
		}
		all = append(all, list)
	}
	err = s.update(ctx, order{limit: bulk}, func(ctx context.Context, c *change) error {
		created = 0
		for part := range slices.Chunk(all, page) {
			var batch pgx.Batch
			for _, list := range part {
				batch.Queue(insertGame+" on conflict do nothing", list...)
			}
			answers := c.conn.SendBatch(ctx, &batch)
			for range part {
				tag, err := answers.Exec()
				if err != nil {
					return errors.Join(err, answers.Close())
				}
				created += int(tag.RowsAffected())
			}
			if err := answers.Close(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return created, nil
}
