package play

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

const month = 30 * 24 * time.Hour

// clubs is a bench with a game in each of some servers, and one in direct
// messages, whose service keeps what is stored about removed servers for a month.
func clubs(t *testing.T, guilds ...string) *bench {
	t.Helper()
	b := newBench(t)
	b.keepRemoved = month
	b.Service = b.restarted()
	for _, g := range append(guilds, "") {
		_, err := b.Play(t.Context(), Caller{ID: ann.ID, Name: ann.Name, Place: storage.Place{Guild: g, Channel: "8"}, Request: match.ID("in" + g)}, intent.Play{Level: 1, Side: intent.White})
		if err != nil {
			t.Fatal(err)
		}
		if g != "" {
			if err := b.store.SaveSettings(t.Context(), guildKey(g), storage.Settings{Text: true}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b
}

// after lets time pass and the servers be looked at.
func (b *bench) after(d time.Duration) {
	b.now = b.now.Add(d)
	b.tidyGuilds(b.t.Context())
}

// kept fails unless games and settings of these servers, and no others, are stored.
func (b *bench) kept(want ...string) {
	b.t.Helper()
	list, err := b.store.Guilds(b.t.Context())
	if err != nil || !slices.Equal(list, want) {
		b.t.Errorf("games of %q are stored, want %q, %v", list, want, err)
	}
	known, err := b.knownGuilds(b.t.Context())
	if err != nil || len(known) != len(want) {
		b.t.Errorf("something of %v is stored, want %q, %v", known, want, err)
	}
	if _, err := b.store.Load(b.t.Context(), "in"); err != nil {
		b.t.Errorf("the game in direct messages: %v", err)
	}
}

func TestRemovedFromAServer(t *testing.T) {
	t.Run("its games and settings are deleted when the time is over", func(t *testing.T) {
		b := clubs(t, "1", "2", "3")
		b.after(0) // nobody has said yet where the bot is
		b.Present([]string{"1", "3"})
		b.after(0)
		b.after(month - time.Second)
		b.kept("1", "2", "3")
		if len(b.asked) != 0 {
			t.Errorf("asked for %q", b.asked)
		}
		b.after(time.Second)
		b.after(time.Minute)
		b.kept("1", "3")
		if !slices.Contains(b.asked, "2") || slices.Contains(b.asked, "1") {
			t.Errorf("asked for %q", b.asked)
		}
		b.after(guildsEvery)
		b.after(10 * month)
		b.kept("1", "3")
		if note, err := b.store.State(t.Context(), goneKey); note != nil || err != nil {
			t.Errorf("the note stays: %s, %v", note, err)
		}
	})
	t.Run("restarts do not lengthen the time, nor shorten it", func(t *testing.T) {
		b := clubs(t, "1", "2")
		for range 30 {
			b.kept("1", "2")
			b.Service = b.restarted()
			b.after(0)
			b.Present([]string{"1"})
			b.after(0)
			b.now = b.now.Add(month / 30)
		}
		b.after(0)
		b.after(0)
		b.kept("1")
	})
	t.Run("being there again keeps all", func(t *testing.T) {
		for name, back := range map[string]func(*bench){
			"at the next session":                 func(b *bench) { b.Present([]string{"1", "2"}) },
			"by a command":                        func(b *bench) { b.Seen("2") },
			"while the program did not run":       func(b *bench) { b.Service = b.restarted(); b.Present([]string{"1", "2"}) },
			"as Discord alone knows":              func(b *bench) { b.inGuild = func(g string) (bool, error) { return g == "2", nil } },
			"for a while that a session sees":     func(b *bench) { b.Present([]string{"1", "2"}); b.after(0); b.Present([]string{"1"}); b.after(0) },
			"by a command, not in the list later": func(b *bench) { b.Seen("2"); b.after(0); b.Present([]string{"1"}); b.after(0) },
		} {
			t.Run(name, func(t *testing.T) {
				b := clubs(t, "1", "2")
				b.Present([]string{"1"})
				b.after(0)
				b.after(month - time.Hour)
				back(b)
				b.after(0)
				b.after(2 * time.Hour)
				b.after(time.Hour)
				b.kept("1", "2")
			})
		}
	})
	t.Run("nothing is deleted while Discord does not answer", func(t *testing.T) {
		b := clubs(t, "1", "2")
		b.inGuild = func(string) (bool, error) { return false, errors.New("out of order") }
		b.Present(nil)
		b.after(0)
		b.after(10 * month)
		b.kept("1", "2")
		b.inGuild = nil
		b.after(0)
		b.after(0)
		b.kept()
	})
	t.Run("nothing is deleted before Discord has listed the servers", func(t *testing.T) {
		b := clubs(t, "1")
		b.Present(nil)
		b.after(0)
		b.Service = b.restarted()
		b.after(10 * month)
		b.kept("1")
	})
	t.Run("nor when it is not wanted", func(t *testing.T) {
		b := clubs(t, "1")
		b.keepRemoved = 0
		b.Service = b.restarted()
		b.Present(nil)
		b.after(10 * month)
		b.after(10 * month)
		b.kept("1")
	})
	t.Run("a server with settings alone", func(t *testing.T) {
		b := clubs(t)
		if err := b.store.SaveSettings(t.Context(), guildKey("5"), storage.Settings{Text: true}); err != nil {
			t.Fatal(err)
		}
		b.Present(nil)
		b.after(0)
		b.after(month)
		b.kept()
	})
	t.Run("many games go batch by batch, over restarts", func(t *testing.T) {
		b := clubs(t, "1")
		const games = removeLimit + 20
		for i := range games {
			id := match.ID(fmt.Sprint("x", i))
			_, err := b.Play(t.Context(), asks(Caller{ID: match.UserID(id)}, id), intent.Play{Level: 1, Side: intent.White})
			if err != nil {
				t.Fatal(err)
			}
		}
		left := func() (n int) {
			for _, err := range b.listOf(t.Context(), storage.Of{Guild: room.Guild}) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			return n
		}
		b.Present([]string{"1"})
		b.after(0)
		b.after(month)
		if n := left(); n != 21 && n != 20 {
			t.Errorf("%d are left after one batch", n)
		}
		b.Service = b.restarted()
		b.Present([]string{"1"})
		b.after(0)
		if n := left(); n != 0 {
			t.Errorf("%d are left", n)
		}
		b.after(0)
		b.kept("1")
	})
	t.Run("a store that fails loses no note", func(t *testing.T) {
		b := clubs(t, "1")
		real := b.store
		b.store = &crashing{Store: real}
		b.Service = b.restarted()
		b.Present(nil)
		b.after(0)
		b.store, b.Service.opt.Store = real, real
		b.after(time.Hour)
		b.Service = b.restarted()
		b.Present(nil)
		b.after(month - time.Hour)
		b.after(0)
		b.after(0)
		b.kept()
	})
	t.Run("more servers than the note has room for are noted one after the other", func(t *testing.T) {
		b := clubs(t)
		for i := range maxGone + 10 {
			if err := b.store.SaveSettings(t.Context(), guildKey(fmt.Sprintf("%020d", i)), storage.Settings{Text: true}); err != nil {
				t.Fatal(err)
			}
		}
		b.Present(nil)
		b.after(0)
		if note, err := b.store.State(t.Context(), goneKey); len(note) == 0 || err != nil {
			t.Fatalf("%d bytes, %v", len(note), err)
		}
		b.after(month)
		b.after(guildsEvery)
		b.after(month)
		b.kept()
	})
}

func TestASessionOutlivesItsListOfServers(t *testing.T) {
	// listed makes the bench count the questions and answer them.
	listed := func(b *bench, ids ...string) (n *int) {
		n = new(int)
		b.list = func() ([]string, error) { *n++; return ids, nil }
		return n
	}
	t.Run("a removal is noticed within a day", func(t *testing.T) {
		b := clubs(t, "1", "2")
		n := listed(b, "1")
		b.Present([]string{"1", "2"})
		b.after(0)
		b.after(guildsEvery - time.Second)
		if *n != 0 {
			t.Errorf("asked %d times while the list held", *n)
		}
		b.after(time.Second)
		b.after(time.Hour)
		if *n != 1 {
			t.Errorf("asked %d times in a day", *n)
		}
		b.after(month - time.Hour - time.Second)
		b.kept("1", "2")
		b.after(time.Second)
		b.after(0)
		b.kept("1")
	})
	t.Run("a return is noticed as well", func(t *testing.T) {
		b := clubs(t, "1", "2")
		listed(b, "1", "2")
		b.Present([]string{"1"})
		b.after(0)
		b.after(guildsEvery)
		if note, err := b.store.State(t.Context(), goneKey); note != nil || err != nil {
			t.Errorf("the note stays: %s, %v", note, err)
		}
	})
	t.Run("a list that fails leaves the last one, and is asked for again", func(t *testing.T) {
		b := clubs(t, "1", "2")
		n := 0
		b.list = func() ([]string, error) { n++; return []string{}, errors.New("the second page failed") }
		b.Present([]string{"1", "2"})
		b.after(0)
		for range 3 {
			b.after(guildsEvery)
			b.after(time.Second)
		}
		if n != 3 {
			t.Errorf("asked %d times, want once each time", n)
		}
		if note, err := b.store.State(t.Context(), goneKey); note != nil || err != nil {
			t.Errorf("servers are taken to be gone: %s, %v", note, err)
		}
		b.after(guildsAgain)
		b.Resumed()
		b.after(0)
		if n != 5 {
			t.Errorf("asked %d times, want once more after a while and once at a resumed session", n)
		}
		b.after(10 * month)
		b.kept("1", "2")
	})
	t.Run("a resumed session asks once the list is a day old", func(t *testing.T) {
		b := clubs(t, "1", "2")
		n := listed(b, "1", "2")
		b.Resumed() // before any list
		b.after(0)
		b.Present([]string{"1", "2"})
		for range 5 {
			b.Resumed()
			b.after(time.Hour)
		}
		if *n != 0 {
			t.Errorf("asked %d times within hours", *n)
		}
	})
	t.Run("a server that is seen while Discord answers is not gone", func(t *testing.T) {
		b := clubs(t, "1", "2")
		b.list = func() ([]string, error) { b.Seen("2"); return []string{"1"}, nil }
		b.Present([]string{"1"})
		b.after(guildsEvery)
		b.after(0)
		if note, err := b.store.State(t.Context(), goneKey); note != nil || err != nil {
			t.Errorf("noted as gone: %s, %v", note, err)
		}
	})
	t.Run("a session that begins while Discord answers knows better", func(t *testing.T) {
		b := clubs(t, "1", "2")
		b.list = func() ([]string, error) {
			b.now = b.now.Add(time.Second)
			b.Present([]string{"1", "2"})
			return []string{"1"}, nil
		}
		b.Present([]string{"1", "2"})
		b.after(guildsEvery)
		if note, err := b.store.State(t.Context(), goneKey); note != nil || err != nil {
			t.Errorf("noted as gone: %s, %v", note, err)
		}
	})
	t.Run("no list is asked for when nothing is to be deleted", func(t *testing.T) {
		b := clubs(t, "1")
		n := listed(b)
		b.keepRemoved = 0
		b.Service = b.restarted()
		b.Present(nil)
		b.after(10 * month)
		if *n != 0 {
			t.Errorf("asked %d times", *n)
		}
	})
}

// TestAServerUsedBeforeTheListIsWholeIsNotGone: with several shards the list is put
// together from parts, some of which are older than the server.
func TestAServerUsedBeforeTheListIsWholeIsNotGone(t *testing.T) {
	b := clubs(t, "1", "2", "3")
	b.Seen("2")
	b.Present([]string{"1"})
	b.after(0)
	b.Present([]string{"1"}) // of another session, a month later
	b.after(month)
	b.after(0)
	b.kept("1", "2")
	b.after(month)
	b.after(0)
	b.kept("1")
}
