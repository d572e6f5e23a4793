package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// TestFullDisk plays on a disk that fills up and then has room again.
func TestFullDisk(t *testing.T) {
	folder, err := os.MkdirTemp("", "lasca")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := syscall.Mount("none", folder, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("only root can make a small disk to fill: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })

	ctx := within(t, time.Minute)
	sim, url, channel, ann := discord(t)
	data := filepath.Join(folder, "games.db")
	_, log := lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url, "-ops-addr", "127.0.0.1:0", "-backup-every", "0")
	if err := sim.WaitFor(ctx, online); err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(`address=(\S+)`).FindStringSubmatch(log.String())
	if at == nil {
		t.Fatal("the log does not name the operations page")
	}
	ready := func() (int, string) {
		t.Helper()
		resp, err := http.Get(at[1] + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(text)
	}
	ask := func(line string) discordsim.Message {
		t.Helper()
		reply, err := ann.Type(ctx, channel, line)
		if err != nil {
			t.Fatal(err)
		}
		m, _ := sim.Message(ann.ID(), channel, reply.MessageID)
		return m
	}
	const begin = "/lasca play level:1 colour:white"
	if m := ask(begin); !strings.Contains(m.Content, "your move") {
		t.Fatal(m.Content)
	}
	if code, text := ready(); code != http.StatusOK {
		t.Errorf("%d %s", code, text)
	}

	ballast := filepath.Join(folder, "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	if f.Close(); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	begun, refused := 1, ""
	for ; begun < 40 && refused == ""; begun++ { // the file has some room of its own
		// Another level, or it would be the same game asked for twice.
		if m := ask(fmt.Sprintf("/lasca play level:%d colour:%s", begun%8+1, []string{"white", "black", "random"}[begun%3])); m.EphemeralFor != "" {
			refused = m.Content
			begun--
		}
	}
	if !strings.Contains(refused, "I cannot save anything") {
		t.Fatalf("after %d games: %q", begun, refused)
	}
	t.Logf("full after %d games", begun)
	if m := ask("/lasca games"); m.EphemeralFor == "" || !strings.Contains(m.Content, "level 1") {
		t.Errorf("reading does not go on: %s", m.Content)
	}
	if code, text := ready(); code != http.StatusServiceUnavailable || !strings.Contains(text, "no space") {
		t.Errorf("ready with a full disk: %d %s", code, text)
	}

	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if code, text := ready(); code != http.StatusOK {
		t.Errorf("there is room again: %d %s", code, text)
	}
	if m := ask("/lasca play level:7 colour:white rules:lasker"); !strings.Contains(m.Content, "your move") {
		t.Errorf("there is room again: %s", m.Content)
	}
	if v := sim.Violations(); len(v) > 0 {
		t.Errorf("violations: %v", v)
	}
}
