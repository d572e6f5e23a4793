package stored

import (
	"encoding/binary"
	"time"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// TimeLen is the number of bytes of a time in a key.
const TimeLen = 12

// AppendTime appends a time so that the bytes sort as the times do, in any year.
func AppendTime(b []byte, at time.Time) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(at.Unix())^1<<63)
	return binary.BigEndian.AppendUint32(b, uint32(at.Nanosecond()))
}

// NamePrefix returns the beginning of the keys of a person, a channel or a scope. The
// length of the name comes first, so that no prefix is the beginning of another.
func NamePrefix(name string) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(name))), name...)
}

// CutName takes a name off the beginning of a key: [NamePrefix].
func CutName(key []byte) (name string, rest []byte, ok bool) {
	if len(key) < 2 || len(key)-2 < int(binary.BigEndian.Uint16(key)) {
		return "", nil, false
	}
	n := 2 + int(binary.BigEndian.Uint16(key))
	return string(key[2:n]), key[n:], true
}

// OrderKey returns a key that sorts by time, and then by ID, within its prefix.
func OrderKey(prefix []byte, at time.Time, id match.ID) string {
	return string(append(AppendTime(prefix, at), id...))
}

// RatingKey returns the key of a rating.
func RatingKey(scope string, u match.UserID) []byte { return append(NamePrefix(scope), u...) }

// OutcomeKey returns the key of an outcome of a person.
func OutcomeKey(u match.UserID, o storage.Outcome) []byte {
	return []byte(OrderKey(NamePrefix(string(u)), o.At, o.Game))
}
