package webui_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"image/color"
	"io"
	"io/fs"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/webui"
)

// do sends a request to the page's server and reads the whole answer.
func (w *world) do(method, path, body string, headers ...string) (*http.Response, string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute) // an event stream has no end
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, w.page.URL+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		}
	}
	response, err := w.page.Client().Do(request)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return response, string(text)
}

// json sends a request that must succeed and decodes the answer.
func (w *world) json(method, path string, body any) map[string]any {
	w.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	response, answer := w.do(method, path, string(text))
	if response.StatusCode != http.StatusOK {
		w.t.Fatalf("%s %s: %s %s", method, path, response.Status, answer)
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(answer), &v); err != nil {
		w.t.Fatalf("%s %s: %v in %s", method, path, err, answer)
	}
	return v
}

// code sends a request that must fail and returns the status and error code.
func (w *world) code(method, path string, body any) (int, string) {
	w.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	response, answer := w.do(method, path, string(text))
	return response.StatusCode, errorCode(w.t, answer)
}

func errorCode(t *testing.T, answer string) string {
	t.Helper()
	var v struct {
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal([]byte(answer), &v); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	if v.Error.Message == "" {
		t.Errorf("no message in %s", answer)
	}
	return v.Error.Code
}

func TestPageIsServedWithAStrictPolicy(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	for path, contentType := range map[string]string{
		"/": "text/html; charset=utf-8", "/app.js": "text/javascript; charset=utf-8", "/style.css": "text/css; charset=utf-8", "/logo.svg": "image/svg+xml",
	} {
		response, body := w.do(http.MethodGet, path, "")
		if response.StatusCode != http.StatusOK || body == "" {
			t.Errorf("GET %s: %s", path, response.Status)
		}
		if got := response.Header.Get("Content-Type"); got != contentType {
			t.Errorf("GET %s: Content-Type %q, want %q", path, got, contentType)
		}
		policy := response.Header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("GET %s: policy %q lacks %q", path, policy, part)
			}
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("GET %s: policy %q allows something unsafe", path, policy)
		}
		if got := response.Header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("GET %s: X-Content-Type-Options %q", path, got)
		}
		unchanged, _ := w.do(http.MethodGet, path, "", "If-None-Match", response.Header.Get("ETag"))
		if unchanged.StatusCode != http.StatusNotModified {
			t.Errorf("GET %s again: %s, want 304", path, unchanged.Status)
		}
	}
}

// The policy would block it, but a reader of the source should not find it either.
func TestPageAsksNobodyElse(t *testing.T) {
	outside := regexp.MustCompile(`(?:https?:)?//[a-z0-9]+\.[a-z]`)
	markup := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`)
	err := fs.WalkDir(os.DirFS("static"), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := os.ReadFile("static/" + path)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(string(body), `xmlns="http://www.w3.org/2000/svg"`, "")
		if found := outside.FindString(text); found != "" {
			t.Errorf("static/%s names another host: %s", path, found)
		}
		if found := markup.FindString(text); found != "" {
			t.Errorf("static/%s turns text into markup or code: %s", path, found)
		}
		for _, module := range regexp.MustCompile(`from '\./([^']+)'`).FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat("static/" + module[1]); err != nil {
				t.Errorf("static/%s: %v", path, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestForeignHostsAreRefused(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	for host, want := range map[string]int{
		"localhost": 200, "LOCALHOST:8080": 200, "127.0.0.1": 200, "127.8.9.10:80": 200, "[::1]:8080": 200,
		"evil.example": 403, "evil.example:8080": 403, "localhost.evil.example": 403, "127.0.0.1.evil.example": 403,
		"192.168.1.2": 403, "0.0.0.0": 403, "[2001:db8::1]": 403,
	} {
		for _, path := range []string{"/", "/api/state", "/files/1/a"} {
			response, body := w.do(http.MethodGet, path, "", "Host", host)
			if want == 403 && (response.StatusCode != 403 || errorCode(t, body) != webui.CodeForeign) {
				t.Errorf("GET %s as %s: %s %s, want 403 %s", path, host, response.Status, body, webui.CodeForeign)
			}
			if want == 200 && response.StatusCode == 403 {
				t.Errorf("GET %s as %s: refused", path, host)
			}
		}
	}
}

func TestOtherOriginsCanNeitherActNorRead(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	say := `{"channel":"` + w.board + `","text":"hello"}`
	tests := []struct {
		name, method, path string
		headers            []string
		want               int
	}{
		{"page itself", "POST", "/api/say", []string{"Sec-Fetch-Site", "same-origin", "Origin", w.page.URL}, 200},
		{"no browser", "POST", "/api/say", nil, 200},
		{"cross-site", "POST", "/api/say", []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, 403},
		{"same site, another port", "POST", "/api/say", []string{"Sec-Fetch-Site", "same-site", "Origin", "http://127.0.0.1:1"}, 403},
		{"old browser, another origin", "POST", "/api/say", []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"sandboxed frame", "POST", "/api/say", []string{"Origin", "null"}, 403},
		{"form of another site", "POST", "/api/say", []string{"Content-Type", "text/plain"}, 415},
		{"form without type", "POST", "/api/say", []string{"Content-Type", ""}, 415},
		{"picture in another site", "GET", "/api/state", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"stream for another port", "GET", "/api/events", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"link to the page", "GET", "/", []string{"Sec-Fetch-Site", "cross-site"}, 200},
		{"action by link", "GET", "/api/say", nil, 404},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before := len(w.sim.Messages("", w.board))
			response, body := w.do(test.method, test.path+"?as=ann", say, test.headers...)
			if response.StatusCode != test.want {
				t.Errorf("%s %s, want %d", response.Status, body, test.want)
			}
			said := len(w.sim.Messages("", w.board)) - before
			if (said > 0) != (test.method == "POST" && test.want == 200) {
				t.Errorf("%d messages were said", said)
			}
		})
	}
}

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
		t.Errorf("a user who is not there: %d %s", status, code)
	}
	if got := w.json(http.MethodGet, "/api/state", nil)["me"].(map[string]any)["id"]; got != w.ann {
		t.Errorf("without a user one is %v, want the first", got)
	}
}

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
		t.Errorf("Ben is told of %v", change)
	}
	// Cleo's next change is another message, so the mention was not hers.
	w.json(http.MethodPost, "/api/say?as=ann", map[string]string{"channel": w.other, "text": "second"})
	if change := <-cleo; change["kind"] != "message" {
		t.Errorf("Cleo is told of %v", change)
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
		t.Errorf("a click on a button that is gone: %d %s", status, code)
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
	if diff := cmp.Diff(map[string]bool{"board-room": true, "quiet-table": false, "game-1": false}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
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
	answer := w.json(http.MethodPost, "/api/autocomplete?as=ann", map[string]any{
		"channel": w.board, "command": "lasca challenge", "options": map[string]any{"user": w.ben}, "option": "move", "text": "c3",
	})
	if diff := cmp.Diff([]any{map[string]any{"name": "c3-d4", "value": "c3d4"}}, answer["choices"]); diff != "" {
		t.Errorf("choices (-want +got):\n%s", diff)
	}
	if asked.Name != "move" || asked.Value != "c3" {
		t.Errorf("the bot was asked for %+v", asked)
	}
}

func TestUserCommandsAndSelectsAndForms(t *testing.T) {
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

func TestUploadsThatAreNoPicturesAreOnlySaved(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	bot := w.connect()
	page := []byte("<!doctype html><script>alert(1)</script>")
	bot.send(w.board, map[string]any{"content": "files", "allowed_mentions": quiet(),
		"attachments": []any{map[string]any{"id": "0", "filename": "game.html"}}, "files": map[string][]byte{"game.html": page}})
	file := w.json(http.MethodGet, "/api/messages?as=ann&channel="+w.board, nil)["messages"].([]any)[0].(map[string]any)["attachments"].([]any)[0].(map[string]any)
	if file["picture"] != false {
		t.Errorf("shown as a picture: %v", file)
	}
	response, body := w.do(http.MethodGet, "/"+file["url"].(string), "")
	if got := response.Header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment") {
		t.Errorf("Content-Disposition %q", got)
	}
	if got := response.Header.Get("Content-Type"); got != "application/octet-stream" || !bytes.Equal([]byte(body), page) {
		t.Errorf("Content-Type %q, %d bytes", got, len(body))
	}
	if response, _ := w.do(http.MethodGet, "/files/123/game.html", ""); response.StatusCode != 404 {
		t.Errorf("a file that is not there: %s", response.Status)
	}
}
