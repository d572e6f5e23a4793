package webui_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestOnlyPicturesAreShown(t *testing.T) {
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
		t.Errorf("an unknown file: %s", response.Status)
	}
}
