package pgstore

import (
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage/stored"
)

// table says how values of a kind are read page by page: by a row that follows from the
// key, in the order of the keys.
type table struct {
	kind  []byte
	page  string // $1 and following are the last row's key, the last one is how many
	begin []any  // a key before all others
	key   func(row [][]byte) (key []byte, next []any)
}

var tables = []table{
	{stored.Games, "select id, id, id, body from games where id > $1 order by id limit $2", []any{[]byte{}},
		func(row [][]byte) ([]byte, []any) { return row[0], []any{row[0]} }},
	{stored.Outcomes, "select person, at, game, body from outcomes where (length(person), person, at, game) > ($1, $2, $3, $4) order by length(person), person, at, game limit $5",
		[]any{0, []byte{}, []byte{}, []byte{}},
		func(row [][]byte) ([]byte, []any) {
			key := append(append(stored.NamePrefix(string(row[0])), row[1]...), row[2]...)
			return key, []any{len(row[0]), row[0], row[1], row[2]}
		}},
	{stored.Ratings, "select scope, person, person, body from ratings where (length(scope), scope, person) > ($1, $2, $3) order by length(scope), scope, person limit $4",
		[]any{0, []byte{}, []byte{}},
		func(row [][]byte) ([]byte, []any) {
			return stored.RatingKey(string(row[0]), match.UserID(row[1])), []any{len(row[0]), row[0], row[1]}
		}},
	{stored.Settings, "select key, key, key, body from settings where key > $1 order by key limit $2", []any{[]byte{}},
		func(row [][]byte) ([]byte, []any) { return row[0], []any{row[0]} }},
	{stored.Notes, "select key, key, key, body from notes where key > $1 order by key limit $2", []any{[]byte{}},
		func(row [][]byte) ([]byte, []any) { return row[0], []any{row[0]} }},
}

// Values yields everything that is stored, by kind (stored.Kinds) and key, so that it can
// be moved to another store. It does not look whether a value is damaged. After an error
// it stops. Nobody may write meanwhile.
func (s *Store) Values(ctx context.Context) iter.Seq2[stored.Value, error] {
	return func(yield func(stored.Value, error) bool) {
		for _, t := range tables {
			last := t.begin
			for {
				list, err := read(ctx, s, bulk, quads, t.page, append(last, page)...)
				if err != nil {
					yield(stored.Value{}, err)
					return
				}
				for _, row := range list {
					var key []byte
					key, last = t.key(row)
					if !yield(stored.Value{Kind: t.kind, Key: key, Sealed: row[3]}, nil) {
						return
					}
				}
				if len(list) < page {
					break
				}
			}
		}
	}
}

// quads reads rows of four values.
func quads(r pgx.Rows, err error) ([][][]byte, error) {
	return rows(r, err, func(row pgx.CollectableRow) ([][]byte, error) {
		q := make([][]byte, 4)
		return q, row.Scan(&q[0], &q[1], &q[2], &q[3])
	})
}

// Replace stores values of another store as they are, over those with the same keys, and
// removes others, in one transaction. The error wraps storage.ErrDamaged if a value
// cannot be read: then nothing is changed.
func (s *Store) Replace(ctx context.Context, put, gone []stored.Value) error {
	for _, v := range put {
		if err := v.Check(); err != nil {
			return err
		}
	}
	return s.update(ctx, order{limit: bulk}, func(_ context.Context, c *change) error {
		for _, v := range gone {
			if err := c.remove(v); err != nil {
				return err
			}
		}
		for _, v := range put {
			if err := c.remove(v); err != nil {
				return err
			}
			if err := c.put(v); err != nil {
				return err
			}
		}
		return nil
	})
}

// remove removes a value.
func (c *change) remove(v stored.Value) error {
	switch string(v.Kind) {
	case string(stored.Games):
		c.add("delete from games where id = $1", v.Key)
	case string(stored.Outcomes):
		u, rest, ok := stored.CutName(v.Key)
		if !ok || len(rest) < stored.TimeLen {
			return refuse(fmt.Errorf("the key %q is not that of an outcome", v.Key))
		}
		c.add("delete from outcomes where person = $1 and at = $2 and game = $3", []byte(u), rest[:stored.TimeLen], rest[stored.TimeLen:])
	case string(stored.Ratings):
		scope, u, ok := stored.CutName(v.Key)
		if !ok {
			return refuse(fmt.Errorf("the key %q is not that of a rating", v.Key))
		}
		c.add("delete from ratings where scope = $1 and person = $2", []byte(scope), u)
	case string(stored.Settings):
		c.add("delete from settings where key = $1", v.Key)
	case string(stored.Notes):
		c.add("delete from notes where key = $1", v.Key)
	default:
		return refuse(fmt.Errorf("values of the unknown kind %q", v.Kind))
	}
	return nil
}

// put stores a value that is not there.
func (c *change) put(v stored.Value) error {
	switch string(v.Kind) {
	case string(stored.Games):
		r, err := stored.DecodeRecord(match.ID(v.Key), v.Sealed, false)
		if err != nil {
			return err
		}
		list, err := values(&r)
		if err != nil {
			return err
		}
		list[len(list)-1] = v.Sealed // as it is: an older program may have written it otherwise
		c.add(insertGame, list...)
	case string(stored.Outcomes):
		o, err := stored.DecodeOutcome(v.Key, v.Sealed)
		if err != nil {
			return err
		}
		u, rest, _ := stored.CutName(v.Key)
		c.add("insert into outcomes (person, at, game, scope, opponent, body) values ($1, $2, $3, $4, $5, $6)",
			[]byte(u), rest[:stored.TimeLen], rest[stored.TimeLen:], []byte(o.Scope), []byte(o.Opponent), v.Sealed)
	case string(stored.Ratings):
		scope, u, r, err := stored.DecodeRating(v.Key, v.Sealed)
		if err != nil {
			return err
		}
		c.add("insert into ratings (scope, person, value, body) values ($1, $2, $3, $4)", []byte(scope), []byte(u), r.Value, v.Sealed)
	case string(stored.Settings):
		c.add("insert into settings (key, body) values ($1, $2)", v.Key, v.Sealed)
	case string(stored.Notes):
		c.add("insert into notes (key, body) values ($1, $2)", v.Key, v.Sealed)
	}
	return nil
}
