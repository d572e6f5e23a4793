package bot_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestLook(t *testing.T) {
	w := newWorld(t)
	m := w.typed(w.ben, "/lasca look boards:letters")
	w.says(m, "```")
	refused := w.typed(w.ben, "/lasca look theme:dark everyone:True")
	w.says(refused, "verwalten")
	w.sim.SetMemberPermissions(w.guild, w.ann.ID(), discordsim.DefaultMemberPermissions|discordsim.ManageGuild)
	w.typed(w.ann, "/lasca look boards:letters everyone:True")
	w.says(w.duel(), "```")
}

func TestALookReachesTheBoardsThatOnePlaysOn(t *testing.T) {
	t.Parallel()
	t.Run("games against the machine change at once, on a server too, and the answer says so", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		duel := w.duel()
		told := w.typed(w.ann, "/lasca look boards:letters")
		w.says(told, "Your games against me", "Your running game changes at once", "Games between people look as their server wants")
		w.until(w.ann, board, "```")
		if now := w.see(w.ann, duel); now.Content != duel.Content {
			t.Errorf("the board of the duel changed too:\n%s", describe(now))
		}
		w.says(w.moved(w.ann, w.see(w.ann, board), "c3", "d4"), "```")
		w.typed(w.ann, "/lasca look theme:dark")
		w.wait("the board is a picture again", func(s *discordsim.Server) bool {
			m, _ := s.Message(w.ann.ID(), board.ChannelID, board.ID)
			return len(m.Attachments) == 1 && strings.HasSuffix(m.Attachments[0].Filename, "-dark.png")
		})
	})
	t.Run("somebody else's game against the machine does not change", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		w.typed(w.ben, "/lasca look boards:letters")
		if now := w.see(w.ann, board); now.Content != board.Content {
			t.Errorf("it did:\n%s", describe(now))
		}
	})
	t.Run("whole moves are buttons for the person who wants them, on that person's turn", func(t *testing.T) {
		w := newWorld(t)
		duel := w.duel()
		w.typed(w.ann, "/lasca look buttons:moves")
		w.wait("Ann's turn has whole moves", func(s *discordsim.Server) bool {
			duel, _ = s.Message(w.ann.ID(), duel.ChannelID, duel.ID)
			return slices.Contains(labels(duel), "c3→d4")
		})
		if l := moveLabels(duel); len(l) != 6 {
			t.Errorf("the buttons are %q", l)
		}
		board := w.moved(w.ann, duel, "a3", "b4")
		board = w.moved(w.ben, board, labelSquares(moveLabels(board)[0])...)
		for asks(board, w.ben) {
			board = w.moved(w.ben, board, labelSquares(moveLabels(board)[0])...)
		}
		for _, l := range moveLabels(board) {
			if len(labelSquares(l)) < 2 && !strings.HasPrefix(l, "Play ") {
				t.Errorf("on Ann's turn there is a button %q", l)
			}
		}
	})
	t.Run("who wants pictures has them where the server has letters", func(t *testing.T) {
		w := newWorld(t)
		w.sim.SetMemberPermissions(w.guild, w.ann.ID(), discordsim.DefaultMemberPermissions|discordsim.ManageGuild)
		w.typed(w.ann, "/lasca look boards:letters everyone:True")
		w.typed(w.ann, "/lasca look boards:pictures")
		w.picture(w.typed(w.ann, "/lasca play level:1 colour:white"))
	})
}
