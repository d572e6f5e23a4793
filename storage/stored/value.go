package stored

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// The kinds of values.
var (
	Games    = []byte("games")
	Settings = []byte("settings")
	Notes    = []byte("state")
	Ratings  = []byte("rating")
	Outcomes = []byte("outcome")
)

func damaged(err error) error { return fmt.Errorf("%w: %w", storage.ErrDamaged, err) }

// EncodeRecord returns a record in its normal form as it is stored.
func EncodeRecord(r *storage.Record) ([]byte, error) {
	return Encode(Games, []byte(r.Match.ID), r)
}

// DecodeRecord reads the stored record of a match. The error wraps [storage.ErrDamaged]
// and names the match. old is as in [Unseal].
func DecodeRecord(id match.ID, value []byte, old bool) (storage.Record, error) {
	var r storage.Record
	err := decode(Games, []byte(id), value, old, &r)
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

// DecodeSettings reads stored settings. It returns the zero value when value is nil. The
// error wraps [storage.ErrDamaged].
func DecodeSettings(key string, value []byte, old bool) (storage.Settings, error) {
	var v storage.Settings
	if value == nil {
		return v, nil
	}
	err := decode(Settings, []byte(key), value, old, &v)
	if err == nil {
		err = v.Check()
	}
	if err != nil {
		return storage.Settings{}, fmt.Errorf("settings under %s: %w", key, damaged(err))
	}
	return v.Normal(), nil
}

// DecodeNote reads a stored note. It returns nil when value is nil. The error wraps
// [storage.ErrDamaged].
func DecodeNote(key string, value []byte) ([]byte, error) {
	if value == nil {
		return nil, nil
	}
	text, err := Unseal(Notes, []byte(key), value, false)
	if err != nil {
		return nil, fmt.Errorf("the note under %s: %w", key, damaged(err))
	}
	return bytes.Clone(text), nil
}

// DecodeRating reads a rating that is stored under a [RatingKey]. It returns whose it is
// even when it is damaged, as far as the key says. The error wraps [storage.ErrDamaged].
func DecodeRating(key, value []byte) (scope string, u match.UserID, r storage.Rating, err error) {
	scope, rest, ok := CutName(key)
	u = match.UserID(rest)
	if !ok || u == "" {
		err = errors.New("the key is not that of a rating")
	}
	if err == nil {
		err = decode(Ratings, key, value, false, &r)
	}
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		return scope, u, storage.Rating{}, fmt.Errorf("the rating of %s in %s: %w", u, scope, damaged(err))
	}
	return scope, u, r.Normal(), nil
}

// DecodeOutcome reads an outcome that is stored under an [OutcomeKey]. The error wraps
// [storage.ErrDamaged].
func DecodeOutcome(key, value []byte) (o storage.Outcome, err error) {
	u, _, ok := CutName(key)
	err = decode(Outcomes, key, value, false, &o)
	if err == nil {
		err = o.Check()
	}
	if err == nil && (!ok || !bytes.Equal(key, OutcomeKey(match.UserID(u), o))) {
		err = errors.New("it is that of another game")
	}
	if err != nil {
		return storage.Outcome{}, fmt.Errorf("an outcome of %s: %w", u, damaged(err))
	}
	return o.Normal(), nil
}
