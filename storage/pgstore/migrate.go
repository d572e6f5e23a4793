package pgstore

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/lascabot/lascabot/storage"
)

//go:embed migrations
var migrations embed.FS

// migrationLock is the key of the advisory lock that whoever changes the tables holds.
const migrationLock = 0x6c617363610001

// prepare looks at the server, and makes the tables or brings them up to date.
func prepare(ctx context.Context, pool *pgxpool.Pool, existing bool) error {
	var version int
	if err := pool.QueryRow(ctx, `select current_setting('server_version_num')::int`).Scan(&version); err != nil {
		return err
	}
	if version < leastServer {
		return fmt.Errorf("%w: it is %d.%d", ErrVersion, version/10000, version%10000)
	}
	tables, err := provider(pool)
	if err != nil {
		return err
	}
	behind, err := pending(ctx, pool, tables)
	switch {
	case err != nil:
		return err
	case !behind:
		return nil
	case existing:
		return ErrNoTables
	}
	return alone(ctx, pool, func(ctx context.Context) error {
		if behind, err := pending(ctx, pool, tables); err != nil || !behind { // another process was faster
			return err
		}
		_, err := tables.Up(ctx)
		return err
	})
}

func provider(pool *pgxpool.Pool) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, stdlib.OpenDBFromPool(pool), files, goose.WithDisableGlobalRegistry(true))
}

// pending reports whether the tables have to be made or changed. The error wraps
// storage.ErrSchema when a newer program has changed them.
func pending(ctx context.Context, pool *pgxpool.Pool, tables *goose.Provider) (bool, error) {
	var made bool
	if err := pool.QueryRow(ctx, `select to_regclass('goose_db_version') is not null`).Scan(&made); err != nil || !made {
		return true, err
	}
	var stands int64
	err := pool.QueryRow(ctx, `select coalesce(max(version_id), 0) from goose_db_version where is_applied`).Scan(&stands)
	if err != nil {
		return false, err
	}
	sources := tables.ListSources()
	if len(sources) == 0 {
		return false, errors.New("no migrations")
	}
	last := sources[len(sources)-1].Version
	if stands > last {
		return false, fmt.Errorf("%w: its tables have the number %d, this program knows %d", storage.ErrSchema, stands, last)
	}
	return stands < last, nil
}
