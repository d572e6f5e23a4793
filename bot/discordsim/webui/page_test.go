package webui_test

import (
	"io/fs"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
)

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

// The policy would block such things, but they should not be in the source either.
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
