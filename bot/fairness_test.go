package bot_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lascabot/lascabot/storage/memstore"
)

// TestOnePersonWhoFloodsHoldsUpNobody has one person press everything that is slow,
// large or public, with two hundred hands, while two others play. It prints how
// long the players waited for their answers with and without the flood; it fails on
// no time limit, since that would test the machine.
//
//	LASCA_FLOOD=1 go test -run TestOnePersonWhoFloods -v ./bot
func TestOnePersonWhoFloodsHoldsUpNobody(t *testing.T) {
	if os.Getenv("LASCA_FLOOD") == "" {
		t.Skip("set LASCA_FLOOD=1 to flood: it would hold up the other tests")
	}
	w := worldOn(t, memstore.New(), 1500*time.Millisecond, func(w *world) { w.messages = 100_000 })
	cleo := w.stranger()
	over := w.typed(cleo, "/lasca play level:1 colour:white")
	over = w.moved(cleo, over, "c3", "b4") // a film and a review need a move
	sure := w.click(cleo, over, "Resign")
	w.click(cleo, sure, "Yes, resign")
	over = w.until(cleo, over, "resigned")
	other := w.typed(cleo, "/lasca play level:1 colour:white")

	const presses, hands = 80, 200 // more presses would take more games than people may begin at once
	quiet, ok := w.timedGame(presses)
	if !ok {
		t.Fatal("a press was not answered without a flood")
	}

	ctx, stop := context.WithCancel(w.ctx)
	var flood sync.WaitGroup
	var pressed atomic.Int64
	var answered atomic.Int64
	begun := make(chan struct{}, 1)
	for n := range hands {
		flood.Go(func() {
			for ctx.Err() == nil {
				// Presses beyond a person's share are dropped; who floods does not wait.
				ctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
				var err error
				switch n % 5 {
				case 0:
					_, err = cleo.ClickLabel(ctx, w.channel, over.ID, "GIF")
				case 1:
					_, err = cleo.ClickLabel(ctx, w.channel, over.ID, "Review")
				case 2:
					_, err = cleo.ClickLabel(ctx, w.channel, other.ID, "Hint")
				case 3:
					_, err = cleo.Type(ctx, w.channel, "/lasca board")
				case 4:
					_, err = cleo.Type(ctx, w.channel, "/lasca privacy export")
				}
				cancel()
				if pressed.Add(1); err == nil {
					answered.Add(1)
				}
				select {
				case begun <- struct{}{}:
				default:
				}
				select { // ten presses a second for each hand
				case <-time.After(100 * time.Millisecond):
				case <-w.ctx.Done():
				}
			}
		})
	}
	<-begun
	flooded, ok := w.timedGame(presses)
	stop()
	flood.Wait()
	if !ok {
		t.Error("a press of somebody else was not answered")
	}
	if answered.Load() == 0 {
		t.Error("not one press of the flood was answered: this tests nothing")
	}
	t.Logf("others waited p50 %v, p99 %v; with %d presses of a flood p50 %v, p99 %v",
		quantile(quiet, 50), quantile(quiet, 99), pressed.Load(), quantile(flooded, 50), quantile(flooded, 99))
}

// timedGame has Ann and Ben make presses in a game of theirs, the first that is
// offered. It returns how long each took to be answered, and whether all were.
func (w *world) timedGame(presses int) (took []time.Duration, ok bool) {
	w.t.Helper()
	timed := func(what string, do func() error) bool {
		begin := time.Now()
		err := do()
		took = append(took, time.Since(begin))
		if err != nil {
			w.t.Logf("%s: %v", what, err)
		}
		return err == nil
	}
	board := w.duel()
	for len(took) < presses {
		board = w.see(w.ann, board)
		who := w.ann
		if asks(board, w.ben) {
			who = w.ben
		}
		moves := moveLabels(board)
		if slices.ContainsFunc(moves, func(l string) bool { return strings.Contains(l, "Rematch") }) || len(moves) == 0 {
			board = w.duel()
			continue
		}
		if !timed(fmt.Sprintf("press %q", moves[0]), func() error {
			_, err := who.ClickLabel(w.ctx, board.ChannelID, board.ID, moves[0])
			return err
		}) {
			return took, false
		}
	}
	return took, true
}
