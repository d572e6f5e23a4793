package pgstore

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/storage"
)

// OnSave has f called in each transaction that stores a new version of a game, with the
// record as it will be. What f does with tx is committed with the change, or not at all.
// f may be called several times for one change. It is to be set before the store is used.
func (s *Store) OnSave(f func(ctx context.Context, tx pgx.Tx, r *storage.Record) error) { s.onSave = f }

// saved calls what [Store.OnSave] has set.
func (s *Store) saved(ctx context.Context, c *change, r *storage.Record) error {
	if s.onSave == nil {
		return nil
	}
	return s.onSave(ctx, tx{c.conn}, r)
}

// tx is the transaction of a change, for others to do something in it. It ends with the
// change alone.
type tx struct{ conn *pgxpool.Conn }

var errNotYours = errors.New("pgstore: the transaction ends with the change that it belongs to")

func (tx) Begin(context.Context) (pgx.Tx, error) { return nil, errNotYours }
func (tx) Commit(context.Context) error          { return errNotYours }
func (tx) Rollback(context.Context) error        { return errNotYours }
func (tx) LargeObjects() pgx.LargeObjects        { return pgx.LargeObjects{} }
func (t tx) Conn() *pgx.Conn                     { return t.conn.Conn() }

func (t tx) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	return t.conn.CopyFrom(ctx, table, columns, rows)
}

func (t tx) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	return t.conn.SendBatch(ctx, b)
}

func (t tx) Prepare(ctx context.Context, name, sql string) (*pgconn.StatementDescription, error) {
	return t.conn.Conn().Prepare(ctx, name, sql)
}

func (t tx) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return t.conn.Exec(ctx, sql, args...)
}

func (t tx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return t.conn.Query(ctx, sql, args...)
}

func (t tx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return t.conn.QueryRow(ctx, sql, args...)
}

// Migrate calls f while nobody else changes tables of the database: for those of what lives
// beside the games. f may use other connections. The errors are those of [Open].
func (s *Store) Migrate(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, bulk)
	defer cancel()
	return translate(alone(ctx, s.pool, f))
}

// alone is [Store.Migrate]. The lock lasts as long as a transaction, on one connection of
// the server even behind a PgBouncer, where one of the session would be lost.
func alone(ctx context.Context, pool *pgxpool.Pool, f func(context.Context) error) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `set local lock_timeout = 0`); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `select pg_advisory_xact_lock($1)`, migrationLock); err != nil {
			return err
		}
		return f(ctx)
	})
}

// Pooled reports whether a PgBouncer, or one like it, stands between the store and the
// server: it gives its connections numbers of its own. Notifications do not pass it.
func (s *Store) Pooled(ctx context.Context) (pooled bool, err error) {
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) error {
		var pid uint32
		err := c.QueryRow(ctx, "select pg_backend_pid()").Scan(&pid)
		pooled = pid != c.Conn().PgConn().PID()
		return err
	})
	return pooled, err
}

// Translate returns an error of the database as one that a caller of a store can act on,
// for what lives beside the games.
func Translate(err error) error { return translate(err) }
