package bot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage/memstore"
)

// emojiWorld is a world in which the application has its emoji.
func emojiWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	for _, tile := range render.Tiles() {
		w.sim.AddEmoji(discordsim.AppEmoji{Name: view.EmojiName(tile), ContentType: "image/png"})
	}
	w.stop()
	w.start()
	w.bot.EmojiUsed()
	return w
}

// inEmoji fails unless a message shows a board in the application's emoji.
func (w *world) inEmoji(m discordsim.Message) {
	w.t.Helper()
	if len(m.Attachments) != 0 || strings.Count(m.Content, "<:") < 25 || strings.Contains(m.Content, "```") {
		w.t.Errorf("not a board in emoji:\n%s", describe(m))
	}
}

func TestBoardsInEmoji(t *testing.T) {
	t.Parallel()
	t.Run("are uploaded, and a person's choice for games against the machine, and stay so after a restart", func(t *testing.T) {
		if testing.Short() {
			t.Skip("drawing all emoji takes seconds")
		}
		w := worldOn(t, memstore.New(), 30*time.Second, func(w *world) { w.uploads = true })
		w.wait("all emoji are uploaded", func(s *discordsim.Server) bool { return len(s.Emoji()) == len(render.Tiles()) })
		w.bot.EmojiUsed()
		board := w.typed(w.ben, "/lasca play level:1 colour:white")
		w.says(w.typed(w.ben, "/lasca look boards:emoji"), "<:w_soldier_")
		w.until(w.ben, board, "<:w_soldier_")
		board = w.moved(w.ben, w.see(w.ben, board), "c3", "d4")
		w.inEmoji(board)
		uploads := len(w.requests("/emojis"))
		w.stop()
		w.start()
		w.bot.EmojiUsed()
		w.wait("Ben is to move again", func(s *discordsim.Server) bool {
			board, _ = s.Message(w.ben.ID(), board.ChannelID, board.ID)
			return len(moveLabels(board)) > 0
		})
		board = w.click(w.ben, board, moveLabels(board)[0])
		w.inEmoji(board)
		if n := len(w.requests("/emojis")); n != uploads+1 {
			t.Errorf("%d requests about emoji after a restart, want one, for the list", n-uploads)
		}
		w.click(w.ben, w.click(w.ben, board, "⋯ More"), "🖼️ Als Bilder")
		w.wait("the board is a picture again", func(s *discordsim.Server) bool {
			m, _ := s.Message(w.ben.ID(), board.ChannelID, board.ID)
			return len(m.Attachments) == 1 && !strings.Contains(m.Content, "<:")
		})
	})
	t.Run("are a server's choice for games between people", func(t *testing.T) {
		w := emojiWorld(t)
		w.sim.SetMemberPermissions(w.guild, w.ann.ID(), discordsim.DefaultMemberPermissions|discordsim.ManageGuild)
		w.typed(w.ann, "/lasca look boards:emoji everyone:True")
		board := w.duel()
		w.inEmoji(board)
		w.inEmoji(w.moved(w.ben, w.moved(w.ann, board, "c3", "d4"), "e5", "c3"))
	})
	t.Run("take the place of pictures where the bot cannot attach them, but not that of letters", func(t *testing.T) {
		w := emojiWorld(t)
		all := w.sim.Permissions(w.channel, w.sim.BotID())
		w.sim.SetChannelPermissions(w.channel, w.sim.BotID(), all&^discordsim.AttachFiles)
		board := w.duel()
		w.inEmoji(board)
		w.says(board, "Attach Files", "<@"+w.ann.ID()+">")
		w.typed(w.ben, "/lasca look boards:letters")
		if m := w.typed(w.ben, "/lasca play level:1"); !strings.Contains(m.Content, "```") {
			t.Errorf("not in letters:\n%s", describe(m))
		}
	})
}
