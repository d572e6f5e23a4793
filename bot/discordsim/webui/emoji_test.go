package webui_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/color"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/webui/browsertest"
)

// emoji makes an emoji of the application's and gives its ID.
func (b *testBot) emoji(w *world, name string) string {
	b.t.Helper()
	body, err := json.Marshal(map[string]any{"name": name, "image": "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture(b.t, 64, 64, color.White))})
	if err != nil {
		b.t.Fatal(err)
	}
	b.request(http.MethodPost, "/applications/"+w.sim.ApplicationID()+"/emojis", "application/json", body)
	for _, e := range w.sim.Emoji() {
		if e.Name == name {
			return e.ID
		}
	}
	b.t.Fatalf("the emoji %s was not made", name)
	return ""
}

func TestEmojiPicturesComeFromThePage(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	id := w.connect().emoji(w, "empty")
	response, body := w.do(http.MethodGet, "/emojis/"+id, "")
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "image/png" || !strings.HasPrefix(body, "\x89PNG") {
		t.Errorf("%s, %s", response.Status, response.Header.Get("Content-Type"))
	}
	if response, _ := w.do(http.MethodGet, "/emojis/1", ""); response.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown emoji: %s", response.Status)
	}
}

func TestBrowserShowsTheApplicationsEmoji(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	w := newWorld(t, discordsim.Options{})
	bot := w.connect()
	left, hint := bot.emoji(w, "empty"), bot.emoji(w, "hint")
	withEmoji := button("Hint", "hint", 1)
	withEmoji["emoji"] = map[string]any{"id": hint, "name": "hint"}
	line := strings.Repeat("<:empty:"+left+">⬛", 4)
	bot.send(w.board, map[string]any{
		"content": "Board\n" + line + "\n" + strings.ReplaceAll(line, "⬛", "") + strings.Repeat("⬛", 4), "allowed_mentions": quiet(),
		"components": []any{row(withEmoji)},
	})
	for _, width := range []int64{1280, 390} {
		ann := open(w.page.URL+"/?as=ann#"+w.board, width, 800)
		ann.Until(`document.querySelectorAll('.content [data-testid=app-emoji]').length === 8`)
		ann.Until(`[...document.querySelectorAll('[data-testid=app-emoji]')].every((e) => e.complete && e.naturalWidth === 64)`)
		// Emoji of both kinds are squares of one size, so that columns line up.
		if !browsertest.Eval[bool](ann, `(() => { const w = [...document.querySelectorAll('.content [data-testid=app-emoji], .content .glyph')].map((e) => Math.round(e.getBoundingClientRect().width * 10));
			return w.length === 16 && new Set(w).size === 1; })()`) {
			t.Errorf("%d px: emoji of different widths", width)
		}
		if got := browsertest.Eval[string](ann, `document.querySelector('.content [data-testid=app-emoji]').alt`); got != ":empty:" {
			t.Errorf("%d px: the emoji is described as %q", width, got)
		}
		if !browsertest.Eval[bool](ann, `document.querySelector('[data-testid=button] [data-testid=app-emoji]').getBoundingClientRect().width > 10 && document.querySelector('[data-testid=button]').getAttribute('aria-label') === 'Hint'`) {
			t.Errorf("%d px: the button does not show its emoji", width)
		}
		if browsertest.Eval[bool](ann, `document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("%d px: the page is too wide", width)
		}
		ann.KeepPicture(fmt.Sprint("emoji-", width))
		ann.Quiet()
	}
}
