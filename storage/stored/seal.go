package stored

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// The first byte of a value says how the rest is encoded.
const (
	OldForm = 1 // JSON, in old files only
	form    = 2 // a checksum, then what is stored
)

// HeadLen is the number of bytes before what is stored: the form and the checksum.
const HeadLen = 1 + crc32.Size

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum covers where a value is stored as well as what, so that a value under a
// wrong key is found out.
func checksum(kind, key, text []byte) uint32 {
	var lengths [8]byte
	binary.BigEndian.PutUint32(lengths[:4], uint32(len(kind)))
	binary.BigEndian.PutUint32(lengths[4:], uint32(len(key)))
	sum := crc32.Update(0, castagnoli, lengths[:])
	sum = crc32.Update(sum, castagnoli, kind)
	sum = crc32.Update(sum, castagnoli, key)
	return crc32.Update(sum, castagnoli, text)
}

// Seal returns a text as a value of a kind, to be stored under a key.
func Seal(kind, key, text []byte) []byte {
	value := make([]byte, HeadLen, HeadLen+len(text))
	value[0] = form
	binary.BigEndian.PutUint32(value[1:], checksum(kind, key, text))
	return append(value, text...)
}

// Unseal returns the text in a value of a kind. It is a part of value. old says that the
// value may have the [OldForm].
func Unseal(kind, key, value []byte, old bool) ([]byte, error) {
	switch {
	case len(value) == 0:
		return nil, errors.New("the value is empty")
	case value[0] == OldForm && old:
		return value[1:], nil
	case value[0] == OldForm:
		return nil, errors.New("the value has the form of an older version: it could not be read when the file was brought up to date")
	case value[0] != form:
		return nil, fmt.Errorf("the value has form %d, but this program only knows %d", value[0], form)
	case len(value) < HeadLen:
		return nil, errors.New("the value is cut off")
	}
	text := value[HeadLen:]
	if binary.BigEndian.Uint32(value[1:]) != checksum(kind, key, text) {
		return nil, errors.New("the value does not fit its checksum")
	}
	return text, nil
}

// Encode returns a record, settings, a rating or an outcome, in its normal form, as a
// value of a kind to be stored under a key.
func Encode(kind, key []byte, v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return Seal(kind, key, text), nil
}

// decode reads what Encode wrote. It does not keep a reference to value. A field that
// this program does not know is refused: the next save would drop it.
func decode(kind, key, value []byte, old bool, v any) error {
	text, err := Unseal(kind, key, value, old)
	if err != nil {
		return err
	}
	if value[0] == OldForm {
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
