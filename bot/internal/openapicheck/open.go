package openapicheck

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Open returns a checker for Discord's document. The environment variable
// DISCORD_OPENAPI names the file, or LASCA_SHARED names a folder that holds
// discord/openapi.json. Without them, Open looks in a folder "shared" beside the
// module. Open skips the test when it finds no file, and fails it when the file
// is not an OpenAPI document.
func Open(t testing.TB) *Checker {
	t.Helper()
	c, ok := Find(t)
	if !ok {
		t.Skip("Discord's openapi.json was not found, so the bodies were not checked; set DISCORD_OPENAPI to a copy")
	}
	return c
}

// Find is Open for tests that have more to check: it reports false instead of
// skipping the test.
func Find(t testing.TB) (*Checker, bool) {
	t.Helper()
	path := find()
	if path == "" {
		return nil, false
	}
	c, err := load(path)
	if err != nil {
		t.Fatal(err)
	}
	return c, true
}

// find returns the path of the document, "" when it is missing.
func find() string {
	if path := os.Getenv("DISCORD_OPENAPI"); path != "" {
		return path // a wrong path should fail, not skip in silence
	}
	shared := os.Getenv("LASCA_SHARED")
	// Tests run in the folder of their package.
	for up := ".."; shared == "" && len(up) < 24; up = filepath.Join(up, "..") {
		if _, err := os.Stat(filepath.Join(up, "go.mod")); err == nil {
			shared = filepath.Join(up, "..", "shared")
		}
	}
	path := filepath.Join(shared, "discord", "openapi.json")
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

var (
	loadedMu sync.Mutex
	loaded   = map[string]*Checker{}
)

// load is Load, but reads each file once.
func load(path string) (*Checker, error) {
	loadedMu.Lock()
	defer loadedMu.Unlock()
	if c := loaded[path]; c != nil {
		return c, nil
	}
	c, err := Load(path)
	if err == nil {
		loaded[path] = c
	}
	return c, err
}
