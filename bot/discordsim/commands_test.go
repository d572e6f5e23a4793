package discordsim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestCommandsKeepTheirIDs(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.register(lasca)
	first := w.sim.Commands("")[0]
	w.register(lasca, obj{"name": "other", "description": "Other"})
	both := w.sim.Commands("")
	if len(both) != 2 || both[0].ID != first.ID || both[0].Version == first.Version {
		t.Errorf("commands = %+v, want the first with ID %s and a new version", both, first.ID)
	}
	path := "/applications/" + w.sim.ApplicationID() + "/commands"
	if _, out := w.rest("GET", path, nil); strings.Contains(fmt.Sprint(out), "spielen") {
		t.Errorf("GET: %v, want no localizations", out)
	}
	if _, out := w.rest("GET", path+"?with_localizations=true", nil); !strings.Contains(fmt.Sprint(out), "spielen") {
		t.Errorf("GET with_localizations: %v", out)
	}
	many := make([]obj, 101)
	for i := range many {
		many[i] = obj{"name": fmt.Sprint("c", i), "description": "x"}
	}
	if status, out := w.rest("PUT", path, many[:100]); status != 200 || len(out["list"].([]any)) != 100 {
		t.Errorf("100 commands: %d", status)
	}
	w.register(lasca, obj{"name": "other", "description": "Other"})
	w.clean()
	if status, out := w.rest("PUT", path, many); status != 400 || code(out) != 30032 {
		t.Errorf("101 commands: %d %v, want 30032", status, out)
	}
	w.violated("30032")
}

func TestACommandIsAddedOrReplacedByItself(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.register(lasca)
	path := "/applications/" + w.sim.ApplicationID() + "/commands"
	first, want := w.sim.Commands("")[0], 201
	for range 2 {
		if status, out := w.rest("POST", path, obj{"name": "other", "description": "Other"}); status != want {
			t.Errorf("%d %v, want %d", status, out, want)
		}
		want = 200
	}
	if both := w.sim.Commands(""); len(both) != 2 || both[0].ID != first.ID || both[0].Version != first.Version {
		t.Errorf("commands = %+v, want the first as it was, and one more", both)
	}
	w.clean()
	if status, _ := w.rest("POST", path, obj{"name": "Not a name", "description": "x"}); status != 400 {
		t.Errorf("a bad name: %d", status)
	}
	w.violated("name")
}

func TestAGuildHasCommandsOfItsOwn(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.register(lasca, obj{"name": "other", "description": "Other"})
	guild := "/applications/" + w.sim.ApplicationID() + "/guilds/" + w.guild + "/commands"
	if status, _ := w.rest("PUT", guild, []obj{{"name": "here", "description": "Here"}}); status != 200 {
		t.Errorf("guild PUT: %d", status)
	}
	global := "/applications/" + w.sim.ApplicationID() + "/commands"
	for path, want := range map[string]int{guild: 1, global: 2} {
		if _, out := w.rest("GET", path, nil); len(out["list"].([]any)) != want {
			t.Errorf("GET %s: %v, want %d", path, out["list"], want)
		}
	}
	if n, m := len(w.sim.Commands("")), len(w.sim.Commands(w.guild)); n != 2 || m != 3 {
		t.Errorf("%d global, %d with the guild's, want 2 and 3", n, m)
	}
	dm, err := w.sim.As(w.ann).Available(w.sim.As(w.ann).OpenDM())
	if err != nil || len(dm) != 2 {
		t.Errorf("in direct messages: %d commands, %v", len(dm), err)
	}
	w.clean()
}
