package discordsim_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// TestRefusedMessages has one case for every limit of a message: Discord's
// status and code, the place in the nested errors, and the violation.
func TestRefusedMessages(t *testing.T) {
	png := picture(t)
	long := strings.Repeat("x", 101)
	v2 := func(components ...obj) obj { return obj{"flags": 1 << 15, "components": components} }
	text := obj{"type": 10, "content": "hi"}
	select1 := func(options ...obj) obj { return obj{"type": 3, "custom_id": "m", "options": options} }
	option := obj{"label": "A", "value": "a"}
	buttons := func(n int) []obj {
		var out []obj
		for i := range n {
			out = append(out, button(fmt.Sprint("b", i), "x"))
		}
		return out
	}
	cases := []struct {
		name  string
		body  obj
		place string // in the nested errors
		code  string // of the first error there
	}{
		{"content of 2001 characters", obj{"content": strings.Repeat("ü", 2001)}, "content", "BASE_TYPE_MAX_LENGTH"},
		{"content that is a number", obj{"content": 1}, "content", "STRING_TYPE_CONVERT"},
		{"six rows", obj{"components": slices.Repeat(row(button("a", "x")), 6)}, "components", "BASE_TYPE_MAX_LENGTH"},
		{"six buttons in a row", obj{"components": row(buttons(6)...)}, "components.0.components", "BASE_TYPE_BAD_LENGTH"},
		{"an empty row", obj{"components": row()}, "components.0.components", "BASE_TYPE_REQUIRED"},
		{"a button without a row", obj{"components": []obj{button("a", "x")}}, "components.0.type", "UNION_TYPE_CHOICES"},
		{"a component of unknown type", obj{"components": row(obj{"type": 29})}, "components.0.components.0.type", "UNION_TYPE_CHOICES"},
		{"a label of 81 characters", obj{"components": row(button("a", strings.Repeat("x", 81)))}, "components.0.components.0.label", "BASE_TYPE_MAX_LENGTH"},
		{"a button with nothing on it", obj{"components": row(button("a", ""))}, "components.0.components.0.label", "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED"},
		{"a custom ID of 101 characters", obj{"components": row(button(long, "x"))}, "components.0.components.0.custom_id", "BASE_TYPE_BAD_LENGTH"},
		{"an empty custom ID", obj{"components": row(button("", "x"))}, "components.0.components.0.custom_id", "BASE_TYPE_REQUIRED"},
		{"two equal custom IDs", obj{"components": append(row(button("a", "x")), row(button("a", "y"))...)}, "components.1.components.0.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED"},
		{"style 7", obj{"components": row(obj{"type": 2, "style": 7, "custom_id": "a", "label": "x"})}, "components.0.components.0.style", "NUMBER_TYPE_MAX"},
		{"a link without an address", obj{"components": row(obj{"type": 2, "style": 5, "label": "x"})}, "components.0.components.0.url", "BASE_TYPE_REQUIRED"},
		{"a link to a script", obj{"components": row(obj{"type": 2, "style": 5, "label": "x", "url": "javascript:alert(1)"})}, "components.0.components.0.url", "URL_TYPE_INVALID_SCHEME"},
		{"letters as an emoji", obj{"components": row(obj{"type": 2, "style": 1, "custom_id": "a", "emoji": obj{"name": "ok"}})}, "components.0.components.0.emoji.name", "BUTTON_COMPONENT_INVALID_EMOJI"},
		{"an unknown custom emoji", obj{"components": row(obj{"type": 2, "style": 1, "custom_id": "a", "emoji": obj{"id": "123", "name": "x"}})}, "components.0.components.0.emoji.name", "BUTTON_COMPONENT_INVALID_EMOJI"},
		{"a menu beside a button", obj{"components": row(button("a", "x"), select1(option))}, "components.0.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED"},
		{"a menu of 26 options", obj{"components": row(select1(slices.Repeat([]obj{option}, 26)...))}, "components.0.components.0.options", "BASE_TYPE_BAD_LENGTH"},
		{"a menu without options", obj{"components": row(select1())}, "components.0.components.0.options", "BASE_TYPE_REQUIRED"},
		{"two equal option values", obj{"components": row(select1(option, option))}, "components.0.components.0.options.1.value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"},
		{"an option label of 101 characters", obj{"components": row(select1(obj{"label": long, "value": "a"}))}, "components.0.components.0.options.0.label", "BASE_TYPE_BAD_LENGTH"},
		{"two defaults for one choice", obj{"components": row(select1(obj{"label": "A", "value": "a", "default": true}, obj{"label": "B", "value": "b", "default": true}))}, "components.0.components.0.options", "SELECT_COMPONENT_TOO_MANY_DEFAULTS"},
		{"more to choose than there is", obj{"components": row(obj{"type": 3, "custom_id": "m", "max_values": 2, "options": []obj{option}})}, "components.0.components.0.max_values", "NUMBER_TYPE_MAX"},
		{"a placeholder of 151 characters", obj{"components": row(obj{"type": 3, "custom_id": "m", "placeholder": strings.Repeat("x", 151), "options": []obj{option}})}, "components.0.components.0.placeholder", "BASE_TYPE_MAX_LENGTH"},
		{"the newer layout without its flag", obj{"components": []obj{text}}, "components.0.type", "UNION_TYPE_CHOICES"},
		{"the newer layout with content", obj{"flags": 1 << 15, "content": "x", "components": []obj{text}}, "content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"},
		{"41 components", v2(slices.Repeat([]obj{text}, 41)...), "components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"},
		{"a gallery of a file that is not there", v2(obj{"type": 12, "items": []obj{{"media": obj{"url": "attachment://b.png"}}}}), "components.0.items.0.media.url", "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"},
		{"a section without accessory", v2(obj{"type": 9, "components": []obj{text}}), "components.0.accessory", "BASE_TYPE_REQUIRED"},
		{"alt text of 1025 characters", obj{"attachments": []obj{{"id": "0", "description": strings.Repeat("x", 1025)}}}, "attachments.0.description", "BASE_TYPE_MAX_LENGTH"},
		{"an attachment that was not sent", obj{"attachments": []obj{{"id": "7"}}}, "attachments.0.id", "ATTACHMENT_NOT_FOUND"},
		{"parse and users together", obj{"content": "x", "allowed_mentions": obj{"parse": []string{"users"}, "users": []string{"1"}}}, "allowed_mentions.parse", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"},
		{"an unknown kind of mention", obj{"content": "x", "allowed_mentions": obj{"parse": []string{"all"}}}, "allowed_mentions.parse.0", "BASE_TYPE_CHOICES"},
		{"an embed title of 257 characters", obj{"embeds": []obj{{"title": strings.Repeat("x", 257)}}}, "embeds.0.title", "BASE_TYPE_MAX_LENGTH"},
		{"embeds of 6001 characters", obj{"embeds": []obj{{"description": strings.Repeat("x", 4000)}, {"description": strings.Repeat("x", 2001)}}}, "embeds", "MAX_EMBED_SIZE_EXCEEDED"},
		{"a nonce of 26 characters", obj{"content": "x", "nonce": strings.Repeat("x", 26)}, "nonce", "BASE_TYPE_MAX_LENGTH"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, discordsim.Options{})
			if c.body["allowed_mentions"] == nil {
				c.body["allowed_mentions"] = quiet
			}
			status, out := w.rest("POST", "/channels/"+w.general+"/messages", c.body, file{"b0.png", "image/png", png})
			if status != 400 || code(out) != 50035 || out["message"] != "Invalid Form Body" {
				t.Fatalf("%d %v, want 400 with 50035", status, out)
			}
			node, _ := out["errors"].(obj)
			for key := range strings.SplitSeq(c.place, ".") {
				node, _ = node[key].(obj)
			}
			errs, _ := node["_errors"].([]any)
			if len(errs) == 0 || errs[0].(obj)["code"] != c.code {
				t.Errorf("errors = %v, want %s at %s", out["errors"], c.code, c.place)
			}
			w.violated(c.place)
			if n := len(w.sim.Messages("", w.general)); n != 0 {
				t.Errorf("%d messages were posted", n)
			}
		})
	}
}

// TestOtherViolations has the mistakes that are not about a field, and those
// that Discord lets pass.
func TestOtherViolations(t *testing.T) {
	png := picture(t)
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
		{"unknown field", func(w *world) (int, obj) {
			return w.rest("POST", messages(w), obj{"content": "x", "conten": "y", "allowed_mentions": quiet})
		}, 200, 0, "unknown field conten"},
		{"unknown field of a component", func(w *world) (int, obj) {
			return w.rest("POST", messages(w), obj{"components": row(obj{"type": 2, "style": 1, "custom_id": "a", "label": "x", "colour": 1}), "allowed_mentions": quiet})
		}, 200, 0, "unknown field components.0.components.0.colour"},
		{"no allowed_mentions", func(w *world) (int, obj) { return w.rest("POST", messages(w), obj{"content": "x"}) }, 200, 0, "allowed_mentions"},
		{"a flag that cannot be set", func(w *world) (int, obj) {
			return w.rest("POST", messages(w), obj{"content": "x", "flags": 64, "allowed_mentions": quiet})
		}, 200, 0, "flags 64"},
		{"picture without alt text", func(w *world) (int, obj) {
			return w.rest("POST", messages(w), obj{"content": "x", "allowed_mentions": quiet}, file{"b.png", "image/png", png})
		}, 200, 0, "b.png has no description"},
		{"broken picture", func(w *world) (int, obj) {
			return w.rest("POST", messages(w), obj{"attachments": []obj{{"id": 0, "description": "b"}}, "allowed_mentions": quiet}, file{"b.png", "image/png", png[:20]})
		}, 200, 0, "not a readable"},
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
		if status, out := w.rest("GET", "/users/@me", nil); status != 401 {
			t.Errorf("%d %v, want 401", status, out)
		}
		w.violated("401")
	})
}

// TestRefusalsThatAreNoViolations has the answers that follow from the world.
func TestRefusalsThatAreNoViolations(t *testing.T) {
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
	w.sim.SetThread(th, true, false)
	if status, out := w.rest("PATCH", "/channels/"+th, obj{"archived": false}); status != 200 {
		t.Errorf("reopening: %d %v", status, out)
	}
	if status, out := w.rest("PATCH", "/channels/"+th, obj{"locked": true}); status != 403 || code(out) != 50013 {
		t.Errorf("locking without permission: %d %v", status, out)
	}
	if status, out := w.rest("POST", "/channels/"+w.general+"/threads", obj{"name": "game 1", "type": 11}); status != 201 || out["parent_id"] != w.general {
		t.Errorf("starting a thread: %d %v", status, out)
	}
	w.clean()
}

func TestAttachmentsOfAnEdit(t *testing.T) {
	png := picture(t)
	at := func(id any, more ...obj) []obj { return append([]obj{{"id": id, "description": "p"}}, more...) }
	cases := []struct {
		name    string
		version int
		list    func(old string) any // nil: no attachments field
		upload  bool
		want    []string
		bad     string // violation, "" for none
	}{
		{"9, nothing said, nothing sent", 9, nil, false, []string{"old.png"}, ""},
		{"9, nothing said, a file sent, is added", 9, nil, true, []string{"old.png", "new.png"}, "no description"},
		{"9, only the new one listed", 9, func(string) any { return at("0") }, true, []string{"new.png"}, ""},
		{"9, both listed", 9, func(old string) any { return at("0", obj{"id": old}) }, true, []string{"new.png", "old.png"}, ""},
		{"9, the new one not listed, is added all the same", 9, func(old string) any { return []obj{{"id": old}} }, true, []string{"old.png", "new.png"}, "no description"},
		{"9, an empty list", 9, func(string) any { return []obj{} }, false, nil, ""},
		{"10, nothing said, nothing sent", 10, nil, false, []string{"old.png"}, ""},
		{"10, only the new one listed", 10, func(string) any { return at("0") }, true, []string{"new.png"}, ""},
		{"10, both listed", 10, func(old string) any { return at("0", obj{"id": old}) }, true, []string{"new.png", "old.png"}, ""},
		{"10, the new one not listed, is dropped", 10, func(old string) any { return []obj{{"id": old}} }, true, []string{"old.png"}, "version 10 drops it"},
		{"10, nothing said, a file sent", 10, nil, true, []string{"old.png", "new.png"}, "version 10 wants"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, discordsim.Options{})
			id := w.send(w.general, obj{"content": "x", "attachments": at("0")}, file{"old.png", "image/png", png})
			m, _ := w.sim.Message("", w.general, id)
			body := obj{"content": "y", "allowed_mentions": quiet}
			if c.list != nil {
				body["attachments"] = c.list(m.Attachments[0].ID)
			}
			var files []file
			if c.upload {
				files = []file{{"new.png", "image/png", png}}
			}
			status, out := w.rest("PATCH", fmt.Sprintf("/api/v%d/channels/%s/messages/%s", c.version, w.general, id), body, files...)
			if status != 200 {
				t.Fatalf("%d %v", status, out)
			}
			m, _ = w.sim.Message("", w.general, id)
			var got []string
			for _, a := range m.Attachments {
				got = append(got, a.Filename)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("attachments (-want +got):\n%s", d)
			}
			if c.bad == "" {
				w.clean()
			} else {
				w.violated(c.bad)
			}
		})
	}
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

func TestRealPings(t *testing.T) {
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

func TestHistory(t *testing.T) {
	w := newWorld(t, discordsim.Options{MaxMessages: 5})
	var ids []string
	for i := range 7 {
		ids = append(ids, w.send(w.general, obj{"content": fmt.Sprint(i)}))
	}
	list := func(query string) []string {
		_, out := w.rest("GET", "/channels/"+w.general+"/messages"+query, nil)
		var got []string
		for _, m := range out["list"].([]any) {
			got = append(got, m.(obj)["content"].(string))
		}
		return got
	}
	for query, want := range map[string][]string{
		"": {"6", "5", "4", "3", "2"}, "?limit=2": {"6", "5"},
		"?limit=2&before=" + ids[5]: {"4", "3"}, "?limit=2&after=" + ids[3]: {"5", "4"},
	} {
		if d := cmp.Diff(want, list(query)); d != "" {
			t.Errorf("%q (-want +got):\n%s", query, d)
		}
	}
	if status, _ := w.rest("GET", "/channels/"+w.general+"/messages?limit=101", nil); status != 400 {
		t.Errorf("limit 101: %d", status)
	}
	if status, _ := w.rest("DELETE", "/channels/"+w.general+"/messages/"+ids[6], nil); status != 204 {
		t.Errorf("DELETE: %d", status)
	}
	if d := cmp.Diff([]string{"5"}, list("?limit=1")); d != "" {
		t.Errorf("after deleting (-want +got):\n%s", d)
	}
}

func TestSnowflakesCarryTheTime(t *testing.T) {
	w := newWorld(t, discordsim.Options{Clock: discordsim.NewManualClock(start)})
	a, b := w.send(w.general, obj{"content": "x"}), w.send(w.general, obj{"content": "y"})
	if got := discordsim.SnowflakeTime(a); got.Sub(start).Abs() > time.Second {
		t.Errorf("the ID says %v, want about %v", got, start)
	}
	if a >= b {
		t.Errorf("IDs do not grow: %s, %s", a, b)
	}
}

func TestNewerLayout(t *testing.T) {
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
