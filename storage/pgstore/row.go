package pgstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// columns are those of a game besides its ID, in the order of values.
var columns = []string{
	"version", "live", "seat0", "seat1", "guild", "channel", "changed",
	"due_machine", "due_screen", "due_expiry", "due_removal", "due_reminder", "due_clock", "due_rating", "body",
}

var insertGame, updateGame, allColumns = statements()

func statements() (insert, update, all string) {
	var numbers, sets []string
	for i, c := range columns {
		numbers = append(numbers, fmt.Sprintf("$%d", i+2))
		sets = append(sets, fmt.Sprintf("%s = $%d", c, i+2))
	}
	all = "id, " + strings.Join(columns, ", ")
	insert = "insert into games (" + all + ") values ($1, " + strings.Join(numbers, ", ") + ")"
	return insert, "update games set " + strings.Join(sets, ", ") + " where id = $1", all
}

// dueColumn returns the column that says when work of a kind is due.
func dueColumn(kind storage.Due) string { return "due_" + string(kind) }

// values returns the columns of a record in its normal form, the ID first.
func values(r *storage.Record) ([]any, error) {
	m := &r.Match
	body, err := stored.EncodeRecord(r)
	if err == nil && m.Version > math.MaxInt64 {
		err = fmt.Errorf("match %s: version %d is too high", m.ID, m.Version)
	}
	if err != nil {
		return nil, refuse(err)
	}
	list := []any{
		[]byte(m.ID), int64(m.Version), m.Phase != match.Finished, []byte(m.Seats[0].User), []byte(m.Seats[1].User),
		[]byte(r.Place.Guild), []byte(r.Place.Channel), stored.AppendTime(nil, m.Changed),
	}
	for _, kind := range storage.Dues() {
		var at []byte
		if t, ok := r.Due(kind); ok {
			at = stored.AppendTime(nil, t)
		}
		list = append(list, at)
	}
	return append(list, body), nil
}

// game is the stored form of a record.
type game struct {
	id   match.ID
	body []byte
}

func (g game) record() (storage.Record, error) { return stored.DecodeRecord(g.id, g.body, false) }

// games reads rows that begin with an ID and a body.
func games(r pgx.Rows, err error) ([]game, error) {
	return rows(r, err, func(row pgx.CollectableRow) (g game, err error) {
		var id []byte
		targets := []any{&id, &g.body, nil}
		err = row.Scan(targets[:len(row.FieldDescriptions())]...)
		g.id = match.ID(id)
		return g, err
	})
}

// entry is a value with two columns of its key.
type entry struct{ a, b, body []byte }

// entries reads rows of two columns of a key and a body.
func entries(r pgx.Rows, err error) ([]entry, error) {
	return rows(r, err, func(row pgx.CollectableRow) (e entry, err error) { return e, row.Scan(&e.a, &e.b, &e.body) })
}

// texts reads rows of one bytea.
func texts[T ~string](r pgx.Rows, err error) ([]T, error) {
	return rows(r, err, func(row pgx.CollectableRow) (T, error) {
		var b []byte
		err := row.Scan(&b)
		return T(b), err
	})
}

// rows reads all rows of a query.
func rows[T any](r pgx.Rows, err error, scan pgx.RowToFunc[T]) (list []T, _ error) {
	if err != nil {
		return nil, err
	}
	return pgx.AppendRows(list, r, scan) // nil where there are none
}

// querier is a connection or what stands for one.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// body reads a row of one value, nil if there is none.
func body(ctx context.Context, c querier, sql string, args ...any) (value []byte, err error) {
	err = c.QueryRow(ctx, sql, args...).Scan(&value)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return value, err
}
