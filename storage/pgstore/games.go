package pgstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// moment returns a time as it is stored: 12 bytes that sort as the times do.
func moment(t time.Time) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(t.Unix())^1<<63)
	return binary.BigEndian.AppendUint32(b, uint32(t.Nanosecond()))
}

// text returns a value in JSON.
func text(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), refuse(err)
}

// decode reads what text has returned. A field that this program does not know is
// refused: the next save would drop it.
func decode(body string, v any) error {
	d := json.NewDecoder(strings.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%w: this version of the program cannot read it: %w", storage.ErrDamaged, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%w: something follows the value", storage.ErrDamaged)
	}
	return nil
}

func damaged(err error) error {
	if err == nil || errors.Is(err, storage.ErrDamaged) {
		return err
	}
	return fmt.Errorf("%w: %w", storage.ErrDamaged, err)
}

// decodeRecord reads the record of a match. The error wraps storage.ErrDamaged and names
// the match.
func decodeRecord(id match.ID, body string) (storage.Record, error) {
	var r storage.Record
	err := decode(body, &r)
	if err == nil && r.Match.ID != id {
		err = fmt.Errorf("it holds the record of match %q", r.Match.ID)
	}
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		return storage.Record{}, fmt.Errorf("match %s: %w", id, damaged(err))
	}
	return r.Normal(), nil
}

// columns are those of a game besides its ID, in the order of values.
var columns = []string{
	"version", "live", "seat0", "seat1", "guild", "channel", "changed",
	"due_machine", "due_screen", "due_expiry", "due_removal", "due_reminder", "due_clock", "due_rating", "body",
}

// dueColumns are the columns that say when work of a kind is due.
var dueColumns = map[storage.Due]string{
	storage.DueMachine: "due_machine", storage.DueScreen: "due_screen", storage.DueExpiry: "due_expiry", storage.DueRemoval: "due_removal",
	storage.DueReminder: "due_reminder", storage.DueClock: "due_clock", storage.DueRating: "due_rating",
}

var insertGame, updateGame = statements()

func statements() (insert, update string) {
	var numbers, sets []string
	for i, c := range columns {
		numbers = append(numbers, fmt.Sprintf("$%d", i+2))
		sets = append(sets, fmt.Sprintf("%s = $%d", c, i+2))
	}
	insert = "insert into games (id, " + strings.Join(columns, ", ") + ") values ($1, " + strings.Join(numbers, ", ") + ")"
	return insert, "update games set " + strings.Join(sets, ", ") + " where id = $1"
}

// values returns the columns of a record in its normal form.
func values(r *storage.Record) ([]any, error) {
	body, err := text(r)
	if err != nil {
		return nil, err
	}
	m := &r.Match
	if m.Version > math.MaxInt64 {
		return nil, refuse(fmt.Errorf("match %s: version %d is too high", m.ID, m.Version))
	}
	list := []any{
		[]byte(m.ID), int64(m.Version), m.Phase != match.Finished, []byte(m.Seats[0].User), []byte(m.Seats[1].User),
		[]byte(r.Place.Guild), []byte(r.Place.Channel), moment(m.Changed),
	}
	for _, kind := range storage.Dues() {
		var at []byte
		if t, ok := r.Due(kind); ok {
			at = moment(t)
		}
		list = append(list, at)
	}
	return append(list, body), nil
}

// people returns the locks of those who have a seat.
func people(m *match.Match) (list []lock) {
	for _, seat := range m.Seats {
		if seat.User != "" && seat.User != storage.Deleted {
			list = append(list, lockOf(personLock, string(seat.User)))
		}
	}
	return list
}

// Create implements [storage.Store].
func (s *Store) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	if err := r.Check(); err != nil {
		return err
	}
	r = r.Normal()
	list, err := values(&r)
	if err != nil {
		return err
	}
	return s.update(ctx, patience, append(locksOf(on), people(&r.Match)...), func(ctx context.Context, c *change) error {
		if err := hold(ctx, c.tx, on); err != nil {
			return err
		}
		tag, err := c.tx.Exec(ctx, insertGame+" on conflict do nothing", list...)
		if err == nil && tag.RowsAffected() == 0 {
			err = fmt.Errorf("match %s: %w", r.Match.ID, storage.ErrExists)
		}
		return err
	})
}

// Load implements [storage.Store].
func (s *Store) Load(ctx context.Context, id match.ID) (r storage.Record, err error) {
	var body string
	err = s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) error {
		return c.QueryRow(ctx, "select body from games where id = $1", []byte(id)).Scan(&body)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		err = storage.ErrNotFound
	}
	if err != nil {
		return r, fmt.Errorf("match %s: %w", id, err)
	}
	return decodeRecord(id, body)
}

// change lets f change a record. If f returns true, it is stored.
func (s *Store) change(ctx context.Context, id match.ID, locks []lock, f func(context.Context, *change, *storage.Record) (bool, error)) error {
	return s.update(ctx, patience, locks, func(ctx context.Context, c *change) error {
		var body string
		err := c.tx.QueryRow(ctx, "select body from games where id = $1 for update", []byte(id)).Scan(&body)
		if errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("match %s: %w", id, storage.ErrNotFound)
		}
		if err != nil {
			return err
		}
		old, err := decodeRecord(id, body)
		if err != nil {
			return err
		}
		next := old
		if changed, err := f(ctx, c, &next); err != nil || !changed {
			c.none = true
			return err
		}
		if err := next.Check(); err != nil {
			return refuse(err)
		}
		next = next.Normal()
		list, err := values(&next)
		if err != nil {
			return err
		}
		for i, l := range people(&next.Match) {
			if next.Match.Seats[i%2].User != old.Match.Seats[i%2].User && !slices.Contains(locks, l) {
				if _, err := c.tx.Exec(ctx, "select pg_advisory_xact_lock($1)", l.key); err != nil {
					return err
				}
			}
		}
		c.add(updateGame, list...)
		return nil
	})
}

// simply is change for what looks at the record alone. An error of f that is not one of
// package storage is a refusal.
func (s *Store) simply(ctx context.Context, id match.ID, f func(*storage.Record) (bool, error)) error {
	return s.change(ctx, id, nil, func(_ context.Context, _ *change, r *storage.Record) (bool, error) {
		changed, err := f(r)
		return changed, refuse(err)
	})
}

// Save implements [storage.Store].
func (s *Store) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	return s.change(ctx, m.ID, locksOf(on), func(ctx context.Context, c *change, r *storage.Record) (bool, error) {
		if err := hold(ctx, c.tx, on); err != nil {
			return false, err
		}
		if err := storage.CheckSuccessor(&r.Match, &m, prev); err != nil {
			return false, refuse(err)
		}
		r.Replace(m)
		return true, nil
	})
}

// Shown implements [storage.Store].
func (s *Store) Shown(ctx context.Context, id match.ID, screen storage.Screen) error {
	return s.simply(ctx, id, func(r *storage.Record) (bool, error) {
		if screen.Version < r.Screen.Version || screen == r.Screen {
			return false, nil
		}
		r.Screen = screen
		return true, nil
	})
}

// SaveClock implements [storage.Store].
func (s *Store) SaveClock(ctx context.Context, id match.ID, turn time.Time, clock storage.Clock) error {
	return s.simply(ctx, id, func(r *storage.Record) (bool, error) { return r.SetClock(turn, clock), nil })
}

// SaveLines implements [storage.Store].
func (s *Store) SaveLines(ctx context.Context, id match.ID, version uint64, side engine.Color, lines []storage.Line) error {
	return s.simply(ctx, id, func(r *storage.Record) (bool, error) { return true, r.SetLines(version, side, lines) })
}

// Move implements [storage.Store].
func (s *Store) Move(ctx context.Context, id match.ID, from, to storage.Place) error {
	return s.simply(ctx, id, func(r *storage.Record) (bool, error) { return r.Move(from, to) })
}

// Forget implements [storage.Store].
func (s *Store) Forget(ctx context.Context, id match.ID, u match.UserID) error {
	return s.simply(ctx, id, func(r *storage.Record) (bool, error) { return r.Forget(u) })
}

// Rename implements [storage.Store].
func (s *Store) Rename(ctx context.Context, id match.ID, u match.UserID, name string) error {
	return s.simply(ctx, id, func(r *storage.Record) (bool, error) { return r.Rename(u, name), nil })
}

// Delete implements [storage.Store].
func (s *Store) Delete(ctx context.Context, id match.ID, version uint64) error {
	return s.update(ctx, patience, nil, func(ctx context.Context, c *change) error {
		var body string
		err := c.tx.QueryRow(ctx, "select body from games where id = $1 for update", []byte(id)).Scan(&body)
		if errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("match %s: %w", id, storage.ErrNotFound)
		}
		if err != nil {
			return err
		}
		r, err := decodeRecord(id, body)
		if err == nil {
			err = storage.CheckVersion(&r.Match, version)
		}
		if err != nil {
			return err
		}
		c.add("delete from games where id = $1", []byte(id))
		return nil
	})
}

// hold returns an error unless what a change was decided on still holds. The locks for
// it are held.
func hold(ctx context.Context, tx *pgxpool.Conn, on []storage.Basis) error {
	for _, b := range on {
		for key := range b.Notes {
			stored, err := note(ctx, tx, key)
			if err == nil {
				err = b.CheckNote(key, stored)
			}
			if err != nil {
				return err
			}
		}
		for _, u := range b.People {
			list, err := found(tx.Query(ctx, ofPerson, []byte(u)))
			if err != nil {
				return err
			}
			for _, g := range list {
				err := b.CheckGame(g.id)
				if err == nil {
					continue
				}
				// Whoever decided could not know of a damaged game.
				if _, damaged := decodeRecord(g.id, g.body); damaged == nil {
					return err
				}
			}
		}
	}
	return nil
}

// ofPerson selects the unfinished games of a person.
const ofPerson = `select id, body, changed from games where seat0 = $1 and live
	union select id, body, changed from games where seat1 = $1 and live`

// game is a row.
type game struct {
	id   match.ID
	body string
}

// found reads rows that begin with an ID and a body.
func found(r pgx.Rows, err error) ([]game, error) {
	return rows(r, err, func(row pgx.CollectableRow) (g game, err error) {
		var id []byte
		targets := []any{&id, &g.body, nil}
		err = row.Scan(targets[:len(row.FieldDescriptions())]...)
		g.id = match.ID(id)
		return g, err
	})
}

// ListDue implements [storage.Store].
func (s *Store) ListDue(ctx context.Context, kind storage.Due, before time.Time, limit int) ([]match.ID, error) {
	column, ok := dueColumns[kind]
	if !ok {
		return nil, fmt.Errorf("unknown kind of work %q", kind)
	}
	sql := fmt.Sprintf("select id from games where %s is not null and (not $1 or %[1]s < $2) order by %[1]s, id limit $3", column)
	var list []match.ID
	err := s.read(ctx, patience, func(ctx context.Context, c *pgxpool.Conn) error {
		found, err := c.Query(ctx, sql, kind.Timed(), moment(before), max(limit, 0))
		ids, err := rows(found, err, pgx.RowTo[[]byte])
		list = nil
		for _, id := range ids {
			list = append(list, match.ID(id))
		}
		return err
	})
	return list, err
}

// ListByUser implements [storage.Store].
func (s *Store) ListByUser(ctx context.Context, u match.UserID, limit int) ([]storage.Record, error) {
	if u == "" {
		limit = 0
	}
	return s.list(ctx, patience, ofPerson+" order by changed desc, id desc limit $2", []byte(u), max(limit, 0))
}

// ListByChannel implements [storage.Store].
func (s *Store) ListByChannel(ctx context.Context, channel string, limit int) ([]storage.Record, error) {
	return s.list(ctx, patience, "select id, body from games where channel = $1 and live order by changed desc, id desc limit $2", []byte(channel), max(limit, 0))
}

// ListOf implements [storage.Store].
func (s *Store) ListOf(ctx context.Context, of storage.Of, after match.ID, limit int) ([]storage.Record, error) {
	switch {
	case of.User != "":
		return s.list(ctx, long, `select id, body from games where seat0 = $1 and id > $2
			union select id, body from games where seat1 = $1 and id > $2 order by id limit $3`, []byte(of.User), []byte(after), max(limit, 0))
	case of.Guild != "":
		return s.list(ctx, long, "select id, body from games where guild = $1 and id > $2 order by id limit $3", []byte(of.Guild), []byte(after), max(limit, 0))
	}
	return nil, s.read(ctx, long, func(context.Context, *pgxpool.Conn) error { return nil })
}

// list returns the records of a query, but for damaged ones.
func (s *Store) list(ctx context.Context, limit time.Duration, sql string, args ...any) (list []storage.Record, err error) {
	var all []game
	err = s.read(ctx, limit, func(ctx context.Context, c *pgxpool.Conn) (err error) {
		all, err = found(c.Query(ctx, sql, args...))
		return err
	})
	for _, g := range all {
		r, damaged := decodeRecord(g.id, g.body)
		if damaged != nil {
			s.log.WarnContext(ctx, "left a damaged game out of a list", "match", g.id, "err", damaged)
			continue
		}
		list = append(list, r)
	}
	return list, err
}

// Guilds implements [storage.Store].
func (s *Store) Guilds(ctx context.Context) (list []string, err error) {
	err = s.read(ctx, long, func(ctx context.Context, c *pgxpool.Conn) error {
		found, err := c.Query(ctx, `select distinct guild from games where guild <> '' union select distinct scope from ratings where scope <> $1 order by 1`, []byte(storage.Overall))
		all, err := rows(found, err, pgx.RowTo[[]byte])
		list = nil
		for _, g := range all {
			list = append(list, string(g))
		}
		return err
	})
	return list, err
}

// page is the number of records that All reads at a time.
const page = 200

// All yields every record, ordered by ID. For a damaged record it yields an error
// that wraps storage.ErrDamaged and names the match, and goes on; after any other
// error it stops. A game that changes in the meantime comes once, in one of its
// versions.
func (s *Store) All(ctx context.Context) iter.Seq2[storage.Record, error] {
	return func(yield func(storage.Record, error) bool) {
		var last []byte
		for {
			var list []game
			err := s.read(ctx, long, func(ctx context.Context, c *pgxpool.Conn) (err error) {
				list, err = found(c.Query(ctx, "select id, body from games where $1::bytea is null or id > $1 order by id limit $2", last, page))
				return err
			})
			if err != nil {
				yield(storage.Record{}, err)
				return
			}
			for _, g := range list {
				if !yield(decodeRecord(g.id, g.body)) {
					return
				}
				last = []byte(g.id)
			}
			if len(list) < page {
				return
			}
		}
	}
}

// CreateAll stores new records in one transaction: all of them or, on an error, no
// record. A match whose ID is already stored stays as it is. CreateAll returns the
// number of records stored. The error names the match.
func (s *Store) CreateAll(ctx context.Context, records []storage.Record) (created int, err error) {
	var all [][]any
	for _, r := range records {
		if err := r.Check(); err != nil {
			return 0, err
		}
		r = r.Normal()
		list, err := values(&r)
		if err != nil {
			return 0, err
		}
		all = append(all, list)
	}
	err = s.update(ctx, long, nil, func(ctx context.Context, c *change) error {
		created = 0
		for part := range slices.Chunk(all, page) {
			var batch pgx.Batch
			for _, list := range part {
				batch.Queue(insertGame+" on conflict do nothing", list...)
			}
			answers := c.tx.SendBatch(ctx, &batch)
			for range part {
				tag, err := answers.Exec()
				if err != nil {
					return errors.Join(err, answers.Close())
				}
				created += int(tag.RowsAffected())
			}
			if err := answers.Close(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return created, nil
}

// note reads a note, nil if there is none.
func note(ctx context.Context, c *pgxpool.Conn, key string) (value []byte, err error) {
	err = c.QueryRow(ctx, "select value from notes where key = $1", []byte(key)).Scan(&value)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return bytes.Clone(value), err
}
