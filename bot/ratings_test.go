package bot_test

import (
	"context"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
)

// ratedDuel plays a rated game between Ann (White) and Ben until both have moved, and
// returns its board.
func (w *world) ratedDuel() discordsim.Message {
	w.t.Helper()
	asked := w.typed(w.ann, "/lasca challenge user:@Ben colour:white rated:yes")
	w.says(asked, ", rated,")
	board := w.moved(w.ann, w.click(w.ben, asked, "Accept"), "c3", "d4")
	return w.moved(w.ben, board, "e5", "c3")
}

// lost has somebody resign the game of a board, and returns the board once the
// result is counted.
func (w *world) lost(who *discordsim.Actor, board discordsim.Message, yes, counted string) discordsim.Message {
	w.t.Helper()
	sure := w.click(who, board, "Resign")
	w.click(who, sure, yes)
	return w.until(w.ann, board, counted)
}

// uncounted is a store that counts nothing while it is off.
type uncounted struct {
	storage.Store
	off atomic.Bool
}

func (s *uncounted) Rate(ctx context.Context, id match.ID, c []storage.RatingChange, o map[match.UserID]storage.Outcome) error {
	if s.off.Load() {
		return storage.ErrNotWritten
	}
	return s.Store.Rate(ctx, id, c, o)
}

func TestRatings(t *testing.T) {
	t.Parallel()
	t.Run("two play a rated game, the board says what it changed, and everything is there after a restart", func(t *testing.T) {
		w := newWorld(t)
		board := w.ratedDuel()
		w.says(board, "· rated\n")
		over := w.lost(w.ben, board, "Ja, aufgeben", "Rating: Ann **1662** (+162) · Ben **1338** (−162)")
		w.says(over, "White wins")
		w.stop()
		w.clock.Advance(time.Minute)
		w.start()

		own := w.typed(w.ann, "/lasca stats")
		w.private(w.ann, own)
		w.says(own, "Rated games of Ann", "**1662** ± 290 (provisional)", "One rated game", "⚪ +1 =0 −0", "Ben +1 =0 −0", "Next, try level 4: it is nearest")
		w.picture(own)
		if a, _ := w.attached(own); !strings.HasPrefix(a.Description, "Graph of the rating: from 1500 to 1662 in one game. The highest was 1662, on 2026-03-01") {
			t.Errorf("%s", a.Description)
		}
		german := w.typed(w.ben, "/lasca stats")
		w.private(w.ben, german)
		w.says(german, "Gewertete Partien von Ben", "**1338** ± 290 (vorläufig)", "⚫ +0 =0 −1", "Ann +0 =0 −1", "Versuch als Nächstes Stufe 2")

		// Ben looks at Ann; against whom she has played is not his to see.
		others := w.typed(w.ben, "/lasca stats user:@Ann")
		w.private(w.ben, others)
		w.says(others, "Gewertete Partien von Ann", "**1662**")
		if strings.Contains(others.Content, "Ben") || strings.Contains(others.Content, "Versuch") {
			t.Errorf("Ben sees too much: %s", others.Content)
		}

		list := w.typed(w.ben, "/lasca leaderboard")
		w.private(w.ben, list)
		w.says(list, "Rangliste dieses Servers", "**–** · Ann · 1662? · eine Partie\n**–** · Ben · 1338?", "Du: **1338**", "noch ohne Platz")
		shown := w.click(w.ben, list, "Allen zeigen")
		w.says(shown, "Leaderboard of this server", "Ann · 1662?") // in the server's language
		if shown.EphemeralFor != "" || len(labels(shown)) > 0 || strings.Contains(shown.Content, "Ben: ") {
			t.Errorf("%+v", shown)
		}
		public := w.click(w.ann, own, "Show to all")
		w.says(public, "Rated games of Ann", "**1662**")
		w.picture(public)
		if public.EphemeralFor != "" || strings.Contains(public.Content, "Next, try") || strings.Contains(public.Content, "Ben") {
			t.Errorf("%s", describe(public))
		}

		dm := w.typedDM(w.ann, "/lasca leaderboard")
		w.says(dm, "over all of them", "You: **1662**")
		w.says(w.typedDM(w.ann, "/lasca stats"), "**1662**")
		w.says(w.typed(w.ann, "/lasca privacy show"), "One rated result")
	})
	t.Run("a kill between the end and the counting loses and doubles nothing", func(t *testing.T) {
		store := &uncounted{Store: memstore.New()}
		w := worldOn(t, store, 30*time.Second)
		store.off.Store(true)
		board := w.lost(w.ben, w.ratedDuel(), "Ja, aufgeben", "White wins")
		if strings.Contains(board.Content, "Rating") {
			t.Errorf("%s", board.Content)
		}
		w.stop()
		store.off.Store(false)
		w.start()
		board = w.until(w.ann, board, "Ann **1662**")
		for range 3 {
			w.stop()
			w.clock.Advance(time.Minute)
			w.start()
		}
		r, err := w.store.Rating(w.ctx, w.guild, match.UserID(w.ann.ID()))
		if err != nil || r.Games != 1 {
			t.Errorf("%+v, %v", r, err)
		}
		w.says(w.see(w.ann, board), "Ann **1662**")
	})
	t.Run("an undo that both want makes the game casual", func(t *testing.T) {
		w := newWorld(t)
		board := w.ratedDuel()
		asked := w.click(w.ben, board, "Undo")
		w.says(asked, "the game no longer counts")
		back := w.click(w.ann, asked, "Allow undo")
		if strings.Contains(back.Content, "rated") {
			t.Errorf("%s", back.Content)
		}
	})
	t.Run("against the bot it counts if the person asks for that", func(t *testing.T) {
		w := newWorld(t)
		casual := w.typed(w.ann, "/lasca play level:3 colour:white")
		if strings.Contains(casual.Content, "rated") {
			t.Errorf("%s", casual.Content)
		}
		w.click(w.ann, w.click(w.ann, casual, "Resign"), "Yes, resign")
		board := w.typed(w.ann, "/lasca play level:3 colour:white rated:yes")
		w.says(board, "· rated\n")
		w.moved(w.ann, board, "c3", "d4")
		board = w.until(w.ann, board, "move 2")
		over := w.lost(w.ann, board, "Yes, resign", "Rating: Ann **")
		w.says(over, "(−")
		if strings.Contains(over.Content, "level 3) **") {
			t.Errorf("the level has a new rating: %s", over.Content)
		}
	})
	t.Run("a hint makes a game against the bot casual, and its reader and the board say so", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ben, "/lasca play level:1 colour:white rated:yes")
		w.says(board, "· rated\n")
		w.says(w.click(w.ben, board, "Hint"), "Ich würde", "zählt nicht mehr für die Wertung")
		w.says(w.click(w.ben, board, "Hint"), "Ich würde") // on the board from before
		w.wait("the board says so", func(s *discordsim.Server) bool {
			m, ok := s.Message(w.ben.ID(), board.ChannelID, board.ID)
			board = m
			return ok && !strings.Contains(m.Content, "rated")
		})
		w.stop()
		w.start()
		if again := w.click(w.ben, board, "Hint"); strings.Contains(again.Content, "zählt nicht mehr") {
			t.Errorf("%s", again.Content)
		}
		w.lost(w.ben, board, "Ja, aufgeben", "wins")
		if r, err := w.store.Rating(w.ctx, w.guild, match.UserID(w.ben.ID())); err != nil || r.Games != 0 {
			t.Errorf("%+v, %v", r, err)
		}
	})
	t.Run("who deletes their data leaves the ranking, and the other's rating as it was", func(t *testing.T) {
		w := newWorld(t)
		w.lost(w.ben, w.ratedDuel(), "Ja, aufgeben", "Ann **1662**")
		ask := w.typed(w.ann, "/lasca privacy delete")
		w.click(w.ann, ask, "Yes, delete everything")
		list := w.typed(w.ben, "/lasca leaderboard")
		w.says(list, "eine Person", "Ben · 1338?")
		if strings.Contains(list.Content, "Ann") {
			t.Errorf("%s", list.Content)
		}
		w.says(w.typed(w.ben, "/lasca stats"), "gelöschte Person +0 =0 −1")
		w.says(w.typed(w.ann, "/lasca stats"), "no rated games here yet")
	})
	t.Run("a server's default makes challenges rated, and a challenger may say no", func(t *testing.T) {
		w := newWorld(t)
		if err := w.store.SaveSettings(w.ctx, "guild "+w.guild, storage.Settings{Rated: true}); err != nil {
			t.Fatal(err)
		}
		asked := w.typed(w.ann, "/lasca challenge user:@Ben")
		w.says(asked, ", rated,")
		w.click(w.ben, asked, "Decline")
		if asked := w.typed(w.ann, "/lasca challenge user:@Ben rated:no"); strings.Contains(asked.Content, "rated") {
			t.Errorf("%s", asked.Content)
		}
	})
	t.Run("in a German server and direct messages in German", func(t *testing.T) {
		w := newWorld(t)
		club := w.sim.AddGuild("Verein", "de")
		w.channel = w.sim.AddChannel(club, "brett")
		w.sim.Join(club, w.ann.ID())
		w.sim.Join(club, w.ben.ID())
		asked := w.typed(w.ann, "/lasca challenge user:@Ben colour:white rated:yes")
		w.says(asked, "offene Regeln, gewertet,")
		board := w.moved(w.ann, w.click(w.ben, asked, "Annehmen"), "c3", "d4")
		board = w.click(w.ben, board, "e5xc3 spielen (einziger Zug)")
		w.click(w.ben, w.click(w.ben, board, "Aufgeben"), "Ja, aufgeben")
		w.says(w.until(w.ann, board, "Wertung:"), "Ann **1662** (+162) · Ben **1338** (−162)")
		w.says(w.typedDM(w.ben, "/lasca leaderboard"), "So stehst du auf allen zusammen", "Du: **1338**")
		w.says(w.typedDM(w.ben, "/lasca stats user:@Ann"), "auf Servern")
	})
}

// Ratings of people move against each other: with equal knowledge of both, what one
// gains the other loses.
func TestRatingsOfTwoNewcomersAddUp(t *testing.T) {
	w := newWorld(t)
	w.lost(w.ben, w.ratedDuel(), "Ja, aufgeben", "Ann **1662**")
	list, n, err := w.store.Ranking(w.ctx, w.guild, 0, 9)
	if err != nil || n != 2 || math.Abs(list[0].Rating.Value+list[1].Rating.Value-3000) > 1e-9 {
		t.Errorf("%+v, %v", list, err)
	}
}
