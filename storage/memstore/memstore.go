package memstore

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// Store is a [storage.Store] in memory. Make one with [New].
type Store struct {
	mu       sync.Mutex
	closed   bool
	records  map[match.ID]storage.Record
	settings map[string]storage.Settings
	states   map[string][]byte
	ratings  map[ratingKey]storage.Rating
	outcomes map[match.UserID][]storage.Outcome // the oldest first
	fleet    fleet
}

var _ storage.Store = (*Store)(nil)

// New returns an empty store.
func New() *Store {
	return &Store{
		records: map[match.ID]storage.Record{}, settings: map[string]storage.Settings{}, states: map[string][]byte{},
		ratings: map[ratingKey]storage.Rating{}, outcomes: map[match.UserID][]storage.Outcome{},
		fleet: newFleet(),
	}
}

// begin takes the lock. When it returns no error, the caller releases the lock.
func (s *Store) begin(ctx context.Context) error {
	s.mu.Lock()
	err := ctx.Err()
	if s.closed {
		err = storage.ErrClosed
	}
	if err != nil {
		s.mu.Unlock()
	}
	return err
}

// find returns a stored record; copy it before giving it to the caller.
func (s *Store) find(id match.ID) (storage.Record, error) {
	r, ok := s.records[id]
	if !ok {
		return r, fmt.Errorf("match %s: %w", id, storage.ErrNotFound)
	}
	return r, nil
}

// Create implements [storage.Store].
func (s *Store) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if err := r.Check(); err != nil {
		return err
	}
	if err := s.hold(on); err != nil {
		return err
	}
	if _, ok := s.records[r.Match.ID]; ok {
		return fmt.Errorf("match %s: %w", r.Match.ID, storage.ErrExists)
	}
	s.records[r.Match.ID] = r.Normal()
	return nil
}

// Load implements [storage.Store].
func (s *Store) Load(ctx context.Context, id match.ID) (storage.Record, error) {
	if err := s.begin(ctx); err != nil {
		return storage.Record{}, err
	}
	defer s.mu.Unlock()
	r, err := s.find(id)
	if err != nil {
		return storage.Record{}, err
	}
	return r.Normal(), nil
}

// change lets f change a record. If f returns true, it is stored.
func (s *Store) change(ctx context.Context, id match.ID, f func(*storage.Record) (bool, error)) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	r, err := s.find(id)
	if err != nil {
		return err
	}
	if changed, err := f(&r); err != nil || !changed {
		return err
	}
	if err := r.Check(); err != nil {
		return err
	}
	s.records[id] = r.Normal()
	return nil
}

// Save implements [storage.Store].
func (s *Store) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	return s.change(ctx, m.ID, func(r *storage.Record) (bool, error) {
		if err := s.hold(on); err != nil {
			return false, err
		}
		if err := storage.CheckSuccessor(&r.Match, &m, prev); err != nil {
			return false, err
		}
		r.Replace(m)
		return true, nil
	})
}

// Shown implements [storage.Store].
func (s *Store) Shown(ctx context.Context, id match.ID, screen storage.Screen) error {
	return s.change(ctx, id, func(r *storage.Record) (bool, error) {
		if screen.Version < r.Screen.Version {
			return false, nil
		}
		r.Screen = screen
		return true, nil
	})
}

// SaveClock implements [storage.Store].
func (s *Store) SaveClock(ctx context.Context, id match.ID, turn time.Time, c storage.Clock) error {
	return s.change(ctx, id, func(r *storage.Record) (bool, error) { return r.SetClock(turn, c), nil })
}

// SaveLines implements [storage.Store].
func (s *Store) SaveLines(ctx context.Context, id match.ID, version uint64, side engine.Color, lines []storage.Line) error {
	return s.change(ctx, id, func(r *storage.Record) (bool, error) { return true, r.SetLines(version, side, lines) })
}

// Move implements [storage.Store].
func (s *Store) Move(ctx context.Context, id match.ID, from, to storage.Place) error {
	return s.change(ctx, id, func(r *storage.Record) (bool, error) { return r.Move(from, to) })
}

// ListDue implements [storage.Store].
func (s *Store) ListDue(ctx context.Context, kind storage.Due, before time.Time, limit int) ([]match.ID, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if !slices.Contains(storage.Dues(), kind) {
		return nil, fmt.Errorf("unknown kind of work %q", kind)
	}
	type entry struct {
		at time.Time
		id match.ID
	}
	var due []entry
	for id, r := range s.records {
		if at, ok := r.Due(kind); ok && (!kind.Timed() || at.Before(before)) {
			due = append(due, entry{at, id})
		}
	}
	slices.SortFunc(due, func(a, b entry) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
	var ids []match.ID
	for _, e := range due[:min(len(due), max(limit, 0))] {
		ids = append(ids, e.id)
	}
	return ids, nil
}

// ListByUser implements [storage.Store].
func (s *Store) ListByUser(ctx context.Context, u match.UserID, limit int) ([]storage.Record, error) {
	return s.list(ctx, limit, func(r *storage.Record) bool {
		_, err := r.Match.SeatOf(u)
		return err == nil
	})
}

// ListByChannel implements [storage.Store].
func (s *Store) ListByChannel(ctx context.Context, channel string, limit int) ([]storage.Record, error) {
	return s.list(ctx, limit, func(r *storage.Record) bool { return r.Place.Channel == channel })
}

// list returns the wanted unfinished matches, the latest change first.
func (s *Store) list(ctx context.Context, limit int, wanted func(*storage.Record) bool) ([]storage.Record, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var list []storage.Record
	for _, r := range s.records {
		if r.Match.Phase != match.Finished && wanted(&r) {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b storage.Record) int {
		return cmp.Or(b.Match.Changed.Compare(a.Match.Changed), cmp.Compare(b.Match.ID, a.Match.ID))
	})
	list = slices.Clip(list[:min(len(list), max(limit, 0))])
	for i, r := range list {
		list[i] = r.Normal()
	}
	return list, nil
}

// ListOf implements [storage.Store].
func (s *Store) ListOf(ctx context.Context, of storage.Of, after match.ID, limit int) ([]storage.Record, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var list []storage.Record
	for _, id := range slices.Sorted(maps.Keys(s.records)) {
		if r := s.records[id]; id > after && of.Has(&r) && len(list) < limit {
			list = append(list, r.Normal())
		}
	}
	return list, nil
}

// Guilds implements [storage.Store].
func (s *Store) Guilds(ctx context.Context) ([]string, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var list []string
	for _, r := range s.records {
		if g := r.Place.Guild; g != "" && !slices.Contains(list, g) {
			list = append(list, g)
		}
	}
	for key := range s.ratings {
		if key.scope != storage.Overall && !slices.Contains(list, key.scope) {
			list = append(list, key.scope)
		}
	}
	slices.Sort(list)
	return list, nil
}

// Forget implements [storage.Store].
func (s *Store) Forget(ctx context.Context, id match.ID, u match.UserID) error {
	return s.change(ctx, id, func(r *storage.Record) (bool, error) { return r.Forget(u) })
}

// Rename implements [storage.Store].
func (s *Store) Rename(ctx context.Context, id match.ID, u match.UserID, name string) error {
	return s.change(ctx, id, func(r *storage.Record) (bool, error) { return r.Rename(u, name), nil })
}

// SettingsKeys implements [storage.Store].
func (s *Store) SettingsKeys(ctx context.Context, prefix string) ([]string, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var keys []string
	for key := range s.settings {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}

// Settings implements [storage.Store].
func (s *Store) Settings(ctx context.Context, key string) (storage.Settings, error) {
	if err := s.begin(ctx); err != nil {
		return storage.Settings{}, err
	}
	defer s.mu.Unlock()
	return s.settings[key].Normal(), nil
}

// SaveSettings implements [storage.Store].
func (s *Store) SaveSettings(ctx context.Context, key string, v storage.Settings, on ...storage.Basis) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if err := storage.CheckKey(key); err != nil {
		return fmt.Errorf("the key of settings: %w", err)
	}
	if err := v.Check(); err != nil {
		return err
	}
	if err := s.hold(on); err != nil {
		return err
	}
	if v = v.Normal(); v.IsZero() {
		delete(s.settings, key)
	} else {
		s.settings[key] = v
	}
	return nil
}

// Delete implements [storage.Store].
func (s *Store) Delete(ctx context.Context, id match.ID, version uint64) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	r, err := s.find(id)
	if err == nil {
		err = storage.CheckVersion(&r.Match, version)
	}
	if err != nil {
		return err
	}
	delete(s.records, id)
	return nil
}

// State implements [storage.Store].
func (s *Store) State(ctx context.Context, key string) ([]byte, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return bytes.Clone(s.states[key]), nil
}

// SaveState implements [storage.Store].
func (s *Store) SaveState(ctx context.Context, key string, value []byte, on ...storage.Basis) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if err := storage.CheckState(key, value); err != nil {
		return err
	}
	if err := s.hold(on); err != nil {
		return err
	}
	if len(value) == 0 {
		delete(s.states, key)
	} else {
		s.states[key] = bytes.Clone(value)
	}
	return nil
}

// Close implements [storage.Store]. Everything that was stored is lost.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return storage.ErrClosed
	}
	s.closed = true
	s.records, s.settings, s.states, s.ratings, s.outcomes = nil, nil, nil, nil, nil
	return nil
}
