package discordsim_test

import (
	"errors"
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

func TestAGuildWithoutTheBotHasNoCommands(t *testing.T) {
	w, id := posted(t, discordsim.Options{AckWithin: time.Millisecond})
	w.register(lasca)
	w.bot(func(i obj) { t.Errorf("the bot received %v", i) })
	w.sim.Leave(w.guild, w.sim.BotID())
	if _, err := w.sim.As(w.ann).Type(w.ctx, w.general, "/lasca play level:1"); !errors.Is(err, discordsim.ErrUnknownCommand) {
		t.Errorf("err = %v, want ErrUnknownCommand", err)
	}
	if _, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go"); !errors.Is(err, discordsim.ErrNoAnswer) {
		t.Errorf("err = %v, want ErrNoAnswer", err)
	}
	w.clean()
}
