package pgstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/storage"
)

// ErrURL means that the address of a database cannot be read. The error's text holds no
// password.
var ErrURL = errors.New("this is not the address of a PostgreSQL database: use postgres://user:password@host:port/name")

// ErrVersion means that the server is older than PostgreSQL 15.
var ErrVersion = errors.New("the server is older than PostgreSQL 15")

// ErrNoTables means that the database has no tables of games, or older ones, and that
// they were not to be made.
var ErrNoTables = errors.New("the database has no games of this version")

// How long a call may take.
const (
	patience = 1200 * time.Millisecond // somebody waits for it, and Discord for three seconds
	long     = 5 * time.Second         // nobody waits for it, or it looks at much
	bulk     = 30 * time.Second        // it writes or reads all there is
	recovery = 800 * time.Millisecond  // more, to find out whether a change was made
	grace    = 200 * time.Millisecond  // more, for the server to say that it has cancelled
)

const leastServer = 150000

// Connections is the greatest number of connections that a store opens, if
// [Options].Connections does not say otherwise.
const Connections = 16

// Options say how a store is opened. The zero value is ready to use.
type Options struct {
	Log *slog.Logger // nil discards it
	// Existing refuses a database whose tables would have to be made or changed first:
	// [ErrNoTables].
	Existing bool
	// Connections is the greatest number of connections, 0 for [Connections].
	Connections int
	// Moving lets this store change games where a note says that they are being moved, or
	// were moved; all others get [ErrMoved].
	Moving bool
}

// Store is a [storage.Store] in a PostgreSQL database. Make one with [Open].
type Store struct {
	pool *pgxpool.Pool
	log  *slog.Logger
	stop context.CancelFunc // of what goes on beside the calls

	moving bool // as in Options

	mu     sync.RWMutex // held by each call for reading
	closed bool
	tidies sync.WaitGroup
}

var _ storage.Store = (*Store)(nil)

// Is reports whether a text is the address of a PostgreSQL database rather than a
// path.
func Is(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// Config reads the address of a database: [ErrURL]. Of several hosts, the one that can
// be written to is used.
func Config(url string) (*pgxpool.Config, error) {
	if !Is(url) {
		return nil, ErrURL
	}
	c, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, ErrURL // pgx's own text may hold a part of the password
	}
	return c, nil
}

// Open connects to a database and makes the tables, or brings them up to date, if they
// are not. Processes that do so at the same time wait for each other; those that run
// meanwhile go on. The error wraps [ErrURL], [ErrVersion], [ErrNoTables],
// storage.ErrSchema or storage.ErrHangs.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	c, err := Config(url)
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Connections <= 0 {
		o.Connections = Connections
	}
	configure(c, o.Connections)
	if o.Moving {
		c.ConnConfig.RuntimeParams["application_name"] = moverName
	}
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", storage.ErrHangs, err)
	}
	first, cancel := context.WithTimeout(ctx, bulk)
	defer cancel()
	if err := prepare(first, pool, o.Existing); err != nil {
		pool.Close()
		return nil, translate(err)
	}
	tidying, stop := context.WithCancel(context.Background())
	s := &Store{pool: pool, log: o.Log, stop: stop, moving: o.Moving}
	s.tidies.Go(func() { s.tidy(tidying) })
	return s, nil
}

// configure sets what the address has left open.
func configure(c *pgxpool.Config, connections int) {
	c.MaxConns = int32(connections)
	c.MaxConnLifetime = 5 * time.Minute // after a failover to another host nobody stays behind for longer
	c.MaxConnLifetimeJitter = time.Minute
	c.MaxConnIdleTime = 2 * time.Minute
	c.HealthCheckPeriod = 15 * time.Second
	c.PingTimeout = grace // of several dead ones a call finds a live one in its time
	if c.ConnConfig.ConnectTimeout == 0 {
		c.ConnConfig.ConnectTimeout = patience
	}
	if c.ConnConfig.ValidateConnect == nil {
		c.ConnConfig.ValidateConnect = validateWritable
	}
	// A query that nobody waits for any more is cancelled at the server too: else, behind
	// a lock, each would keep a process of the server.
	c.ConnConfig.BuildContextWatcherHandler = func(own *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: own, DeadlineDelay: grace}
	}
	c.ConnConfig.RuntimeParams["application_name"] = runName // a move looks for it
	if c.ConnConfig.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement {
		// Statements that are prepared by name do not survive a PgBouncer in transaction
		// mode, and nobody wants to say that there is one.
		c.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	}
}

// Pool returns the pool of connections, for what lives in the same database. It is
// closed with the store.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// Close implements [storage.Store].
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return storage.ErrClosed
	}
	s.closed = true
	s.stop()
	s.tidies.Wait()
	s.pool.Close()
	return nil
}

// tidy removes old numbers of operations until ctx ends.
func (s *Store) tidy(ctx context.Context) {
	every := time.NewTicker(time.Minute)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		limited, cancel := context.WithTimeout(ctx, long)
		_, err := s.pool.Exec(limited, `delete from operations where at < now() - interval '20 minutes'`)
		cancel()
		if err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "could not remove the numbers of old operations", "err", translate(err))
		}
	}
}
