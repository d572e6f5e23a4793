package pgstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// enter begins a call. leave must be called if it returns no error.
func (s *Store) enter(ctx context.Context) error {
	s.mu.RLock()
	err := ctx.Err()
	if s.closed {
		err = storage.ErrClosed
	}
	if err != nil {
		s.mu.RUnlock()
	}
	return err
}

func (s *Store) leave() { s.mu.RUnlock() }

// read lets f read on a connection. It is tried again while that may help.
func (s *Store) read(ctx context.Context, limit time.Duration, f func(context.Context, *pgxpool.Conn) error) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return s.again(ctx, within, func() error { return s.on(within, f) })
}

// on lends f a connection.
func (s *Store) on(ctx context.Context, f func(context.Context, *pgxpool.Conn) error) error {
	c, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	err = f(ctx, c)
	release(c, err)
	return err
}

// again calls try until it succeeds, fails for good, or the time is over. within is ctx
// with that limit.
func (s *Store) again(ctx, within context.Context, try func() error) error {
	wait := 10 * time.Millisecond
	for {
		err := try()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil && !errors.Is(err, storage.ErrUnsure) {
			return ctx.Err()
		}
		if within.Err() != nil || !transient(err) {
			return translate(err)
		}
		pause := time.NewTimer(wait)
		select {
		case <-pause.C:
		case <-within.Done():
			pause.Stop()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return translate(err)
		}
		wait = min(2*wait, 200*time.Millisecond)
	}
}

// change is what a call changes, in one transaction.
type change struct {
	conn  *pgxpool.Conn
	game  []byte    // the stored record, if one was asked for and is there
	batch pgx.Batch // what is sent together with the commit
	none  bool      // nothing is to be changed: the transaction is rolled back
}

// add adds a statement to those that are sent with the commit.
func (c *change) add(sql string, args ...any) { c.batch.Queue(sql, args...) }

// order says what a change needs.
type order struct {
	limit time.Duration
	locks []lock   // taken first; others who change or rely on the same take them too
	game  match.ID // whose row is locked and read then, unless it is ""
}

// update makes a change. f may read, and be called several times. What it has added and
// the commit go in one packet; when the answer does not come, update finds out on another
// connection whether the change was made.
func (s *Store) update(ctx context.Context, o order, f func(context.Context, *change) error) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	within, cancel := context.WithTimeout(ctx, o.limit)
	defer cancel()
	return s.again(ctx, within, func() error {
		id := rand.Int64()
		sent := false
		err := s.on(within, func(ctx context.Context, conn *pgxpool.Conn) (err error) {
			sent, err = s.transact(ctx, conn, id, o, f)
			return movedElsewhere(err)
		})
		if err == nil || !sent || ours(err) || code(err) != "" && !cutShort(err) {
			return err // the server has said what it has done
		}
		return s.recover(ctx, id, err)
	})
}

// cutShort reports whether the server's answer does not say whether it has committed.
func cutShort(err error) bool {
	switch code(err) {
	case "57P01", "57P02", "08006", "08007", "40003": // it goes down, perhaps after the commit
		return true
	}
	return false
}

// limits are what the server itself keeps to, should this process freeze or die in the
// midst of a transaction. They are set in each one: a PgBouncer refuses them as
// parameters of a session.
const limits = `select set_config('statement_timeout', $1, true), set_config('lock_timeout', $1, true),
	set_config('idle_in_transaction_session_timeout', '5s', true)`

// transact makes one attempt. sent says that the commit was on its way.
func (s *Store) transact(ctx context.Context, conn *pgxpool.Conn, id int64, o order, f func(context.Context, *change) error) (sent bool, err error) {
	var first pgx.Batch
	first.Queue("begin")
	first.Queue(limits, fmt.Sprintf("%dms", o.limit.Milliseconds()))
	for _, l := range sorted(o.locks) {
		if l.shared {
			first.Queue("select pg_advisory_xact_lock_shared($1)", l.key)
		} else {
			first.Queue("select pg_advisory_xact_lock($1)", l.key)
		}
	}
	c := change{conn: conn}
	if o.game != "" {
		first.Queue("select body from games where id = $1 for update", []byte(o.game)).QueryRow(func(row pgx.Row) error {
			if err := row.Scan(&c.game); !errors.Is(err, pgx.ErrNoRows) {
				return err
			}
			return nil
		})
	}
	if err := conn.SendBatch(ctx, &first).Close(); err != nil {
		rollBack(ctx, conn)
		return false, err
	}
	// First of what is sent with the commit: where the number was fenced meanwhile, all
	// the rest fails.
	if s.moving {
		c.add(insertMovingOperation, id)
	} else {
		c.add(insertOperation, id)
	}
	if err := f(ctx, &c); err != nil || c.none {
		rollBack(ctx, conn)
		return false, err
	}
	c.add("commit")
	return true, finish(ctx, conn, conn.SendBatch(ctx, &c.batch), c.batch.Len())
}

// finish reads the answers to a batch that ends with a commit. The server commits only
// if everything before has succeeded.
func finish(ctx context.Context, conn *pgxpool.Conn, answers pgx.BatchResults, n int) error {
	var failed error
	for i := range n {
		tag, err := answers.Exec()
		switch {
		case err != nil && failed == nil:
			failed = err
		case err == nil && i == n-1 && tag.String() != "COMMIT":
			failed = fmt.Errorf("%w: the server answered %q to a commit", storage.ErrNotWritten, tag)
		}
	}
	failed = cmp.Or(failed, answers.Close())
	if failed != nil {
		rollBack(ctx, conn)
	}
	return failed
}

// rollBack ends a transaction that is not to be made. If that fails, the connection is
// of no use, and the pool closes it.
func rollBack(ctx context.Context, conn *pgxpool.Conn) {
	if conn.Conn().IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if _, err := conn.Exec(ctx, "rollback"); err != nil {
		_ = conn.Conn().Close(ctx)
	}
}

// recover finds out whether a change was made whose commit was sent, and not answered.
// It writes the change's number itself, as fenced. If that is there already, the change
// was made; an attempt that is still on its way is waited for, as the number is unique;
// and once it is written, the change can never be made any more. The error is nil, one that
// is transient, or wraps storage.ErrUnsure.
func (s *Store) recover(ctx context.Context, id int64, cause error) error {
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), recovery)
	defer cancel()
	var made bool
	err := s.again(within, within, func() error {
		return s.on(within, func(ctx context.Context, conn *pgxpool.Conn) error {
			if _, err := conn.Exec(ctx, "insert into operations (id, fenced) values ($1, true) on conflict do nothing", id); err != nil {
				return err
			}
			return conn.QueryRow(ctx, "select not fenced from operations where id = $1", id).Scan(&made)
		})
	})
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", storage.ErrUnsure, cause)
	case made:
		return nil
	}
	return errNotMade
}

// errNotMade says that a change was certainly not made and may be tried again.
var errNotMade = &pgconn.PgError{Code: "40001", Message: "the connection broke before the commit"}

// lock is a key of an advisory lock that a transaction holds.
type lock struct {
	key    int64
	shared bool
}

// Namespaces of locks.
const (
	personLock = "person"
	noteLock   = "note"
	scopeLock  = "scope"
)

func lockOf(space, key string) lock {
	h := fnv.New64a()
	h.Write([]byte(space))
	h.Write([]byte{0})
	h.Write([]byte(key))
	return lock{key: int64(h.Sum64())}
}

// sorted returns locks in the order in which everybody takes them, each once. An
// exclusive one counts for a shared one.
func sorted(locks []lock) []lock {
	list := slices.Clone(locks)
	slices.SortFunc(list, func(a, b lock) int {
		if a.key == b.key && a.shared != b.shared {
			if b.shared {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.key, b.key)
	})
	return slices.CompactFunc(list, func(a, b lock) bool { return a.key == b.key })
}

// locksOf returns the locks for what a change is decided on.
func locksOf(on []storage.Basis) (list []lock) {
	for _, b := range on {
		for key := range b.Notes {
			l := lockOf(noteLock, key)
			l.shared = true
			list = append(list, l)
		}
		for _, u := range b.People {
			list = append(list, lockOf(personLock, string(u)))
		}
	}
	return list
}
