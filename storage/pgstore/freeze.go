package pgstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// ErrMoved means that nothing was changed because the games of a database are being
// moved to another store, or were moved there.
var ErrMoved = fmt.Errorf("%w: the games of this database are being moved or were moved", storage.ErrNotWritten)

// An operation's number must not be null: where a note of a move stands, whatever is sent
// with it fails. It costs no round trip, and as each change writes a number, a lock on the
// table keeps all changes out.
const (
	insertOperation = `insert into operations (id) values (case when exists (
		select from notes where key in ('` + stored.MovingNote + `', '` + stored.MovedNote + `')) then null else $1::bigint end)`
	insertMovingOperation = `insert into operations (id) values ($1)`
	notNull               = "23502"
)

// moverName is the application_name of who moves games, runName of all others.
const (
	runName   = "lascabot"
	moverName = "lascabot move-store"
)

// freezeTime is how long Freeze waits for changes that are being made.
const freezeTime = 5 * time.Second

// Freeze keeps everybody from changing anything, in this process and others, until mark
// or release is called, the connection breaks, or this process ends; who tries meanwhile
// waits, and fails when its time is over. Changes that are being made are waited for.
// mark writes a note, removes it if value is nil, and ends the freeze in the same moment:
// a note of a move stops those that wait. After an error of mark the note may be written
// or not.
func (s *Store) Freeze(ctx context.Context) (mark func(ctx context.Context, key string, value []byte) error, release func(), err error) {
	if err := s.enter(ctx); err != nil {
		return nil, nil, err
	}
	defer s.leave()
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, nil, translate(err)
	}
	var once sync.Once
	release = func() {
		once.Do(func() {
			rollBack(context.Background(), conn)
			conn.Release()
		})
	}
	waiting, cancel := context.WithTimeout(ctx, freezeTime+grace)
	defer cancel()
	for _, sql := range []string{
		"begin",
		// Nothing ends it but its connection, and a dead machine is noticed soon.
		fmt.Sprintf(`select set_config('lock_timeout', '%dms', true), set_config('idle_in_transaction_session_timeout', '0', true),
			set_config('tcp_keepalives_idle', '30', true), set_config('tcp_keepalives_interval', '10', true), set_config('tcp_keepalives_count', '3', true)`,
			freezeTime.Milliseconds()),
		"lock table operations in share row exclusive mode",
	} {
		if _, err := conn.Exec(waiting, sql); err != nil {
			release()
			if code(err) == "55P03" {
				return nil, nil, fmt.Errorf("%w: another move or a long change goes on: %w", storage.ErrHangs, err)
			}
			return nil, nil, translate(err)
		}
	}
	return func(ctx context.Context, key string, value []byte) error {
		defer release()
		return translate(s.mark(ctx, conn, key, value))
	}, release, nil
}

// mark writes a note and commits.
func (s *Store) mark(ctx context.Context, conn *pgxpool.Conn, key string, value []byte) error {
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	if _, err := conn.Exec(ctx, "delete from notes where key = $1", []byte(key)); err != nil {
		return err
	}
	if value != nil {
		if _, err := conn.Exec(ctx, "insert into notes (key, body) values ($1, $2)", []byte(key), stored.Seal(stored.Notes, []byte(key), value)); err != nil {
			return err
		}
	}
	_, err := conn.Exec(ctx, "commit")
	return err
}

// Others counts the connections of other processes that use the database and do not move
// games. Behind a PgBouncer one may be missed, or stay for a while after its process:
// only [Store.Freeze] makes sure. It waits a moment for connections that end.
func (s *Store) Others(ctx context.Context) (n int, err error) {
	within, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	for {
		err := s.read(ctx, long, func(ctx context.Context, c *pgxpool.Conn) error {
			return c.QueryRow(ctx, "select count(*) from pg_stat_activity where datname = current_database() and application_name = $1", runName).Scan(&n)
		})
		if err != nil || n == 0 {
			return n, err
		}
		pause := time.NewTimer(100 * time.Millisecond)
		select {
		case <-pause.C:
		case <-within.Done():
			pause.Stop()
			return n, ctx.Err()
		}
	}
}

// movedElsewhere returns [ErrMoved] for the error of a change that it stands for.
func movedElsewhere(err error) error {
	var own *pgconn.PgError
	if errors.As(err, &own) && own.Code == notNull && own.TableName == "operations" {
		return refuse(ErrMoved)
	}
	return err
}
