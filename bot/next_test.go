package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// labelled returns the label of the one button that begins so.
func (w *world) labelled(m discordsim.Message, begins string) string {
	w.t.Helper()
	for _, l := range labels(m) {
		if strings.HasPrefix(l, begins) {
			return l
		}
	}
	w.t.Fatalf("no button %q…\n%s", begins, describe(m))
	return ""
}

// challengeIn starts a game between two people in a channel, in which the first is
// White, and lets a minute pass.
func (w *world) challengeIn(channel string, white, black *discordsim.Actor, name string) discordsim.Message {
	w.t.Helper()
	asked := w.typedIn(channel, white, "/lasca challenge user:@"+name+" colour:white")
	board := w.click(black, asked, "Accept")
	w.allRecorded(white)
	w.clock.Advance(time.Minute)
	return board
}

// allRecorded waits until what the boards of a person's games show is recorded, which
// comes after the answer.
func (w *world) allRecorded(who *discordsim.Actor) {
	w.t.Helper()
	w.stored("the screens are recorded", func() bool {
		duels, machine := w.gamesOf(who)
		return !slices.ContainsFunc(slices.Concat(duels, machine), func(r storage.Record) bool { return r.Screen.Version != r.Match.Version })
	})
}

// three has Ann play Ben and Cleo in the world's channel, Ben in a second one and the
// machine in direct messages. All wait for Ann, in this order.
func (w *world) three() (cleo *discordsim.Actor, hall string, boards [4]discordsim.Message) {
	w.t.Helper()
	cleo = w.stranger()
	hall = w.sim.AddChannel(w.guild, "hall")
	boards[0] = w.challengeIn(w.channel, w.ann, w.ben, "Ben")
	boards[1] = w.challengeIn(w.channel, w.ann, cleo, "Cleo")
	boards[2] = w.challengeIn(hall, w.ann, w.ben, "Ben")
	boards[3] = w.typedDM(w.ann, "/lasca play level:2 colour:white")
	w.allRecorded(w.ann)
	w.clock.Advance(time.Minute)
	return cleo, hall, boards
}

// shows waits until a public message in a channel contains a text, and returns it.
func (w *world) shows(who *discordsim.Actor, channel, text string) (board discordsim.Message) {
	w.t.Helper()
	w.wait("the channel shows "+text, func(s *discordsim.Server) bool {
		for _, m := range s.Messages(who.ID(), channel) {
			if m.EphemeralFor == "" && strings.Contains(m.Content, text) && len(m.Components) > 0 {
				board = m
				return true
			}
		}
		return false
	})
	return board
}

func TestWhoeverPlaysSeveralGamesGoesFromOneToTheNext(t *testing.T) {
	w := newWorld(t)
	cleo, hall, boards := w.three()
	list := w.typed(w.ann, "/lasca games")
	w.private(w.ann, list)
	w.says(list, "4 wait for you", "Ben", "Cleo", "Lasca (level 2)", "move 1", "your move", "deadline <t:")
	for _, b := range boards {
		w.says(list, b.ChannelID+"/"+b.ID)
	}
	w.says(list, "discord.com/channels/@me/")

	// Without a limit comes last: the three against people have one.
	copied := w.click(w.ann, list, w.labelled(list, "1. Ben"))
	w.private(w.ann, copied)
	w.says(copied, "Only you see this board", boards[0].ChannelID+"/"+boards[0].ID)
	w.picture(copied)
	if copied.ID != list.ID {
		t.Error("another private message")
	}
	moved := w.moved(w.ann, copied, "c3", "d4") // here, where everybody sees the board too
	w.shows(w.ben, w.channel, "1. c3-d4")
	w.says(moved, "Only you see this board", "1. c3-d4")
	if l := w.labelled(moved, "Next game"); l != "Next game (3)" {
		t.Errorf("button %q", l)
	}
	w.clock.Advance(time.Minute)

	w.stop() // the buttons work after a restart
	w.start()
	next := w.click(w.ann, moved, "Next game (3)")
	w.says(next, "Cleo", "Only you see this board")
	if next.ID != moved.ID {
		t.Error("another private message")
	}
	next = w.click(w.ann, next, "Next game (2)") // skips Cleo
	w.says(next, "Ben", hall)
	w.moved(w.ann, next, "c3", "d4")
	w.shows(w.ben, hall, "1. c3-d4")
	next = w.click(w.ann, w.see(w.ann, next), "Next game (2)")
	w.says(next, "Cleo") // waits longest
	next = w.click(w.ann, next, "Next game (1)")
	w.says(next, "Lasca (level 2)", "@me")
	next = w.click(w.ann, next, "Next game (1)")
	w.says(next, "Cleo")
	next = w.moved(w.ann, next, "c3", "d4")

	// The old copies are no longer followed; this one is.
	w.moved(cleo, w.shows(cleo, w.channel, "@"+cleo.ID()), "e5", "c3")
	w.says(w.until(w.ann, next, "1… e5xc3"), "Only you see this board")
	w.seesCopies(w.ann, w.channel, 1)
}

func TestTheNextGameIsOfferedInGermanOnPrivateMenusAndAfterThem(t *testing.T) {
	w := newWorld(t)
	cleo := w.stranger()
	first := w.challengeIn(w.channel, w.ann, w.ben, "Ben")
	first = w.moved(w.ann, first, "c3", "d4")
	w.clock.Advance(time.Minute)
	second := w.challengeIn(w.channel, cleo, w.ben, "Ben")
	w.moved(cleo, second, "a3", "b4")
	w.clock.Advance(time.Minute)
	if l := labels(first); slices.ContainsFunc(l, func(l string) bool { return strings.Contains(l, "Next") }) {
		t.Errorf("a public board has the button: %q", l)
	}
	menu := w.click(w.ben, first, "⋯ More")
	next := w.click(w.ben, menu, "Nächste Partie (1)")
	w.private(w.ben, next)
	w.says(next, "Cleo", "Dieses Brett siehst nur du")
	// A press on a private message says what it has done, and offers what waits.
	gone := w.click(w.ben, w.click(w.ben, next, "Aufgeben"), "Ja, aufgeben")
	next = w.click(w.ben, gone, "Nächste Partie (1)")
	w.says(next, "Ann")
	w.bot.Settled()
	w.clock.Advance(time.Minute)
	after := w.click(w.ben, next, w.labelled(next, "e5xc3"))
	if l := labels(after); slices.ContainsFunc(l, func(l string) bool { return strings.Contains(l, "Partie (") }) {
		t.Errorf("nothing waits, but %q", l)
	}
	w.says(w.see(w.ben, after), "1… e5xc3") // it was not taken for the message that goes soon
}

func TestTheCopyThatAMenuHasBecomeStays(t *testing.T) {
	w := newWorld(t)
	first := w.challengeIn(w.channel, w.ann, w.ben, "Ben")
	w.challengeIn(w.channel, w.ann, w.stranger(), "Cleo")
	copied := w.click(w.ann, w.click(w.ann, first, "⋯ More"), "Next game (1)")
	w.moved(w.ann, first, "c3", "d4") // which takes away what is private about that game
	w.stop()                          // which waits until that has gone
	w.says(w.see(w.ann, copied), "Cleo")
	w.start()
	w.says(w.moved(w.ann, w.see(w.ann, copied), "c3", "d4"), "Cleo", "1. c3-d4")
}

func TestWhereNoOtherGameWaitsThePersonIsTold(t *testing.T) {
	w := newWorld(t)
	first := w.challengeIn(w.channel, w.ann, w.ben, "Ben")
	second := w.challengeIn(w.channel, w.ann, w.ben, "Ben")
	menu := w.click(w.ann, first, "⋯ More")
	w.moved(w.ann, second, "c3", "d4") // behind the menu
	w.says(w.click(w.ann, menu, "Next game (1)"), "No other game waits for you")
	if r, _ := w.gamesOf(w.ann); len(r) != 2 {
		t.Errorf("%d games", len(r))
	}
}

func TestAQuestionOfTheOpponentWaitsToo(t *testing.T) {
	w := newWorld(t)
	board := w.challengeIn(w.channel, w.ann, w.ben, "Ben")
	w.click(w.ann, board, "½ Draw")
	list := w.typed(w.ben, "/lasca partien")
	w.says(list, "eine wartet auf dich", "eine Frage an dich")
	copied := w.click(w.ben, list, "1. Ann")
	w.click(w.ben, copied, "Remis annehmen")
	w.until(w.ann, board, "by agreement")
	w.says(w.see(w.ben, copied), "Remis")
}

func TestFiftyGamesAreListedOnPages(t *testing.T) {
	w := newWorld(t)
	for i := range 23 {
		m, err := match.Start(match.New{
			ID: match.ID(fmt.Sprint(1000 + i)), By: 0,
			Seats: [2]match.Seat{{User: match.UserID(w.ann.ID()), Name: "Ann"}, {Level: 1}},
		}, w.clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		if err := w.store.Create(w.ctx, recordIn(m, w.guild, w.channel)); err != nil {
			t.Fatal(err)
		}
	}
	list := w.typed(w.ann, "/lasca games")
	w.says(list, "23 wait for you", "Page 1 of 5")
	list = w.click(w.ann, list, "Next →")
	list = w.click(w.ann, list, "Next →")
	w.says(list, "**11** ·", "Page 3 of 5")
	w.stop()
	w.start()
	list = w.click(w.ann, list, "← Previous")
	w.says(list, "**6** ·", "Page 2 of 5")
	copied := w.click(w.ann, list, "8. Lasca (level 1)")
	w.says(copied, "Only you see this board")
	w.labelled(copied, "Next game (22)")
}

func TestAReminderIsNotForWhoHasJustSeenTheGame(t *testing.T) {
	w := newWorld(t)
	first := w.challengeIn(w.channel, w.ann, w.ben, "Ben")
	w.challengeIn(w.channel, w.ben, w.ann, "Ann")
	w.moved(w.ann, first, "c3", "d4")
	w.allRecorded(w.ann)
	if !w.quiet(first) {
		t.Fatal("nobody is to be reminded")
	}
	w.clock.Advance(time.Minute)
	second := w.newest(w.ben)
	w.says(w.click(w.ben, w.click(w.ben, second, "⋯ More"), "Nächste Partie (1)"), "1. c3-d4")
	w.stored("Ben was seen", func() bool { return !w.quiet(first) })
}

// quiet reports whether somebody is to be reminded of the game on a board.
func (w *world) quiet(board discordsim.Message) bool {
	w.t.Helper()
	duels, _ := w.gamesOf(w.ann)
	for _, r := range duels {
		if r.Screen.Message == board.ID {
			return !r.Screen.Quiet.IsZero()
		}
	}
	w.t.Fatal("no game is on that board")
	return false
}

// recordIn is a game that was made in a channel and not shown yet.
func recordIn(m match.Match, guild, channel string) storage.Record {
	return storage.Record{Match: m, Place: storage.Place{Guild: guild, Channel: channel, Locale: "en-US"}}
}
