package bot_test

import (
	"slices"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
)

// manages lets somebody manage the server.
func (w *world) manages(who *discordsim.Actor, yes bool) {
	p := discordsim.DefaultMemberPermissions
	if yes {
		p |= discordsim.ManageGuild
	}
	w.sim.SetMemberPermissions(w.guild, who.ID(), p)
}

// chooses opens somebody's settings and presses buttons, one after the other.
func (w *world) chooses(who *discordsim.Actor, path ...string) discordsim.Message {
	w.t.Helper()
	m := w.typed(who, "/lasca settings")
	w.private(who, m)
	for _, label := range path {
		m = w.click(who, m, label)
	}
	return m
}

func TestSettingsAreShownBackAndKept(t *testing.T) {
	w := newWorld(t)
	m := w.chooses(w.ann, "Language", "Deutsch")
	w.says(m, "Deine Einstellungen", "Sprache: Deutsch")
	if !slices.Contains(labels(m), "✓ Deutsch") {
		t.Errorf("the choice is not marked: %s", describe(m))
	}
	m = w.click(w.ann, m, "✓ Deutsch") // a second press
	w.says(m, "Sprache: Deutsch")
	m = w.click(w.ann, w.click(w.ann, m, "← Zurück"), "Bretter")
	m = w.click(w.ann, w.click(w.ann, m, "Als Buchstaben"), "Ganze Züge")
	w.says(m, "Bretter: Holz · Als Buchstaben · Ganze Züge")
	m = w.click(w.ann, w.click(w.ann, w.click(w.ann, m, "← Zurück"), "Jeden Zug bestätigen"), "Keine Herausforderungen")
	w.says(m, "Nachfrage vor jedem Zug: ja", "herausfordern: nein")
	m = w.click(w.ann, w.click(w.ann, m, "Nachrichten"), "Still")
	w.says(m, "Wenn du am Zug bist: Still")
	w.stop()
	w.start()
	m = w.typed(w.ann, "/lasca settings")
	w.says(m, "Sprache: Deutsch", "Als Buchstaben · Ganze Züge", "bist: Still", "Zug: ja", "herausfordern: nein")
	w.says(w.typed(w.ann, "/lasca help"), "So fängst du an")
	m = w.click(w.ann, w.click(w.ann, m, "✓ Keine Herausforderungen"), "Sprache")
	w.says(m, "herausfordern: ja")
	m = w.click(w.ann, m, "Wie in Discord")
	w.says(m, "Your settings", "Language: As in Discord")
	w.says(w.typed(w.ben, "/lasca settings"), "Deine Einstellungen", "Sprache: Wie in Discord", "Bretter: Wie auf dem Server") // nobody else's
	m = w.click(w.ann, w.click(w.ann, w.click(w.ann, m, "← Back"), "Boards"), "As on the server")
	w.says(m, "Boards: As on the server")
	w.says(w.typedDM(w.ann, "/lasca settings"), "Others may challenge you: yes")
}

func TestOnlyWhoManagesTheServerChangesItsSettings(t *testing.T) {
	w := newWorld(t)
	m := w.chooses(w.ben, "Server-Einstellungen")
	w.says(m, "Die Einstellungen dieses Servers", "Neue Partien: Überall", "nur, wer die Berechtigung")
	if l := labels(m); !slices.Equal(l, []string{"Meine Einstellungen"}) {
		t.Errorf("Ben has the buttons %q", l)
	}
	cleo := w.stranger() // Ann owns the server
	w.manages(cleo, true)
	m = w.chooses(cleo, "Server settings", "Time")
	w.manages(cleo, false)
	w.says(w.click(cleo, m, "7 days"), "Manage Server")
	w.says(w.chooses(w.ann, "Server settings"), "Time for a move, where nobody says otherwise: 3 days")
	w.manages(cleo, true)
	w.says(w.click(cleo, m, "7 days"), "Time for a move, where nobody says otherwise: 7 days")
}

func TestAServerChoosesItsLanguageAndItsTerms(t *testing.T) {
	w := newWorld(t)
	w.manages(w.ann, true)
	board := w.duel()
	w.chooses(w.ann, "Server settings", "Language", "Deutsch")
	w.until(w.ben, board, "du bist am Zug") // the running game too
	m := w.chooses(w.ann, "Server settings", "Time", "1 day")
	m = w.click(w.ann, w.click(w.ann, m, "← Back"), "Challenges are rated")
	w.says(m, "Challenges are rated, where nobody says otherwise: yes", "Language: Deutsch")
	w.stop()
	w.start()
	cleo := w.stranger()
	asked := w.typed(w.ann, "/lasca challenge user:@Cleo colour:white")
	w.says(asked, "fordert", "ein Tag pro Zug", "gewertet")
	w.click(cleo, asked, "Annehmen")
	list, err := w.store.ListByUser(w.ctx, match.UserID(cleo.ID()), 2)
	if err != nil || len(list) != 1 || list[0].Match.Terms != (match.Terms{Days: 1, Rated: true}) {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestNewGamesAreOnlyWhereTheServerAllowsThem(t *testing.T) {
	w := newWorld(t)
	w.manages(w.ann, true)
	hall := w.sim.AddChannel(w.guild, "hall")
	board := w.duel()
	m := w.typedIn(hall, w.ann, "/lasca settings")
	m = w.click(w.ann, w.click(w.ann, w.click(w.ann, m, "Server settings"), "Channels"), "In this channel")
	w.says(m, "New games: <#"+hall+">")
	for _, line := range []string{"/lasca play level:2", "/lasca challenge user:@Ben", "/lasca open"} {
		refused := w.typed(w.ann, line)
		w.private(w.ann, refused)
		w.says(refused, "not allowed in this channel", "<#"+hall+">")
	}
	w.says(w.typed(w.ben, "/lasca spielen stufe:2"), "keine neuen Partien erlaubt", "<#"+hall+">")
	w.says(w.moved(w.ann, board, "c3", "d4"), "1. c3-d4") // running games go on
	w.says(w.typedIn(hall, w.ben, "/lasca spielen stufe:2"), "Ben")
	thread := w.sim.AddThread(hall, "games")
	w.says(w.typedIn(thread, w.stranger(), "/lasca play level:2 colour:white"), "Cleo")
	w.says(w.typedDM(w.ann, "/lasca play level:2"), "Ann")
	w.clock.Advance(time.Minute)
	m = w.click(w.ann, m, "Everywhere")
	w.says(m, "New games: Everywhere")
	w.says(w.typed(w.ann, "/lasca play level:3"), "Ann")
}

func TestWhoTakesNoChallengesGetsNone(t *testing.T) {
	w := newWorld(t)
	w.chooses(w.ben, "Keine Herausforderungen")
	refused := w.typed(w.ann, "/lasca challenge user:@Ben")
	w.private(w.ann, refused)
	w.says(refused, "does not want to be challenged")
	w.says(w.typed(w.ben, "/lasca fordern person:@Ann"), "Ben") // but may challenge
}

func TestMovesAreConfirmedForWhoeverWantsThat(t *testing.T) {
	w := newWorld(t)
	w.chooses(w.ben, "Jeden Zug bestätigen")
	board := w.moved(w.ann, w.duel(), "c3", "d4") // not for Ann
	asked := w.click(w.ben, board, "Play e5xc3 (only move)")
	w.says(asked, "play **e5xc3**?")
	if n := w.moveCount(w.ben); n != 1 {
		t.Fatalf("%d moves before the answer", n)
	}
	w.stop()
	w.start()
	back := w.click(w.ben, asked, "← Back")
	if slices.Contains(labels(back), "← Back") {
		t.Errorf("not back: %s", describe(back))
	}
	asked = w.click(w.ben, back, "Play e5xc3 (only move)")
	w.says(w.click(w.ben, asked, w.labelled(asked, "Play e5xc3")), "1… e5xc3")
	if n := w.moveCount(w.ben); n != 2 {
		t.Errorf("%d moves", n)
	}
}

// dms returns what the bot has written to somebody.
func (w *world) dms(who *discordsim.Actor) []discordsim.Message {
	return w.sim.Messages(who.ID(), who.OpenDM())
}

func TestNoticesComeAsThePersonWantsThem(t *testing.T) {
	t.Parallel()
	// waits has Ben not act after Ann's move, and returns how often the channel has
	// pinged him by then, and since.
	waits := func(w *world) (before, after int) {
		w.moved(w.ann, w.duel(), "c3", "d4")
		before = w.pings(w.ben)
		w.passes(20 * time.Minute)
		w.bot.Settled()
		return before, w.pings(w.ben)
	}
	t.Run("quiet", func(t *testing.T) {
		w := newWorld(t)
		w.chooses(w.ben, "Nachrichten", "Still")
		if _, n := waits(w); n != 0 {
			t.Errorf("%d pings", n)
		}
		w.passes(40 * time.Hour)
		n := w.notices(w.ben, "⏳")
		if len(n) != 1 || len(n[0].Pings) != 0 || len(w.dms(w.ben)) != 0 {
			t.Errorf("reminders: %+v", n)
		}
	})
	t.Run("direct message", func(t *testing.T) {
		w := newWorld(t)
		w.chooses(w.ben, "Sprache", "Español")
		w.chooses(w.ben, "Avisos", "Mensaje directo")
		if _, n := waits(w); n != 0 {
			t.Errorf("%d pings", n)
		}
		list := w.dms(w.ben)
		if len(list) == 0 {
			t.Fatal("no direct message")
		}
		w.says(list[len(list)-1], "Te toca contra Ann", "https://discord.com/channels/")
		count := len(list)
		w.restart()
		w.passes(40 * time.Hour)
		list = w.dms(w.ben)
		if len(list) != count+1 || len(w.notices(w.ben, "⏳")) != 0 {
			t.Fatalf("%d direct messages, %d before", len(list), count)
		}
		w.says(list[count], "una partida te espera", "Ann · <t:")
	})
	t.Run("closed direct messages", func(t *testing.T) {
		w := newWorld(t)
		w.chooses(w.ben, "Nachrichten", "Direktnachricht")
		w.ben.CloseDMs(true)
		before, after := waits(w)
		if after != before+1 {
			t.Errorf("%d pings, then %d", before, after)
		}
		w.passes(40 * time.Hour)
		if n := w.notices(w.ben, "⏳"); len(n) != 1 || !slices.Equal(n[0].Pings, []string{w.ben.ID()}) {
			t.Errorf("reminders: %+v", n)
		}
	})
	t.Run("the server's choice, and the person's before it", func(t *testing.T) {
		w := newWorld(t)
		w.manages(w.ann, true)
		w.says(w.chooses(w.ann, "Server settings", "Notices", "Quiet"), "When it is somebody’s turn: Quiet")
		w.chooses(w.ann, "Notices", "Mention")
		w.moved(w.ben, w.moved(w.ann, w.duel(), "c3", "d4"), "e5", "c3")
		w.passes(20 * time.Minute)
		if ann, ben := w.pings(w.ann), w.pings(w.ben); ann == 0 || ben != 0 {
			t.Errorf("Ann was pinged %d times, Ben %d times", ann, ben)
		}
	})
}
