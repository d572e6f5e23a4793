package boltstore

import (
	"bytes"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/stored"
)

// sealedSchema is the schema from which on every value has a checksum.
const sealedSchema = 3

// unseal returns the text in a value of a file with a schema. It is a part of value.
func unseal(schema int, bucket, key, value []byte) ([]byte, error) {
	return stored.Unseal(bucket, key, value, schema < sealedSchema)
}

// decodeRecord reads the stored record of a match in a file with a schema. The
// error wraps [storage.ErrDamaged] and names the match.
func decodeRecord(schema int, id match.ID, value []byte) (storage.Record, error) {
	return stored.DecodeRecord(id, value, schema < sealedSchema)
}

// decodeSettings reads stored settings. It returns the zero value when value is nil.
func decodeSettings(schema int, key string, value []byte) (storage.Settings, error) {
	return stored.DecodeSettings(key, value, schema < sealedSchema)
}

// decodeState reads a stored note. It returns nil when value is nil. Before
// sealedSchema notes were stored as they are.
func decodeState(schema int, key string, value []byte) ([]byte, error) {
	if schema < sealedSchema {
		return clone(value), nil
	}
	return stored.DecodeNote(key, value)
}

// clone copies a value out of the mapped file. nil stays nil.
func clone(value []byte) []byte { return bytes.Clone(value) }
