package boltstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// form is the first byte of every value. It says how the rest is encoded.
const form = 1

// encode returns a record or settings as a stored value.
func encode(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append([]byte{form}, text...), nil
}

// decode reads what encode wrote. It does not keep a reference to value.
func decode(value []byte, v any) error {
	switch {
	case len(value) == 0:
		return errors.New("the value is empty")
	case value[0] != form:
		return fmt.Errorf("the value has form %d, but this program only knows %d", value[0], form)
	}
	return json.Unmarshal(value[1:], v)
}

// decodeRecord reads the stored record of a match. The error wraps
// [storage.ErrDamaged] and names the match.
func decodeRecord(id match.ID, value []byte) (storage.Record, error) {
	var r storage.Record
	err := decode(value, &r)
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

// decodeSettings reads stored settings. It returns the zero value when value is nil.
func decodeSettings(key string, value []byte) (storage.Settings, error) {
	var v storage.Settings
	if value == nil {
		return v, nil
	}
	if err := decode(value, &v); err != nil {
		return storage.Settings{}, fmt.Errorf("settings under %s: %w", key, damaged(err))
	}
	return v, nil
}

// clone copies a value out of the mapped file. nil stays nil.
func clone(value []byte) []byte { return bytes.Clone(value) }
