package pgstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// State is what [Examine] finds out about a database.
type State struct {
	Version        string        // of the server
	Tables, Newest int           // the number of the tables, 0 if there are none, and that of this program
	Skew           time.Duration // by how much the server's clock is ahead of this machine's
	Limit          int           // of the connections that this user may open to it
	Pooler         bool          // a PgBouncer, or the like, is in front of the server
}

// ErrStatementMode means that a PgBouncer gives each statement another connection, so that
// several cannot be done as one.
var ErrStatementMode = errors.New("the PgBouncer in front of the server is in statement mode: set its pool_mode to transaction")

// Examine looks at a database and changes nothing. The error is one of [Open], or
// [ErrStatementMode].
func Examine(ctx context.Context, url string) (st State, err error) {
	c, err := Config(url)
	if err != nil {
		return st, err
	}
	configure(c, 2)
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return st, translate(err)
	}
	defer pool.Close()
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	var number int
	err = pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		var now time.Time
		var own uint32
		before := time.Now()
		err := c.QueryRow(ctx, `select current_setting('server_version'), current_setting('server_version_num')::int, clock_timestamp(), pg_backend_pid(),
			least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
				(select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
				(select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user))`).Scan(&st.Version, &number, &now, &own, &st.Limit)
		st.Skew = now.Sub(before.Add(time.Since(before) / 2))
		st.Pooler = own != c.Conn().PgConn().PID() // which a pooler makes up
		return err
	})
	if err != nil {
		return st, translate(err)
	}
	st.Version, _, _ = strings.Cut(st.Version, " ")
	if number < leastServer {
		return st, fmt.Errorf("%w: it is %s", ErrVersion, st.Version)
	}
	if tx, err := pool.Begin(ctx); err != nil {
		if st.Pooler && code(err) != "" {
			return st, fmt.Errorf("%w: %w", ErrStatementMode, err)
		}
		return st, translate(err)
	} else if err := tx.Rollback(ctx); err != nil {
		return st, translate(err)
	}
	files, err := provider(pool)
	if err != nil {
		return st, err
	}
	sources := files.ListSources()
	st.Newest = int(sources[len(sources)-1].Version)
	var made bool
	if err := pool.QueryRow(ctx, `select to_regclass('goose_db_version') is not null`).Scan(&made); err != nil || !made {
		return st, translate(err)
	}
	err = pool.QueryRow(ctx, `select coalesce(max(version_id), 0) from goose_db_version where is_applied`).Scan(&st.Tables)
	return st, translate(err)
}

// Name returns what may be shown of a database's address: its hosts and its name, without
// the user and the password.
func Name(url string) string {
	c, err := Config(url)
	if err != nil {
		return "the database"
	}
	own := c.ConnConfig
	hosts := []string{net.JoinHostPort(own.Host, strconv.Itoa(int(own.Port)))}
	for _, f := range own.Fallbacks {
		host := net.JoinHostPort(f.Host, strconv.Itoa(int(f.Port)))
		if host != hosts[len(hosts)-1] { // one with and one without TLS
			hosts = append(hosts, host)
		}
	}
	return "postgres://" + strings.Join(hosts, ",") + "/" + own.Database
}
