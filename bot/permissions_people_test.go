package bot_test

import (
	"slices"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
)

// TestTwoPeoplePlayWithoutOnePermission plays a whole game between two people, from
// the challenge to the rematch, while the bot lacks one permission after the other.
// Each command and press is answered by a complete message.
func TestTwoPeoplePlayWithoutOnePermission(t *testing.T) {
	withoutOnePermission(t, (*world).betweenPeople)
}

// betweenPeople plays that game. Every answer has a text, and where files are missing,
// a board says so.
func (w *world) betweenPeople(files bool) {
	w.t.Helper()
	whole := func(m discordsim.Message) discordsim.Message {
		w.t.Helper()
		if m.Content == "" || !files && len(m.Attachments) > 0 {
			w.t.Errorf("not a whole answer\n%s", describe(m))
		}
		return m
	}
	press := func(who *discordsim.Actor, m discordsim.Message, label string) discordsim.Message {
		w.t.Helper()
		return whole(w.click(who, w.see(who, m), label))
	}
	state := func(what string, cond func(m *match.Match) bool) {
		w.t.Helper()
		if r := w.only(w.ann); !cond(&r.Match) {
			w.t.Fatalf("%s: not so: %+v", what, r.Match)
		}
	}
	board := press(w.ben, whole(w.typed(w.ann, "/lasca challenge user:@Ben colour:white")), "Accept")
	if !files {
		w.says(board, "Attach Files")
	}
	board = whole(w.moved(w.ann, board, "c3", "d4"))
	l := moveLabels(board)
	board = whole(w.moved(w.ben, board, labelSquares(l[0])...))
	if n := w.moveCount(w.ann); n != 2 {
		w.t.Fatalf("%d moves, want 2\n%s", n, describe(board))
	}

	whole(w.typed(w.ann, "/lasca draw"))
	state("a draw is offered", func(m *match.Match) bool { return m.Offer != nil })
	press(w.ben, w.showing(w.ben, "Decline the draw"), "Decline the draw")
	state("the draw is declined", func(m *match.Match) bool { return m.Offer == nil })

	whole(w.typed(w.ben, "/lasca undo"))
	state("an undo is asked for", func(m *match.Match) bool { return m.Request != nil })
	press(w.ann, w.showing(w.ann, "Refuse undo"), "Refuse undo")
	state("the undo is refused", func(m *match.Match) bool { return m.Request == nil })

	game := w.only(w.ann).Match.ID
	press(w.ann, whole(w.typed(w.ann, "/lasca resign")), "Yes, resign")
	end := w.showing(w.ben, "Rematch")
	if r := w.gameOf(end); r.Match.ID != game || r.Match.Ending != match.Resignation {
		w.t.Fatalf("the end is of %+v", r.Match)
	}
	press(w.ann, end, "Rematch")
	press(w.ben, end, "Rematch")
	state("the rematch is on", func(m *match.Match) bool { return m.Phase == match.Playing && m.ID != game })
}

// showing waits for the newest message with a button that somebody can press.
func (w *world) showing(who *discordsim.Actor, label string) (found discordsim.Message) {
	w.t.Helper()
	w.wait("there is a button "+label, func(s *discordsim.Server) bool {
		list := s.Messages(who.ID(), w.channel)
		for _, m := range slices.Backward(list) {
			if slices.Contains(labels(m), label) {
				found = m
				return true
			}
		}
		return false
	})
	return found
}
