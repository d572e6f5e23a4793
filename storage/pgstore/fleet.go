package pgstore

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/storage"
)

// Each of these is one statement, which may be repeated: whoever does not hear of it
// tries again. All times are the server's.

var _ storage.Fleet = (*Store)(nil)

// Hold implements [storage.Fleet].
func (s *Store) Hold(ctx context.Context, owner string, term time.Duration, note string, names ...string) ([]string, error) {
	held, err := read(ctx, s, patience, texts[string], `insert into leases (name, owner, note, until)
		select name, $2, $3, now() + $4 * interval '1 microsecond' from unnest($1::bytea[]) as name order by name
		on conflict (name) do update set owner = excluded.owner, note = excluded.note, until = excluded.until
			where leases.owner = excluded.owner or leases.until <= now()
		returning name`, keys(names), []byte(owner), note, term.Microseconds())
	if err != nil {
		return nil, err
	}
	// In the order in which they were given.
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(held, name) }), nil
}

// Release implements [storage.Fleet].
func (s *Store) Release(ctx context.Context, owner string, names ...string) error {
	return s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) error {
		_, err := c.Exec(ctx, `delete from leases where name = any($1) and owner = $2`, keys(names), []byte(owner))
		return err
	})
}

// Leases implements [storage.Fleet].
func (s *Store) Leases(ctx context.Context) ([]storage.Lease, error) {
	return read(ctx, s, patience, func(r pgx.Rows, err error) ([]storage.Lease, error) {
		return rows(r, err, func(row pgx.CollectableRow) (l storage.Lease, err error) {
			var name, owner []byte
			var left int64
			err = row.Scan(&name, &owner, &l.Note, &left)
			l.Name, l.Owner, l.Left = string(name), string(owner), time.Duration(left)*time.Microsecond
			return l, err
		})
	}, `select name, owner, note, (extract(epoch from until - now()) * 1000000)::bigint from leases where until > now() order by name`)
}

// Reserve implements [storage.Fleet].
func (s *Store) Reserve(ctx context.Context, name string, every time.Duration) (wait time.Duration, err error) {
	var left int64
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) error {
		return c.QueryRow(ctx, `insert into moments (name, next) values ($1, now() + $2 * interval '1 microsecond')
			on conflict (name) do update set next = greatest(moments.next, now()) + $2 * interval '1 microsecond'
			returning (extract(epoch from next - now()) * 1000000)::bigint - $2`, []byte(name), every.Microseconds()).Scan(&left)
	})
	return time.Duration(max(left, 0)) * time.Microsecond, err
}

// Claim implements [storage.Fleet].
func (s *Store) Claim(ctx context.Context, owner, id string) (mine bool, err error) {
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) error {
		return c.QueryRow(ctx, `insert into claims (id, owner) values ($1, $2)
			on conflict (id) do update set owner = claims.owner returning owner = $2`, []byte(id), []byte(owner)).Scan(&mine)
	})
	return mine, err
}

func keys(names []string) [][]byte {
	list := [][]byte{}
	for _, name := range names {
		list = append(list, []byte(name))
	}
	return list
}
