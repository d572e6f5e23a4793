package bot_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// reply is what a press led to.
type reply struct {
	*discordsim.Reply
	err error
}

// pressing presses a button without waiting for the answer.
func (w *world) pressing(who *discordsim.Actor, m discordsim.Message, label string) <-chan reply {
	done := make(chan reply, 1)
	go func() {
		r, err := who.ClickLabel(w.ctx, m.ChannelID, m.ID, label)
		done <- reply{r, err}
	}()
	return done
}

// stored waits for a condition on the store, of which the loopback Discord hears
// nothing.
func (w *world) stored(what string, cond func() bool) {
	w.t.Helper()
	for {
		written := w.writes.next()
		if cond() {
			return
		}
		select {
		case <-written:
		case <-w.ctx.Done():
			w.t.Fatalf("waiting until %s: %v\n%s", what, w.ctx.Err(), w.sim.Transcript(w.channel))
		}
	}
}

// requests returns the bodies of the requests whose route holds a text.
func (w *world) requests(route string) (list []discordsim.Request) {
	for _, r := range w.sim.Requests() {
		if strings.Contains(r.Route, route) {
			list = append(list, r)
		}
	}
	return list
}

// duel starts a game between Ann (White) and Ben and returns its board.
func (w *world) duel() discordsim.Message {
	w.t.Helper()
	asked := w.typed(w.ann, "/lasca challenge user:@Ben colour:white")
	return w.click(w.ben, asked, "Accept")
}

// only returns the one game that somebody has.
func (w *world) only(who *discordsim.Actor) storage.Record {
	w.t.Helper()
	list, err := w.store.ListByUser(w.ctx, match.UserID(who.ID()), 10)
	if err != nil || len(list) != 1 {
		w.t.Fatalf("%d games, %v", len(list), err)
	}
	return list[0]
}

// moved makes a move by buttons.
func (w *world) moved(who *discordsim.Actor, board discordsim.Message, path ...string) discordsim.Message {
	w.t.Helper()
	if l := moveLabels(board); len(l) == 1 && strings.HasPrefix(l[0], "Play ") {
		return w.click(who, board, l[0])
	}
	for _, sq := range path {
		label := sq
		for _, l := range moveLabels(board) {
			if l == sq || strings.HasPrefix(l, sq+" ×") {
				label = l
			}
		}
		board = w.click(who, board, label)
	}
	return board
}

// buttonID returns the custom ID behind a label.
func buttonID(t *testing.T, m discordsim.Message, label string) string {
	t.Helper()
	for _, row := range m.Components {
		for _, c := range row.Components {
			if c.Label == label {
				return c.CustomID
			}
		}
	}
	t.Fatalf("no button %q\n%s", label, describe(m))
	return ""
}

// firstMove returns the squares of the first button's move as far as they are
// known.
func firstMove(m discordsim.Message) []string {
	sq, _, _ := strings.Cut(moveLabels(m)[0], " ")
	return []string{sq}
}

// standing are the labels of the buttons that do not make moves.
var standing = []string{"Hint", "Undo", "½ Draw", "Resign", "⋯", "← Back"}

// moveLabels returns the labels of the buttons that lead to moves.
func moveLabels(m discordsim.Message) []string {
	return slices.DeleteFunc(labels(m), func(l string) bool { return slices.Contains(standing, l) })
}

// over reports whether a board message shows the end of a game.
func over(m discordsim.Message) bool { return slices.Contains(labels(m), "Rematch") }

// onlyGame returns the stored game whose screen a message is.
func (w *world) gameOf(u *discordsim.Actor, m discordsim.Message) storage.Record {
	w.t.Helper()
	for _, row := range m.Components {
		for _, c := range row.Components {
			if c.Label == "Rematch" {
				id := strings.TrimPrefix(c.CustomID, "1n")
				id, _, _ = strings.Cut(id, ".")
				r, err := w.store.Load(w.ctx, match.ID(id))
				if err != nil {
					w.t.Fatal(err)
				}
				return r
			}
		}
	}
	w.t.Fatalf("no game behind the message\n%s", describe(m))
	return storage.Record{}
}

// private fails unless only one person sees a message.
func (w *world) private(who *discordsim.Actor, m discordsim.Message) {
	w.t.Helper()
	if m.EphemeralFor != who.ID() {
		w.t.Errorf("everybody sees it\n%s", describe(m))
	}
}

// typedDM enters a command line in direct messages and returns the answer.
func (w *world) typedDM(who *discordsim.Actor, line string) discordsim.Message {
	w.t.Helper()
	reply, err := who.Type(w.ctx, who.OpenDM(), line)
	if err != nil {
		w.t.Fatalf("%s: %v", line, err)
	}
	return w.message(who, reply)
}
