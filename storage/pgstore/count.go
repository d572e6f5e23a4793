package pgstore

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/storage"
)

var _ storage.Counter = (*Store)(nil)

// Count implements [storage.Counter]. It reads every row, but no body.
func (s *Store) Count(ctx context.Context) (c storage.Counts, err error) {
	err = s.read(ctx, long, func(ctx context.Context, conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, `select count(*) filter (where live and due_expiry is null), count(due_expiry), count(*) filter (where not live)
			from games`).Scan(&c.Running, &c.Proposed, &c.Finished)
	})
	return c, err
}
