package boltstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	bolt "go.etcd.io/bbolt"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// owned says whose rating is meant, and where.
type owned struct {
	scope string
	user  match.UserID
}

// rankingKey returns the key of a rating in the ranking: the higher its value, the
// earlier it comes in its scope.
func rankingKey(o owned, r storage.Rating) []byte {
	return append(binary.BigEndian.AppendUint64(stored.NamePrefix(o.scope), ^sortable(r.Value)), o.user...)
}

// sortable returns a number that sorts as f does.
func sortable(f float64) uint64 {
	bits := math.Float64bits(f + 0) // there is one zero
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

// rating returns a stored rating, the zero value when there is none.
func (s *Store) rating(tx *bolt.Tx, o owned) (r storage.Rating, err error) {
	key := stored.RatingKey(o.scope, o.user)
	if value := tx.Bucket(ratingBucket).Get(key); value != nil {
		_, _, r, err = stored.DecodeRating(key, value)
	}
	return r, err
}

// Rate implements [storage.Store].
func (s *Store) Rate(ctx context.Context, id match.ID, changes []storage.RatingChange, outcomes map[match.UserID]storage.Outcome) error {
	return s.update(ctx, func(tx *bolt.Tx) error {
		var whole map[match.UserID]storage.Outcome
		err := s.changeIn(tx, id, func(r *storage.Record) (changed bool, err error) {
			whole, err = r.Count(changes, outcomes)
			return true, err
		})
		if err != nil {
			return err
		}
		for _, c := range changes {
			if err := s.rerate(tx, c); err != nil {
				return err
			}
		}
		for u, o := range whole {
			if err := put(tx, outcomeBucket, stored.OutcomeKey(u, o), o); err != nil {
				return err
			}
		}
		return nil
	})
}

// rerate changes one rating and its place in the ranking.
func (s *Store) rerate(tx *bolt.Tx, c storage.RatingChange) error {
	o := owned{c.Scope, c.User}
	old, err := s.rating(tx, o)
	if err == nil {
		err = c.CheckPrev(old)
	}
	if err != nil {
		return err
	}
	ranking := tx.Bucket(rankingBucket)
	if err := ranking.Delete(rankingKey(o, old)); err != nil {
		return err
	}
	if err := ranking.Put(rankingKey(o, c.Next), nil); err != nil {
		return err
	}
	return put(tx, ratingBucket, stored.RatingKey(o.scope, o.user), c.Next.Normal())
}

// put stores a value with its checksum.
func put(tx *bolt.Tx, bucket, key []byte, v any) error {
	value, err := stored.Encode(bucket, key, v)
	if err != nil {
		return err
	}
	return tx.Bucket(bucket).Put(key, value)
}

// Rating implements [storage.Store].
func (s *Store) Rating(ctx context.Context, scope string, u match.UserID) (r storage.Rating, err error) {
	var damage error
	err = s.view(ctx, func(tx *bolt.Tx) error {
		if s.schema >= ratingSchema && scope != "" && u != "" {
			r, damage = s.rating(tx, owned{scope, u})
		}
		return nil
	})
	return r, errors.Join(err, damage)
}

// Ranking implements [storage.Store].
func (s *Store) Ranking(ctx context.Context, scope string, offset, limit int) (list []storage.Ranked, total int, err error) {
	prefix := stored.NamePrefix(scope)
	err = s.view(ctx, func(tx *bolt.Tx) error {
		if s.schema < ratingSchema {
			return nil
		}
		c := tx.Bucket(rankingBucket).Cursor()
		for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
			if total++; total <= offset || total-max(offset, 0) > limit {
				continue
			}
			u := match.UserID(k[len(prefix)+8:])
			r, err := s.rating(tx, owned{scope, u})
			if err == nil && r.Equal(storage.Rating{}) {
				err = damaged(fmt.Errorf("%s has a place in the ranking of %s, but no rating", u, scope))
			}
			if err != nil {
				s.log.WarnContext(ctx, "left a damaged rating out of a list", "file", s.path, "err", err)
				continue
			}
			list = append(list, storage.Ranked{User: u, Rating: r})
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return list, total, nil
}

// Outcomes implements [storage.Store].
func (s *Store) Outcomes(ctx context.Context, u match.UserID, limit int) (list []storage.Outcome, err error) {
	prefix := stored.NamePrefix(string(u))
	err = s.view(ctx, func(tx *bolt.Tx) error {
		if s.schema < ratingSchema || limit <= 0 {
			return nil
		}
		c := tx.Bucket(outcomeBucket).Cursor()
		for k, v := lastOf(c, prefix); bytes.HasPrefix(k, prefix) && len(list) < limit; k, v = c.Prev() {
			o, err := stored.DecodeOutcome(k, v)
			if err != nil {
				s.log.WarnContext(ctx, "left a damaged outcome out of a list", "file", s.path, "err", err)
				continue
			}
			list = append(list, o)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// ForgetScope implements [storage.Store].
func (s *Store) ForgetScope(ctx context.Context, scope string) error {
	prefix := stored.NamePrefix(scope)
	return s.update(ctx, func(tx *bolt.Tx) error {
		for _, name := range [][]byte{rankingBucket, ratingBucket} {
			b := tx.Bucket(name)
			var gone [][]byte
			c := b.Cursor()
			for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
				gone = append(gone, slices.Clone(k))
			}
			if err := deleteAll(b, gone); err != nil {
				return err
			}
			if !bytes.Equal(name, ratingBucket) {
				continue
			}
			for _, k := range gone {
				if err := s.forgetScope(tx, match.UserID(k[len(prefix):]), scope); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// forgetScope removes a scope from the outcomes of a person.
func (s *Store) forgetScope(tx *bolt.Tx, u match.UserID, scope string) error {
	b, prefix := tx.Bucket(outcomeBucket), stored.NamePrefix(string(u))
	rewritten := map[string][]byte{}
	c := b.Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		o, err := stored.DecodeOutcome(k, v)
		if err != nil || o.Scope != scope {
			continue
		}
		o.Scope, o.AfterHere = "", 0
		if rewritten[string(k)], err = stored.Encode(outcomeBucket, k, o); err != nil {
			return err
		}
	}
	return putAll(b, rewritten)
}

// ForgetRatings implements [storage.Store].
func (s *Store) ForgetRatings(ctx context.Context, u match.UserID) error {
	return s.update(ctx, func(tx *bolt.Tx) error {
		if u == "" || u == storage.Deleted {
			return nil
		}
		return errors.Join(s.forgetRatings(tx, u), s.forgetOutcomes(tx, u))
	})
}

// forgetRatings removes the ratings of a person in all scopes, damaged ones too.
func (s *Store) forgetRatings(tx *bolt.Tx, u match.UserID) error {
	for _, bucket := range []struct {
		name  []byte
		extra int // bytes between the scope and the person
	}{{ratingBucket, 0}, {rankingBucket, 8}} {
		b := tx.Bucket(bucket.name)
		var gone [][]byte
		for c, k, _ := cursor(b); k != nil; k, _ = c.Next() {
			if _, rest, ok := stored.CutName(k); ok && len(rest) >= bucket.extra && string(rest[bucket.extra:]) == string(u) {
				gone = append(gone, slices.Clone(k))
			}
		}
		if err := deleteAll(b, gone); err != nil {
			return err
		}
	}
	return nil
}

// forgetOutcomes removes the outcomes of a person, and the person from those of the
// opponents.
func (s *Store) forgetOutcomes(tx *bolt.Tx, u match.UserID) error {
	b, prefix := tx.Bucket(outcomeBucket), stored.NamePrefix(string(u))
	var gone [][]byte
	rewritten := map[string][]byte{}
	c := b.Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		gone = append(gone, slices.Clone(k))
		own, err := stored.DecodeOutcome(k, v)
		if err != nil || own.Opponent == "" || own.Opponent == storage.Deleted {
			continue
		}
		// The opponent's outcome of the same game has the same time.
		key := stored.OutcomeKey(own.Opponent, own)
		other, err := stored.DecodeOutcome(key, b.Get(key))
		if err != nil || other.Opponent != u {
			continue
		}
		other.Opponent = storage.Deleted
		if rewritten[string(key)], err = stored.Encode(outcomeBucket, key, other); err != nil {
			return err
		}
	}
	return errors.Join(deleteAll(b, gone), putAll(b, rewritten))
}

func deleteAll(b *bolt.Bucket, keys [][]byte) error {
	for _, k := range keys {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}
