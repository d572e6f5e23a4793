package bot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine/match"
)

func TestGames(t *testing.T) {
	t.Parallel()
	t.Run("a person without a game is not shown any", func(t *testing.T) {
		w := newWorld(t)
		w.typed(w.ann, "/lasca play level:1 colour:white")
		w.click(w.ann, w.typed(w.ann, "/lasca resign"), "Yes, resign")
		w.stored("the game is over", func() bool {
			list, err := w.store.ListByUser(w.ctx, match.UserID(w.ann.ID()), 10)
			return err == nil && len(list) == 0
		})
		m := w.typed(w.ann, "/lasca games")
		if strings.Contains(m.Content, "discord.com/channels") {
			t.Errorf("the answer lists games\n%s", describe(m))
		}
		w.picture(w.typed(w.ann, "/lasca play level:1"))
	})
	t.Run("nobody can end the games of others", func(t *testing.T) {
		w := newWorld(t)
		cleo := w.stranger()
		w.duel()
		before := w.only(w.ann)
		for _, command := range []string{"resign", "draw", "undo", "board"} {
			r, err := cleo.Slash(w.ctx, w.channel, "lasca "+command, map[string]any{"game": string(before.Match.ID)})
			if err != nil {
				t.Fatal(err)
			}
			w.private(cleo, w.message(cleo, r)) // she is refused
		}
		w.typed(cleo, "/lasca play level:1")
		w.unchanged(w.ann, before)
	})
	t.Run("an abandoned game does not block the channel", func(t *testing.T) {
		w := newWorld(t)
		w.duel()
		w.restart()
		w.later(30 * 24 * time.Hour)
		board := w.click(w.ben, w.typed(w.ann, "/lasca challenge user:@Ben colour:white"), "Accept")
		w.says(w.moved(w.ann, board, "c3", "d4"), "1. c3-d4")
	})
}

func TestAGameIsFoundByItsShownName(t *testing.T) {
	w := newWorld(t)
	w.duel()
	board := w.typed(w.ann, "/lasca play level:3 colour:white")
	list, err := w.ann.Autocomplete(w.ctx, w.channel, "/lasca board game:level 3")
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	again := w.typed(w.ann, "/lasca board game:"+list[0].Name)
	w.says(again, "Lasca (level 3)")
	if again.ID == board.ID {
		t.Error("no new board")
	}
	w.says(w.typed(w.ann, "/lasca board game:somebody unknown"), "I no longer have this game")
}
