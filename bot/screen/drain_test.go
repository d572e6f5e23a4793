package screen

import (
	"context"
	"runtime"
	"slices"
	"testing"

	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/storage"
)

// slowStrip is a poster whose changes of old messages take until release is closed.
type slowStrip struct {
	*bench
	entered, release chan struct{}
}

func (s slowStrip) EditText(ctx context.Context, channel, message string, m view.Message) error {
	close(s.entered)
	<-s.release
	return s.bench.EditText(ctx, channel, message, m)
}

func TestAStopWaitsForARefreshThatAMessageBeingReplacedHolds(t *testing.T) {
	b := newBench(t)
	s := slowStrip{b, make(chan struct{}), make(chan struct{})}
	b.opt.Poster = s
	tried := make(chan struct{}, 10)
	b.opt.Refreshed = func(error) { tried <- struct{}{} }
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = b.Run(ctx, b)
	}()
	b.Retire("9", "en", storage.Screen{Channel: "8", Message: "4"})
	<-s.entered
	b.Refresh("9")
	<-tried // and has found the screen held
	for b.Waiting() > 1 {
		runtime.Gosched()
	}
	if b.Waiting() != 1 {
		t.Error("a stop would not wait for it")
	}
	close(s.release)
	b.Drain(ctx)
	b.mu.Lock()
	calls := slices.Clone(b.calls)
	b.mu.Unlock()
	if !slices.Contains(calls, "edit 5") {
		t.Errorf("calls %q", calls)
	}
	cancel()
	<-done
}
