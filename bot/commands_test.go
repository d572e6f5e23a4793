package bot_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestCommandsOfOthersStay(t *testing.T) {
	w := newWorld(t)
	w.stop()
	body := `{"type":1,"name":"other","description":"Of another program with this application"}`
	route := w.http.URL + "/api/v10/applications/" + w.sim.ApplicationID() + "/commands"
	req, err := http.NewRequestWithContext(w.ctx, "POST", route, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bot token")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "DiscordBot (https://example.org, 1)")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	before := len(w.requests("POST /applications"))
	w.start()
	w.wait("all commands are registered", func(s *discordsim.Server) bool {
		var names []string
		for _, c := range s.Commands("") {
			names = append(names, c.Name)
		}
		return slices.Contains(names, "other") && slices.Contains(names, "lasca")
	})
	if n := len(w.requests("POST /applications")); n != before {
		t.Errorf("the bot registered %d commands again", n-before)
	}
}
