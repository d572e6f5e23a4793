package discordsim_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestSlashSendsWhatDiscordSends(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.register(lasca)
	var got obj
	w.bot(func(i obj) {
		got = i
		w.callback(i, 4, obj{"content": "ok", "allowed_mentions": quiet})
	})
	r, err := w.sim.As(w.ben).Type(w.ctx, w.general, "/lasca challenge user:@Ann note:well met  colleague")
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind != discordsim.ReplyMessage || r.Ephemeral || r.MessageID == "" {
		t.Errorf("reply = %+v", r)
	}
	want := []any{obj{"name": "challenge", "type": 1.0, "options": []any{
		obj{"name": "user", "type": 6.0, "value": w.ann}, obj{"name": "note", "type": 3.0, "value": "well met  colleague"}}}}
	data := got["data"].(obj)
	if d := cmp.Diff(want, data["options"]); d != "" {
		t.Errorf("options (-want +got):\n%s", d)
	}
	resolved := data["resolved"].(obj)
	if resolved["users"].(obj)[w.ann].(obj)["username"] != "ann" || resolved["members"].(obj)[w.ann] == nil {
		t.Errorf("resolved = %v", resolved)
	}
	for key, want := range map[string]any{"type": 2.0, "locale": "de", "guild_locale": "en-US", "context": 0.0, "guild_id": w.guild,
		"channel_id": w.general, "application_id": w.sim.ApplicationID(), "version": 1.0, "attachment_size_limit": float64(10 << 20)} {
		if got[key] != want {
			t.Errorf("%s = %v, want %v", key, got[key], want)
		}
	}
	if p, ok := got["app_permissions"].(string); !ok || p == "" {
		t.Errorf("app_permissions = %v, want a string", got["app_permissions"])
	}
	if got["member"].(obj)["user"].(obj)["id"] != w.ben || got["user"] != nil {
		t.Errorf("member = %v", got["member"])
	}
	if n := len(got["token"].(string)); n != 200 {
		t.Errorf("token of %d characters", n)
	}

	dm := w.sim.As(w.ann).OpenDM()
	if _, err := w.sim.As(w.ann).Slash(w.ctx, dm, "lasca play", map[string]any{"level": 3}); err != nil {
		t.Fatal(err)
	}
	if got["member"] != nil || got["user"].(obj)["id"] != w.ann || got["context"] != 1.0 || got["guild_id"] != nil {
		t.Errorf("in direct messages: %v", got)
	}
	w.clean()
}

func TestOptionsAreCheckedAgainstTheCommand(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.register(lasca)
	w.bot(func(i obj) { w.callback(i, 4, obj{"content": "ok", "allowed_mentions": quiet}) })
	ben := w.sim.As(w.ben)
	for line, want := range map[string]error{
		"/lasca play level:4":                                        nil,
		"/lasca play colour:white level:8":                           nil,
		"/lasca spielen level:4 farbe:Weiß":                          nil, // Ben's client is German
		"/lasca play level:4 colour:Black":                           nil,
		"/lasca play":                                                discordsim.ErrOption,
		"/lasca play level:9":                                        discordsim.ErrOption,
		"/lasca play level:0":                                        discordsim.ErrOption,
		"/lasca play level:4.5":                                      discordsim.ErrOption,
		"/lasca play level:four":                                     discordsim.ErrOption,
		"/lasca play level:4 level:5":                                discordsim.ErrOption,
		"/lasca play level:4 colour:red":                             discordsim.ErrOption,
		"/lasca play strength:4":                                     discordsim.ErrOption,
		"/lasca play quick level:4":                                  discordsim.ErrOption,
		"/lasca challenge user:@nobody":                              discordsim.ErrOption,
		"/lasca challenge user:<@" + w.ann + ">":                     nil,
		"/lasca challenge user:" + w.ann:                             nil,
		"/lasca challenge user:@ann note:":                           discordsim.ErrOption,
		"/lasca challenge user:@ann note:" + strings.Repeat("x", 21): discordsim.ErrOption,
		"/lasca fly":                                                 discordsim.ErrUnknownCommand,
		"/chess play":                                                discordsim.ErrUnknownCommand,
		"lasca play":                                                 discordsim.ErrUnknownCommand,
		"/":                                                          discordsim.ErrUnknownCommand,
		"/lasca":                                                     discordsim.ErrUnknownCommand,
	} {
		if _, err := ben.Type(w.ctx, w.general, line); !errors.Is(err, want) {
			t.Errorf("%q gives %v, want %v", line, err, want)
		}
	}
	for _, bad := range []map[string]any{{"level": "x"}, {"level": 4, "speed": 1}, {}} {
		if _, err := ben.Slash(w.ctx, w.general, "lasca play", bad); !errors.Is(err, discordsim.ErrOption) {
			t.Errorf("%v gives %v, want ErrOption", bad, err)
		}
	}
	if _, err := w.sim.As("1").Type(w.ctx, w.general, "/lasca play level:4"); !errors.Is(err, discordsim.ErrUnknownUser) {
		t.Errorf("a stranger gives %v", err)
	}
	w.sim.SetChannelPermissions(w.general, w.ben, discordsim.ViewChannel)
	if _, err := ben.Type(w.ctx, w.general, "/lasca play level:4"); !errors.Is(err, discordsim.ErrForbidden) {
		t.Errorf("without permission: %v", err)
	}
	w.sim.SetChannelPermissions(w.general, w.ben, 0)
	if _, err := ben.Type(w.ctx, w.general, "/lasca play level:4"); !errors.Is(err, discordsim.ErrUnknownChannel) {
		t.Errorf("in a hidden channel: %v", err)
	}
	w.clean()
}

func TestCommandsForAdministratorsOnly(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.register(obj{"name": "setup", "description": "Set up", "default_member_permissions": "0"})
	w.bot(func(i obj) { w.callback(i, 4, obj{"content": "ok", "allowed_mentions": quiet}) })
	if _, err := w.sim.As(w.ben).Slash(w.ctx, w.general, "setup", nil); !errors.Is(err, discordsim.ErrUnknownCommand) {
		t.Errorf("a plain member: %v", err)
	}
	w.sim.SetMemberPermissions(w.guild, w.ben, discordsim.Administrator)
	if _, err := w.sim.As(w.ben).Slash(w.ctx, w.general, "setup", nil); err != nil {
		t.Errorf("an administrator: %v", err)
	}
}

func TestAutocomplete(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.register(lasca)
	var focused any
	w.bot(func(i obj) {
		focused = i["data"].(obj)["options"].([]any)[0].(obj)["options"].([]any)[0]
		w.callback(i, 8, obj{"choices": []obj{{"name": "c3-d4", "value": "c3d4"}}})
	})
	choices, err := w.sim.As(w.ann).Autocomplete(w.ctx, w.general, "/lasca move move:c3")
	if err != nil || len(choices) != 1 || choices[0].Value != "c3d4" {
		t.Fatalf("choices = %v, %v", choices, err)
	}
	if d := cmp.Diff(obj{"name": "move", "type": 3.0, "value": "c3", "focused": true}, focused); d != "" {
		t.Errorf("focused (-want +got):\n%s", d)
	}
	if _, err := w.sim.As(w.ann).Autocomplete(w.ctx, w.general, "/lasca play level:4"); !errors.Is(err, discordsim.ErrOption) {
		t.Errorf("an option without autocomplete: %v", err)
	}
	w.clean()
}

// posted gives a world with a message that has a row of buttons and a menu.
func posted(t *testing.T, o discordsim.Options) (*world, string) {
	w := newWorld(t, o)
	off := button("off", "Off")
	off["disabled"] = true
	id := w.send(w.general, obj{"content": "board", "components": []obj{
		{"type": 1, "components": []obj{button("go", "Go"), off, {"type": 2, "style": 2, "custom_id": "hint", "emoji": obj{"name": "💡"}}}},
		{"type": 1, "components": []obj{{"type": 3, "custom_id": "menu", "max_values": 2, "options": []obj{
			{"label": "A", "value": "a"}, {"label": "B", "value": "b"}, {"label": "C", "value": "c"}}}}},
	}})
	return w, id
}

func TestComponents(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	var last obj
	w.bot(func(i obj) { last = i; w.callback(i, 6, nil) })
	ann := w.sim.As(w.ann)
	r, err := ann.Click(w.ctx, w.general, id, "go")
	if err != nil || r.Kind != discordsim.ReplyDeferredUpdate || r.MessageID != id {
		t.Fatalf("Click: %+v, %v", r, err)
	}
	if last["data"].(obj)["custom_id"] != "go" || last["data"].(obj)["component_type"] != 2.0 || last["message"].(obj)["id"] != id {
		t.Errorf("interaction = %v", last)
	}
	if _, err := ann.ClickLabel(w.ctx, w.general, id, "💡"); err != nil || last["data"].(obj)["custom_id"] != "hint" {
		t.Errorf("by emoji: %v, %v", last["data"], err)
	}
	if _, err := ann.Select(w.ctx, w.general, id, "menu", "c", "a"); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]any{"c", "a"}, last["data"].(obj)["values"]); d != "" {
		t.Errorf("values (-want +got):\n%s", d)
	}
	for name, c := range map[string]struct {
		do   func() (*discordsim.Reply, error)
		want error
	}{
		"absent":      {func() (*discordsim.Reply, error) { return ann.Click(w.ctx, w.general, id, "gone") }, discordsim.ErrNoComponent},
		"disabled":    {func() (*discordsim.Reply, error) { return ann.Click(w.ctx, w.general, id, "off") }, discordsim.ErrDisabled},
		"no message":  {func() (*discordsim.Reply, error) { return ann.Click(w.ctx, w.general, "1", "go") }, discordsim.ErrUnknownMessage},
		"a menu":      {func() (*discordsim.Reply, error) { return ann.Click(w.ctx, w.general, id, "menu") }, discordsim.ErrNoComponent},
		"not offered": {func() (*discordsim.Reply, error) { return ann.Select(w.ctx, w.general, id, "menu", "z") }, discordsim.ErrBadSelection},
		"twice":       {func() (*discordsim.Reply, error) { return ann.Select(w.ctx, w.general, id, "menu", "a", "a") }, discordsim.ErrBadSelection},
		"none":        {func() (*discordsim.Reply, error) { return ann.Select(w.ctx, w.general, id, "menu") }, discordsim.ErrBadSelection},
		"too many":    {func() (*discordsim.Reply, error) { return ann.Select(w.ctx, w.general, id, "menu", "a", "b", "c") }, discordsim.ErrBadSelection},
	} {
		if _, err := c.do(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	w.clean()
}

func TestUserCommand(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.register(obj{"name": "Challenge to Lasca", "type": 2, "name_localizations": obj{"de": "Zu Lasca herausfordern"}})
	var data obj
	w.bot(func(i obj) {
		data = i["data"].(obj)
		w.callback(i, 4, obj{"content": "ok", "flags": 64, "allowed_mentions": quiet})
	})
	r, err := w.sim.As(w.ben).UserCommand(w.ctx, w.general, "Zu Lasca herausfordern", w.ann)
	if err != nil || !r.Ephemeral {
		t.Fatalf("%+v, %v", r, err)
	}
	if data["target_id"] != w.ann || data["name"] != "Challenge to Lasca" || data["resolved"].(obj)["users"].(obj)[w.ann] == nil {
		t.Errorf("data = %v", data)
	}
	w.clean()
}

func TestModal(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	var last obj
	w.bot(func(i obj) {
		last = i
		if i["type"] == 3.0 {
			w.callback(i, 9, obj{"custom_id": "form", "title": "Move", "components": row(obj{"type": 4, "custom_id": "move", "label": "Move", "style": 1, "max_length": 5})})
			return
		}
		w.callback(i, 7, obj{"content": "moved", "components": []obj{}, "allowed_mentions": quiet})
	})
	ann := w.sim.As(w.ann)
	r, err := ann.Click(w.ctx, w.general, id, "go")
	if err != nil || r.Kind != discordsim.ReplyModal || r.Modal.Title != "Move" {
		t.Fatalf("%+v, %v", r, err)
	}
	if _, err := ann.SubmitModal(w.ctx, r.Modal, map[string]string{"move": "c3-d4-e5"}); !errors.Is(err, discordsim.ErrBadInput) {
		t.Errorf("too long: %v", err)
	}
	if _, err := ann.SubmitModal(w.ctx, r.Modal, map[string]string{"other": "c3"}); !errors.Is(err, discordsim.ErrNoComponent) {
		t.Errorf("unknown input: %v", err)
	}
	if _, err := w.sim.As(w.ben).SubmitModal(w.ctx, r.Modal, map[string]string{"move": "c3"}); !errors.Is(err, discordsim.ErrForbidden) {
		t.Errorf("somebody else's form: %v", err)
	}
	r, err = ann.SubmitModal(w.ctx, r.Modal, map[string]string{"move": "c3-d4"})
	if err != nil || r.Kind != discordsim.ReplyUpdate || r.MessageID != id {
		t.Fatalf("%+v, %v", r, err)
	}
	if v := last["data"].(obj)["components"].([]any)[0].(obj)["components"].([]any)[0].(obj)["value"]; v != "c3-d4" || last["type"] != 5.0 {
		t.Errorf("submitted %v", last)
	}
	w.clean()
}

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
	select {
	case err := <-result:
		t.Fatalf("gave up too early: %v", err)
	default:
	}
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

func TestAnswerTypesFitTheInteraction(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	w.register(lasca)
	var typ int
	var data any
	var status int
	var out obj
	w.bot(func(i obj) {
		status, out = w.callback(i, typ, data)
		if status >= 400 { // free the person
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
		{"pong", click, 1, nil},
		{"26 choices", auto, 8, obj{"choices": slices.Repeat([]obj{{"name": "a", "value": "a"}}, 26)}},
		{"an empty choice", auto, 8, obj{"choices": []obj{{"name": "", "value": "a"}}}},
		{"a long choice", auto, 8, obj{"choices": []obj{{"name": strings.Repeat("x", 101), "value": "a"}}}},
		{"a number for a string", auto, 8, obj{"choices": []obj{{"name": "a", "value": 1}}}},
		{"a modal without inputs", click, 9, obj{"custom_id": "f", "title": "t", "components": []obj{}}},
		{"a modal with a long title", click, 9, obj{"custom_id": "f", "title": strings.Repeat("t", 46), "components": row(obj{"type": 4, "custom_id": "m", "label": "l", "style": 1})}},
	} {
		typ, data = c.typ, c.data
		c.do()
		if status != 400 || code(out) != 50035 || out["errors"] == nil {
			t.Errorf("%s: %d %v, want 400 with 50035 and errors", c.name, status, out)
		}
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

func TestDismiss(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	w.bot(func(i obj) { w.callback(i, 4, obj{"content": "private", "flags": 64, "allowed_mentions": quiet}) })
	r, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.sim.As(w.ben).Dismiss(w.general, r.MessageID); !errors.Is(err, discordsim.ErrUnknownMessage) {
		t.Errorf("somebody else: %v", err)
	}
	if err := w.sim.As(w.ann).Dismiss(w.general, r.MessageID); err != nil {
		t.Fatal(err)
	}
	if _, ok := w.sim.Message(w.ann, w.general, r.MessageID); ok {
		t.Error("the dismissed message is still seen")
	}
}

func TestNobodyIsBlamedWithoutABot(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	w, id := posted(t, discordsim.Options{Clock: clock})
	result := make(chan error, 1)
	go func() {
		_, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go")
		result <- err
	}()
	for done := false; !done; {
		select {
		case err := <-result:
			if !errors.Is(err, discordsim.ErrNoAnswer) {
				t.Errorf("err = %v", err)
			}
			done = true
		default:
			clock.Advance(time.Second)
		}
	}
	w.clean()
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	if _, err := w.sim.As(w.ann).Click(ctx, w.general, id, "go"); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want Canceled", err)
	}
}

// TestManyPeopleAtOnce has everybody press at the same time while the bot
// answers each press in a goroutine of its own.
func TestManyPeopleAtOnce(t *testing.T) {
	w, id := posted(t, discordsim.Options{})
	w.bot(func(i obj) {
		go w.callback(i, 4, obj{"content": "ok", "flags": 64, "allowed_mentions": quiet})
	})
	const people, presses = 8, 5
	errs := make(chan error, people)
	for n := range people {
		id2 := w.sim.AddUser(discordsim.User{Name: "user" + string(rune('a'+n))})
		w.sim.Join(w.guild, id2)
		go func() {
			for range presses {
				if _, err := w.sim.As(id2).Click(w.ctx, w.general, id, "go"); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range people {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := len(w.sim.Messages("", w.general)); n != people*presses+1 {
		t.Errorf("%d messages, want %d", n, people*presses+1)
	}
	w.clean()
}

func TestAGuildWithoutTheBotHasNoCommands(t *testing.T) {
	w, id := posted(t, discordsim.Options{AckWithin: time.Millisecond})
	w.register(lasca)
	w.bot(func(i obj) { t.Errorf("the bot was told %v", i) })
	w.sim.Leave(w.guild, w.sim.BotID())
	if _, err := w.sim.As(w.ann).Type(w.ctx, w.general, "/lasca play level:1"); !errors.Is(err, discordsim.ErrUnknownCommand) {
		t.Errorf("err = %v, want ErrUnknownCommand", err)
	}
	if _, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go"); !errors.Is(err, discordsim.ErrNoAnswer) {
		t.Errorf("err = %v, want ErrNoAnswer", err)
	}
	w.clean()
}
