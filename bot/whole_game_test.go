package bot_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/storage"
)

// replays fails unless a stored game's moves lead to its result.
func (w *world) replays(r storage.Record) {
	w.t.Helper()
	g, err := engine.Replay(engine.Start(r.Match.Rules), r.Match.Moves)
	if err != nil {
		w.t.Fatal(err)
	}
	if result, _ := g.Result(); result != r.Match.Result {
		w.t.Errorf("the moves lead to the result %v, but %v is stored", result, r.Match.Result)
	}
	pos := g.Position()
	stored := r.Match.Game().Position()
	if pos != stored {
		w.t.Error("the moves lead to another position than the stored one")
	}
}

// TestGameOfTwo plays a whole game with random presses.
func TestGameOfTwo(t *testing.T) {
	w := newWorld(t)
	rng := rand.New(rand.NewPCG(1, 2))
	asked := w.typed(w.ann, "/lasca challenge user:@Ben colour:white")
	w.says(asked, "Ann", "challenges you")
	if !slices.Equal(asked.Pings, []string{w.ben.ID()}) {
		t.Errorf("the challenge notifies %v", asked.Pings)
	}
	board := w.click(w.ben, asked, "Accept")
	players := []*discordsim.Actor{w.ann, w.ben}
	for presses := 0; !over(board); presses++ {
		if presses > 5000 {
			t.Fatal("the game does not end")
		}
		w.picture(board)
		mover := w.ann
		if asks(board, w.ben) {
			mover = w.ben
		}
		choices := moveLabels(board)
		if len(choices) == 0 {
			t.Fatalf("the board offers no move\n%s", describe(board))
		}
		board = w.click(mover, board, choices[rng.IntN(len(choices))])
		if board.EphemeralFor != "" {
			t.Fatalf("a press was refused\n%s", describe(board))
		}
		for _, p := range board.Pings {
			if p != players[0].ID() && p != players[1].ID() {
				t.Errorf("the board notifies %s", p)
			}
		}
	}
	r := w.gameOf(board)
	w.replays(r)
	t.Logf("%d plies, %s", len(r.Match.Moves), r.Match.Ending)
}

// TestGameAgainstTheBot plays a whole game against level 1 with random presses.
func TestGameAgainstTheBot(t *testing.T) {
	w := newWorld(t)
	rng := rand.New(rand.NewPCG(3, 4))
	board := w.typed(w.ann, "/lasca play level:1 colour:black")
	for presses := 0; !over(board); presses++ {
		if presses > 5000 {
			t.Fatal("the game does not end")
		}
		w.wait("it is Ann's turn or the game is over", func(s *discordsim.Server) bool {
			board, _ = s.Message(w.ann.ID(), board.ChannelID, board.ID)
			return over(board) || asks(board, w.ann)
		})
		w.picture(board)
		if over(board) {
			break
		}
		choices := moveLabels(board)
		board = w.click(w.ann, board, choices[rng.IntN(len(choices))])
		if board.EphemeralFor != "" {
			t.Fatalf("a press was refused\n%s", describe(board))
		}
	}
	r := w.gameOf(board)
	w.replays(r)
	t.Logf("%d plies, %s", len(r.Match.Moves), r.Match.Ending)
}
