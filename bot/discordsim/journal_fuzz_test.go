package discordsim

import (
	"bytes"
	"testing"
)

// FuzzJournalRecord checks that only whole records are read, and those exactly.
func FuzzJournalRecord(f *testing.F) {
	line, _ := encodeRecord("user", User{Name: "ann"})
	f.Add(line)
	f.Add(line[:len(line)-1])
	f.Add(append(bytes.Clone(line), line...))
	f.Add([]byte("00000000 0 \n"))
	f.Add([]byte("00000000 -1 \n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, rest, ok := decodeRecord(data)
		if !ok {
			return
		}
		if !bytes.HasSuffix(data, rest) || len(rest) >= len(data) {
			t.Fatalf("%d bytes left of %d", len(rest), len(data))
		}
		again, err := encodeRecord(r.T, r.V)
		if err != nil {
			t.Fatal(err)
		}
		if back, rest, ok := decodeRecord(again); !ok || len(rest) != 0 || back.T != r.T {
			t.Fatalf("%q does not come back", again)
		}
	})
}
