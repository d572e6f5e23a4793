package bot_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
)

// lostGame is a world whose games are in a file, of which there is a copy to go back to.
type lostGame struct {
	*world
	path, copy string
}

func newLostGame(t *testing.T) *lostGame {
	path := filepath.Join(t.TempDir(), "games.db")
	g := &lostGame{path: path, copy: filepath.Join(t.TempDir(), "copy.db")}
	g.world = worldOn(t, g.open(t), 30*time.Second)
	t.Cleanup(func() { // after the bot has stopped
		g.stop()
		if err := g.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// opened is a duel in which Ann is to move, after one move of each, and has a choice.
func (g *lostGame) opened() discordsim.Message {
	g.t.Helper()
	return g.moved(g.ben, g.moved(g.ann, g.duel(), "c3", "d4"))
}

func (g *lostGame) open(t *testing.T) storage.Store {
	t.Helper()
	s, err := boltstore.Open(g.path, boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// keep copies the games as they are now.
func (g *lostGame) keep() {
	g.t.Helper()
	g.stored("what is shown is recorded", func() bool {
		list, err := g.store.ListByChannel(g.ctx, g.channel, 10)
		return err == nil && !slices.ContainsFunc(list, func(r storage.Record) bool { return r.Behind() })
	})
	if err := g.store.(*boltstore.Store).BackupFile(g.ctx, g.copy); err != nil {
		g.t.Fatal(err)
	}
}

// restore stops the bot, puts the copy in place as an operator does, and starts the bot.
func (g *lostGame) restore() {
	g.t.Helper()
	g.stop()
	if err := g.store.Close(); err != nil {
		g.t.Fatal(err)
	}
	g.clock.Advance(time.Minute)
	if _, err := boltstore.Restore(g.ctx, g.path, g.copy, g.now()); err != nil {
		g.t.Fatal(err)
	}
	g.store = g.open(g.t)
	g.start()
}

// stale presses a button that a message had once, and returns what the person sees then.
func (g *lostGame) stale(who *discordsim.Actor, m discordsim.Message, id string) discordsim.Message {
	g.t.Helper()
	reply, err := who.ClickStale(g.ctx, m.ChannelID, m.ID, id)
	if err != nil {
		g.t.Fatal(err)
	}
	return g.message(who, reply, m)
}

const (
	setBackEn = "The game was set back to an earlier state"
	setBackDe = "Die Partie wurde auf einen früheren Stand zurückgesetzt"
)

func TestAfterARestoreAButtonOfALaterBoardGivesAFreshOne(t *testing.T) {
	t.Run("the board says so to both, and both go on from it", func(t *testing.T) {
		g := newLostGame(t)
		board := g.opened()
		before := g.only(g.ann)
		g.keep()
		lost := g.moved(g.ann, board, "b2", "d4")
		pressed := buttons(lost)[0].CustomID
		g.restore()
		g.unchanged(g.ann, before)
		now := g.stale(g.ann, lost, pressed)
		g.says(now, setBackEn, "1… e5xc3", "<@"+g.ann.ID()+">")
		if strings.Contains(now.Content, "b2xd4") || now.EphemeralFor != "" {
			t.Errorf("the board shows what is not stored\n%s", describe(now))
		}
		stored := g.only(g.ann)
		if len(stored.Match.Moves) != 2 || stored.Match.Version <= before.Match.Version+2 {
			t.Errorf("stored %d moves, version %d", len(stored.Match.Moves), stored.Match.Version)
		}
		// The second press, and the other player's.
		for _, who := range []*discordsim.Actor{g.ann, g.ben} {
			g.private(who, g.stale(who, now, pressed))
		}
		g.unchanged(g.ann, stored)
		g.says(g.see(g.ben, now), setBackEn)
		next := g.moved(g.ann, now, "d2", "b4")
		g.says(next, "d2xb4")
		if strings.Contains(next.Content, setBackEn) {
			t.Error("the board still says so after a move")
		}
	})
	t.Run("a message that the store does not know becomes the board", func(t *testing.T) {
		g := newLostGame(t)
		board := g.opened()
		g.keep()
		first := g.moved(g.ann, board, "b2", "d4")
		second := g.typed(g.ann, "/lasca board")
		g.restore()
		now := g.click(g.ann, second, "½ Draw")
		g.says(now, setBackEn)
		if now.ID != second.ID {
			t.Errorf("the answer is message %s, not %s", now.ID, second.ID)
		}
		g.stored("it is recorded", func() bool { return g.only(g.ann).Screen.Message == second.ID })
		g.until(g.ben, first, "goes on here")
		g.says(g.moved(g.ann, now, "d2", "b4"), "d2xb4")
	})
	t.Run("a version that is reached again has no live buttons elsewhere", func(t *testing.T) {
		g := newLostGame(t)
		board := g.opened()
		g.keep()
		lost := g.moved(g.ann, board, "b2", "d4")
		pressed := g.buttonID(lost, "½ Draw")
		g.restore()
		// Nobody presses; the game goes on by typing, differently.
		now := g.typed(g.ann, "/lasca move path:d2xb4")
		g.says(now, "d2xb4")
		before := g.only(g.ann)
		g.private(g.ann, g.stale(g.ann, now, pressed))
		g.unchanged(g.ann, before)
		if before.Match.Offer != nil {
			t.Error("the old button offered a draw")
		}
	})
	t.Run("what somebody asked for, and stored lines, end with it", func(t *testing.T) {
		g := newLostGame(t)
		board := g.opened()
		plan := g.click(g.ben, board, "If-then")
		for len(g.only(g.ben).Lines[1]) == 0 {
			plan = g.click(g.ben, plan, labels(plan)[0])
		}
		g.click(g.ben, board, "½ Draw")
		if r := g.only(g.ann); r.Match.Offer == nil {
			t.Fatal("no offer")
		}
		g.keep()
		lost := g.click(g.ann, g.newest(g.ann), "Decline the draw")
		g.restore()
		now := g.click(g.ann, lost, "⋯ More")
		g.says(now, setBackEn)
		r := g.only(g.ann)
		if r.Match.Offer != nil || len(r.Lines[0])+len(r.Lines[1]) > 0 || slices.Contains(labels(now), "Accept the draw") {
			t.Errorf("an offer or lines are left: %+v, %v\n%s", r.Match.Offer, r.Lines, describe(now))
		}
	})
}

func TestAfterARestorePrivateMessagesFindTheEarlierState(t *testing.T) {
	t.Run("a menu says so in its reader's language, and the board follows", func(t *testing.T) {
		g := newLostGame(t)
		board := g.opened()
		g.keep()
		lost := g.moved(g.ann, board, "b2", "d4")
		asked := g.click(g.ben, lost, "Resign")
		g.restore()
		answer := g.stale(g.ben, asked, buttons(asked)[0].CustomID)
		g.private(g.ben, answer)
		g.says(answer, setBackDe)
		if r := g.only(g.ben); r.Match.Phase != match.Playing || len(r.Match.Moves) != 2 {
			t.Errorf("the game is %s after %d moves", r.Match.Phase, len(r.Match.Moves))
		}
		g.until(g.ann, lost, setBackEn)
	})
	t.Run("a copy shows what there is now, and plays on", func(t *testing.T) {
		g := newLostGame(t)
		board := g.opened()
		g.keep()
		lost := g.moved(g.ben, g.moved(g.ann, board, "b2", "d4"))
		own := g.typedDM(g.ben, "/lasca board game:"+string(g.only(g.ben).Match.ID))
		pressed := buttons(own)[0].CustomID
		g.restore()
		now := g.stale(g.ben, own, pressed)
		g.private(g.ben, now)
		g.says(now, setBackDe, "1… e5xc3")
		shown := g.until(g.ann, lost, setBackEn)
		if n := g.moveCount(g.ben); n != 2 {
			t.Errorf("%d moves", n)
		}
		g.says(g.moved(g.ann, shown, "d2", "b4"), "d2xb4")
		g.until(g.ben, now, "d2xb4")
	})
	t.Run("a hint's button says so", func(t *testing.T) {
		g := newLostGame(t)
		board := g.typed(g.ann, "/lasca play level:1 colour:white")
		g.keep()
		lost := g.moved(g.ann, board, "c3", "d4")
		g.wait("the machine moves", func(s *discordsim.Server) bool {
			m, _ := s.Message(g.ann.ID(), lost.ChannelID, lost.ID)
			lost = m
			return asks(m, g.ann)
		})
		g.restore()
		answer := g.click(g.ann, lost, "Hint")
		g.private(g.ann, answer)
		g.says(answer, setBackEn)
		g.until(g.ann, lost, setBackEn)
		if n := g.moveCount(g.ann); n != 0 {
			t.Errorf("%d moves", n)
		}
	})
}

func TestAfterARestoreAGameGoesOnInItsEarlierPhase(t *testing.T) {
	t.Run("a challenge that was accepted later is open again", func(t *testing.T) {
		g := newLostGame(t)
		asked := g.typed(g.ann, "/lasca challenge user:@Ben colour:white")
		g.keep()
		lost := g.moved(g.ann, g.click(g.ben, asked, "Accept"), "c3", "d4")
		g.restore()
		now := g.click(g.ann, lost, "⋯ More")
		g.says(now, setBackEn)
		g.says(g.moved(g.ann, g.click(g.ben, now, "Accept"), "c3", "d4"), "1. c3-d4")
	})
	t.Run("a finished game is played on, with the ratings of then", func(t *testing.T) {
		g := newLostGame(t)
		board := g.click(g.ben, g.typed(g.ann, "/lasca challenge user:@Ben colour:white rated:yes"), "Accept")
		board = g.moved(g.ann, board, "c3", "d4")
		board = g.moved(g.ben, board)
		g.typed(g.ann, "/lasca look boards:letters")
		g.keep()
		game := g.only(g.ann).Match.ID
		g.click(g.ben, g.click(g.ben, board, "Resign"), "Ja, aufgeben")
		g.stored("it is counted", func() bool {
			r, err := g.store.Load(g.ctx, game)
			return err == nil && r.Counted && !r.Behind()
		})
		end := g.see(g.ann, board)
		g.restore()
		g.says(g.click(g.ann, end, "Rematch"), setBackEn)
		r := g.only(g.ann)
		if r.Match.ID != game || r.Match.Phase != match.Playing || r.Counted {
			t.Errorf("game %s is %s, counted: %t", r.Match.ID, r.Match.Phase, r.Counted)
		}
		for _, u := range []*discordsim.Actor{g.ann, g.ben} {
			if v, err := g.store.Rating(g.ctx, g.guild, match.UserID(u.ID())); err != nil || v != (storage.Rating{}) {
				t.Errorf("the rating is %+v (%v)", v, err)
			}
		}
		if set, err := g.store.Settings(g.ctx, "person "+g.ann.ID()); err != nil || set.IsZero() {
			t.Errorf("the settings are gone: %+v (%v)", set, err)
		}
	})
	t.Run("a game that began later is gone, and its board says so to whoever presses", func(t *testing.T) {
		g := newLostGame(t)
		g.keep()
		lost := g.duel()
		g.restore()
		g.says(g.click(g.ann, lost, "c3"), "I no longer have this game")
		g.says(g.click(g.ben, lost, "Resign"), "Diese Partie habe ich nicht mehr")
		g.says(g.moved(g.ann, g.duel(), "c3", "d4"), "1. c3-d4")
	})
	t.Run("the machine's answer does not hide that the game was set back", func(t *testing.T) {
		g := newLostGame(t)
		board := g.typed(g.ann, "/lasca play level:1 colour:white")
		g.keep()
		lost := board
		for range 2 {
			if lost = g.click(g.ann, lost, moveLabels(lost)[0]); over(lost) || asks(lost, g.ann) { // a column, then a square
				lost = g.click(g.ann, lost, moveLabels(lost)[0])
			}
			g.wait("the machine moves", func(s *discordsim.Server) bool {
				m, _ := s.Message(g.ann.ID(), lost.ChannelID, lost.ID)
				lost = m
				return asks(m, g.ann)
			})
		}
		g.restore()
		now := g.click(g.ann, lost, "⋯ More")
		g.says(now, setBackEn)
		if n := g.moveCount(g.ann); n != 0 {
			t.Errorf("%d moves", n)
		}
	})
}

// After a failover the bot runs on, and what it has shown may be recorded in a store that
// does not know of it.
func TestAScreenThatShowsMoreThanIsStoredIsShownAgain(t *testing.T) {
	w := newWorld(t)
	board := w.moved(w.ann, w.duel(), "c3", "d4")
	w.stored("it is shown", func() bool { r := w.only(w.ann); return r.Screen.Version == r.Match.Version })
	r := w.only(w.ann)
	later := r.Screen
	later.Version += 5
	if err := w.store.Shown(w.ctx, r.Match.ID, later); err != nil {
		t.Fatal(err)
	}
	w.moved(w.ben, board)
	w.stored("the screen is right", func() bool {
		r := w.only(w.ann)
		return r.Match.Version > later.Version && r.Screen.Version == r.Match.Version
	})
	board = w.until(w.stranger(), board, setBackEn)
	if w.moveCount(w.ann) == 1 {
		board = w.moved(w.ben, board)
	}
	w.says(w.moved(w.ann, board, "b2", "d4"), "b2xd4")
}
