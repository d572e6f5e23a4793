package discordsim

import (
	"strconv"
	"time"
)

// discordEpoch is the first second of 2015 in Unix milliseconds.
const discordEpoch = 1420070400000

// newID gives a snowflake: a number that carries the time, so that the age of a
// message can be computed from its ID, and that never repeats or shrinks.
func (s *Server) newID() string {
	ms := s.clock.Now().UnixMilli() - discordEpoch
	if ms < 1 {
		ms = 1
	}
	id := uint64(ms) << 22
	if id <= s.lastID {
		id = s.lastID + 1
	}
	s.lastID = id
	return strconv.FormatUint(id, 10)
}

// snowflakeTime gives the time at which an ID was made, to the millisecond.
// The zero time comes back for anything but an ID.
func snowflakeTime(id string) time.Time {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(int64(n>>22) + discordEpoch)
}
