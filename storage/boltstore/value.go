package boltstore

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// The first byte of a value says how the rest is encoded.
const (
	oldForm = 1 // JSON, in files of a schema below sealedSchema
	form    = 2 // a checksum, then what is stored
)

// sealedSchema is the schema from which on every value has a checksum.
const sealedSchema = 3

// headLen is the number of bytes before what is stored: the form and the checksum.
const headLen = 1 + crc32.Size

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum covers where a value is stored as well as what, so that a value under a
// wrong key is found out.
func checksum(bucket, key, text []byte) uint32 {
	var lengths [8]byte
	binary.BigEndian.PutUint32(lengths[:4], uint32(len(bucket)))
	binary.BigEndian.PutUint32(lengths[4:], uint32(len(key)))
	sum := crc32.Update(0, castagnoli, lengths[:])
	sum = crc32.Update(sum, castagnoli, bucket)
	sum = crc32.Update(sum, castagnoli, key)
	return crc32.Update(sum, castagnoli, text)
}

// seal returns a text as a value to be stored under a key of a bucket.
func seal(bucket, key, text []byte) []byte {
	value := make([]byte, headLen, headLen+len(text))
	value[0] = form
	binary.BigEndian.PutUint32(value[1:], checksum(bucket, key, text))
	return append(value, text...)
}

// unseal returns the text in a value of a file with a schema. It is a part of value.
func unseal(schema int, bucket, key, value []byte) ([]byte, error) {
	switch {
	case len(value) == 0:
		return nil, errors.New("the value is empty")
	case value[0] == oldForm && schema < sealedSchema:
		return value[1:], nil
	case value[0] == oldForm:
		return nil, errors.New("the value has the form of an older version: it could not be read when the file was brought up to date")
	case value[0] != form:
		return nil, fmt.Errorf("the value has form %d, but this program only knows %d", value[0], form)
	case len(value) < headLen:
		return nil, errors.New("the value is cut off")
	}
	text := value[headLen:]
	if binary.BigEndian.Uint32(value[1:]) != checksum(bucket, key, text) {
		return nil, errors.New("the value does not fit its checksum")
	}
	return text, nil
}

// encode returns a record or settings as a value to be stored under a key.
func encode(bucket, key []byte, v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return seal(bucket, key, text), nil
}

// encodeRecord returns a record as it is stored.
func encodeRecord(r storage.Record) ([]byte, error) {
	return encode(gamesBucket, []byte(r.Match.ID), r)
}

// decode reads what encode wrote into a file with a schema. It does not keep a
// reference to value. A field that this program does not know is refused: the next
// save would drop it.
func decode(schema int, bucket, key, value []byte, v any) error {
	text, err := unseal(schema, bucket, key, value)
	if err != nil {
		return err
	}
	if value[0] == oldForm {
		return json.Unmarshal(text, v)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("this version of the program cannot read it: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the value")
	}
	return nil
}

// decodeRecord reads the stored record of a match in a file with a schema. The
// error wraps [storage.ErrDamaged] and names the match.
func decodeRecord(schema int, id match.ID, value []byte) (storage.Record, error) {
	var r storage.Record
	err := decode(schema, gamesBucket, []byte(id), value, &r)
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
func decodeSettings(schema int, key string, value []byte) (storage.Settings, error) {
	var v storage.Settings
	if value == nil {
		return v, nil
	}
	err := decode(schema, settingsBucket, []byte(key), value, &v)
	if err == nil {
		err = v.Check()
	}
	if err != nil {
		return storage.Settings{}, fmt.Errorf("settings under %s: %w", key, damaged(err))
	}
	return v.Normal(), nil
}

// decodeState reads a stored note. It returns nil when value is nil. Before
// sealedSchema notes were stored as they are.
func decodeState(schema int, key string, value []byte) ([]byte, error) {
	if value == nil || schema < sealedSchema {
		return clone(value), nil
	}
	text, err := unseal(schema, stateBucket, []byte(key), value)
	if err != nil {
		return nil, fmt.Errorf("the note under %s: %w", key, damaged(err))
	}
	return clone(text), nil
}

// clone copies a value out of the mapped file. nil stays nil.
func clone(value []byte) []byte { return bytes.Clone(value) }
