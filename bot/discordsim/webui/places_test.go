package webui_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/webui"
	"github.com/lascabot/lascabot/bot/discordsim/webui/browsertest"
)

// everywhereJSON is a command that people can take along.
const everywhereJSON = `[{"name":"lasca","type":1,"description":"Lasca","contexts":[0,1,2],"integration_types":[0,1],"options":[
	{"type":1,"name":"play","description":"Play against the bot"}]}]`

// everywhere connects a bot with that command. It answers with a board that has a button.
func (w *world) everywhere() {
	bot := w.connect()
	bot.request(http.MethodPut, "/applications/"+w.sim.ApplicationID()+"/commands", "application/json", []byte(everywhereJSON))
	bot.answers(func(i interaction) (int, map[string]any) {
		data := map[string]any{"content": "your move", "allowed_mentions": quiet(), "components": []any{row(button("c3", "c3", 1))}}
		if i.Type == 3 {
			data["content"] = "after c3"
			return 7, data
		}
		return 4, data
	})
}

func TestStateShowsPlacesWithoutTheBot(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.everywhere()
	group, dm := w.sim.AddGroupDM("friends", w.ann, w.ben), w.sim.AddDM(w.ann, w.cleo)
	foreign := w.sim.AddForeignGuild("Elsewhere", "")
	w.sim.Join(foreign, w.ann)
	lobby := w.sim.AddChannel(foreign, "lobby")
	type place struct {
		Kind, Name string
		Commands   int
	}
	read := func() map[string]place {
		out := map[string]place{}
		for _, c := range w.json(http.MethodGet, "/api/state?as=ann", nil)["channels"].([]any) {
			c := c.(map[string]any)
			out[c["id"].(string)] = place{c["kind"].(string), c["name"].(string), len(c["commands"].([]any))}
		}
		return out
	}
	want := func(n int) map[string]place {
		return map[string]place{
			w.board: {"text", "board-room", 1}, w.other: {"text", "quiet-table", 1},
			group: {"group", "friends", n}, dm: {"dm", "Cleo", n}, lobby: {"text", "lobby", n},
		}
	}
	if diff := cmp.Diff(want(0), read()); diff != "" {
		t.Errorf("before the installation (-want +got):\n%s", diff)
	}
	w.json(http.MethodPost, "/api/switches?as=ann", map[string]bool{"installed": true})
	if diff := cmp.Diff(want(1), read()); diff != "" {
		t.Errorf("after it (-want +got):\n%s", diff)
	}
	guilds := w.json(http.MethodGet, "/api/state?as=ann", nil)["guilds"].([]any)
	if guilds[0].(map[string]any)["foreign"] != false || guilds[1].(map[string]any)["foreign"] != true {
		t.Errorf("guilds: %v", guilds)
	}
	if got := w.json(http.MethodPost, "/api/dm?as=ann", map[string]string{"user": w.cleo})["channel"]; got != dm {
		t.Errorf("writing to Cleo leads to %v, want %s", got, dm)
	}
	if status, code := w.code(http.MethodPost, "/api/dm?as=ann", map[string]string{"user": w.ann}); status != 404 || code != webui.CodeNotFound {
		t.Errorf("writing to oneself: %d %s", status, code)
	}
	w.json(http.MethodPost, "/api/switches?as=ann", map[string]bool{"dmClosed": true})
	if me := w.json(http.MethodGet, "/api/state?as=ann", nil)["me"].(map[string]any); me["installed"] != true || me["dmClosed"] != true {
		t.Errorf("me: %v", me)
	}
}

func TestBrowserPlaysWhereTheBotIsNot(t *testing.T) {
	open := browsertest.Open(t, time.Minute)
	for _, width := range []int64{1280, 390} {
		w := newWorld(t, discordsim.Options{})
		w.everywhere()
		group := w.sim.AddGroupDM("friends", w.ann, w.ben)
		foreign := w.sim.AddForeignGuild("Elsewhere", "")
		for _, id := range []string{w.cleo, w.ann, w.ben} {
			w.sim.Join(foreign, id)
		}
		lobby := w.sim.AddChannel(foreign, "lobby")
		w.sim.SetMemberPermissions(foreign, w.ann, discordsim.DefaultMemberPermissions&^discordsim.UseExternalApps)
		ann, ben := open(w.page.URL+"/?as=ann#"+group, width, 800), open(w.page.URL+"/?as=ben#"+group, width, 800)
		drawer := func(p *browsertest.Tab) {
			if width < 600 {
				p.Click(browsertest.ID("drawer-toggle"))
				p.Until(`document.querySelector('[data-testid=side]').getBoundingClientRect().left === 0`)
			}
		}
		play := func(p *browsertest.Tab) {
			p.Click(browsertest.ID("composer-input"))
			p.Keys("/lasca play\n")
		}
		// The switch is in the menu about oneself.
		ann.Click(browsertest.ID("user-switch"))
		ann.KeepPicture(fmt.Sprint("switches-", width))
		ann.Click(browsertest.ID("user-setting", `[data-name=installed]`))
		ann.Until(`document.querySelector('[data-testid=example]')`) // now that the command can be used here
		play(ann)
		ann.Until(browsertest.Has(browsertest.ID("content"), "your move"))
		// Ben presses the button without having installed anything.
		ben.Click(browsertest.ID("button", `[data-custom-id=c3]`))
		ann.Until(browsertest.Has(browsertest.ID("content"), "after c3"))
		// Elsewhere the answer is for Ann alone.
		drawer(ann)
		ann.Until(browsertest.Has(browsertest.ID("channel", `[data-channel-id="`+group+`"]`), "friends"))
		ann.Until(`document.querySelector('#side').textContent.includes('Elsewhere · without Lasca')`)
		ann.KeepPicture(fmt.Sprint("places-", width))
		ann.Click(browsertest.ID("channel", `[data-channel-id="`+lobby+`"]`))
		ann.Until(`document.querySelector('[data-testid=scroller]').getAttribute('aria-label') === '#lobby'`)
		play(ann)
		ann.Until(browsertest.Has(browsertest.ID("message", `[data-private="true"]`), "your move"))
		if browsertest.Eval[bool](ann, `document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("%d px: the page is too wide", width)
		}
		ann.Quiet()
		ben.Quiet()
	}
}
