package bot_test

import (
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestMenu(t *testing.T) {
	t.Parallel()
	t.Run("the menu gives your side, the game as text and as GIF, and the games are listed", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4")
		menu := w.click(w.ben, board, "⋯ More")
		var mine discordsim.Message
		for _, l := range labels(menu) {
			if strings.Contains(l, "Seite") {
				mine = w.click(w.ben, menu, l)
			}
		}
		w.picture(mine)
		w.says(w.typed(w.ann, "/lasca games"), "Ann", "Ben", "waiting", "https://discord.com/channels/")
		text := w.click(w.ann, w.click(w.ann, board, "⋯ More"), "Game text")
		_, data := w.attached(text)
		if !strings.Contains(string(data), "1. c3-d4") {
			t.Errorf("the text lacks the move:\n%s", data)
		}
		replay := w.click(w.ann, w.click(w.ann, board, "⋯ More"), "Last move as GIF")
		w.says(replay, "1. c3-d4")
		w.animation(replay)
		w.click(w.ann, w.typed(w.ann, "/lasca resign"), "Yes, resign")
		end := w.until(w.ann, board, "resigned")
		review := w.click(w.ben, end, "Review")
		w.says(review, "kippte") // in Ben's language
		w.picture(review)
		film := w.click(w.ann, end, "GIF")
		w.animation(film)
	})
	t.Run("my side is a private copy from the reader's side, and the board stays as it is", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		for _, c := range []struct {
			who           *discordsim.Actor
			button, shows string
		}{{w.ann, "My side", "White is at the bottom"}, {w.ben, "Meine Seite", "Schwarz ist unten"}} {
			mine := w.click(c.who, w.click(c.who, board, "⋯ More"), c.button)
			w.private(c.who, mine)
			if a, _ := w.attached(mine); !strings.Contains(a.Description, c.shows) {
				t.Errorf("%s's copy should say %q: %s", c.who.ID(), c.shows, a.Description)
			}
		}
		if now := w.see(w.ben, board); !now.EditedAt.Equal(board.EditedAt) {
			t.Error("the board changed")
		}
	})
}
