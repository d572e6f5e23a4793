package pgstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/storage"
)

// code returns the SQLSTATE of an error, "" if it has none.
func code(err error) string {
	var own *pgconn.PgError
	if errors.As(err, &own) {
		return own.Code
	}
	return ""
}

// transient reports whether the same may succeed on another connection, or a moment
// later: the server is starting, going down, a standby or out of connections; the
// transaction was in another's way; the connection broke.
func transient(err error) bool {
	if err == nil || ours(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	switch c := code(err); c {
	case "":
		return true // there was no answer
	case "25006", "40001", "40P01", "53300", "55P03", "57P01", "57P02", "57P03", "57P05", "58000":
		return true
	default:
		return c[:2] == "08"
	}
}

// ours reports whether an error is one that a call decided on, not one of the database.
func ours(err error) bool {
	for _, e := range []error{
		storage.ErrExists, storage.ErrNotFound, storage.ErrConflict, storage.ErrClosed, storage.ErrDamaged,
		storage.ErrSchema, storage.ErrUnsure, errRefused, ErrVersion, ErrNoTables,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// errRefused marks what a store refuses because of what it is.
var errRefused = errors.New("refused")

// refusal is an error that is not the database's, with its own text.
type refusal struct{ error }

func (r refusal) Is(target error) bool { return target == errRefused }
func (r refusal) Unwrap() error        { return r.error }

// refuse marks an error as [errRefused].
func refuse(err error) error {
	if err == nil || ours(err) {
		return err
	}
	return refusal{err}
}

// translate returns an error of the database as one that a caller of a store can act
// on. Nothing was changed.
func translate(err error) error {
	switch c := code(err); {
	case err == nil, ours(err), errors.Is(err, context.Canceled), errors.Is(err, storage.ErrHangs):
		return err
	case c == "53100", c == "53200", c == "25006", c == "42501", c == "58030": // full, out of memory, read-only, no right, input or output
		return fmt.Errorf("%w: %w", storage.ErrNotWritten, err)
	case c == "", transient(err), c == "57014": // a time-out of the server
		return fmt.Errorf("%w: %w", storage.ErrHangs, err)
	}
	return fmt.Errorf("%w: %w", storage.ErrNotWritten, err)
}

// release gives a connection back. One to a server that has become a standby, or to one
// that says that it goes, is closed: the pool would hand it out again.
func release(c *pgxpool.Conn, err error) {
	switch code(err) {
	case "25006", "57P01", "57P02", "57P03":
		// Closing waits for the server; nobody waits for that.
		own := c.Hijack()
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), recovery)
			defer cancel()
			_ = own.Close(ctx) // what cannot be closed is dropped
		}()
	default:
		c.Release()
	}
}

// validateWritable refuses a server that is a standby or only to be read from.
var validateWritable pgconn.ValidateConnectFunc = pgconn.ValidateConnectTargetSessionAttrsReadWrite
