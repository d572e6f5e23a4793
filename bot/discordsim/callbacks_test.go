package discordsim_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestFirstAnswerWithinThreeSeconds(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	w, id := posted(t, discordsim.Options{Clock: clock})
	arrived := make(chan obj, 1)
	w.bot(func(i obj) { arrived <- i })
	result := make(chan error, 1)
	go func() {
		_, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go")
		result <- err
	}()
	i := <-arrived
	clock.Advance(2999 * time.Millisecond)
	w.clean() // there is time left
	clock.Advance(2 * time.Millisecond)
	if err := <-result; !errors.Is(err, discordsim.ErrNoAnswer) {
		t.Errorf("err = %v, want ErrNoAnswer", err)
	}
	if status, out := w.callback(i, 6, nil); status != 404 || code(out) != 10062 {
		t.Errorf("late answer: %d %v, want 404 with 10062", status, out)
	}
	w.violated("no first answer within 3s")
	w.violated("10062")
}

func TestOnlyOneFirstAnswer(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	second := make(chan int, 1)
	w.bot(func(i obj) {
		w.callback(i, 6, nil)
		_, out := w.callback(i, 6, nil)
		second <- code(out)
	})
	if _, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go"); err != nil {
		t.Fatal(err)
	}
	if c := <-second; c != 40060 {
		t.Errorf("second answer: code %d, want 40060", c)
	}
	w.violated("40060")
}

func TestAnswersThatDoNotFitTheInteraction(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	w.register(lasca)
	var typ int
	var data any
	var status int
	var out obj
	w.bot(func(i obj) {
		status, out = w.callback(i, typ, data)
		if status >= 400 { // so that the person does not wait
			if i["type"] == 4.0 {
				w.callback(i, 8, obj{"choices": []obj{}})
			} else {
				w.callback(i, 5, nil)
			}
		}
	})
	ann := w.sim.As(w.ann)
	slash := func() { ann.Type(w.ctx, w.general, "/lasca play level:1") }
	click := func() { ann.Click(w.ctx, w.general, id, "go") }
	auto := func() { ann.Autocomplete(w.ctx, w.general, "/lasca move move:c") }
	for _, c := range []struct {
		name string
		do   func()
		typ  int
		data any
	}{
		{"update of a command", slash, 7, obj{"content": "x", "allowed_mentions": quiet}},
		{"deferred update of a command", slash, 6, nil},
		{"choices for a command", slash, 8, obj{"choices": []obj{}}},
		{"choices for a button", click, 8, obj{"choices": []obj{}}},
		{"message for an autocomplete", auto, 4, obj{"content": "x", "allowed_mentions": quiet}},
	} {
		typ, data = c.typ, c.data
		c.do()
		if status != 400 || code(out) != 50035 || out["errors"] == nil {
			t.Errorf("%s: %d %v, want 400 with 50035 and errors", c.name, status, out)
		}
	}
}

// TestAnInteractionWithoutABotIsNotAViolation: an interaction that no bot could answer is not a
// violation.
func TestAnInteractionWithoutABotIsNotAViolation(t *testing.T) {
	w, id := posted(t, discordsim.Options{AckWithin: time.Millisecond})
	if _, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go"); !errors.Is(err, discordsim.ErrNoAnswer) {
		t.Errorf("err = %v, want ErrNoAnswer", err)
	}
	w.clean()
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	if _, err := w.sim.As(w.ann).Click(ctx, w.general, id, "go"); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want Canceled", err)
	}
}

func TestDeferredAnswer(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	w := newWorld(t, discordsim.Options{Clock: clock})
	w.register(lasca)
	tokens := make(chan string, 10)
	flags := 0
	w.bot(func(i obj) {
		w.callback(i, 5, obj{"flags": flags})
		tokens <- i["token"].(string)
	})
	play := func() (*discordsim.Reply, string) {
		t.Helper()
		r, err := w.sim.As(w.ann).Type(w.ctx, w.general, "/lasca play level:1")
		if err != nil || r.Kind != discordsim.ReplyDeferred {
			t.Fatalf("%+v, %v", r, err)
		}
		return r, "/webhooks/" + w.sim.ApplicationID() + "/" + <-tokens
	}
	r, hook := play()
	if m, _ := w.sim.Message("", w.general, r.MessageID); !m.Loading {
		t.Error("the deferred message does not show as thinking")
	}
	status, out := w.rest("PATCH", hook+"/messages/@original", obj{"content": "done <@" + w.ben + ">", "allowed_mentions": obj{"users": []string{w.ben}}})
	if status != 200 || out["id"] != r.MessageID {
		t.Fatalf("%d %v", status, out)
	}
	m, _ := w.sim.Message("", w.general, r.MessageID)
	if m.Loading || m.Content != "done <@"+w.ben+">" || !m.EditedAt.IsZero() || !slices.Equal(m.Pings, []string{w.ben}) {
		t.Errorf("after the answer: %+v", m)
	}
	if status, out := w.rest("POST", hook, obj{"content": "more", "allowed_mentions": quiet}); status != 200 || out["id"] == r.MessageID {
		t.Errorf("follow-up: %d %v", status, out)
	}

	flags = 64
	r, hook = play()
	if !r.Ephemeral || len(w.sim.Messages(w.ben, w.general)) != 2 || len(w.sim.Messages(w.ann, w.general)) != 3 {
		t.Errorf("an ephemeral answer is seen by others: %+v", r)
	}
	if status, out := w.rest("POST", hook, obj{"content": "first", "allowed_mentions": quiet}); status != 200 || out["id"] != r.MessageID {
		t.Errorf("the first follow-up does not take the place of thinking: %d %v", status, out)
	}
	if status, out := w.rest("GET", hook+"/messages/@original", nil); status != 200 || out["content"] != "first" {
		t.Errorf("GET @original: %d %v", status, out)
	}
	w.clean()
	if status, out := w.rest("PATCH", "/channels/"+w.general+"/messages/"+r.MessageID, obj{"content": "x", "allowed_mentions": quiet}); status != 404 || code(out) != 10008 {
		t.Errorf("an ephemeral message by its channel: %d %v, want 10008", status, out)
	}
	w.violated("ephemeral")

	clock.Advance(15*time.Minute + time.Second)
	if status, out := w.rest("PATCH", hook+"/messages/@original", obj{"content": "late", "allowed_mentions": quiet}); status != 401 || code(out) != 50027 {
		t.Errorf("an old token: %d %v, want 401 with 50027", status, out)
	}
	if status, out := w.rest("PATCH", "/webhooks/"+w.sim.ApplicationID()+"/nonsense/messages/@original", obj{"content": "late", "allowed_mentions": quiet}); status != 404 || code(out) != 10015 {
		t.Errorf("an unknown token: %d %v, want 10015", status, out)
	}
	r, _ = play()
	clock.Advance(15 * time.Minute)
	if m, _ := w.sim.Message(w.ann, w.general, r.MessageID); m.Loading || !m.Failed {
		t.Errorf("a deferred answer that never came: %+v", m)
	}
	w.violated("never completed")
}

func TestWebhookReachesOnlyItsOwnMessages(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	hooks := make(chan string, 1)
	w.bot(func(i obj) {
		w.callback(i, 4, obj{"content": "private", "flags": 64, "allowed_mentions": quiet})
		hooks <- "/webhooks/" + w.sim.ApplicationID() + "/" + i["token"].(string) + "/messages/"
	})
	r, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go")
	if err != nil {
		t.Fatal(err)
	}
	hook := <-hooks
	if status, out := w.rest("PATCH", hook+r.MessageID, obj{"content": "changed", "allowed_mentions": quiet}); status != 200 || out["flags"] != 64.0 {
		t.Errorf("own message: %d %v", status, out)
	}
	if status, out := w.rest("PATCH", hook+id, obj{"content": "changed", "allowed_mentions": quiet}); status != 404 || code(out) != 10008 {
		t.Errorf("another message: %d %v, want 10008", status, out)
	}
	if status, _ := w.rest("DELETE", hook+"@original", nil); status != 204 {
		t.Errorf("DELETE: %d", status)
	}
	if _, ok := w.sim.Message(w.ann, w.general, r.MessageID); ok {
		t.Error("the deleted message is still there")
	}
}

// TestOriginalIsThePressedMessage: after a deferred update, @original is the
// message that carries the button.
func TestOriginalIsThePressedMessage(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	hooks := make(chan string, 1)
	w.bot(func(i obj) {
		w.callback(i, 6, nil)
		hooks <- "/webhooks/" + w.sim.ApplicationID() + "/" + i["token"].(string) + "/messages/@original"
	})
	if _, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go"); err != nil {
		t.Fatal(err)
	}
	if status, out := w.rest("PATCH", <-hooks, obj{"content": "moved", "allowed_mentions": quiet}); status != 200 || out["id"] != id {
		t.Errorf("%d %v, want an edit of %s", status, out, id)
	}
	if m, _ := w.sim.Message("", w.general, id); m.Content != "moved" || m.EditedAt.IsZero() {
		t.Errorf("the message: %+v", m)
	}
	w.clean()
}

// TestASpoiltAnswerIsExcused: when a requested fault stands in the way of the
// first answer, the bot is blamed neither for its absence nor for a second one.
func TestASpoiltAnswerIsExcused(t *testing.T) {
	for _, fault := range []discordsim.Fault{{Status: 502}, {DropAfter: true}} {
		clock := discordsim.NewManualClock(start)
		w, id := posted(t, discordsim.Options{Clock: clock})
		arrived := make(chan obj, 1)
		w.bot(func(i obj) { arrived <- i })
		result := make(chan error, 1)
		go func() {
			_, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go")
			result <- err
		}()
		i := <-arrived
		w.sim.SetFault(func(*discordsim.Request) *discordsim.Fault { return &fault })
		w.callback(i, 6, nil)
		w.sim.SetFault(nil)
		clock.Advance(4 * time.Second)
		if err := <-result; fault.DropAfter != (err == nil) {
			t.Errorf("%+v: %v", fault, err)
		}
		want := 10062
		if fault.DropAfter {
			want = 40060 // the first answer did get through
		}
		if status, out := w.callback(i, 6, nil); code(out) != want {
			t.Errorf("%+v: a second answer: %d %v, want %d", fault, status, out, want)
		}
		w.clean()
	}
}
