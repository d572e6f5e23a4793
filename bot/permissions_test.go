package bot_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/storage/memstore"
)

func TestPermissions(t *testing.T) {
	t.Parallel()
	t.Run("boards are in letters where the bot cannot attach pictures", func(t *testing.T) {
		w := newWorld(t)
		all := w.sim.Permissions(w.channel, w.sim.BotID())
		w.sim.SetChannelPermissions(w.channel, w.sim.BotID(), all&^discordsim.AttachFiles)
		board := w.duel()
		if len(board.Attachments) != 0 {
			t.Error("a picture was attached")
		}
		w.says(board, "```", "Attach Files")
	})
	t.Run("the bot opens an archived thread again and leaves a locked one alone", func(t *testing.T) {
		w := newWorld(t)
		w.channel = w.sim.AddThread(w.channel, "a game")
		board := w.duel()
		chosen := w.click(w.ann, board, "c3")
		w.sim.SetThread(w.channel, true, false)
		board = w.click(w.ann, chosen, "d4")
		w.says(board, "1. c3-d4")

		game := w.only(w.ben).Match.ID
		w.sim.SetThread(w.channel, true, true)
		before := len(w.sim.Requests())
		copied := w.copyOf(w.ben, w.ben.OpenDM(), game)
		moved := w.click(w.ben, copied, moveLabels(copied)[0])
		w.gaveUp(w.ben, 2)
		if n := len(w.sim.Requests()) - before; n > 10 {
			t.Errorf("%d requests about a locked thread", n)
		}
		w.says(w.until(w.ben, moved, "🔒"), "gesperrt") // Ben reads German
		w.sim.SetThread(w.channel, false, false)
		w.says(w.typed(w.ann, "/lasca board"), "move 2")
		w.wait("the copy no longer says that the thread is locked", func(s *discordsim.Server) bool {
			m, _ := s.Message(w.ben.ID(), moved.ChannelID, moved.ID)
			return m.Content != "" && !strings.Contains(m.Content, "🔒")
		})
	})
	t.Run("closed direct messages do not hold up the game", func(t *testing.T) {
		store := &slowStore{Store: memstore.New(), gate: make(chan struct{}, 1)}
		w := newWorldOn(t, store)
		w.channel = w.ann.OpenDM()
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		store.gate <- struct{}{}
		w.moved(w.ann, board, "c3", "d4")
		w.sim.SetDMClosed(w.ann.ID(), true)
		w.sim.DeleteMessage(w.channel, board.ID)
		store.gate <- struct{}{} // the machine's move, which needs a new message
		w.gaveUp(w.ann, 2)
		w.sim.SetDMClosed(w.ann.ID(), false)
		w.says(w.typed(w.ann, "/lasca board"), "move 2")
	})
}

// gaveUp waits until a game has so many moves and the bot has put off showing the
// last of them.
func (w *world) gaveUp(who *discordsim.Actor, moves int) {
	w.t.Helper()
	w.stored("the move is stored and the bot has put off its screen", func() bool {
		r := w.only(who)
		return len(r.Match.Moves) == moves && r.Screen.Refused > 0 && r.Screen.Version < r.Match.Version
	})
}

// TestEverythingIsAnsweredWithoutOnePermission takes one permission after the other
// from the bot. Every command and button is then answered with a message that is
// complete, and where a file is missing, the answer names the permission in the
// reader's language.
func TestEverythingIsAnsweredWithoutOnePermission(t *testing.T) {
	withoutOnePermission(t, (*world).everything)
}

// withoutOnePermission runs a story in which the bot lacks a permission, for each of
// them, in a channel and in a thread. The story learns whether files are allowed.
func withoutOnePermission(t *testing.T, story func(w *world, files bool)) {
	t.Helper()
	t.Parallel()
	for name, missing := range map[string]discordsim.Permissions{
		"View Channel": discordsim.ViewChannel, "Send Messages": discordsim.SendMessages,
		"Send Messages in Threads": discordsim.SendMessagesInThreads, "Embed Links": discordsim.EmbedLinks,
		"Attach Files": discordsim.AttachFiles, "Read Message History": discordsim.ReadMessageHistory,
		"Use Application Commands": discordsim.UseApplicationCommands, "none at all": ^discordsim.Permissions(0),
	} {
		for _, thread := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, in a thread %t", name, thread), func(t *testing.T) {
				w := newWorld(t)
				if thread {
					w.channel = w.sim.AddThread(w.channel, "games")
				}
				all := w.sim.Permissions(w.channel, w.sim.BotID())
				w.sim.SetChannelPermissions(w.channel, w.sim.BotID(), all&^missing)
				story(w, w.sim.Permissions(w.channel, w.sim.BotID()).Has(discordsim.AttachFiles))
			})
		}
	}
}

// everything types each command and presses each button that comes up, once for each
// kind, and checks what needs a file.
func (w *world) everything(files bool) {
	w.t.Helper()
	pressed := map[reflect.Type]bool{}
	check := func(m discordsim.Message, in intent.Intent) {
		w.t.Helper()
		if m.Content == "" {
			w.t.Errorf("%T: no text\n%s", in, describe(m))
		}
		switch in.(type) {
		case intent.Film, intent.Replay, intent.ExportData, intent.Review:
			if !files {
				w.says(m, "Dateien anhängen")
			}
		case intent.GameText:
			if !files {
				w.says(m, "[White ")
			}
		}
		if !files && len(m.Attachments) > 0 {
			w.t.Errorf("%T: a file", in)
		}
	}
	var queue []discordsim.Message
	for _, line := range []string{
		"/lasca help", "/lasca rules", "/lasca games", "/lasca look", "/lasca play level:1 colour:white", "/lasca hint",
		"/lasca board", "/lasca undo", "/lasca draw", "/lasca move path:c3-d4", "/lasca resign",
		"/lasca privacy show", "/lasca privacy export", "/lasca privacy delete",
	} {
		var in intent.Intent
		if line == "/lasca privacy export" {
			in = intent.ExportData{}
		}
		m := w.typed(w.ben, line)
		check(m, in)
		queue = append(queue, m)
	}
	walk := func(resign bool) {
		for len(queue) > 0 {
			m := queue[len(queue)-1] // the newest first: private messages about a game replace each other
			queue = queue[:len(queue)-1]
			for _, b := range buttons(m) {
				in, err := intent.ParseCustomID(b.CustomID)
				if err != nil {
					w.t.Fatal(err)
				}
				_, deletes := in.(intent.DeleteData)
				_, resigns := in.(intent.Resign)
				_, aborts := in.(intent.Abort)
				if deletes || aborts || resigns && !resign || b.Disabled || pressed[reflect.TypeOf(in)] {
					continue
				}
				r, err := w.ben.Click(w.ctx, m.ChannelID, m.ID, b.CustomID)
				if errors.Is(err, discordsim.ErrNoComponent) || errors.Is(err, discordsim.ErrDisabled) || errors.Is(err, discordsim.ErrUnknownMessage) {
					if now, ok := w.sim.Message(w.ben.ID(), m.ChannelID, m.ID); ok {
						queue = append(queue, now) // it has changed meanwhile
					}
					break
				}
				pressed[reflect.TypeOf(in)] = true
				if err != nil {
					w.t.Errorf("%T: %v\n%s", in, err, describe(m))
					continue
				}
				got := w.message(w.ben, r)
				check(got, in)
				queue = append(queue, got)
			}
		}
	}
	walk(false)
	// The end of a game with moves.
	board := w.typed(w.ben, "/lasca play level:2 colour:white")
	w.until(w.ben, w.click(w.ben, board, moveLabels(board)[0]), "1. ")
	games := w.games(w.ben)
	newest := games[len(games)-1].Match.ID // IDs grow
	queue = append(queue, w.typed(w.ben, "/lasca resign game:"+string(newest)))
	walk(true)
	w.wait("the end is shown", func(s *discordsim.Server) bool {
		for _, m := range s.Messages("", w.channel) {
			if over(m) && slices.Contains(labels(m), "Review") {
				queue = append(queue, m)
			}
		}
		return len(queue) > 0
	})
	walk(true)
	for _, want := range []intent.Intent{intent.Film{}, intent.Review{}, intent.GameText{}, intent.Resign{}} {
		if !pressed[reflect.TypeOf(want)] {
			w.t.Errorf("%T was never offered", want)
		}
	}
}
