package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
	"github.com/lascabot/lascabot/storage/gametext"
	"github.com/lascabot/lascabot/storage/memstore"
)

// games returns all stored games of somebody.
func (w *world) games(who *discordsim.Actor) []storage.Record {
	w.t.Helper()
	list, err := w.store.ListOf(w.ctx, storage.Of{User: match.UserID(who.ID())}, "", 10_000)
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// exportFile is the content of an exported file.
type exportFile struct {
	User     string           `json:"user"`
	Settings storage.Settings `json:"settings"`
	Older    int              `json:"older_games_left_out"`
	Games    []struct {
		Game, Phase, Colour, Rules, Ending, Text string
	} `json:"games"`
}

// file returns an exported file as text and decoded.
func (w *world) file(m discordsim.Message) (text string, v exportFile) {
	w.t.Helper()
	a, data := w.attached(m)
	if a.Filename != "lasca-data.json" {
		w.t.Fatalf("the file is called %s\n%s", a.Filename, describe(m))
	}
	if err := json.Unmarshal(data, &v); err != nil {
		w.t.Fatalf("%v in %.200s", err, data)
	}
	return string(data), v
}

// deleted asks for the deletion of somebody's data, confirms, and returns the answer.
func (w *world) deleted(who *discordsim.Actor) discordsim.Message {
	w.t.Helper()
	asked := w.typed(who, "/lasca privacy delete")
	w.private(who, asked)
	return w.click(who, asked, labels(asked)[0])
}

func TestPrivacyShow(t *testing.T) {
	t.Parallel()
	t.Run("the bot says what it stores, for how long, and what it does not store", func(t *testing.T) {
		w := newWorld(t)
		first := w.typed(w.ann, "/lasca privacy show")
		w.private(w.ann, first)
		w.says(first, "I store nothing about you", "kept until you delete", "30 days", "7 days", "I do not store what you write")
		if l := labels(first); len(l) != 0 {
			t.Errorf("there are buttons %q although nothing is stored", l)
		}
		w.duel()
		w.typed(w.ann, "/lasca play level:1 colour:white")
		which := w.typed(w.ann, "/lasca resign")
		w.click(w.ann, w.click(w.ann, which, w.labelled(which, "1. ")), "Yes, resign")
		w.typed(w.ann, "/lasca look theme:dark")
		m := w.typed(w.ann, "/lasca privacy show")
		w.private(w.ann, m)
		if strings.Contains(m.Content, " 0 ") {
			t.Errorf("it counts what is not there:\n%s", describe(m))
		}
		w.says(m, "one running, one finished", fmt.Sprintf("<t:%d:D>", w.clock.Now().Unix()), "Discord ID", "Dark")
		w.says(w.click(w.ann, m, "Delete…"), "Delete everything")
		w.says(w.typed(w.ben, "/lasca datenschutz zeigen"), "eine laufende", "Ich speichere weder")
	})
}

func TestPrivacyExport(t *testing.T) {
	t.Parallel()
	t.Run("the file contains everything about the person and nothing about opponents", func(t *testing.T) {
		w := newWorld(t)
		w.moved(w.ben, w.moved(w.ann, w.duel(), "c3", "d4"), "e5", "c3")
		w.typed(w.ann, "/lasca play level:2 colour:black")
		w.typed(w.ann, "/lasca challenge user:@Ben colour:black")
		w.typed(w.ann, "/lasca look boards:letters")
		m := w.typed(w.ann, "/lasca privacy export")
		w.private(w.ann, m)
		text, v := w.file(m)
		if strings.Contains(text, w.ben.ID()) || strings.Contains(text, "Ben") {
			t.Errorf("the file names Ben:\n%s", text)
		}
		if v.User != w.ann.ID() || !v.Settings.Text || len(v.Games) != 3 || v.Older != 0 {
			t.Fatalf("the file holds %+v", v)
		}
		g := v.Games[0]
		black, open := v.Games[1], v.Games[2]
		if g.Phase != "playing" || g.Colour != "white" || black.Colour != "black" || open.Phase != "proposed" || open.Text != "" {
			t.Errorf("the games are %+v", v.Games)
		}
		games, err := gametext.Read(strings.NewReader(g.Text))
		if err != nil || len(games) != 1 || len(games[0].Match.Moves) != 2 || string(games[0].Match.Seats[0].User) != w.ann.ID() {
			t.Errorf("the text of the first game reads as %+v, %v", games, err)
		}
		w.says(w.typed(w.ben, "/lasca datenschutz exportieren"), "alles, was ich über dich speichere")
		// The button does the same.
		if _, v := w.file(w.click(w.ann, w.typed(w.ann, "/lasca privacy show"), "Export")); len(v.Games) != 3 {
			t.Errorf("%d games", len(v.Games))
		}
	})
	t.Run("the oldest games are left out when the file is too big for Discord, and the message says so", func(t *testing.T) {
		if testing.Short() {
			t.Skip("8,000 games take minutes with the race detector")
		}
		w := newWorld(t)
		long := w.longGame()
		const games = 8000
		for i := range games {
			r := long
			r.Match.ID = match.ID(fmt.Sprint(1_000_000_000_000_000_000 + i))
			if err := w.store.Create(w.ctx, r); err != nil {
				t.Fatal(err)
			}
		}
		m := w.typed(w.ann, "/lasca privacy export")
		text, v := w.file(m)
		if len(text) > 8<<20 || len(text) < 6<<20 {
			t.Errorf("the file has %d bytes", len(text))
		}
		if v.Older == 0 || v.Older+len(v.Games) != games || v.Games[len(v.Games)-1].Game != fmt.Sprint(1_000_000_000_000_000_000+games-1) {
			t.Errorf("the file holds %d games and leaves out %d", len(v.Games), v.Older)
		}
		w.says(m, fmt.Sprintf("The %d oldest games", v.Older))
	})
}

// longGame returns a finished game between Ann and Ben.
func (w *world) longGame() storage.Record {
	w.t.Helper()
	now := w.clock.Now()
	m, err := match.Start(match.New{
		ID: "1", Seats: [2]match.Seat{{User: match.UserID(w.ann.ID()), Name: "Ann"}, {User: match.UserID(w.ben.ID()), Name: "Ben"}}, Expires: now,
	}, now)
	do := func(c match.Command) {
		if err == nil {
			m, err = m.Apply(c, now)
		}
	}
	do(match.Accept{By: engine.Black})
	for range 30 {
		if m.Phase == match.Playing {
			pos := m.Game().Position()
			do(match.Play{By: m.Turn(), Move: pos.AppendMoves(nil)[0]})
		}
	}
	if m.Phase == match.Playing {
		do(match.Resign{By: engine.White})
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return storage.Record{
		Match: m, Place: storage.Place{Guild: w.guild, Channel: w.channel, Locale: "en"},
		Screen: storage.Screen{Channel: w.channel, Message: "1", Version: m.Version},
	}
}

func TestPrivacyDelete(t *testing.T) {
	t.Parallel()
	t.Run("a running game is resigned, and the opponent keeps it without the name", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4")
		game := w.only(w.ann).Match.ID
		w.typed(w.ann, "/lasca look theme:dark")
		old := w.click(w.ann, board, "⋯ More") // private, from before the deletion
		w.bot.RemembersPrivate(match.UserID(w.ann.ID()), game)
		done := w.deleted(w.ann)
		w.private(w.ann, done)
		w.says(done, "I have deleted everything", "stay in their channels", "7 days")
		end := w.until(w.ben, board, "deleted player resigned")
		w.says(end, "Black wins", "Ben")
		if strings.Contains(end.Content, "Ann") || strings.Contains(end.Content, w.ann.ID()) {
			t.Errorf("the board names her\n%s", describe(end))
		}
		if slices.Contains(labels(end), "Rematch") {
			t.Errorf("the board offers a rematch\n%s", describe(end))
		}
		r, err := w.store.Load(w.ctx, game)
		if err != nil {
			t.Fatal(err)
		}
		gone := match.Seat{User: storage.Deleted}
		if m := r.Match; m.Phase != match.Finished || m.Result != engine.BlackWins || m.Seats[0] != gone || m.Seats[1].Name != "Ben" {
			t.Errorf("the game is stored as %+v", m)
		}
		if s, err := w.store.Settings(w.ctx, "person "+w.ann.ID()); err != nil || !s.IsZero() {
			t.Errorf("settings %+v, %v", s, err)
		}
		if list := w.games(w.ann); len(list) != 0 {
			t.Errorf("%d games", len(list))
		}
		w.says(w.typed(w.ann, "/lasca privacy show"), "I store nothing about you")

		// The rest of the game still works for Ben, and its buttons answer Ann,
		// who may watch like everybody else there.
		w.says(w.click(w.ben, end, "Review"), "gelöschte Person")
		text := w.click(w.ben, end, "Game text")
		if _, data := w.attached(text); !strings.Contains(string(data), "gelöschte Person") {
			t.Errorf("the text does not name a deleted player:\n%s", data)
		}
		w.says(w.click(w.ann, old, "My side"), "deleted player and Ben")
		_, v := w.file(w.typed(w.ben, "/lasca datenschutz exportieren"))
		if len(v.Games) != 1 {
			t.Errorf("Ben has %d games", len(v.Games))
		}
	})
	t.Run("the rematch button of an old board explains why it cannot be", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.click(w.ann, w.click(w.ann, board, "Resign"), "Yes, resign")
		end := w.until(w.ben, board, "Ann resigned")
		w.deleted(w.ann)
		if now := w.see(w.ben, end); now.Content != end.Content {
			t.Errorf("the board of a finished game changed:\n%s", describe(now)) // there may be hundreds
		}
		w.says(w.click(w.ben, end, "Rematch"), "hat ihre Daten gelöscht")
		w.says(w.click(w.ann, end, "Rematch"), "deleted player and Ben")
	})
	t.Run("challenges are withdrawn or declined, and games against the bot are removed", func(t *testing.T) {
		w := newWorld(t)
		by := w.typed(w.ann, "/lasca challenge user:@Ben colour:white")
		to := w.typed(w.stranger(), "/lasca challenge user:@Ann colour:white")
		machine := w.typed(w.ann, "/lasca play level:1 colour:white")
		w.deleted(w.ann)
		w.until(w.ben, by, "deleted player withdrew the challenge to Ben")
		w.until(w.ben, to, "deleted player declined the challenge from Cleo")
		w.wait("the buttons are gone", func(s *discordsim.Server) bool {
			m, ok := s.Message(w.ann.ID(), machine.ChannelID, machine.ID)
			return ok && len(labels(m)) == 0
		})
		if list := w.games(w.ann); len(list) != 0 {
			t.Errorf("%d games", len(list))
		}
		if n := len(w.games(w.ben)); n != 1 {
			t.Errorf("Ben has %d games", n)
		}
		w.says(w.typed(w.ann, "/lasca games"), "no games in progress")
	})
	t.Run("data can be deleted while the machine thinks", func(t *testing.T) {
		w := newWorld(t)
		w.typed(w.ann, "/lasca play level:8 colour:black")
		w.deleted(w.ann)
		if list := w.games(w.ann); len(list) != 0 {
			t.Errorf("%d games", len(list))
		}
		w.picture(w.typed(w.ann, "/lasca play level:1 colour:white"))
	})
	t.Run("No deletes nothing, and a second Yes finds nothing", func(t *testing.T) {
		w := newWorld(t)
		w.duel()
		asked := w.typed(w.ann, "/lasca privacy delete")
		w.says(w.click(w.ann, asked, "No, keep it"), "Nothing was deleted")
		if n := len(w.games(w.ann)); n != 1 {
			t.Fatalf("%d games", n)
		}
		one, two := w.typed(w.ann, "/lasca privacy delete"), w.typed(w.ann, "/lasca privacy delete")
		w.says(w.click(w.ann, one, "Yes, delete everything"), "I have deleted everything")
		w.says(w.click(w.ann, two, "Yes, delete everything"), "I store nothing about you")
		w.says(w.deleted(w.ben), "Ich habe alles gelöscht")
		if list, err := w.store.Guilds(w.ctx); len(list) != 0 || err != nil {
			t.Errorf("a game is stored although both players are gone: %q, %v", list, err)
		}
	})
	t.Run("a late answer deletes nothing, and the bot asks again", func(t *testing.T) {
		w := newWorld(t)
		w.duel()
		asked := w.typed(w.ann, "/lasca privacy delete")
		w.clock.Advance(16 * time.Minute)
		again := w.click(w.ann, asked, "Yes, delete everything")
		w.private(w.ann, again)
		w.says(again, "asked too long ago", "Delete everything")
		if n := len(w.games(w.ann)); n != 1 {
			t.Fatalf("%d games", n)
		}
		w.says(w.click(w.ann, again, "Yes, delete everything"), "I have deleted everything")
	})
	t.Run("a deletion that the disk cut short finishes after a restart without another question", func(t *testing.T) {
		store := &forgetful{Store: memstore.New()}
		store.fail = true
		w := worldOn(t, store, 30*time.Second)
		board := w.duel()
		w.says(w.deleted(w.ann), "has begun")
		if n := len(w.games(w.ann)); n != 1 {
			t.Fatalf("%d games", n)
		}
		w.stop()
		store.fail = false
		w.start()
		w.stored("the rest is deleted", func() bool { return len(w.games(w.ann)) == 0 })
		w.until(w.ben, board, "deleted player resigned")
	})
	t.Run("the file of games stays intact", func(t *testing.T) {
		file := t.TempDir() + "/games.db"
		store, err := boltstore.Open(file, boltstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() }) // runs after the world has stopped
		w := worldOn(t, store, 30*time.Second)
		board := w.duel()
		w.typed(w.ann, "/lasca play level:1 colour:white")
		w.deleted(w.ann)
		w.until(w.ben, board, "deleted player resigned")
		if err := store.Check(w.ctx); err != nil {
			t.Error(err)
		}
		if err := store.BackupFile(w.ctx, file+".copy"); err != nil {
			t.Error(err)
		}
		if err := boltstore.Verify(w.ctx, file+".copy"); err != nil {
			t.Error(err)
		}
		var text strings.Builder
		for r, err := range store.All(w.ctx) {
			if err == nil {
				err = gametext.Write(&text, r)
			}
			if err != nil {
				t.Error(err)
			}
		}
		list, err := gametext.Read(strings.NewReader(text.String()))
		if err != nil || len(list) != 1 || strings.Contains(text.String(), w.ann.ID()) {
			t.Errorf("%d games, %v\n%s", len(list), err, text.String())
		}
	})
}

// forgetful is a store that cannot forget anybody while fail is set.
type forgetful struct {
	storage.Store
	fail bool // changed while no bot runs
}

func (f *forgetful) Forget(ctx context.Context, id match.ID, u match.UserID) error {
	if f.fail {
		return storage.ErrNotWritten
	}
	return f.Store.Forget(ctx, id, u)
}
