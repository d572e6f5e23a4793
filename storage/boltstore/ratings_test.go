package boltstore

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
	"github.com/lascabot/lascabot/storage/stored"
)

// TestCheckLooksAtRatings damages each bucket of the ratings.
func TestCheckLooksAtRatings(t *testing.T) {
	for name, spoil := range map[string]func(*bolt.Bucket, *bolt.Bucket, *bolt.Bucket) error{
		"a rating": func(rating, _, _ *bolt.Bucket) error {
			k, v := rating.Cursor().First()
			return rating.Put(k, append(clone(v), ' '))
		},
		"a rating of nobody": func(rating, _, _ *bolt.Bucket) error {
			k := stored.NamePrefix("g")
			return rating.Put(k, stored.Seal(ratingBucket, k, []byte("{}")))
		},
		"a place in the ranking that is missing": func(_, ranking, _ *bolt.Bucket) error {
			k, _ := ranking.Cursor().First()
			return ranking.Delete(k)
		},
		"a place in the ranking of nobody": func(_, ranking, _ *bolt.Bucket) error {
			return ranking.Put(rankingKey(owned{"g", "bob"}, storage.Rating{}), nil)
		},
		"an outcome": func(_, _, outcome *bolt.Bucket) error {
			k, v := outcome.Cursor().First()
			return outcome.Put(k, append(clone(v), ' '))
		},
		"an outcome in the place of another": func(_, _, outcome *bolt.Bucket) error {
			k, v := outcome.Cursor().First()
			text, err := unseal(sealedSchema, outcomeBucket, k, v)
			other := append(clone(k), 'x')
			return errors.Join(err, outcome.Put(other, stored.Seal(outcomeBucket, other, text)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "games.db")
			s, err := Open(path, Options{})
			must(t, err)
			must(t, s.Create(t.Context(), storagetest.Rated(t, "m", 0)))
			must(t, s.Rate(t.Context(), "m", []storage.RatingChange{{Scope: "g", User: "ann", Next: storage.Rating{Value: 1500}}},
				map[match.UserID]storage.Outcome{"ann": {}}))
			must(t, errors.Join(s.Check(t.Context()), s.Close()))
			edit(t, path, func(tx *bolt.Tx) error {
				return spoil(tx.Bucket(ratingBucket), tx.Bucket(rankingBucket), tx.Bucket(outcomeBucket))
			})
			s, err = Open(path, Options{})
			must(t, err)
			defer s.Close()
			if err := s.Check(t.Context()); !errors.Is(err, storage.ErrDamaged) {
				t.Errorf("error %v", err)
			} else if n := strings.Count(err.Error(), "\n"); n > 0 {
				t.Errorf("one fault is reported as %d: %v", n+1, err)
			}
			// Somebody whose data is damaged can still be forgotten.
			must(t, s.ForgetRatings(t.Context(), "ann"))
			if list, _, err := s.Ranking(t.Context(), "g", 0, 9); err != nil || len(list) > 0 {
				t.Errorf("%v, %v", list, err)
			}
		})
	}
}

func TestRatingsSortInTheRanking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64().Draw(t, "a"), rapid.Float64().Draw(t, "b")
		if math.IsNaN(a) || math.IsNaN(b) {
			t.Skip("not a rating")
		}
		keys := [2]string{}
		for i, v := range []float64{a, b} {
			keys[i] = string(rankingKey(owned{"g", "u"}, storage.Rating{Value: v}))
		}
		if a > b && keys[0] >= keys[1] || a < b && keys[0] <= keys[1] || a == b && keys[0] != keys[1] {
			t.Fatalf("%v and %v have the keys %x and %x", a, b, keys[0], keys[1])
		}
	})
}
