package discordsim_test

import (
	"encoding/json"
	"testing"

	"github.com/lascabot/lascabot/bot/internal/openapicheck"
)

// held compares the requests that succeeded on some routes ("POST /users/@me/channels"),
// and their answers, with Discord's own description, where the machine has it.
func (w *world) held(t *testing.T, routes ...string) {
	t.Helper()
	c, ok := openapicheck.Find(t)
	if !ok {
		t.Log("Discord's openapi.json was not found, so the bodies were not checked")
		return
	}
	seen := map[string]bool{}
	for _, r := range w.sim.Requests() {
		if r.Status < 200 || r.Status > 299 {
			continue
		}
		seen[r.Route] = true
		for _, route := range routes {
			if r.Route != route {
				continue
			}
			if err := c.Check(r.Method, r.Path, r.Body); err != nil {
				t.Errorf("%v in %s", err, r.Body)
			}
			if err := c.CheckAnswer(r.Method, r.Path, r.Status, apart(t, c, r.Response)); err != nil {
				t.Errorf("%v in %s", err, r.Response)
			}
		}
	}
	for _, route := range routes {
		if !seen[route] {
			t.Errorf("no request to %s succeeded", route)
		}
	}
}

// apart takes the message out of the answer to a new forum post and checks it alone:
// Discord's document does not know it there, but its written documentation does.
func apart(t *testing.T, c *openapicheck.Checker, answer []byte) []byte {
	t.Helper()
	var post struct {
		ID      string          `json:"id"`
		Thread  json.RawMessage `json:"thread_metadata"`
		Message json.RawMessage `json:"message"`
	}
	if json.Unmarshal(answer, &post) != nil || post.Thread == nil || post.Message == nil {
		return answer
	}
	if err := c.CheckAnswer("GET", "/channels/"+post.ID+"/messages/"+post.ID, 200, post.Message); err != nil {
		t.Errorf("%v in %s", err, post.Message)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(answer, &fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, "message")
	rest, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return rest
}
