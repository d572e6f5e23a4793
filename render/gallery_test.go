package render

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGalleryHasEverything writes the gallery and checks the files that its page
// shows.
func TestGalleryHasEverything(t *testing.T) {
	skipSlow(t)
	dir := filepath.Join(t.TempDir(), "new")
	if err := Gallery(dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), `<img src="`)[1:]
	for _, p := range parts {
		name, _, _ := strings.Cut(p, `"`)
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("the page shows %s: %v", name, err)
		}
	}
	if want := numThemes*(len(samples())+5) + 1; len(parts) != want {
		t.Errorf("the page shows %d pictures, want %d", len(parts), want)
	}
	file := filepath.Join(dir, "index.html")
	if err := Gallery(file); err == nil {
		t.Error("Gallery takes a file for a folder")
	}
}
