package discordsim_test

import (
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
			if err := c.CheckAnswer(r.Method, r.Path, r.Status, r.Response); err != nil {
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
