package webui_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/webui"
)

func TestStateShowsTheWorldOfOneUser(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	dm := w.sim.As(w.ben).OpenDM()
	names := func(v any, field string) (out []string) {
		for _, entry := range v.([]any) {
			out = append(out, entry.(map[string]any)[field].(string))
		}
		return out
	}
	state := w.json(http.MethodGet, "/api/state?as=ben", nil)
	if got := state["me"].(map[string]any)["id"]; got != w.ben {
		t.Errorf("me is %v, want Ben", got)
	}
	if diff := cmp.Diff([]string{"Ann", "Ben", "Cleo"}, names(state["users"], "name")[:3]); diff != "" {
		t.Errorf("users (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{w.board, w.other, dm}, names(state["channels"], "id")); diff != "" {
		t.Errorf("channels (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"text", "text", "dm"}, names(state["channels"], "kind")); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	if got := names(w.json(http.MethodGet, "/api/state?as="+w.ann, nil)["channels"], "id"); slices.Contains(got, dm) {
		t.Error("Ann sees Ben's direct messages in the list")
	}
	if status, code := w.code(http.MethodGet, "/api/messages?as=ann&channel="+dm, nil); status != 404 || code != webui.CodeNotFound {
		t.Errorf("Ann reads Ben's direct messages: %d %s", status, code)
	}
	if status, code := w.code(http.MethodGet, "/api/state?as=nobody", nil); status != 404 || code != webui.CodeUnknownUser {
		t.Errorf("an unknown user: %d %s", status, code)
	}
	if got := w.json(http.MethodGet, "/api/state", nil)["me"].(map[string]any)["id"]; got != w.ann {
		t.Errorf("without ?as= the user is %v, want the first", got)
	}
}

func TestDirectMessagesCountAsMentions(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	bot := w.connect()
	dm := w.sim.As(w.ben).OpenDM()
	bot.send(dm, map[string]any{"content": "your move", "allowed_mentions": quiet()})
	w.json(http.MethodPost, "/api/say?as=ben", map[string]string{"channel": dm, "text": "my own words"})
	for _, channel := range w.json(http.MethodGet, "/api/state?as=ben", nil)["channels"].([]any) {
		channel := channel.(map[string]any)
		want := 0
		if channel["id"] == dm {
			want = 1
		}
		if got := len(channel["mentions"].([]any)); got != want {
			t.Errorf("%s has %d mentions, want %d", channel["name"], got, want)
		}
	}
}

func TestWritingIsOfferedWhereItIsAllowed(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.sim.AddForum(w.guild, "matches")
	w.sim.As(w.ben).OpenDM()
	w.sim.As(w.ben).BlockBot(true)
	thread := w.sim.AddThread(w.board, "game-1")
	w.sim.SetThread(thread, false, true)
	w.sim.SetChannelPermissions(w.other, w.ben, discordsim.ViewChannel)
	got := map[string]bool{}
	for _, channel := range w.json(http.MethodGet, "/api/state?as=ben", nil)["channels"].([]any) {
		channel := channel.(map[string]any)
		got[channel["name"].(string)] = channel["canWrite"].(bool)
		status, _ := w.code(http.MethodPost, "/api/say?as=ben", map[string]any{"channel": channel["id"], "text": ""})
		if forbidden := status == http.StatusForbidden; forbidden == channel["canWrite"].(bool) {
			t.Errorf("%s: canWrite %v, but saying something gives %d", channel["name"], channel["canWrite"], status)
		}
	}
	if diff := cmp.Diff(map[string]bool{"board-room": true, "quiet-table": false, "game-1": false, "matches": false, "Lasca": false}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCommandsAreFlatAndInTheUsersLanguage(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.connect()
	commands := w.json(http.MethodGet, "/api/state?as=cleo", nil)["commands"].([]any)
	var paths, labels []string
	for _, command := range commands {
		paths = append(paths, command.(map[string]any)["path"].(string))
		labels = append(labels, command.(map[string]any)["label"].(string))
	}
	if diff := cmp.Diff([]string{"lasca play", "lasca challenge", "lasca silent", "Challenge to Lasca"}, paths); diff != "" {
		t.Fatalf("paths (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"lasca spielen", "lasca challenge", "lasca silent", "Challenge to Lasca"}, labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	play := commands[0].(map[string]any)
	if play["description"] != "Gegen den Bot spielen" {
		t.Errorf("description %v", play["description"])
	}
	colour := play["options"].([]any)[1].(map[string]any)
	if diff := cmp.Diff([]any{map[string]any{"name": "Weiß", "value": "w"}, map[string]any{"name": "Schwarz", "value": "b"}}, colour["choices"]); diff != "" {
		t.Errorf("choices (-want +got):\n%s", diff)
	}
	english := w.json(http.MethodGet, "/api/state?as=ann", nil)["commands"].([]any)[0].(map[string]any)
	if english["label"] != "lasca play" || english["description"] != "Play against the bot" {
		t.Errorf("in English: %v", english)
	}
	dm := w.sim.As(w.cleo).OpenDM()
	user := commands[3].(map[string]any)
	for _, channel := range w.json(http.MethodGet, "/api/state?as=cleo", nil)["channels"].([]any) {
		channel := channel.(map[string]any)
		if slices.Contains(channel["commands"].([]any), user["id"]) != (channel["id"] != dm) {
			t.Errorf("%s offers %v; the user command is for guilds alone", channel["name"], channel["commands"])
		}
	}
}
