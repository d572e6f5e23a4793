package discordsim_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestSubscribersReceiveEveryChange(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	ctx, cancel := context.WithCancel(w.ctx)
	events := w.sim.Subscribe(ctx)
	id := w.send(w.general, obj{"content": "<@" + w.ann + ">", "allowed_mentions": obj{"users": []string{w.ann}}})
	w.rest("PATCH", "/channels/"+w.general+"/messages/"+id, obj{"content": "y", "allowed_mentions": quiet})
	w.rest("DELETE", "/channels/"+w.general+"/messages/"+id, nil)
	var got []string
	last := uint64(0)
	for range 4 {
		e := <-events
		if e.Seq <= last || e.MessageID != id {
			t.Errorf("event %+v after %d", e, last)
		}
		last = e.Seq
		got = append(got, string(e.Kind)+" "+e.UserID)
	}
	if d := cmp.Diff([]string{"message_create ", "mention " + w.ann, "message_update ", "message_delete "}, got); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
	cancel()
	for range events {
	}
}

func TestASlowSubscriberGetsOneResync(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	events := w.sim.Subscribe(w.ctx)
	for i := range 2000 {
		if _, err := w.sim.As(w.ann).Say(w.ctx, w.general, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for e := range events {
		n++
		if e.Kind == discordsim.EventResync {
			break
		}
	}
	if n > 1100 {
		t.Errorf("%d events before the resync; the backlog is not bounded", n)
	}
}

func TestWaitForSeesEveryChange(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	done := make(chan error, 1)
	go func() {
		done <- w.sim.WaitFor(w.ctx, func(s *discordsim.Server) bool { return len(s.Messages("", w.general)) == 3 })
	}()
	for range 3 {
		w.send(w.general, obj{"content": "x"})
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	if err := w.sim.WaitFor(ctx, func(*discordsim.Server) bool { return false }); err != context.Canceled {
		t.Errorf("err = %v, want Canceled", err)
	}
}

func TestTranscript(t *testing.T) {
	w, _ := posted(t, discordsim.Options{})
	w.register(lasca)
	w.bot(func(i obj) {
		w.callback(i, 4, obj{"content": "<@" + w.ben + "> your move", "allowed_mentions": obj{"users": []string{w.ben}},
			"attachments": []obj{{"id": 0, "description": "White to move"}}}, file{"b.png", "image/png", picture(t)})
	})
	if _, err := w.sim.As(w.ann).Say(w.ctx, w.general, "hello\nthere"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.sim.As(w.ann).Type(w.ctx, w.general, "/lasca play level:2"); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimPrefix(`
# general
lasca: board
  [Go] [Off: disabled] [💡]
  [menu : A | B | C]
ann: hello
  there
lasca, answering ann's /lasca play: @ben your move (pings ben)
  [picture 4×3: White to move]
`, "\n")
	if d := cmp.Diff(want, w.sim.Transcript(w.general)); d != "" {
		t.Errorf("transcript (-want +got):\n%s", d)
	}
	w.clean()
}

func TestManualClockRunsTimersInOrder(t *testing.T) {
	c := discordsim.NewManualClock(start)
	var got []string
	note := func(s string) func() {
		return func() { got = append(got, fmt.Sprint(s, c.Now().Sub(start))) }
	}
	c.AfterFunc(3*time.Second, note("c"))
	c.AfterFunc(time.Second, func() { note("a")(); c.AfterFunc(time.Second, note("b")) })
	stopped := c.AfterFunc(2*time.Second, note("never"))
	if !stopped.Stop() || stopped.Stop() {
		t.Error("Stop does not report whether it stopped the timer")
	}
	c.Advance(10 * time.Second)
	if d := cmp.Diff([]string{"a1s", "b2s", "c3s"}, got); d != "" || c.Now() != start.Add(10*time.Second) {
		t.Errorf("timers (-want +got), now %v:\n%s", c.Now(), d)
	}
}
