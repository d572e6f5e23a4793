package bot

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/storage/memstore"
)

// Discord shows the question whether everything is to be deleted to nobody else,
// so that no story can press its button as another person.
func TestOnlyThePersonWhoWasAskedConfirmsADeletion(t *testing.T) {
	store := memstore.New()
	b, err := New(Options{Token: "token", Store: store, Workers: 1, HashBytes: 1 << 20, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	c := &call{lang: i18n.For("en"), log: b.log, req: discord.Request{
		Kind: discord.Button, Intent: intent.DeleteData{Of: "1"}, MessageCreated: time.Now(),
	}}
	people := []play.Caller{{ID: "1"}, {ID: "2"}}
	for _, c.who = range people {
		if _, _, err := b.service.SetLook(t.Context(), c.who, intent.Look{Boards: intent.Letters}); err != nil {
			t.Fatal(err)
		}
	}
	press := func(who play.Caller) answer {
		c.who = who
		return rowOf(c.req.Intent).answer(b, t.Context(), c, c.req.Intent)
	}
	left := func(who play.Caller) bool { return !b.service.LookOf(t.Context(), who).IsZero() }

	if a := press(people[1]); !a.msg.Private || a.update || a.msg.Text != c.lang.T(i18n.DataNotAsked) {
		t.Errorf("%+v", a)
	}
	if !left(people[0]) || !left(people[1]) {
		t.Error("something was deleted")
	}
	if a := press(people[0]); !strings.HasPrefix(a.msg.Text, c.lang.T(i18n.DataDeleted)) {
		t.Errorf("%+v", a)
	}
	if left(people[0]) || !left(people[1]) {
		t.Error("the data of the person who confirmed should be gone, and no other")
	}
}
