package bot

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
)

// TestBug62OthersCannotAnswer holds that a confirmation counts for the person who
// was asked alone. Discord shows the question to nobody else.
func TestBug62OthersCannotAnswer(t *testing.T) {
	store := memstore.New()
	b, err := New(Options{Token: "token", Store: store, Workers: 1, HashBytes: 1 << 20, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range []match.UserID{"1", "2"} {
		if err := store.SaveSettings(t.Context(), play.PersonKey(u), storage.Settings{Text: true}); err != nil {
			t.Fatal(err)
		}
	}
	c := &call{lang: i18n.For("en"), log: b.log, req: discord.Request{
		Kind: discord.Button, User: discord.User{ID: "2"}, Intent: intent.DeleteData{Of: "1"}, Message: "9000000000000000000",
	}}
	if a := b.data(t.Context(), c); !a.msg.Private || a.update || !strings.Contains(a.msg.Text, "Nothing was deleted") {
		t.Errorf("%+v", a)
	}
	if keys, err := store.SettingsKeys(t.Context(), ""); err != nil || len(keys) != 2 {
		t.Errorf("%q, %v", keys, err)
	}
	c.req.User.ID = "1"
	if a := b.data(t.Context(), c); !strings.Contains(a.msg.Text, "is deleted") {
		t.Errorf("%+v", a)
	}
	if keys, err := store.SettingsKeys(t.Context(), ""); err != nil || len(keys) != 1 {
		t.Errorf("%q, %v", keys, err)
	}
}
