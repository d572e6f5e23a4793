package boltstore

import (
	"encoding/json"
	"testing"

	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// TestGuildOfReadsThePlace checks that no name of a person, and nothing else in a
// place, is mistaken for the server.
func TestGuildOfReadsThePlace(t *testing.T) {
	const trick = `","place":{"guild":"wrong"},"x":"`
	for name, change := range map[string]func(*storage.Record){
		"plain":        func(*storage.Record) {},
		"the server":   func(r *storage.Record) { r.Place.Guild = trick },
		"a name":       func(r *storage.Record) { r.Match.Seats[1].Name = trick },
		"a channel":    func(r *storage.Record) { r.Place.Channel = trick },
		"the language": func(r *storage.Record) { r.Place.Locale = trick },
		"a message":    func(r *storage.Record) { r.Screen = storage.Screen{Channel: trick, Message: trick} },
		"no server":    func(r *storage.Record) { r.Place.Guild, r.Match.Seats[0].Name = "", trick },
	} {
		r := storagetest.Challenge(t, "m", 0)
		change(&r)
		value, err := json.Marshal(r.Normal())
		if err != nil {
			t.Fatal(err)
		}
		if got := guildOf(value); got != r.Place.Guild {
			t.Errorf("%s: %q, want %q", name, got, r.Place.Guild)
		}
	}
	for _, value := range []string{"", "{}", "{\"x\":1}", `"place":`, `"place":{`} {
		if got := guildOf([]byte(value)); got != "" {
			t.Errorf("%q: %q", value, got)
		}
	}
}
