package discordsim_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestTheBotFindsItselfAndItsGuilds(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	for path, want := range map[string]string{"/applications/@me": w.sim.ApplicationID(), "/guilds/" + w.guild: w.guild} {
		if status, out := w.rest("GET", path, nil); status != 200 || out["id"] != want {
			t.Errorf("%s: %d %v, want ID %s", path, status, out, want)
		}
	}
	if _, out := w.rest("GET", "/users/@me/guilds", nil); len(out["list"].([]any)) != 1 || out["list"].([]any)[0].(obj)["id"] != w.guild {
		t.Errorf("guilds: %v", out)
	}
	if status, out := w.rest("GET", "/guilds/1", nil); status != 404 || code(out) != 10004 {
		t.Errorf("an unknown guild: %d %v, want 10004", status, out)
	}
	w.sim.Leave(w.guild, w.sim.BotID())
	if status, out := w.rest("GET", "/guilds/"+w.guild, nil); status != 403 || code(out) != 50001 {
		t.Errorf("a guild it left: %d %v, want 50001", status, out)
	}
	w.clean()
}

func TestGuildsComeInPages(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	all := []string{w.guild}
	for range 201 {
		all = append(all, w.sim.AddGuild("Another", ""))
	}
	w.sim.Leave(all[1], w.sim.BotID())
	all = slices.Delete(all, 1, 2)
	w.sim.SetOutage(all[2], true) // it stays in the list
	list := func(query string) (ids []string) {
		t.Helper()
		status, out := w.rest("GET", "/users/@me/guilds"+query, nil)
		if status != 200 {
			t.Fatalf("%s: %d %v", query, status, out)
		}
		for _, g := range out["list"].([]any) {
			ids = append(ids, g.(obj)["id"].(string))
		}
		return ids
	}
	for query, want := range map[string][]string{
		"":                             all[:200],
		"?limit=200&after=0":           all[:200],
		"?limit=200&after=" + all[199]: all[200:],
		"?after=" + all[200]:           nil,
		"?limit=2&after=" + all[5]:     all[6:8],
		"?limit=2&before=" + all[5]:    all[3:5],
		"?limit=1&with_counts=false":   all[:1],
		"?limit=9&after=" + all[197]:   all[198:],
	} {
		if got := list(query); !slices.Equal(got, want) {
			t.Errorf("%q: %d guilds, want %d", query, len(got), len(want))
		}
	}
	w.clean()
	for _, query := range []string{"?limit=0", "?limit=201", "?limit=x", "?limit=", "?after=x", "?before=-1"} {
		if status, out := w.rest("GET", "/users/@me/guilds"+query, nil); status != 400 || code(out) != 50035 {
			t.Errorf("%s: %d %v, want 50035", query, status, out)
		}
	}
	if n := len(w.sim.Violations()); n != 6 {
		t.Errorf("%d violations, want one for each bad query", n)
	}
}

func TestNobodyCanDoAnythingInAHiddenChannel(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	thread := w.sim.AddThread(w.general, "game")
	w.sim.SetChannelPermissions(w.general, w.ben, discordsim.SendMessages)
	for _, channel := range []string{w.general, thread, w.sim.As(w.ann).OpenDM(), "unknown"} {
		if p := w.sim.Permissions(channel, w.ben); p != 0 {
			t.Errorf("in %s Ben has %b", channel, p)
		}
	}
	w.sim.SetMemberPermissions(w.guild, w.ben, discordsim.Administrator)
	if p := w.sim.Permissions(w.general, w.ben); !p.Has(discordsim.ViewChannel | discordsim.SendMessages) {
		t.Errorf("an administrator has %b", p)
	}
}

func TestRequestsAreLogged(t *testing.T) {
	w := newWorld(t, discordsim.Options{MaxRequests: 2})
	w.rest("GET", "/applications/@me", nil)
	id := w.send(w.general, obj{"content": "x", "attachments": []obj{{"id": 0, "description": "p"}}}, file{"p.png", "image/png", picture(t)})
	w.rest("PATCH", "/api/v9/channels/"+w.general+"/messages/"+id, obj{"content": "y", "allowed_mentions": quiet})
	log := w.sim.Requests()
	if len(log) != 2 {
		t.Fatalf("%d requests, want the newest 2", len(log))
	}
	post, patch := log[0], log[1]
	var body obj
	if json.Unmarshal(post.Body, &body) != nil || body["content"] != "x" || post.Route != "POST /channels/{channel_id}/messages" || post.Status != 200 || post.N != 2 {
		t.Errorf("POST: %+v", post)
	}
	if len(post.Files) != 1 || post.Files[0].Filename != "p.png" || post.Files[0].Field != "files[0]" || post.Files[0].Size == 0 {
		t.Errorf("files: %+v", post.Files)
	}
	if patch.Route != "PATCH /channels/{channel_id}/messages/{message_id}" || patch.Version != 9 || patch.Path != "/api/v9/channels/"+w.general+"/messages/"+id {
		t.Errorf("PATCH: %+v", patch)
	}
}

func TestRequestedFaults(t *testing.T) {
	send := func(w *world) (int, obj) {
		return w.rest("POST", "/channels/"+w.general+"/messages", obj{"content": "x", "allowed_mentions": quiet})
	}
	count := func(w *world) int { return len(w.sim.Messages("", w.general)) }
	cases := []struct {
		name   string
		fault  discordsim.Fault
		status int
		posted int
		check  func(t *testing.T, out obj)
	}{
		{"429 of the route", discordsim.Fault{Status: 429, RetryAfter: 1500 * time.Millisecond}, 429, 0, func(t *testing.T, out obj) {
			h := out["header"].(http.Header)
			if out["retry_after"] != 1.5 || out["global"] != false || h.Get("X-RateLimit-Scope") != "user" || h.Get("Retry-After") != "2" {
				t.Errorf("%v", out)
			}
		}},
		{"global 429", discordsim.Fault{Status: 429, RetryAfter: time.Second, Scope: "global"}, 429, 0, func(t *testing.T, out obj) {
			if out["global"] != true || out["header"].(http.Header).Get("X-RateLimit-Global") != "true" {
				t.Errorf("%v", out)
			}
		}},
		{"429 as a web page", discordsim.Fault{Status: 429, HTML: true}, 429, 0, func(t *testing.T, out obj) {
			if !strings.HasPrefix(out["text"].(string), "<!DOCTYPE") {
				t.Errorf("%v", out)
			}
		}},
		{"502", discordsim.Fault{Status: 502}, 502, 0, nil},
		{"404 with a code", discordsim.Fault{Status: 404, Code: 10015, Message: "Unknown Webhook"}, 404, 0, func(t *testing.T, out obj) {
			if code(out) != 10015 {
				t.Errorf("%v", out)
			}
		}},
		{"dropped before", discordsim.Fault{DropBefore: true}, 0, 0, nil},
		{"dropped after", discordsim.Fault{DropAfter: true}, 0, 1, nil},
		{"late", discordsim.Fault{Delay: time.Millisecond}, 200, 1, nil},
		{"held back", discordsim.Fault{Hold: time.Millisecond}, 200, 1, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, discordsim.Options{})
			w.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
				if r.Route != "POST /channels/{channel_id}/messages" || len(r.Body) == 0 {
					t.Errorf("asked about %+v", r)
				}
				return &c.fault
			})
			status, out := send(w)
			if status != c.status || count(w) != c.posted {
				t.Errorf("status %d with %d messages, want %d with %d", status, count(w), c.status, c.posted)
			}
			if c.check != nil {
				c.check(t, out)
			}
			if r := w.sim.Requests()[0]; r.Status != c.status || r.Dropped != (c.status == 0) {
				t.Errorf("logged as %d, dropped %v", r.Status, r.Dropped)
			}
			w.sim.SetFault(nil)
			if status, _ := send(w); status != 200 {
				t.Errorf("afterwards: %d", status)
			}
			w.clean()
		})
	}
}

func TestALostWayBackLeavesTheWork(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	w := newWorld(t, discordsim.Options{Clock: clock})
	w.sim.SetFault(func(*discordsim.Request) *discordsim.Fault {
		return &discordsim.Fault{Delay: 2 * time.Second, DropFirst: true}
	})
	posted := func() int { return len(w.sim.Messages("", w.general)) }
	if status, _ := w.rest("POST", "/channels/"+w.general+"/messages", obj{"content": "x", "allowed_mentions": quiet}); status != 0 || posted() != 0 {
		t.Errorf("status %d with %d messages", status, posted())
	}
	clock.Advance(2 * time.Second)
	if posted() != 1 {
		t.Errorf("%d messages afterwards", posted())
	}
	w.clean()
}

func TestRateLimits(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	w := newWorld(t, discordsim.Options{Clock: clock, RouteLimit: 2, RouteWindow: 5 * time.Second, GlobalLimit: 3})
	get := func(path string) (int, obj) { return w.rest("GET", path, nil) }
	_, out := get("/guilds/" + w.guild)
	h := out["header"].(http.Header)
	if h.Get("X-RateLimit-Limit") != "2" || h.Get("X-RateLimit-Remaining") != "1" || h.Get("X-RateLimit-Reset-After") != "5.000" || h.Get("X-RateLimit-Bucket") == "" {
		t.Errorf("headers %v", h)
	}
	get("/guilds/" + w.guild)
	if status, out := get("/guilds/" + w.guild); status != 429 || out["global"] != false || out["retry_after"] != 5.0 {
		t.Errorf("third on a route: %d %v", status, out)
	}
	if status, out := get("/applications/@me"); status != 429 || out["global"] != true {
		t.Errorf("fourth in a second: %d %v", status, out)
	}
	clock.Advance(time.Second)
	if status, _ := get("/applications/@me"); status != 200 {
		t.Errorf("another route a second later: %d", status)
	}
	clock.Advance(5 * time.Second)
	if status, _ := get("/guilds/" + w.guild); status != 200 {
		t.Errorf("the route after its window: %d", status)
	}
	w.clean()
}

func TestFilesAreServedHarmlessly(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	id := w.send(w.general, obj{"content": "x"}, file{"page.html", "text/html", []byte("<script>alert(1)</script>")})
	m, _ := w.sim.Message("", w.general, id)
	resp, err := http.Get(w.srv.URL + m.Attachments[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != 200 || resp.Header.Get("Content-Security-Policy") == "" || resp.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
	if resp, _ := http.Get(w.srv.URL + "/attachments/1/2/x.png"); resp.StatusCode != 404 {
		t.Errorf("unknown file: %d", resp.StatusCode)
	}
}
