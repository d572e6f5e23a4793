package stored

import (
	"encoding/hex"
	"errors"
	"testing"

	"github.com/lascabot/lascabot/storage"
)

// TestTheFormStandsStill: files and databases hold values that older programs wrote.
func TestTheFormStandsStill(t *testing.T) {
	value := Seal(Games, []byte("m"), []byte("{}"))
	if got, want := hex.EncodeToString(value), "02cfcc367d7b7d"; got != want {
		t.Errorf("the value is %s, it was %s", got, want)
	}
}

// TestAValueIsReadInItsPlaceOnly: one that stands under another key, or in another table,
// is damaged.
func TestAValueIsReadInItsPlaceOnly(t *testing.T) {
	value, err := Encode(Settings, []byte("u1"), storage.Settings{Theme: "wood"})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := DecodeSettings("u1", value, false); err != nil || s.Theme != "wood" {
		t.Errorf("in its place: %v, %v", s, err)
	}
	if _, err := DecodeSettings("u2", value, false); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("under another key: %v", err)
	}
	if _, err := DecodeNote("u1", value); !errors.Is(err, storage.ErrDamaged) {
		t.Errorf("as a note: %v", err)
	}
}
