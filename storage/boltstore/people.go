package boltstore

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// walk calls f for the stored matches after a given ID, in the order of their IDs,
// until f returns false. The value is only valid during the call. walk uses many
// transactions, since a long one keeps the space of old versions from being reused.
func (s *Store) walk(ctx context.Context, after match.ID, f func(id match.ID, value []byte) bool) error {
	const looked = 1000 // matches in one transaction
	last, on := []byte(after), true
	for on {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := s.view(ctx, func(tx *bolt.Tx) error {
			c := tx.Bucket(gamesBucket).Cursor()
			k, v := c.Seek(last)
			if k != nil && bytes.Equal(k, last) {
				k, v = c.Next()
			}
			n := 0
			for ; k != nil && n < looked && on; k, v = c.Next() {
				on = f(match.ID(k), v)
				last = append(last[:0], k...)
				n++
			}
			on = on && k != nil
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// field returns a text field of a record as it is stored. Searching a value for it
// is a thousand times as fast as decoding the value, which replays the moves.
func field(name, value string) ([]byte, error) {
	text, err := json.Marshal(value)
	return append([]byte(`"`+name+`":`), text...), err
}

// ListOf implements [storage.Store].
func (s *Store) ListOf(ctx context.Context, of storage.Of, after match.ID, limit int) ([]storage.Record, error) {
	text, err := field("guild", of.Guild)
	if of.User != "" {
		text, err = field("user", string(of.User))
	}
	if err != nil {
		return nil, err
	}
	var list []storage.Record
	none := limit <= 0 || of == storage.Of{}
	err = s.walk(ctx, after, func(id match.ID, value []byte) bool {
		if none {
			return false
		}
		stored, err := unseal(s.schema, gamesBucket, []byte(id), value)
		if err == nil && !bytes.Contains(stored, text) {
			return true
		}
		r, err := decodeRecord(s.schema, id, value)
		switch {
		case err != nil:
			s.log.WarnContext(ctx, "left a damaged game out of a list", "match", id, "file", s.path, "err", err)
		case of.Has(&r):
			list = append(list, r)
		}
		return len(list) < limit
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Guilds implements [storage.Store].
func (s *Store) Guilds(ctx context.Context) ([]string, error) {
	found := map[string]bool{}
	err := s.walk(ctx, "", func(id match.ID, value []byte) bool {
		text, err := unseal(s.schema, gamesBucket, []byte(id), value)
		if err != nil {
			return true // nobody knows the server of a damaged record
		}
		if guild := guildOf(text); guild != "" {
			found[guild] = true
		}
		return true
	})
	if err == nil {
		err = s.view(ctx, func(tx *bolt.Tx) error {
			if s.schema < ratingSchema {
				return nil
			}
			for c, k, _ := cursor(tx.Bucket(ratingBucket)); k != nil; k, _ = c.Next() {
				if scope, _, ok := stored.CutName(k); ok && scope != storage.Overall {
					found[scope] = true
				}
			}
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	return sorted(found), nil
}

// placeKey begins the place in a stored record.
var placeKey = []byte(`"place":`)

// guildOf returns the server in the text of a record, and "" when there is no server
// or the text cannot be read. It does not look at the moves, which are most of it.
func guildOf(text []byte) string {
	var r struct {
		Place storage.Place `json:"place"`
	}
	// The place comes after the players, so the last match cannot be a name of
	// theirs.
	if i := bytes.LastIndex(text, placeKey); i >= 0 {
		if json.NewDecoder(bytes.NewReader(text[i+len(placeKey):])).Decode(&r.Place) == nil {
			return r.Place.Guild
		}
	}
	if json.Unmarshal(text, &r) != nil {
		return ""
	}
	return r.Place.Guild
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
	var keys []string
	err := s.view(ctx, func(tx *bolt.Tx) error {
		c := tx.Bucket(settingsBucket).Cursor()
		for k, _ := c.Seek([]byte(prefix)); k != nil && bytes.HasPrefix(k, []byte(prefix)); k, _ = c.Next() {
			keys = append(keys, string(k))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return keys, nil
}

// sorted returns the members of a set in order, and nil for an empty set.
func sorted(set map[string]bool) []string {
	var list []string
	for name := range set {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
