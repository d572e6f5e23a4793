package webui_test

import (
	"image/color"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/webui"
)

func TestBodiesMustBeExactlyTheJSONExpected(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	for body, want := range map[string]int{
		``: 400, `{`: 400, `[]`: 400, `{"channel":"1","text":"x","extra":1}`: 400, `{"channel":1}`: 400, `{"channel":"1","text":"x"} {}`: 400,
		`{"channel":"1","text":"` + strings.Repeat("x", 300<<10) + `"}`: 413,
	} {
		response, answer := w.do(http.MethodPost, "/api/say?as=ann", body)
		if response.StatusCode != want || errorCode(t, answer) != webui.CodeBadRequest {
			t.Errorf("%.40q: %s %s, want %d %s", body, response.Status, answer, want, webui.CodeBadRequest)
		}
	}
}

func TestCommandAnswersAndClicksChangeTheMessage(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	bot := w.connect()
	var got interaction
	bot.answers(func(i interaction) (int, map[string]any) {
		got = i
		if i.Type == 3 {
			return 7, map[string]any{"content": "moved", "components": []any{}, "allowed_mentions": quiet()}
		}
		return 4, map[string]any{"content": "your move", "allowed_mentions": quiet(), "components": []any{row(button("c3", "move:c3", 1))},
			"attachments": []any{map[string]any{"id": "0", "filename": "board.png", "description": "The board."}},
			"files":       map[string][]byte{"board.png": picture(t, 48, 51, color.White)}}
	})
	ben := w.events("ben")
	reply := w.json(http.MethodPost, "/api/command?as=ann", map[string]any{"channel": w.board, "command": "lasca play", "options": map[string]any{"level": 4, "colour": "w"}})
	message := reply["messages"].([]any)[0].(map[string]any)
	if message["content"] != "your move" || message["command"].(map[string]any)["name"] != "lasca play" {
		t.Errorf("answer %v", message)
	}
	want := []option{{Name: "play", Options: []option{{Name: "level", Value: 4.0}, {Name: "colour", Value: "w"}}}}
	slices.SortFunc(got.Data.Options[0].Options, func(a, b option) int { return -strings.Compare(a.Name, b.Name) })
	if diff := cmp.Diff(want, got.Data.Options); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
	file := message["attachments"].([]any)[0].(map[string]any)
	if file["picture"] != true || file["width"] != 48.0 || file["height"] != 51.0 || file["description"] != "The board." {
		t.Errorf("picture %v", file)
	}
	response, body := w.do(http.MethodGet, "/"+file["url"].(string), "")
	if response.Header.Get("Content-Type") != "image/png" || !strings.HasPrefix(body, "\x89PNG") {
		t.Errorf("file: %s %s", response.Status, response.Header.Get("Content-Type"))
	}

	next(t, ben, "message")
	clicked := w.json(http.MethodPost, "/api/click?as=ann", map[string]any{"channel": w.board, "message": message["id"], "component": "move:c3"})
	if now := clicked["messages"].([]any)[0].(map[string]any); now["id"] != message["id"] || now["content"] != "moved" {
		t.Errorf("after the click: %v", now)
	}
	if change := next(t, ben, "message"); change["message"].(map[string]any)["content"] != "moved" || change["fresh"] == true {
		t.Errorf("Ben sees %v", change)
	}
	if status, code := w.code(http.MethodPost, "/api/click?as=ann", map[string]any{"channel": w.board, "message": message["id"], "component": "move:c3"}); status != 404 || code != webui.CodeNotFound {
		t.Errorf("a click on a removed button: %d %s", status, code)
	}
}

func TestNoAnswerAndNoBotAreToldApart(t *testing.T) {
	w := newWorld(t, discordsim.Options{AckWithin: 50 * time.Millisecond})
	body := map[string]any{"channel": w.board, "command": "lasca silent"}
	w.connect()
	if status, code := w.code(http.MethodPost, "/api/command?as=ann", body); status != 504 || code != webui.CodeNoAnswer {
		t.Errorf("a silent bot: %d %s", status, code)
	}
	if status, code := w.code(http.MethodPost, "/api/command?as=ann", map[string]any{"channel": w.board, "command": "lasca challenge"}); status != 422 || code != webui.CodeBadInput {
		t.Errorf("a required option missing: %d %s", status, code)
	}
	if status, code := w.code(http.MethodPost, "/api/command?as=ann", map[string]any{"channel": w.board, "command": "lasca play", "options": map[string]any{"level": 99}}); status != 422 || code != webui.CodeBadInput {
		t.Errorf("a number out of range: %d %s", status, code)
	}
	if status, code := w.code(http.MethodPost, "/api/command?as=ann", map[string]any{"channel": w.board, "command": "lasca play", "options": map[string]any{"level": []int{1}}}); status != 400 || code != webui.CodeBadRequest {
		t.Errorf("a list for an option: %d %s", status, code)
	}
	w.leave()
	if status, code := w.code(http.MethodPost, "/api/command?as=ann", body); status != 503 || code != webui.CodeBotOffline {
		t.Errorf("no bot: %d %s", status, code)
	}
	if online := w.json(http.MethodGet, "/api/state?as=ann", nil)["botOnline"]; online != false {
		t.Errorf("botOnline is %v", online)
	}
}

func TestAutocompleteGivesTheBotsChoices(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	var asked option
	w.connect().answers(func(i interaction) (int, map[string]any) {
		for _, o := range i.Data.Options[0].Options {
			if o.Focused {
				asked = o
			}
		}
		return 8, map[string]any{"choices": []any{map[string]any{"name": "c3-d4", "value": "c3d4"}}}
	})
	const text = "c3 move:c3 user:" // text stays text, whatever it looks like
	answer := w.json(http.MethodPost, "/api/autocomplete?as=ann", map[string]any{
		"channel": w.board, "command": "lasca challenge", "options": map[string]any{"user": w.ben}, "option": "move", "text": text,
	})
	if diff := cmp.Diff([]any{map[string]any{"name": "c3-d4", "value": "c3d4"}}, answer["choices"]); diff != "" {
		t.Errorf("choices (-want +got):\n%s", diff)
	}
	if asked.Name != "move" || asked.Value != text {
		t.Errorf("the bot was asked for %+v", asked)
	}
}

func TestUserCommandsMenusAndForms(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	bot := w.connect()
	bot.answers(func(i interaction) (int, map[string]any) {
		switch {
		case i.Data.TargetID != "":
			return 4, map[string]any{"content": "for <@" + i.Data.TargetID + ">", "allowed_mentions": quiet(), "components": []any{row(map[string]any{
				"type": 3, "custom_id": "days", "options": []any{map[string]any{"label": "One", "value": "1"}, map[string]any{"label": "Three", "value": "3"}},
			})}}
		case i.Type == 3:
			return 9, map[string]any{"custom_id": "form:" + i.Data.Values[0], "title": "Note", "components": []any{row(map[string]any{
				"type": 4, "custom_id": "note", "label": "Your note", "style": 1,
			})}}
		default:
			return 4, map[string]any{"content": "got " + i.Data.CustomID, "allowed_mentions": quiet()}
		}
	})
	reply := w.json(http.MethodPost, "/api/user-command?as=ann", map[string]any{"channel": w.board, "command": "Challenge to Lasca", "user": w.ben})
	message := reply["messages"].([]any)[0].(map[string]any)
	if message["content"] != "for <@"+w.ben+">" {
		t.Errorf("answer %v", message)
	}
	opened := w.json(http.MethodPost, "/api/select?as=ann", map[string]any{"channel": w.board, "message": message["id"], "component": "days", "values": []string{"3"}})
	modal := opened["modal"].(map[string]any)
	if form := modal["form"].(map[string]any); form["custom_id"] != "form:3" || form["title"] != "Note" {
		t.Errorf("form %v", form)
	}
	body := map[string]any{"modal": modal["token"], "values": map[string]string{"note": "hello"}}
	if status, code := w.code(http.MethodPost, "/api/modal?as=ben", body); status != 404 || code != webui.CodeNotFound {
		t.Errorf("Ben sends Ann's form: %d %s", status, code)
	}
	sent := w.json(http.MethodPost, "/api/modal?as=ann", body)
	if message := sent["messages"].([]any)[0].(map[string]any); message["content"] != "got form:3" {
		t.Errorf("after the form: %v", message)
	}
}
