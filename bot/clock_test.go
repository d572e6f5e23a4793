package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
)

// withoutTime returns what a board says besides the time for the move.
func withoutTime(text string) string {
	lines := strings.Split(text, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "-# ⏳") || strings.HasPrefix(l, "-# 🏖️") }), "\n")
}

// restart stops the bot and starts it again, and waits until it is there for people.
func (w *world) restart() {
	w.t.Helper()
	w.stop()
	w.start()
	w.typed(w.ann, "/lasca help")
}

// later moves the clock as if the bot had been there for people all the time, but had
// had nothing to do.
func (w *world) later(d time.Duration) {
	w.t.Helper()
	w.clock.Advance(d)
	note := fmt.Appendf(nil, `{"beat":%q}`, w.clock.Now().UTC().Format(time.RFC3339Nano))
	if err := w.store.SaveState(w.ctx, "clock", note); err != nil {
		w.t.Fatal(err)
	}
}

// passes lets time pass as the bot lives through it.
func (w *world) passes(d time.Duration) {
	w.t.Helper()
	w.allRecorded(w.ann)
	const step = 5 * time.Minute
	for ; d > 0; d -= step {
		w.clock.Advance(min(d, step))
		w.bot.Sweep(w.ctx)
	}
	w.bot.Settled()
}

// notices returns what has been said in the channel that begins so.
func (w *world) notices(who *discordsim.Actor, begin string) (list []discordsim.Message) {
	for _, m := range w.sim.Messages(who.ID(), w.channel) {
		if strings.HasPrefix(m.Content, begin) {
			list = append(list, m)
		}
	}
	return list
}

func TestTimeIsShownRemindedOfAndClaimed(t *testing.T) {
	w := newWorld(t)
	board := w.moved(w.ann, w.moved(w.ben, w.moved(w.ann, w.duel(), "c3", "d4")), "b2", "d4") // now Ben has three days
	began := w.clock.Now()
	w.says(board, fmt.Sprintf("The time for this move ends <t:%d:R>", began.Add(72*time.Hour).Unix()))
	w.passes(35 * time.Hour)
	if n := w.notices(w.ben, "⏳"); len(n) != 0 {
		t.Fatalf("after 35 hours: %s", describe(n[0]))
	}
	w.passes(2 * time.Hour)
	n := w.notices(w.ben, "⏳")
	if len(n) != 1 {
		t.Fatalf("after half of the time there are %d reminders", len(n))
	}
	w.says(n[0], "a game waits for you", "Ann · <t:")
	w.restart() // does not repeat it
	w.passes(22 * time.Hour)
	if n := w.notices(w.ben, "⏳"); len(n) != 1 {
		t.Fatalf("12 hours before the end there are %d reminders, want 1", len(n))
	}
	w.passes(2 * time.Hour)
	if n := w.notices(w.ben, "⏳"); len(n) != 2 {
		t.Fatalf("after it there are %d reminders, want 2", len(n))
	}
	w.passes(10 * time.Hour)
	if n := w.notices(w.ann, "⌛"); len(n) != 0 {
		t.Fatalf("too early: %s", describe(n[0]))
	}
	w.passes(2 * time.Hour)
	n = w.notices(w.ann, "⌛")
	if len(n) != 1 {
		t.Fatalf("%d messages say that the win may be claimed, want 1", len(n))
	}
	if !slices.Equal(n[0].Pings, []string{w.ann.ID()}) {
		t.Errorf("Ann is not told: %s", describe(n[0]))
	}
	w.passes(24 * time.Hour)
	if len(w.notices(w.ann, "⌛")) != 1 || len(w.notices(w.ben, "⏳")) != 2 {
		t.Error("something was said twice")
	}
	if r := w.only(w.ann); r.Match.Phase != match.Playing {
		t.Errorf("nobody has claimed the game, and it is %s", r.Match.Phase)
	}
	w.says(w.click(w.ann, n[0], "Claim the win: Ben"), "White wins", "Ben has not moved for 3 days")
}

func TestAGameOfOneDayIsRemindedOfOnceAtHalfOfIt(t *testing.T) {
	w := newWorld(t)
	asked := w.typed(w.ann, "/lasca challenge user:@Ben colour:white days:1")
	w.moved(w.ann, w.click(w.ben, asked, "Accept"), "c3", "d4")
	for _, c := range []struct {
		passes time.Duration
		want   int
	}{{5 * time.Minute, 0}, {11 * time.Hour, 0}, {2 * time.Hour, 1}, {10 * time.Hour, 1}} {
		w.passes(c.passes)
		if n := w.notices(w.ben, "⏳"); len(n) != c.want {
			t.Errorf("%d reminders after another %v, want %d", len(n), c.passes, c.want)
		}
	}
}

func TestOneReminderForManyGames(t *testing.T) {
	w := newWorld(t)
	cleo := w.stranger()
	for _, by := range []*discordsim.Actor{w.ann, cleo} {
		asked := w.typed(by, "/lasca challenge user:@Ben colour:white")
		w.moved(by, w.click(w.ben, asked, "Accept"), "c3", "d4")
		w.later(2 * time.Hour)
	}
	w.restart()
	w.passes(40 * time.Hour)
	n := w.notices(w.ben, "⏳")
	if len(n) != 1 {
		t.Fatalf("%d reminders, want one for both games", len(n))
	}
	w.says(n[0], "2 games wait", "Ann · <t:", "Cleo · <t:")
}

func TestVacationsStopTheClock(t *testing.T) {
	w := newWorld(t)
	w.moved(w.ann, w.duel(), "c3", "d4")
	w.passes(24 * time.Hour)
	asked := w.typed(w.ben, "/lasca vacation")
	w.private(w.ben, asked)
	w.says(asked, "Du hast dieses Jahr noch 14 Tage")
	said := w.click(w.ben, asked, "7 Tage")
	w.says(said, "Du bist im Urlaub")
	w.shows(w.ann, w.channel, "Ben is on vacation")
	w.restart()
	w.passes(6 * 24 * time.Hour)
	if n := w.notices(w.ben, "⏳"); len(n) != 0 {
		t.Fatalf("reminded on vacation: %s", describe(n[0]))
	}
	more := w.click(w.ann, w.shows(w.ann, w.channel, "Ben is on vacation"), "⋯ More")
	if strings.Contains(strings.Join(labels(more), " "), "Claim the win") {
		t.Errorf("the win can be claimed on vacation: %s", describe(more))
	}
	w.passes(2 * 24 * time.Hour) // the vacation is over; Ben has a day left
	if n := w.notices(w.ben, "⏳"); len(n) == 0 {
		t.Error("no reminder after the vacation")
	}
	if n := w.notices(w.ann, "⌛"); len(n) != 0 {
		t.Errorf("too early: %s", describe(n[0]))
	}
	w.passes(26 * time.Hour)
	if n := w.notices(w.ann, "⌛"); len(n) != 1 {
		t.Errorf("%d messages say that the win may be claimed", len(n))
	}
	w.says(w.typed(w.ben, "/lasca vacation length:8"), "So viel Urlaub hast du dieses Jahr nicht mehr")
}

func TestAnOutageExtendsDeadlines(t *testing.T) {
	w := newWorld(t)
	w.moved(w.ann, w.duel(), "c3", "d4")
	w.passes(time.Hour)
	w.stop()
	w.clock.Advance(20 * time.Hour)
	w.restart()
	w.passes(72*time.Hour - 2*time.Hour)
	if n := w.notices(w.ann, "⌛"); len(n) != 0 {
		t.Errorf("claimed 72 hours of which 20 were an outage: %s", describe(n[0]))
	}
	w.passes(2 * time.Hour)
	if n := w.notices(w.ann, "⌛"); len(n) != 1 {
		t.Errorf("%d messages say that the win may be claimed", len(n))
	}
}

func TestADayCanBeGiven(t *testing.T) {
	w := newWorld(t)
	board := w.moved(w.ann, w.duel(), "c3", "d4")
	began := w.clock.Now()
	more := w.click(w.ann, board, "⋯ More")
	w.click(w.ann, more, "Give a day")
	w.until(w.ben, board, fmt.Sprintf("<t:%d:R>", began.Add(96*time.Hour).Unix()))
	w.restart() // it is stored
	w.passes(73 * time.Hour)
	if n := w.notices(w.ann, "⌛"); len(n) != 0 {
		t.Errorf("too early: %s", describe(n[0]))
	}
	w.passes(24 * time.Hour)
	if n := w.notices(w.ann, "⌛"); len(n) != 1 {
		t.Errorf("%d messages say that the win may be claimed", len(n))
	}
}

func TestAReminderNamesOnlyGamesOfItsServer(t *testing.T) {
	w := newWorld(t)
	other := w.sim.AddGuild("Other club", "en-US")
	hall := w.sim.AddChannel(other, "hall")
	w.sim.Join(other, w.ann.ID())
	w.sim.Join(other, w.ben.ID())
	for _, channel := range []string{w.channel, hall} {
		asked := w.typedIn(channel, w.ann, "/lasca challenge user:@Ben colour:white")
		w.moved(w.ann, w.click(w.ben, asked, "Accept"), "c3", "d4")
		w.clock.Advance(time.Minute)
	}
	w.passes(40 * time.Hour)
	for _, channel := range []string{w.channel, hall} {
		n := 0
		for _, m := range w.sim.Messages(w.ben.ID(), channel) {
			if strings.HasPrefix(m.Content, "⏳") {
				n++
				w.says(m, "a game waits for you")
			}
		}
		if n != 1 {
			t.Errorf("%d reminders in %s", n, channel)
		}
	}
}

func TestAClaimCountsAnOutageThatHasJustEnded(t *testing.T) {
	w := newWorld(t)
	board := w.moved(w.ann, w.duel(), "c3", "d4")
	w.passes(60 * time.Hour)
	w.stop()
	w.clock.Advance(13 * time.Hour) // 73 in all, of which 60 could be used
	w.start()
	more := w.click(w.ann, w.newestBoard(w.ann), "⋯ More")
	if slices.Contains(labels(more), "Claim the win") {
		w.says(w.click(w.ann, more, "Claim the win"), "still has time to move")
	}
	if r := w.only(w.ann); r.Match.Phase != match.Playing {
		t.Errorf("the game is %s\n%s", r.Match.Phase, describe(board))
	}
}

// newestBoard returns the newest message of the channel that shows a running game.
func (w *world) newestBoard(who *discordsim.Actor) discordsim.Message {
	w.t.Helper()
	for _, m := range slices.Backward(w.sim.Messages(who.ID(), w.channel)) {
		if slices.Contains(labels(m), "⋯ More") && m.EphemeralFor == "" {
			return m
		}
	}
	w.t.Fatal("no board")
	return discordsim.Message{}
}

func TestASecondPressTakesNoSecondVacation(t *testing.T) {
	w := newWorld(t)
	asked := w.typed(w.ann, "/lasca vacation")
	again := w.typed(w.ann, "/lasca vacation")
	w.says(w.click(w.ann, asked, "7 days"), "You are on vacation", "7 days left")
	said := w.click(w.ann, again, "3 days")
	w.says(said, "You are on vacation", "7 days left")
	w.clock.Advance(24 * time.Hour)
	w.says(w.click(w.ann, said, "End the vacation"), "13 days left")
	w.stop()
	w.start()
	w.says(w.typed(w.ann, "/lasca vacation length:14"), "not have that much vacation")
	w.says(w.typed(w.ben, "/lasca vacation"), "noch 14 Tage")
}
