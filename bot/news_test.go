package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// pings counts the messages that have notified somebody.
func (w *world) pings(who *discordsim.Actor) (n int) {
	for _, m := range w.sim.Messages(who.ID(), w.channel) {
		if slices.Contains(m.Pings, who.ID()) {
			n++
		}
	}
	return n
}

// game returns the newest game of the two, finished or not, once what its screen shows
// is recorded.
func (w *world) game() (r storage.Record) {
	w.t.Helper()
	w.stored("the screen is recorded", func() bool {
		list, err := w.store.ListOf(w.ctx, storage.Of{User: match.UserID(w.ann.ID())}, "", 10)
		if err != nil || len(list) == 0 {
			return false
		}
		r = list[len(list)-1]
		return r.Screen.Version == r.Match.Version
	})
	return r
}

// news is something that happens between two people. Everybody else's board only
// changes by an edit.
type news struct {
	*world
	lang i18n.Lang // of the server
}

// newsIn makes a world in a server of a language.
func newsIn(t *testing.T, locale string) news {
	w := newWorld(t)
	w.guild = w.sim.AddGuild("Verein", locale)
	for _, who := range []*discordsim.Actor{w.ann, w.ben} {
		w.sim.Join(w.guild, who.ID())
	}
	w.channel = w.sim.AddChannel(w.guild, "board-games")
	return news{w, i18n.For(locale)}
}

// press presses a button that everybody sees.
func (n news) press(who *discordsim.Actor, m discordsim.Message, label i18n.Key) discordsim.Message {
	n.t.Helper()
	n.clock.Advance(time.Second)
	return n.click(who, m, n.lang.T(label))
}

// asked is a challenge by Ann, who plays a colour; begun is a game in which she is
// White; on is one in which it is Ben's turn and both have moved.
func (n news) asked(colour string) discordsim.Message {
	n.t.Helper()
	return n.typed(n.ann, "/lasca challenge user:@Ben colour:"+colour)
}

func (n news) begun() discordsim.Message {
	n.t.Helper()
	return n.press(n.ben, n.asked("white"), i18n.ButtonAccept)
}

func (n news) on() discordsim.Message {
	n.t.Helper()
	board := n.begun()
	for ply := range 3 {
		who := []*discordsim.Actor{n.ann, n.ben}[ply%2]
		for len(n.only(n.ann).Match.Moves) == ply {
			board = n.click(who, board, labels(board)[0])
		}
	}
	return board
}

// events are what happens, who is told, and with which words.
var events = []struct {
	name string
	does func(n news)
	told func(n news) *discordsim.Actor
	says i18n.Key
}{
	{"a declined challenge", func(n news) { n.press(n.ben, n.asked("white"), i18n.ButtonDecline) }, news.first, i18n.BoardNewsAnswer},
	{"an expired challenge", func(n news) {
		n.asked("white")
		n.clock.Advance(play.ChallengeTime + time.Minute)
		n.stop()
		n.start() // which closes it
		n.stored("it has expired", func() bool { return n.game().Match.Phase == match.Finished })
	}, news.first, i18n.BoardNewsAnswer},
	{"an accepted challenge in which the other begins", func(n news) { n.press(n.ben, n.asked("black"), i18n.ButtonAccept) }, news.first, i18n.BoardNewsBegun},
	{"a resignation", func(n news) {
		n.click(n.ann, n.press(n.ann, n.begun(), i18n.ButtonResign), "Yes, resign")
	}, news.second, i18n.BoardNewsOver},
	{"an accepted draw", func(n news) {
		n.press(n.ben, n.press(n.ann, n.begun(), i18n.ButtonDraw), i18n.ButtonAgree)
	}, news.first, i18n.BoardNewsOver},
	{"an accepted undo", func(n news) {
		board := n.press(n.ann, n.moved(n.ann, n.begun(), "c3", "d4"), i18n.ButtonUndo)
		n.press(n.ben, board, i18n.ButtonAllow)
	}, news.first, i18n.BoardTurn},
	{"a game called off", func(n news) {
		n.click(n.ann, n.press(n.ann, n.begun(), i18n.ButtonMore), "Call the game off")
	}, news.second, i18n.BoardNewsOver},
	{"a claimed win", func(n news) {
		board := n.on()
		n.game()
		n.later(match.MoveTime + time.Minute)
		n.click(n.ann, n.press(n.ann, board, i18n.ButtonMore), "Claim the win")
		n.stored("the game is over", func() bool { return n.game().Match.Phase == match.Finished })
	}, news.second, i18n.BoardNewsOver},
}

func (n news) first() *discordsim.Actor  { return n.ann }
func (n news) second() *discordsim.Actor { return n.ben }

func (n news) other(who *discordsim.Actor) *discordsim.Actor {
	if who == n.ann {
		return n.ben
	}
	return n.ann
}

func TestWhoWasNotThereIsToldOnceWhatHappened(t *testing.T) {
	t.Parallel()
	for i, c := range events {
		t.Run(c.name, func(t *testing.T) {
			n := newsIn(t, []string{"en-US", "de"}[i%2])
			c.does(n)
			before := n.game().Screen
			who := c.told(n)
			other := n.other(who)
			told, there := n.pings(who), n.pings(other)
			n.clock.Advance(match.Away - time.Second)
			n.bot.Sweep(n.ctx)
			n.clock.Advance(2 * time.Second)
			n.stop() // what is due survives a restart
			n.start()
			n.bot.Sweep(n.ctx)
			n.wait("they are told", func(*discordsim.Server) bool { return n.pings(who) == told+1 })
			last := n.newest(who)
			n.says(last, n.lang.T(c.says, "Who", "<@"+who.ID()+">"))
			if last.ID == before.Message || strings.Contains(last.Content, "<@"+other.ID()+">") && c.says != i18n.BoardNewsBegun {
				t.Errorf("the wrong message:\n%s", describe(last))
			}
			n.wait("the old message leads to it", func(s *discordsim.Server) bool {
				old, _ := s.Message(who.ID(), before.Channel, before.Message)
				return strings.Contains(old.Content, last.ChannelID+"/"+last.ID) && len(old.Components) == 0
			})
			n.later(time.Hour)
			n.bot.Sweep(n.ctx)
			n.stored("nobody is to be told any more", func() bool { return n.game().Screen.Quiet.IsZero() })
			n.typed(other, "/lasca board")
			n.bot.Sweep(n.ctx)
			if got := n.pings(who); got != told+1 && c.says != i18n.BoardTurn {
				t.Errorf("told %d times", got-told)
			}
			if got := n.pings(other); got != there && c.says != i18n.BoardNewsBegun {
				t.Errorf("the other was notified %d times", got-there)
			}
		})
	}
}

func TestNobodyIsToldWhoWasThere(t *testing.T) {
	t.Parallel()
	t.Run("a press on the board is enough", func(t *testing.T) {
		n := newsIn(t, "de")
		board := n.begun()
		n.click(n.ann, n.press(n.ann, board, i18n.ButtonResign), "Yes, resign")
		id := n.game().Match.ID
		n.press(n.ben, n.see(n.ben, board), i18n.ButtonRematch)
		n.stored("Ben was seen", func() bool {
			r, err := n.store.Load(n.ctx, id)
			return err == nil && r.Screen.Quiet.IsZero()
		})
		before := n.pings(n.ben)
		n.clock.Advance(match.Away + time.Second)
		n.bot.Sweep(n.ctx)
		n.typed(n.ben, "/lasca help")
		if n.pings(n.ben) != before {
			t.Errorf("told all the same:\n%s", describe(n.newest(n.ben)))
		}
	})
	t.Run("a withdrawn challenge tells nobody: its message says so", func(t *testing.T) {
		n := newsIn(t, "en-US")
		n.press(n.ann, n.asked("white"), i18n.ButtonWithdraw)
		if r := n.game(); !r.Screen.Quiet.IsZero() {
			t.Errorf("%+v", r.Screen)
		}
	})
	t.Run("the machine's games tell nobody", func(t *testing.T) {
		n := newsIn(t, "en-US")
		board := n.typed(n.ann, "/lasca play level:1 colour:white")
		n.click(n.ann, n.press(n.ann, board, i18n.ButtonResign), "Yes, resign")
		n.until(n.ann, board, "resigned")
		if r := n.game(); !r.Screen.Quiet.IsZero() {
			t.Errorf("%+v", r.Screen)
		}
	})
}

// Whoever has been silent for a while when it happens is told at once, as with a move.
func TestWhoHasLeftIsToldAtOnceHowTheirChallengeWasAnswered(t *testing.T) {
	n := newsIn(t, "de")
	asked := n.asked("white")
	n.clock.Advance(10 * time.Minute)
	m := n.press(n.ben, asked, i18n.ButtonDecline)
	n.says(m, n.lang.T(i18n.BoardNewsAnswer, "Who", "<@"+n.ann.ID()+">"))
	if m.ID == asked.ID || n.pings(n.ann) != 1 || !n.game().Screen.Quiet.IsZero() {
		t.Errorf("notified %d times by\n%s", n.pings(n.ann), describe(m))
	}
}

// A person whose data is deleted is never mentioned; the other hears of the end.
func TestADeletionTellsTheOpponentThatTheGameIsOver(t *testing.T) {
	n := newsIn(t, "en-US")
	n.on()
	n.game()
	n.clock.Advance(time.Second)
	asked := n.typed(n.ann, "/lasca privacy delete")
	n.click(n.ann, asked, labels(asked)[0])
	w := n.world
	var r storage.Record
	w.stored("Ann is gone and the end is shown", func() bool {
		list, err := w.store.ListOf(w.ctx, storage.Of{User: match.UserID(w.ben.ID())}, "", 10)
		if err != nil || len(list) != 1 {
			return false
		}
		r = list[0]
		_, stays := r.Match.SeatOf(match.UserID(w.ann.ID()))
		return stays != nil && r.Screen.Version == r.Match.Version
	})
	before := w.pings(w.ben)
	w.clock.Advance(match.Away + time.Second)
	w.bot.Sweep(w.ctx)
	w.wait("Ben is told", func(*discordsim.Server) bool { return w.pings(w.ben) == before+1 })
	if last := w.newest(w.ben); strings.Contains(last.Content, "<@"+string(storage.Deleted)) || strings.Contains(last.Content, "Ann") {
		t.Errorf("Ann is named:\n%s", describe(last))
	}
}
