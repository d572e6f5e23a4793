package bot_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// withoutPosts is a world in which the bot may answer in its channel and not post, in
// a thread or not, and whose channel speaks German or English.
func withoutPosts(t *testing.T, thread, german bool) *world {
	w := newWorld(t)
	missing := discordsim.SendMessages
	if german {
		w.guild = w.sim.AddGuild("Verein", "de")
		for _, a := range []*discordsim.Actor{w.ann, w.ben} {
			w.sim.Join(w.guild, a.ID())
		}
		w.channel = w.sim.AddChannel(w.guild, "brett")
	}
	if thread {
		missing = discordsim.SendMessagesInThreads
		w.channel = w.sim.AddThread(w.channel, "games")
	}
	w.sim.SetChannelPermissions(w.channel, w.sim.BotID(), w.sim.Permissions(w.channel, w.sim.BotID())&^missing)
	return w
}

func TestWhoeverStartsAGameIsToldThatTheBotMayNotPost(t *testing.T) {
	t.Parallel()
	for _, thread := range []bool{false, true} {
		for _, german := range []bool{false, true} {
			t.Run(fmt.Sprintf("in a thread %t, in German %t", thread, german), func(t *testing.T) {
				w := withoutPosts(t, thread, german)
				want := map[bool]map[bool]string{
					false: {false: "permission “Send Messages”", true: "permission “Send Messages in Threads”"},
					true:  {false: "Berechtigung „Nachrichten senden“", true: "Berechtigung „Nachrichten in Threads senden“"},
				}[german][thread]
				accept := map[bool]string{false: "Accept", true: "Annehmen"}[german]
				asked := w.typed(w.ann, "/lasca challenge user:@Ben colour:white")
				w.says(asked, want)
				w.says(w.typed(w.ben, "/lasca play level:1 colour:white"), want)
				board := w.click(w.ben, asked, accept)
				for range 2 { // once is enough
					if strings.Contains(board.Content, want) {
						t.Errorf("told again:\n%s", describe(board))
					}
					board = w.click(w.ann, board, moveLabels(board)[0])
				}
			})
		}
	}
	t.Run("not where it may", func(t *testing.T) {
		w := newWorld(t)
		thread := w.sim.AddThread(w.channel, "games")
		all := w.sim.Permissions(w.channel, w.sim.BotID())
		// Each permission is about the other kind of channel.
		w.sim.SetChannelPermissions(w.channel, w.sim.BotID(), all&^discordsim.SendMessagesInThreads)
		w.sim.SetChannelPermissions(thread, w.sim.BotID(), all&^discordsim.SendMessages)
		for _, m := range []discordsim.Message{
			w.typed(w.ann, "/lasca play level:1"), w.typedIn(thread, w.ann, "/lasca play level:1"), w.typedDM(w.ann, "/lasca play level:1"),
		} {
			if strings.Contains(m.Content, "permission") {
				t.Errorf("%s", describe(m))
			}
		}
	})
}

// Where the bot may not post, boards follow presses and edits, and a reminder that is
// refused is tried again with growing pauses until it is allowed.
func TestARefusedReminderIsTriedAgainWithGrowingPauses(t *testing.T) {
	w := withoutPosts(t, false, false)
	board := w.moved(w.ann, w.duel(), "c3", "d4")
	w.says(board, "1. c3-d4")
	w.recorded()
	refused := func() (n int) {
		for _, r := range w.requests("POST /channels/{channel_id}/messages") {
			if r.Status == http.StatusForbidden {
				n++
			}
		}
		return n
	}
	const hours = 3
	seen := 0
	for range hours * 60 {
		w.clock.Advance(time.Minute)
		w.bot.Sweep(w.ctx)
		w.bot.Settled()
		seen = refused()
	}
	if seen < 2 || seen > 20 { // two calls each, since only pictures might be forbidden
		t.Errorf("%d posts were refused in %d hours", seen, hours)
	}
	w.sim.SetChannelPermissions(w.channel, w.sim.BotID(), discordsim.DefaultBotPermissions)
	w.typed(w.stranger(), "/lasca help") // a sign of life
	w.wait("Ben is reminded", func(s *discordsim.Server) bool {
		list := s.Messages(w.ben.ID(), w.channel)
		last := list[len(list)-1]
		return last.ID != board.ID && asks(last, w.ben) && last.EphemeralFor == ""
	})
}
