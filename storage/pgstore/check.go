package pgstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// maxFaults is the largest number of faults that Check reports.
const maxFaults = 20

// Check reads every game, setting, rating and outcome, and compares the columns by which
// games are found with their records. When it finds faults, it returns an error that
// wraps storage.ErrDamaged and names up to 20 of them. It changes nothing, and does not
// see what only the server's own checksums show (initdb --data-checksums).
func (s *Store) Check(ctx context.Context) error {
	var faults []error
	fault := func(err error) bool {
		if err != nil {
			faults = append(faults, err)
		}
		return len(faults) < maxFaults
	}
	for r, err := range s.All(ctx) {
		if err != nil && !errors.Is(err, storage.ErrDamaged) {
			return err
		}
		if err == nil {
			err = s.compare(ctx, &r)
		}
		if err != nil && !errors.Is(err, storage.ErrDamaged) {
			return err
		}
		if !fault(err) {
			return errors.Join(faults...)
		}
	}
	type row struct {
		key, scope []byte
		body       string
	}
	for _, table := range []struct {
		sql  string
		read func(v row) error
	}{
		{"select key, key, body from settings", func(v row) error { _, err := decodeSettings(string(v.key), v.body); return err }},
		{"select person, scope, body from ratings", func(v row) error { _, err := decodeRating(string(v.scope), match.UserID(v.key), v.body); return err }},
		{"select person, scope, body from outcomes", func(v row) error { _, err := decodeOutcome(match.UserID(v.key), v.body); return err }},
	} {
		var all []row
		err := s.read(ctx, long, func(ctx context.Context, c *pgxpool.Conn) error {
			found, err := c.Query(ctx, table.sql)
			all, err = rows(found, err, func(r pgx.CollectableRow) (v row, err error) { return v, r.Scan(&v.key, &v.scope, &v.body) })
			return err
		})
		if err != nil {
			return err
		}
		for _, v := range all {
			if !fault(table.read(v)) {
				return errors.Join(faults...)
			}
		}
	}
	return errors.Join(faults...)
}

// compare compares the columns of a game with its record. A game that has changed in the
// meantime is no fault.
func (s *Store) compare(ctx context.Context, r *storage.Record) error {
	list, err := values(r)
	if err != nil {
		return err
	}
	var same bool
	sql := "select (version, live, seat0, seat1, guild, channel, changed, due_machine, due_screen, due_expiry, due_removal, due_reminder, due_clock, due_rating) is not distinct from " +
		"($2::bigint, $3::boolean, $4::bytea, $5::bytea, $6::bytea, $7::bytea, $8::bytea, $9::bytea, $10::bytea, $11::bytea, $12::bytea, $13::bytea, $14::bytea, $15::bytea) or body <> $16 from games where id = $1"
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) error { return c.QueryRow(ctx, sql, list...).Scan(&same) })
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err == nil && !same {
		err = fmt.Errorf("match %s: %w: it is not found by what it holds", r.Match.ID, storage.ErrDamaged)
	}
	return err
}
