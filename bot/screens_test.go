package bot_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/storage/memstore"
)

func TestScreen(t *testing.T) {
	t.Parallel()
	t.Run("the board is edited while both are there, and posted again with a mention for a player who was away", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		next := w.moved(w.ann, board, "c3", "d4")
		if next.ID != board.ID {
			t.Error("the board was posted again although Ben was there")
		}
		w.moved(w.ben, next)
		w.clock.Advance(10 * time.Minute)
		board = w.newest(w.ann)
		next = w.moved(w.ann, board, firstMove(board)...)
		for next.ID == board.ID { // more than one jump
			next = w.click(w.ann, next, moveLabels(next)[0])
		}
		if !slices.Equal(next.Pings, []string{w.ben.ID()}) {
			t.Errorf("the board notifies %v", next.Pings)
		}
		w.wait("the old board has no buttons", func(s *discordsim.Server) bool {
			old, _ := s.Message(w.ann.ID(), board.ChannelID, board.ID)
			return len(old.Components) == 0 && len(old.Attachments) == 1
		})
	})
	t.Run("yesterday's board works and is posted again", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.later(25 * time.Hour)
		chosen := w.click(w.ann, board, "c3")
		next := w.click(w.ann, chosen, "d4")
		if next.ID == board.ID {
			t.Error("the board was edited instead")
		}
		for _, r := range w.sim.Requests() {
			if r.Status >= 400 {
				t.Errorf("%s %s was refused with %d", r.Method, r.Path, r.Status)
			}
		}
	})
	t.Run("a deleted board comes back with the machine's move", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		chosen := w.click(w.ann, board, "c3")
		w.click(w.ann, chosen, "d4")
		w.until(w.ann, board, "move 2")
		w.sim.DeleteMessage(board.ChannelID, board.ID)
		m := w.typed(w.ann, "/lasca board")
		w.picture(m)
	})
	t.Run("several changes make one edit, which shows the newest", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.clock.Advance(20 * time.Minute) // all tokens have expired, so edits go through the channel
		held := make(chan struct{})
		began := time.Now()
		w.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
			if r.Method == "PATCH" {
				<-held
			}
			return nil
		})
		// The buttons are private, so the board follows by edits only.
		for _, who := range []*discordsim.Actor{w.ann, w.ben, w.ann, w.ben} {
			offered := w.typed(who, "/lasca move path:a1-a9")
			w.click(who, offered, labels(offered)[0])
		}
		if n := w.moveCount(w.ann); n != 4 {
			t.Fatalf("%d moves", n)
		}
		close(held)
		w.until(w.ben, board, "move 3")
		// The first may have begun before the second move. On a busy machine an edit may
		// be held for so long that it is given up and made again.
		if n := len(w.requests("PATCH /channels")); n > 2+int(time.Since(began)/(8*time.Second)) {
			t.Errorf("%d edits", n)
		}
	})
	t.Run("every board has a picture with a description and a name of its own, and every press one answer", func(t *testing.T) {
		w := newWorld(t)
		w.sim.SetDisplayName(w.ann.ID(), "🦊 Ann :fox: <:fox:123456789012345678>")
		// Every second edit with an interaction's token fails, so that the bot uses
		// both ways to edit.
		w.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
			if strings.Contains(r.Path, "/webhooks/") && r.N%2 == 0 {
				return &discordsim.Fault{Status: 404, Code: 10015}
			}
			return nil
		})
		rng := rand.New(rand.NewPCG(8, 8))
		board := w.typed(w.ann, "/lasca play level:2 colour:white")
		names := map[string]string{} // file name to what was shown
		for presses := 0; presses < 40 && !over(board); presses++ {
			w.wait("it is Ann's turn", func(s *discordsim.Server) bool {
				board, _ = s.Message(w.ann.ID(), board.ChannelID, board.ID)
				return over(board) || asks(board, w.ann)
			})
			w.picture(board)
			a := board.Attachments[0]
			if n := len([]rune(a.Description)); n < 1 || n > 1024 {
				t.Errorf("the description has %d characters", n)
			}
			shown := a.Description + strings.Join(labels(board), " ")
			if before, ok := names[a.Filename]; ok && before != shown {
				t.Errorf("two pictures are called %s:\n%s\n%s", a.Filename, before, shown)
			}
			names[a.Filename] = shown
			for _, b := range buttons(board) {
				if b.Emoji != nil && !slices.Contains([]string{"💡", "↩️", "🏳️", "🔁", "🎞️", "📄", "📈"}, b.Emoji.Name) {
					t.Errorf("the emoji %+v is not one of ours", b.Emoji)
				}
			}
			if over(board) {
				break
			}
			choices := moveLabels(board)
			board = w.click(w.ann, board, choices[rng.IntN(len(choices))])
		}
		for _, how := range []string{"/webhooks/", "PATCH /channels/"} {
			if len(w.requests(how)) == 0 {
				t.Errorf("nothing was edited by %s", how)
			}
		}
		callbacks := map[string]int{}
		for _, r := range w.requests("/callback") {
			callbacks[strings.Split(r.Path, "/")[4]]++
		}
		for id, n := range callbacks {
			if n != 1 {
				t.Errorf("interaction %s was answered %d times", id, n)
			}
		}
	})
	t.Run("the board between two people does not turn", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		for _, who := range []*discordsim.Actor{w.ann, w.ben, w.ann} {
			if !asks(board, who) {
				t.Fatalf("the board does not ask the next player\n%s", describe(board))
			}
			if a, _ := w.attached(board); !strings.Contains(a.Description, "White is at the bottom") {
				t.Errorf("White is not at the bottom: %s", a.Description)
			}
			board = w.moved(who, board, firstMove(board)...)
			for asks(board, who) { // a landing, or another jump, is still to be chosen
				board = w.moved(who, board, firstMove(board)...)
			}
		}
	})
}

// A board is posted again when it is nearly an hour old. A host's clock must not
// make it so.
func TestBoardsAreEditedWhateverTheHostsClockSays(t *testing.T) {
	for _, ahead := range []time.Duration{2 * time.Hour, -2 * time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			w := worldOn(t, memstore.New(), 30*time.Second, func(w *world) {
				w.clock, w.now = discordsim.NewManualClock(time.Now().Add(-ahead)), nil
			})
			board := w.typed(w.ann, "/lasca play level:1 colour:white")
			for range 3 {
				board = w.until(w.ann, board, "<@"+w.ann.ID()+">")
				moved := w.click(w.ann, board, moveLabels(board)[0])
				if strings.Contains(moved.Content, "where?") {
					moved = w.click(w.ann, moved, moveLabels(moved)[0])
				}
				if moved.ID != board.ID {
					t.Fatalf("the board was posted again:\n%s", describe(moved))
				}
			}
		})
	}
}

// firstMove returns the square on the first button that leads to a move.
func firstMove(m discordsim.Message) []string {
	return labelSquares(moveLabels(m)[0])
}
