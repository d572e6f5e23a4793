package bot_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
)

// copyOf opens a private copy of a game's board in a channel.
func (w *world) copyOf(who *discordsim.Actor, channel string, game match.ID) discordsim.Message {
	w.t.Helper()
	r, err := who.Slash(w.ctx, channel, "lasca board", map[string]any{"game": string(game)})
	if err != nil {
		w.t.Fatal(err)
	}
	m := w.message(who, r)
	w.private(who, m)
	return m
}

// seesCopies waits until somebody sees so many private messages in a channel.
func (w *world) seesCopies(who *discordsim.Actor, channel string, n int) {
	w.t.Helper()
	w.wait("the copies are those that count", func(s *discordsim.Server) bool {
		got := 0
		for _, m := range s.Messages(who.ID(), channel) {
			if m.EphemeralFor != "" {
				got++
			}
		}
		return got == n
	})
}

// bothAway is a channel of another server, which Ann and Ben are in.
func (w *world) bothAway() string {
	other := w.sim.AddGuild("Elsewhere", "en-US")
	w.sim.Join(other, w.ann.ID())
	w.sim.Join(other, w.ben.ID())
	return w.sim.AddChannel(other, "far-away")
}

func TestPrivateCopiesFollowTheGame(t *testing.T) {
	t.Parallel()
	t.Run("the machine's answer appears", func(t *testing.T) {
		w := newWorld(t)
		w.typed(w.ann, "/lasca play level:1 colour:white")
		copied := w.copyOf(w.ann, w.away(), w.only(w.ann).Match.ID)
		w.moved(w.ann, copied, "c3", "d4")
		now := w.until(w.ann, copied, "move 2")
		w.says(now, "Only you see this board")
		if len(moveLabels(now)) == 0 {
			t.Errorf("there are no moves on the copy\n%s", describe(now))
		}
		w.moved(w.ann, now, labelSquares(moveLabels(now)[0])...)
	})
	t.Run("the opponent's move, and the end, in the reader's language", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		game := w.only(w.ann).Match.ID
		far := w.bothAway()
		copied := w.copyOf(w.ben, far, game)
		own := w.copyOf(w.ann, far, game)
		board = w.moved(w.ann, board, "c3", "d4")
		w.until(w.ann, own, "1. c3-d4")
		w.says(w.until(w.ben, copied, "1. c3-d4"), "Dieses Brett siehst nur du")
		w.click(w.ann, w.click(w.ann, board, "Resign"), "Yes, resign")
		w.wait("both copies show the end", func(s *discordsim.Server) bool {
			a, _ := s.Message(w.ann.ID(), far, own.ID)
			b, _ := s.Message(w.ben.ID(), far, copied.ID)
			return over(a) && strings.Contains(b.Content, "Ben") && len(moveLabels(b)) < len(moveLabels(copied)) && !asks(b, w.ben)
		})
	})
	t.Run("an undo appears", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		w.moved(w.ann, board, "c3", "d4")
		board = w.until(w.ann, board, "move 2")
		copied := w.copyOf(w.ann, w.away(), w.only(w.ann).Match.ID)
		w.click(w.ann, board, "Undo")
		w.until(w.ann, copied, "move 1")
	})
	t.Run("what is half chosen stays while the game does not go on", func(t *testing.T) {
		w := newWorld(t)
		w.duel()
		far := w.away()
		copied := w.copyOf(w.ann, far, w.only(w.ann).Match.ID)
		chosen := w.click(w.ann, copied, "c3")
		w.bot.Refresh(w.only(w.ann).Match.ID)
		w.bot.Settled()
		if now := w.see(w.ann, copied); describe(now) != describe(chosen) {
			t.Errorf("the choice is gone:\n%s", describe(now))
		}
		w.click(w.ann, copied, "d4")
		w.until(w.ann, copied, "1. c3-d4")
	})
}

func TestANewerCopyReplacesTheOlderOne(t *testing.T) {
	w := newWorld(t)
	board := w.duel()
	game := w.only(w.ann).Match.ID
	w.typed(w.ann, "/lasca play level:1 colour:white")
	far := w.away()
	old := w.copyOf(w.ann, far, game)
	next := w.copyOf(w.ann, w.ann.OpenDM(), game)
	w.wait("the older copy is gone", func(s *discordsim.Server) bool {
		_, ok := s.Message(w.ann.ID(), far, old.ID)
		return !ok
	})
	list, err := w.store.ListByUser(w.ctx, match.UserID(w.ann.ID()), 10)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	for _, r := range list {
		if r.Match.ID != game {
			w.copyOf(w.ann, far, r.Match.ID)
		}
	}
	w.moved(w.ann, board, "c3", "d4")
	w.until(w.ann, next, "1. c3-d4")
	w.seesCopies(w.ann, far, 1)
}

func TestALateOlderEditOfACopyIsFollowedByANewer(t *testing.T) {
	w := newWorld(t)
	board := w.duel()
	copied := w.copyOf(w.ben, w.bothAway(), w.only(w.ann).Match.ID)
	held, begun := make(chan struct{}), make(chan struct{})
	var edits atomic.Int32
	w.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
		if r.Method == "PATCH" && strings.HasSuffix(r.Path, "@original") && edits.Add(1) == 1 {
			close(begun)
			<-held
		}
		return nil
	})
	board = w.moved(w.ann, board, "c3", "d4")
	<-begun // the edit that shows Ann's move is under way, and arrives late
	board = w.moved(w.ben, board, "e5", "c3")
	if w.moveCount(w.ann) != 2 {
		t.Fatalf("Ben has not moved\n%s", describe(board))
	}
	w.recorded()
	if n := edits.Load(); n != 1 {
		t.Errorf("%d edits of the copy at the same time", n)
	}
	close(held)
	w.until(w.ben, copied, "1… e5xc3")
	w.bot.Settled()
	w.says(w.see(w.ben, copied), "1… e5xc3")
}

func TestADeletedPersonsCopyIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	board := w.duel()
	copied := w.copyOf(w.ann, w.away(), w.only(w.ann).Match.ID)
	before := describe(copied)
	w.deleted(w.ann)
	w.until(w.ben, board, "deleted player resigned")
	w.bot.Settled()
	if now := describe(w.see(w.ann, copied)); now != before {
		t.Errorf("the copy was edited:\n%s", now)
	}
}
