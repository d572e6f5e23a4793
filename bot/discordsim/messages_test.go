package discordsim_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// TestRefusedBodies checks what becomes of a body that breaks a limit: Discord's
// error with the places of the mistakes, a violation, and nothing in the world.
// The limits themselves are tested in package check.
func TestRefusedBodies(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	six := make([]obj, 6)
	for i := range six {
		six[i] = button(fmt.Sprint("b", i), "x")
	}
	status, out := w.rest("POST", "/channels/"+w.general+"/messages", obj{"content": strings.Repeat("ü", 2001), "components": row(six...), "allowed_mentions": quiet})
	if status != 400 || code(out) != 50035 || out["message"] != "Invalid Form Body" {
		t.Fatalf("%d %v, want 400 with 50035", status, out)
	}
	want := obj{
		"content": obj{"_errors": []any{obj{"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 2000 or fewer in length."}}},
		"components": obj{"0": obj{"components": obj{"_errors": []any{
			obj{"code": "BASE_TYPE_BAD_LENGTH", "message": "Must be between 1 and 5 in length."}}}}},
	}
	if d := cmp.Diff(want, out["errors"]); d != "" {
		t.Errorf("errors (-want +got):\n%s", d)
	}
	w.violated("POST /channels/{channel_id}/messages: content: Must be 2000")
	w.violated("components.0.components: Must be between 1 and 5")
	if n := len(w.sim.Messages("", w.general)); n != 0 {
		t.Errorf("%d messages were posted", n)
	}

	status, out = w.rest("PUT", "/applications/"+w.sim.ApplicationID()+"/commands", []obj{{"name": "Lasca", "description": "x"}})
	if status != 400 || code(out) != 50035 {
		t.Errorf("a bad command: %d %v, want 400 with 50035", status, out)
	}
	w.violated("0.name: Command name is invalid")
	if len(w.sim.Commands("")) != 0 {
		t.Error("the command was registered")
	}
}

// TestMistakesInTheRequest has the mistakes that are not about a field, and those
// that Discord lets pass.
func TestMistakesInTheRequest(t *testing.T) {
	messages := func(w *world) string { return "/channels/" + w.general + "/messages" }
	cases := []struct {
		name   string
		do     func(w *world) (int, obj)
		status int
		code   int
		want   string
	}{
		{"empty message", func(w *world) (int, obj) {
			return w.rest("POST", messages(w), obj{"content": " ", "allowed_mentions": quiet})
		}, 400, 50006, "50006"},
		{"unknown route", func(w *world) (int, obj) { return w.rest("GET", "/channels/1/pins", nil) }, 404, 0, "404"},
		{"unknown version", func(w *world) (int, obj) { return w.rest("GET", "/api/v6/gateway", nil) }, 404, 0, "404"},
		{"unknown path outside the API", func(w *world) (int, obj) {
			resp, err := http.Get(w.srv.URL + "/favicon.ico")
			if err != nil {
				return 0, nil
			}
			return resp.StatusCode, nil
		}, 404, 0, "no such route"},
		{"wrong method", func(w *world) (int, obj) { return w.rest("PUT", messages(w), obj{}) }, 405, 0, "405"},
		{"no JSON", func(w *world) (int, obj) { return w.rest("POST", messages(w), "{") }, 400, 50109, "50109"},
		{"two JSON values", func(w *world) (int, obj) { return w.rest("POST", messages(w), "{}{}") }, 400, 50109, "50109"},
		{"a list instead of an object", func(w *world) (int, obj) { return w.rest("POST", messages(w), "[]") }, 400, 50035, "dictionaries"},
		{"a field that Discord does not know", func(w *world) (int, obj) {
			return w.rest("POST", messages(w), obj{"content": "x", "conten": "y", "allowed_mentions": quiet})
		}, 200, 0, "unknown field conten"},
		{"file over 10 MiB", func(w *world) (int, obj) {
			return w.rest("POST", messages(w), obj{"allowed_mentions": quiet}, file{"b.bin", "", make([]byte, 10<<20+1)})
		}, 413, 40005, "40005"},
		{"message of somebody else", func(w *world) (int, obj) {
			m, _ := w.sim.As(w.ann).Say(w.ctx, w.general, "mine")
			return w.rest("PATCH", messages(w)+"/"+m.ID, obj{"content": "x", "allowed_mentions": quiet})
		}, 403, 50005, "50005"},
		{"an edit that leaves nothing", func(w *world) (int, obj) {
			id := w.send(w.general, obj{"content": "x"})
			return w.rest("PATCH", messages(w)+"/"+id, obj{"content": "", "allowed_mentions": quiet})
		}, 400, 50006, "50006"},
		{"commands of another application", func(w *world) (int, obj) { return w.rest("GET", "/applications/1/commands", nil) }, 403, 20012, "20012"},
		{"unknown interaction", func(w *world) (int, obj) { return w.rest("POST", "/interactions/1/x/callback", obj{"type": 6}) }, 404, 10062, "10062"},
		{"no user agent", func(w *world) (int, obj) {
			resp, err := http.Get(w.srv.URL + "/api/v10/gateway")
			if err != nil {
				return 0, nil
			}
			return resp.StatusCode, nil
		}, 403, 0, "40333"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, discordsim.Options{})
			status, out := c.do(w)
			if status != c.status || code(out) != c.code {
				t.Errorf("%d %v, want %d with code %d", status, out, c.status, c.code)
			}
			w.violated(c.want)
		})
	}
	t.Run("wrong token", func(t *testing.T) {
		w := newWorld(t, discordsim.Options{BotToken: "other"})
		if status, out := w.rest("GET", "/applications/@me", nil); status != 401 {
			t.Errorf("%d %v, want 401", status, out)
		}
		w.violated("401")
	})
}

// TestRefusalsThatAreNotViolations has the answers that follow from the world.
func TestRefusalsThatAreNotViolations(t *testing.T) {
	cases := []struct {
		name   string
		set    func(w *world) (channel string)
		status int
		code   int
		patch  bool
	}{
		{"channel is hidden", func(w *world) string {
			w.sim.SetChannelPermissions(w.general, w.sim.BotID(), discordsim.SendMessages)
			return w.general
		}, 403, 50001, false},
		{"no permission to write", func(w *world) string {
			w.sim.SetChannelPermissions(w.general, w.sim.BotID(), discordsim.ViewChannel)
			return w.general
		}, 403, 50013, false},
		{"no permission to attach files", func(w *world) string {
			w.sim.SetMemberPermissions(w.guild, w.sim.BotID(), discordsim.DefaultBotPermissions&^discordsim.AttachFiles)
			return w.general
		}, 403, 50013, false},
		{"no permission to write in threads", func(w *world) string {
			th := w.sim.AddThread(w.general, "t")
			w.sim.SetMemberPermissions(w.guild, w.sim.BotID(), discordsim.DefaultBotPermissions&^discordsim.SendMessagesInThreads)
			return th
		}, 403, 50013, false},
		{"bot left the guild", func(w *world) string { w.sim.Leave(w.guild, w.sim.BotID()); return w.general }, 403, 50001, false},
		{"channel is gone", func(w *world) string { w.sim.RemoveChannel(w.general); return w.general }, 404, 10003, false},
		{"locked thread", func(w *world) string {
			th := w.sim.AddThread(w.general, "t")
			w.sim.SetThread(th, false, true)
			return th
		}, 403, 160005, false},
		{"direct messages are closed", func(w *world) string {
			dm := w.sim.As(w.ann).OpenDM()
			w.sim.SetDMClosed(w.ann, true)
			return dm
		}, 403, 50007, false},
		{"edit in an archived thread", func(w *world) string {
			th := w.sim.AddThread(w.general, "t")
			w.send(th, obj{"content": "x"})
			w.sim.SetThread(th, true, false)
			return th
		}, 400, 50083, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, discordsim.Options{})
			ch := c.set(w)
			method, path := "POST", "/channels/"+ch+"/messages"
			if c.patch {
				method, path = "PATCH", path+"/"+w.sim.Messages("", ch)[0].ID
			}
			body := obj{"content": "x", "allowed_mentions": quiet, "attachments": []obj{{"id": 0, "description": "p"}}}
			status, out := w.rest(method, path, body, file{"p.png", "image/png", picture(t)})
			if status != c.status || code(out) != c.code {
				t.Errorf("%d %v, want %d with %d", status, out, c.status, c.code)
			}
			w.clean()
		})
	}
}

func TestWritingReopensAnArchivedThread(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	th := w.sim.AddThread(w.general, "t")
	w.sim.SetThread(th, true, false)
	w.send(th, obj{"content": "x"})
	for _, ch := range w.sim.Channels("") {
		if ch.ID == th && ch.Archived {
			t.Error("the thread is still archived")
		}
	}
	w.clean()
}

// TestAnEditReplacesTheFiles: the list of attachments is what the message has
// afterwards. What follows from a list is tested in package check.
func TestAnEditReplacesTheFiles(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	png := picture(t)
	first := func(alt string) []obj { return []obj{{"id": 0, "description": alt}} }
	id := w.send(w.general, obj{"content": "x", "attachments": first("old")}, file{"old.png", "image/png", png})
	shown := func() []string {
		var out []string
		m, _ := w.sim.Message("", w.general, id)
		for _, a := range m.Attachments {
			if _, data, ok := w.sim.Attachment(a.ID); !ok || !bytes.Equal(data, png) {
				t.Errorf("%s has %d bytes", a.Filename, len(data))
			}
			out = append(out, a.Filename+": "+a.Description)
		}
		return out
	}
	edit := func(list any, files ...file) {
		t.Helper()
		status, out := w.rest("PATCH", "/channels/"+w.general+"/messages/"+id, obj{"allowed_mentions": quiet, "attachments": list}, files...)
		if status != 200 {
			t.Fatalf("%d %v", status, out)
		}
	}
	edit(first("new"), file{"new.png", "image/png", png})
	if d := cmp.Diff([]string{"new.png: new"}, shown()); d != "" {
		t.Errorf("replaced (-want +got):\n%s", d)
	}
	m, _ := w.sim.Message("", w.general, id)
	edit([]obj{{"id": m.Attachments[0].ID, "description": "kept"}, {"id": 0, "description": "more"}}, file{"more.png", "image/png", png})
	if d := cmp.Diff([]string{"new.png: kept", "more.png: more"}, shown()); d != "" {
		t.Errorf("one kept, one added (-want +got):\n%s", d)
	}
	edit([]obj{})
	if d := cmp.Diff([]string(nil), shown()); d != "" {
		t.Errorf("all gone (-want +got):\n%s", d)
	}
	w.clean()
}

func TestUpdateWithoutComponentsKeepsThemAndNullWipesThem(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	bodies := []obj{
		{"content": "a", "allowed_mentions": quiet},
		{"content": "a", "components": nil, "allowed_mentions": quiet},
	}
	w.bot(func(i obj) { b := bodies[0]; bodies = bodies[1:]; w.callback(i, 7, b) })
	for _, want := range []int{2, 0} {
		if _, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go"); err != nil {
			t.Fatal(err)
		}
		if m, _ := w.sim.Message("", w.general, id); len(m.Components) != want {
			t.Errorf("%d rows, want %d", len(m.Components), want)
		}
	}
}

func TestPingsAreWhomTheMessageReallyNotifies(t *testing.T) {
	cases := []struct {
		name     string
		content  string
		mentions any // nil: field missing
		pings    func(w *world) []string
		everyone bool
	}{
		{"parse nothing", "<@ann> @everyone", quiet, func(*world) []string { return nil }, false},
		{"one of two", "<@ann> <@ben>", "ben", func(w *world) []string { return []string{w.ben} }, false},
		{"old way of writing", "<@!ann>", "ann", func(w *world) []string { return []string{w.ann} }, false},
		{"allowed but not in the text", "hello", "ann", func(*world) []string { return nil }, false},
		{"in code", "`<@ann>` ```\n<@ann>```", "ann", func(*world) []string { return nil }, false},
		{"everybody by default", "<@ann> @here", nil, func(w *world) []string { return []string{w.ann} }, true},
		{"everyone allowed", "@everyone", obj{"parse": []string{"everyone"}}, func(*world) []string { return nil }, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, discordsim.Options{})
			w.sim.SetMemberPermissions(w.guild, w.sim.BotID(), discordsim.DefaultBotPermissions|discordsim.MentionEveryone)
			ids := strings.NewReplacer("ann>", w.ann+">", "ben>", w.ben+">")
			body := obj{"content": ids.Replace(c.content)}
			switch m := c.mentions.(type) {
			case string:
				body["allowed_mentions"] = obj{"users": []string{map[string]string{"ann": w.ann, "ben": w.ben}[m]}}
			case obj:
				body["allowed_mentions"] = m
			}
			_, out := w.rest("POST", "/channels/"+w.general+"/messages", body)
			m, _ := w.sim.Message("", w.general, out["id"].(string))
			if d := cmp.Diff(c.pings(w), m.Pings); d != "" || m.PingsEveryone != c.everyone {
				t.Errorf("pings (-want +got), everyone %v:\n%s", m.PingsEveryone, d)
			}
		})
	}
	t.Run("not who cannot see the channel, not in edits", func(t *testing.T) {
		w := newWorld(t, discordsim.Options{})
		w.sim.SetChannelPermissions(w.general, w.ben, 0)
		id := w.send(w.general, obj{"content": "<@" + w.ben + ">", "allowed_mentions": obj{"users": []string{w.ben}}})
		w.rest("PATCH", "/channels/"+w.general+"/messages/"+id, obj{"content": "<@" + w.ann + ">", "allowed_mentions": obj{"users": []string{w.ann}}})
		if m, _ := w.sim.Message("", w.general, id); len(m.Pings) != 0 {
			t.Errorf("pings %v, want none", m.Pings)
		}
		w.clean()
	})
}

func TestOldMessagesTakeFewEdits(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	w := newWorld(t, discordsim.Options{Clock: clock, OldMessageEdits: 2})
	id := w.send(w.general, obj{"content": "x"})
	edit := func() (int, obj) {
		return w.rest("PATCH", "/channels/"+w.general+"/messages/"+id, obj{"content": "y", "allowed_mentions": quiet})
	}
	for range 4 {
		if status, out := edit(); status != 200 {
			t.Fatalf("young: %d %v", status, out)
		}
	}
	clock.Advance(time.Hour + time.Second)
	for i := range 3 {
		status, out := edit()
		if i < 2 && status != 200 || i == 2 && (status != 429 || code(out) != 30046) {
			t.Errorf("edit %d of an old message: %d %v", i+1, status, out)
		}
	}
	clock.Advance(time.Hour + time.Second)
	if status, out := edit(); status != 200 {
		t.Errorf("an hour later: %d %v", status, out)
	}
	w.clean()
}

func TestEnforcedNonceMakesOneMessage(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	w := newWorld(t, discordsim.Options{Clock: clock})
	body := obj{"content": "x", "nonce": "game-1", "enforce_nonce": true}
	a, b := w.send(w.general, body), w.send(w.general, body)
	if a != b || len(w.sim.Messages("", w.general)) != 1 {
		t.Errorf("two messages: %s, %s", a, b)
	}
	clock.Advance(6 * time.Minute)
	if c := w.send(w.general, body); c == a {
		t.Error("the nonce is remembered for too long")
	}
}

func TestAChannelKeepsTheNewestMessages(t *testing.T) {
	w := newWorld(t, discordsim.Options{MaxMessages: 5})
	for i := range 7 {
		w.send(w.general, obj{"content": fmt.Sprint(i)})
	}
	var got []string
	for _, m := range w.sim.Messages("", w.general) {
		got = append(got, m.Content)
	}
	if d := cmp.Diff([]string{"2", "3", "4", "5", "6"}, got); d != "" {
		t.Errorf("messages (-want +got):\n%s", d)
	}
}

func TestABotReadsAndDeletesItsMessages(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	path := "/channels/" + w.general + "/messages/" + w.send(w.general, obj{"content": "x"})
	if status, out := w.rest("GET", path, nil); status != 200 || out["content"] != "x" {
		t.Errorf("GET: %d %v", status, out)
	}
	if status, _ := w.rest("DELETE", path, nil); status != 204 {
		t.Errorf("DELETE: %d", status)
	}
	if status, out := w.rest("GET", path, nil); status != 404 || code(out) != 10008 {
		t.Errorf("GET of a deleted message: %d %v, want 10008", status, out)
	}
	w.clean()
}

// TestSnowflakesCarryTheTime: the upper 42 bits of an ID are the milliseconds
// since the beginning of 2015.
func TestSnowflakesCarryTheTime(t *testing.T) {
	w := newWorld(t, discordsim.Options{Clock: discordsim.NewManualClock(start)})
	a, b := w.send(w.general, obj{"content": "x"}), w.send(w.general, obj{"content": "y"})
	n, err := strconv.ParseUint(a, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	epoch := time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)
	if got := epoch.Add(time.Duration(n>>22) * time.Millisecond); got.Sub(start).Abs() > time.Second {
		t.Errorf("the ID says %v, want about %v", got, start)
	}
	if a >= b {
		t.Errorf("IDs do not grow: %s, %s", a, b)
	}
}

func TestMessageOfTheNewerLayout(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	body := obj{"flags": 1 << 15, "attachments": []obj{{"id": 0, "description": "board"}}, "components": []obj{
		{"type": 17, "components": []obj{
			{"type": 10, "content": "Your move <@" + w.ann + ">"},
			{"type": 12, "items": []obj{{"media": obj{"url": "attachment://b.png"}, "description": "board"}}},
			{"type": 1, "components": []obj{button("go", "Go")}},
		}},
	}, "allowed_mentions": obj{"users": []string{w.ann}}}
	id := w.send(w.general, body, file{"b.png", "image/png", picture(t)})
	m, _ := w.sim.Message("", w.general, id)
	if m.Flags != 1<<15 || !slices.Equal(m.Pings, []string{w.ann}) || m.Components[0].Components[2].Components[0].ID == 0 {
		t.Errorf("message = %+v", m)
	}
	w.bot(func(i obj) { w.callback(i, 6, nil) })
	if _, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go"); err != nil {
		t.Error(err)
	}
	w.clean()
	if status, _ := w.rest("PATCH", "/channels/"+w.general+"/messages/"+id, obj{"content": "text", "allowed_mentions": quiet}); status != 400 {
		t.Errorf("going back to text: %d, want 400", status)
	}
}
