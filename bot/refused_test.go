package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// refusals are Discord's refusals that may pass: a permission that is taken and given
// back, a channel that cannot be seen for a while, a locked thread, a fault of
// Discord's own.
var refusals = []discordsim.Fault{
	{Status: 403, Code: 50013}, {Status: 403, Code: 50001}, {Status: 404, Code: 10003}, {Status: 403, Code: 160005}, {Status: 400, Code: 50035},
}

// resigned is a world in which Ann has resigned a game with Ben, and Discord has
// refused once to show it.
func resigned(t *testing.T, refusal discordsim.Fault) (*world, discordsim.Message) {
	w := newWorld(t)
	board := w.duel()
	asked := w.click(w.ann, board, "Resign")
	w.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
		if strings.HasPrefix(r.Route, "POST /interactions") || !strings.Contains(string(r.Body), "resigned") {
			return nil
		}
		return &refusal
	})
	game := w.only(w.ann).Match.ID
	w.click(w.ann, asked, "Yes, resign")
	w.stored("the refusal is recorded, and nothing as shown", func() bool {
		r, err := w.store.Load(w.ctx, game)
		return err == nil && r.Screen.Refused > 0 && r.Screen.Version < r.Match.Version
	})
	if strings.Contains(w.see(w.ann, board).Content, "resigned") {
		t.Fatal("the end is shown although Discord refused it")
	}
	w.sim.SetFault(nil)
	return w, board
}

func TestAnEndThatDiscordRefusedToShow(t *testing.T) {
	t.Parallel()
	for _, refusal := range refusals {
		t.Run(fmt.Sprint(refusal.Code, " is shown at the next sign of life in the channel, whoever gives it"), func(t *testing.T) {
			w, board := resigned(t, refusal)
			elsewhere := w.sim.AddChannel(w.guild, "elsewhere")
			w.typedIn(elsewhere, w.ann, "/lasca help")
			w.typed(w.stranger(), "/lasca help")
			end := w.until(w.ann, board, "Ann resigned")
			if !over(end) {
				t.Errorf("the end has no buttons\n%s", describe(end))
			}
		})
		t.Run(fmt.Sprint(refusal.Code, " is shown to who asks for the board"), func(t *testing.T) {
			w, _ := resigned(t, refusal)
			w.clock.Advance(5 * time.Hour) // nobody has been there
			end := w.typed(w.ben, "/lasca board")
			w.says(end, "Ann resigned")
			if !over(end) {
				t.Errorf("the end has no buttons\n%s", describe(end))
			}
		})
		t.Run(fmt.Sprint(refusal.Code, " is shown after a restart"), func(t *testing.T) {
			w, board := resigned(t, refusal)
			w.stop()
			w.clock.Advance(2 * time.Minute)
			w.start()
			w.until(w.ann, board, "Ann resigned")
		})
		t.Run(fmt.Sprint(refusal.Code, " is shown to who asks after a restart"), func(t *testing.T) {
			w, _ := resigned(t, refusal)
			w.stop()
			w.start()
			w.says(w.typed(w.ann, "/lasca board"), "Ann resigned")
		})
	}
}

func TestBoardShowsAGameThatHasJustEnded(t *testing.T) {
	w := newWorld(t)
	board := w.duel()
	w.click(w.ann, w.click(w.ann, board, "Resign"), "Yes, resign")
	w.until(w.ben, board, "Ann resigned")
	for _, who := range []*discordsim.Actor{w.ann, w.ben} {
		end := w.typed(who, "/lasca board")
		w.says(end, "Ann resigned")
		if !over(end) {
			t.Errorf("the end has no buttons\n%s", describe(end))
		}
	}
	w.private(w.ann, w.typedDM(w.ann, "/lasca board")) // in another place there is none
	stranger := w.stranger()
	w.private(stranger, w.typed(stranger, "/lasca board"))
	w.typed(w.ann, "/lasca play level:1 colour:white")
	w.says(w.typed(w.ann, "/lasca board"), "move 1") // a running game comes first
	w.clock.Advance(3 * time.Hour)
	w.private(w.ben, w.typed(w.ben, "/lasca board"))
}
