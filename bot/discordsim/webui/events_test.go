package webui_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// events opens a user's stream and returns its changes; the channel is closed with the test.
func (w *world) events(as string) <-chan map[string]any {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w.t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.page.URL+"/api/events?as="+as, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	response, err := w.page.Client().Do(request)
	if err != nil {
		w.t.Fatal(err)
	}
	if got := response.Header.Get("Content-Type"); got != "text/event-stream" {
		w.t.Fatalf("Content-Type %q", got)
	}
	lines := bufio.NewScanner(response.Body)
	lines.Scan() // "retry: …"
	if lines.Scan(); lines.Text() != "event: ready" {
		w.t.Fatalf("the stream begins with %q", lines.Text())
	}
	changes := make(chan map[string]any, 100)
	go func() {
		defer close(changes)
		defer response.Body.Close()
		name := "ready"
		for lines.Scan() {
			if event, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				name = event
			}
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && name == "change" {
				var change map[string]any
				if json.Unmarshal([]byte(data), &change) == nil {
					changes <- change
				}
			}
		}
	}()
	return changes
}

// next waits for a change of a kind, passing over others.
func next(t *testing.T, changes <-chan map[string]any, kind string) map[string]any {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case change, open := <-changes:
			if !open {
				t.Fatalf("the stream ended before a change %q", kind)
			}
			if change["kind"] == kind {
				return change
			}
		case <-limit:
			t.Fatalf("no change %q", kind)
		}
	}
}

func TestWhatIsSaidReachesEveryTab(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	ben, cleo := w.events("ben"), w.events("cleo")
	said := w.json(http.MethodPost, "/api/say?as=ann", map[string]string{"channel": w.board, "text": "Hello <@" + w.ben + ">"})
	message := said["messages"].([]any)[0].(map[string]any)
	for name, changes := range map[string]<-chan map[string]any{"ben": ben, "cleo": cleo} {
		change := next(t, changes, "message")
		seen := change["message"].(map[string]any)
		seen["revision"] = message["revision"] // of each reading
		if diff := cmp.Diff(message, seen); diff != "" {
			t.Errorf("%s (-said +seen):\n%s", name, diff)
		}
		if change["fresh"] != true || change["channel"] != w.board {
			t.Errorf("%s: %v", name, change)
		}
	}
	if change := next(t, ben, "mention"); change["id"] != message["id"] {
		t.Errorf("Ben receives %v", change)
	}
	// Cleo's next change is another message, so the mention was not hers.
	w.json(http.MethodPost, "/api/say?as=ann", map[string]string{"channel": w.other, "text": "second"})
	if change := <-cleo; change["kind"] != "message" {
		t.Errorf("Cleo receives %v", change)
	}
	state := w.json(http.MethodGet, "/api/state?as=ben", nil)["channels"].([]any)[0].(map[string]any)
	if diff := cmp.Diff([]any{message["id"]}, state["mentions"]); diff != "" {
		t.Errorf("mentions (-want +got):\n%s", diff)
	}
}

func TestALaterReadingHasAHigherRevision(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	said := w.json(http.MethodPost, "/api/say?as=ann", map[string]string{"channel": w.board, "text": "one"})["messages"].([]any)[0].(map[string]any)
	listed := w.json(http.MethodGet, "/api/messages?as=ben&channel="+w.board, nil)
	message := listed["messages"].([]any)[0].(map[string]any)
	if said["revision"].(float64) >= message["revision"].(float64) || message["revision"] != listed["revision"] {
		t.Errorf("said at %v, listed at %v, the message in it at %v", said["revision"], listed["revision"], message["revision"])
	}
}

func TestPrivateAnswersAreSeenByTheirOwnerUntilDismissed(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.connect().answers(func(interaction) (int, map[string]any) {
		return 4, map[string]any{"content": "psst", "flags": 64, "allowed_mentions": quiet()}
	})
	ben := w.events("ben")
	reply := w.json(http.MethodPost, "/api/command?as=ann", map[string]any{"channel": w.board, "command": "lasca play"})
	message := reply["messages"].([]any)[0].(map[string]any)
	if message["private"] != true {
		t.Errorf("answer %v", message)
	}
	seen := func(as string) int {
		return len(w.json(http.MethodGet, "/api/messages?as="+as+"&channel="+w.board, nil)["messages"].([]any))
	}
	if seen("ann") != 1 || seen("ben") != 0 {
		t.Errorf("Ann sees %d messages, Ben %d", seen("ann"), seen("ben"))
	}
	w.json(http.MethodPost, "/api/say?as=cleo", map[string]string{"channel": w.board, "text": "public"})
	if change := next(t, ben, "message"); change["message"].(map[string]any)["content"] != "public" {
		t.Errorf("Ben is sent %v", change)
	}
	body := map[string]any{"channel": w.board, "message": message["id"]}
	if status, _ := w.code(http.MethodPost, "/api/dismiss?as=ben", body); status < 400 {
		t.Error("Ben dismissed Ann's private message")
	}
	w.json(http.MethodPost, "/api/dismiss?as=ann", body)
	if seen("ann") != 1 { // the public one
		t.Errorf("after dismissing Ann sees %d messages", seen("ann"))
	}
}
