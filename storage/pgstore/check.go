package pgstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/jackc/pgx/v5"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// maxFaults is the largest number of faults that Check reports.
const maxFaults = 20

// inspection collects what is wrong.
type inspection struct {
	store  *Store
	faults []error
}

var errEnough = errors.New("there are enough faults")

// fault notes a fault, if there is one.
func (i *inspection) fault(err error) error {
	if err == nil {
		return nil
	}
	if i.faults = append(i.faults, err); len(i.faults) == maxFaults {
		return errEnough
	}
	return nil
}

// Check reads every value with its checksum, and compares the columns by which games are
// found with the values. When it finds faults, it returns an error that wraps
// storage.ErrDamaged and names up to 20 of them. It changes nothing, and does not see
// damage in the database's own indexes: that is what amcheck is for.
func (s *Store) Check(ctx context.Context) error {
	i := inspection{store: s}
	err := i.games(ctx)
	for _, table := range []struct {
		sql  string // of a page: what follows a key in two parts, in order
		read func(e entry) error
	}{
		{"select key, ''::bytea, body from settings where (key, ''::bytea) > ($1, $2) order by key limit $3", func(e entry) error {
			_, err := stored.DecodeSettings(string(e.a), e.body, false)
			return err
		}},
		{"select key, ''::bytea, body from notes where (key, ''::bytea) > ($1, $2) order by key limit $3", func(e entry) error {
			_, err := stored.DecodeNote(string(e.a), e.body)
			return err
		}},
		{"select scope, person, body from ratings where (scope, person) > ($1, $2) order by scope, person limit $3", func(e entry) error {
			_, _, _, err := stored.DecodeRating(stored.RatingKey(string(e.a), match.UserID(e.b)), e.body)
			return err
		}},
		{"select person, at || game, body from outcomes where (person, at || game) > ($1, $2) order by person, at, game limit $3", func(e entry) error {
			_, _, err := e.outcome()
			return err
		}},
	} {
		if err == nil {
			err = i.values(ctx, table.sql, table.read)
		}
	}
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	return errors.Join(i.faults...)
}

// games looks at all games.
func (i *inspection) games(ctx context.Context) error {
	last := []byte{}
	for {
		list, err := read(ctx, i.store, bulk, func(r pgx.Rows, err error) ([][]any, error) {
			return rows(r, err, func(row pgx.CollectableRow) ([]any, error) { return row.Values() })
		}, "select "+allColumns+" from games where id > $1 order by id limit $2", last, page)
		if err != nil {
			return err
		}
		for _, row := range list {
			last = row[0].([]byte)
			if err := i.fault(checkGame(row)); err != nil {
				return err
			}
		}
		if len(list) < page {
			return nil
		}
	}
}

// checkGame compares the columns of a game with its record.
func checkGame(row []any) error {
	g := game{match.ID(row[0].([]byte)), row[len(row)-1].([]byte)}
	r, err := g.record()
	if err != nil {
		return err
	}
	want, err := values(&r)
	if err != nil {
		return err
	}
	for n, v := range want[:len(want)-1] { // an older program may have written the body differently
		stored := row[n]
		if b, ok := v.([]byte); ok && b == nil {
			v = nil
		}
		if !reflect.DeepEqual(stored, v) {
			name := "id"
			if n > 0 {
				name = columns[n-1]
			}
			return fmt.Errorf("match %s: %w: the column %s is %v instead of %v", g.id, storage.ErrDamaged, name, stored, v)
		}
	}
	return nil
}

// values looks at all values of a table.
func (i *inspection) values(ctx context.Context, sql string, look func(entry) error) error {
	a, b := []byte{}, []byte{}
	for {
		list, err := read(ctx, i.store, bulk, entries, sql, a, b, page)
		if err != nil {
			return err
		}
		for _, e := range list {
			a, b = bytes.Clone(e.a), bytes.Clone(e.b)
			if err := i.fault(look(e)); err != nil {
				return err
			}
		}
		if len(list) < page {
			return nil
		}
	}
}
