package discordsim_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// tile is a picture for an emoji, as a data URI.
func tile(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
}

func (w *world) emojiPath() string { return "/applications/" + w.sim.ApplicationID() + "/emojis" }

// emoji makes an emoji and gives its ID.
func (w *world) emoji(name string) string {
	w.t.Helper()
	status, out := w.rest("POST", w.emojiPath(), obj{"name": name, "image": tile(w.t)})
	if status != 201 {
		w.t.Fatalf("emoji %s: %d %v", name, status, out)
	}
	return out["id"].(string)
}

func TestApplicationEmojiAreMadeRenamedListedAndDeleted(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	first, second := w.emoji("w_soldier"), w.emoji("empty")
	if status, out := w.rest("PATCH", w.emojiPath()+"/"+second, obj{"name": "blank"}); status != 200 || out["name"] != "blank" {
		t.Errorf("renaming: %d %v", status, out)
	}
	if status, out := w.rest("GET", w.emojiPath()+"/"+first, nil); status != 200 || out["name"] != "w_soldier" || out["animated"] != false {
		t.Errorf("reading: %d %v", status, out)
	}
	_, out := w.rest("GET", w.emojiPath(), nil)
	if items := out["items"].([]any); len(items) != 2 || items[1].(obj)["name"] != "blank" {
		t.Errorf("listing: %v", out)
	}
	resp, err := http.Get(w.srv.URL + "/emojis/" + first + ".png")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if data, _ := io.ReadAll(resp.Body); resp.Header.Get("Content-Type") != "image/png" || !bytes.HasPrefix(data, []byte("\x89PNG")) {
		t.Errorf("the picture is %s, %d bytes", resp.Header.Get("Content-Type"), len(data))
	}
	if status, _ := w.rest("DELETE", w.emojiPath()+"/"+first, nil); status != 204 {
		t.Errorf("deleting: %d", status)
	}
	if status, out := w.rest("DELETE", w.emojiPath()+"/"+first, nil); status != 404 || code(out) != 10014 {
		t.Errorf("deleting twice: %d %v, want 10014", status, out)
	}
	const all, one = "/applications/{application_id}/emojis", "/applications/{application_id}/emojis/{emoji_id}"
	w.held(t, "POST "+all, "GET "+all, "GET "+one, "PATCH "+one, "DELETE "+one)
	w.clean()
}

func TestEmojiKeepTheirRules(t *testing.T) {
	for name, c := range map[string]struct {
		body obj
		code int
		says string
	}{
		"name of one letter":   {obj{"name": "a", "image": ""}, 50035, "name: Must be between 2 and 32 in length."},
		"name of 33 letters":   {obj{"name": strings.Repeat("a", 33), "image": ""}, 50035, "name: Must be between 2 and 32 in length."},
		"name with a hyphen":   {obj{"name": "w-soldier", "image": ""}, 50035, "name: String value did not match validation regex."},
		"no name":              {obj{"image": ""}, 50035, "name: This field is required"},
		"no picture":           {obj{"name": "empty"}, 50035, "image: This field is required"},
		"not a data URI":       {obj{"name": "empty", "image": "iVBOR"}, 50035, "image: Invalid image data"},
		"not a picture":        {obj{"name": "empty", "image": "data:image/png;base64,AAAA"}, 50035, "image: Invalid image data"},
		"a field of guilds'":   {obj{"name": "empty", "image": "", "roles": []string{}}, 50035, "unknown field roles"},
		"a change to no name":  {nil, 50035, "name: This field is required"},
		"another applications": {nil, 20012, "20012"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, discordsim.Options{})
			method, path := "POST", w.emojiPath()
			if c.body != nil && c.body["image"] == "" {
				c.body["image"] = tile(t)
			}
			var body any = c.body
			switch name {
			case "a change to no name":
				method, path, body = "PATCH", path+"/"+w.emoji("old"), obj{"name": ""}
			case "another applications":
				method, path, body = "GET", "/applications/1/emojis", nil
			}
			if status, out := w.rest(method, path, body); name != "a field of guilds'" && (status < 400 || code(out) != c.code) {
				t.Errorf("%d %v, want code %d", status, out, c.code)
			}
			w.violated(c.says)
		})
	}
}

func TestAnEmojiHasAtMost256KiB(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(tile(t), "data:image/png;base64,"))
	if err != nil {
		t.Fatal(err)
	}
	send := func(size int) (int, obj) {
		return w.rest("POST", w.emojiPath(), obj{"name": "padded", "image": "data:image/png;base64," +
			base64.StdEncoding.EncodeToString(append(data, make([]byte, size-len(data))...))})
	}
	if status, out := send(256*1024 + 1); status != 400 || code(out) != 0 || !strings.Contains(out["message"].(string), "256") {
		t.Errorf("one byte too many: %d %v, want 400 without a code", status, out)
	}
	w.violated("File cannot be larger")
	if status, _ := send(256 * 1024); status != 201 {
		t.Errorf("256 KiB: %d", status)
	}
}

func TestAnApplicationHasAtMost2000Emoji(t *testing.T) {
	w := newWorld(t, discordsim.Options{RouteLimit: 3000})
	body := obj{"image": tile(t)}
	for i := range 2000 {
		body["name"] = "e" + strings.Repeat("x", 1+i/500) + string(rune('A'+i%500/20)) + string(rune('a'+i%20))
		if status, out := w.rest("POST", w.emojiPath(), body); status != 201 {
			t.Fatalf("emoji %d: %d %v", i, status, out)
		}
	}
	w.clean()
	body["name"] = "more"
	if status, out := w.rest("POST", w.emojiPath(), body); status != 400 || code(out) != 30008 {
		t.Errorf("2,001st emoji: %d %v, want 30008", status, out)
	}
	w.violated("Maximum number of emojis")
}

func TestATakenEmojiNameIsRefused(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.emoji("empty")
	if status, out := w.rest("POST", w.emojiPath(), obj{"name": "empty", "image": tile(t)}); status != 400 || code(out) != 50035 {
		t.Errorf("%d %v, want 50035", status, out)
	}
	w.clean() // another process of the bot may have been faster
}

func TestUnknownEmojiInTextsAreViolations(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	id := w.emoji("empty")
	w.send(w.general, obj{"content": "<:empty:" + id + "> `<:code:1>` <:not an emoji:2>"})
	w.clean()
	w.send(w.general, obj{"content": "<a:gone:123456>"})
	w.violated("content: the application has no emoji 123456")
	w.send(w.general, obj{"flags": 1 << 15, "components": []obj{{"type": 10, "content": "<:gone:77>"}}})
	w.violated("components.0.content: the application has no emoji 77")
	if got := w.sim.Transcript(w.general); !strings.Contains(got, "lasca: :empty: `:code:`") {
		t.Errorf("transcript: %s", got)
	}
}

func TestButtonsShowTheApplicationsEmoji(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	id := w.emoji("hint")
	withEmoji := func(e obj) obj { return obj{"type": 2, "style": 1, "custom_id": "a", "emoji": e} }
	w.send(w.general, obj{"content": "x", "components": row(withEmoji(obj{"id": id, "name": "hint"}))})
	w.clean()
	w.held(t, "POST /channels/{channel_id}/messages")
	if got := w.sim.Transcript(w.general); !strings.Contains(got, "[:hint:]") {
		t.Errorf("transcript: %s", got)
	}
	status, out := w.rest("POST", "/channels/"+w.general+"/messages", obj{"content": "x", "allowed_mentions": quiet, "components": row(withEmoji(obj{"id": "99", "name": "hint"}))})
	if status != 400 || code(out) != 50035 {
		t.Errorf("unknown emoji: %d %v, want 50035", status, out)
	}
	w.violated("Invalid emoji")
}

func TestEmojiRoutesShareABudgetThatTheHeadersDoNotTell(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	w := newWorld(t, discordsim.Options{Clock: clock, EmojiLimit: 2})
	w.emoji("one")
	_, out := w.rest("GET", w.emojiPath(), nil)
	if got := out["header"].(http.Header).Get("X-RateLimit-Remaining"); got != "999" {
		t.Errorf("remaining %q, want the quota of the route", got)
	}
	status, out := w.rest("GET", w.emojiPath(), nil)
	if wait, _ := out["retry_after"].(float64); status != 429 || wait <= 0 || wait > 60 || out["global"] != false {
		t.Errorf("third request: %d %v", status, out)
	}
	clock.Advance(time.Minute)
	if status, _ := w.rest("GET", w.emojiPath(), nil); status != 200 {
		t.Errorf("a minute later: %d", status)
	}
	w.send(w.general, obj{"content": "other routes go on"})
	w.clean()
}

func TestEmojiSurviveTheProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "world")
	sim, err := discordsim.Open(path, discordsim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := serve(t, sim)
	kept, gone := w.emoji("kept"), w.emoji("gone")
	w.rest("PATCH", w.emojiPath()+"/"+kept, obj{"name": "renamed"})
	w.rest("DELETE", w.emojiPath()+"/"+gone, nil)
	if err := sim.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := discordsim.Open(path, discordsim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if list := again.Emoji(); len(list) != 1 || list[0].ID != kept || list[0].Name != "renamed" {
		t.Errorf("after a restart: %v", list)
	}
	if e, ok := again.EmojiPicture(kept); !ok || len(e.Data) == 0 {
		t.Error("the picture is gone")
	}
}
