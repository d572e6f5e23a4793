package webui_test

import (
	"net/http"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/webui"
)

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
