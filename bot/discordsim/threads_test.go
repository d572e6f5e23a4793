package discordsim_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// may sets what the bot may do in the guild besides the usual, and without what.
func (w *world) may(more, less discordsim.Permissions) {
	w.sim.SetMemberPermissions(w.guild, w.sim.BotID(), discordsim.DefaultBotPermissions&^less|more)
}

// channel gives a channel as it is.
func (w *world) channel(id string) discordsim.Channel {
	w.t.Helper()
	for _, ch := range w.sim.Channels("") {
		if ch.ID == id {
			return ch
		}
	}
	w.t.Fatalf("there is no channel %s", id)
	return discordsim.Channel{}
}

// refused sends a request that must fail and checks how.
func (w *world) refused(method, path string, body any, status, number int) {
	w.t.Helper()
	if got, out := w.rest(method, path, body); got != status || code(out) != number {
		w.t.Errorf("%s %s %v: %d %v, want %d with code %d", method, path, body, got, out, status, number)
	}
}

func TestAThreadIsStartedFromAMessageWithItsID(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	id := w.send(w.general, obj{"content": "board"})
	path := "/channels/" + w.general + "/messages/" + id + "/threads"
	status, out := w.rest("POST", path, obj{"name": "Ann – Ben", "auto_archive_duration": 10080})
	if status != 201 {
		t.Fatalf("%d %v", status, out)
	}
	meta := out["thread_metadata"].(obj)
	if out["id"] != id || out["type"] != 11.0 || out["parent_id"] != w.general || out["owner_id"] != w.sim.BotID() ||
		meta["archived"] != false || meta["locked"] != false || meta["auto_archive_duration"] != 10080.0 {
		t.Errorf("%v", out)
	}
	_, message := w.rest("GET", "/channels/"+w.general+"/messages/"+id, nil)
	if thread, _ := message["thread"].(obj); thread["id"] != id || message["flags"] != 32.0 {
		t.Errorf("the message has the thread %v and flags %v", message["thread"], message["flags"])
	}
	w.send(id, obj{"content": "first move"})
	if got := len(w.sim.Messages("", id)); got != 1 {
		t.Errorf("%d messages in the thread", got)
	}
	w.refused("POST", path, obj{"name": "again"}, 400, 160004)
	w.held(t, "POST /channels/{channel_id}/messages/{message_id}/threads", "GET /channels/{channel_id}/messages/{message_id}")
	w.clean()
}

func TestAThreadIsStartedWithoutAMessage(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	status, out := w.rest("POST", "/channels/"+w.general+"/threads", obj{"name": "Game 7", "type": 11})
	if status != 201 || out["name"] != "Game 7" || out["parent_id"] != w.general {
		t.Fatalf("%d %v", status, out)
	}
	w.send(out["id"].(string), obj{"content": "x"})
	w.held(t, "POST /channels/{channel_id}/threads")
	w.clean()
	// Discord would make a private thread of one that names no type.
	w.refused("POST", "/channels/"+w.general+"/threads", obj{"name": "Game 8"}, 400, 50035)
	w.violated("only public threads are modelled")
}

func TestAForumPostComesWithItsFirstMessage(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	forum := w.sim.AddForum(w.guild, "matches")
	path := "/channels/" + forum + "/threads"
	w.may(0, discordsim.CreatePublicThreads) // which has no effect in forums
	body := obj{"name": "Ann – Ben", "message": obj{"content": "<@" + w.ann + ">", "allowed_mentions": obj{"users": []string{w.ann}},
		"attachments": []obj{{"id": "0", "description": "a board"}}, "components": row(button("go", "Go"))}}
	status, out := w.rest("POST", path, body, file{"board.png", "image/png", picture(t)})
	if status != 201 {
		t.Fatalf("%d %v", status, out)
	}
	id := out["id"].(string)
	if first := out["message"].(obj); first["id"] != id || first["channel_id"] != id || out["message_count"] != 0.0 {
		t.Errorf("the post: %v", out)
	}
	m, ok := w.sim.Message(w.ben, id, id)
	if !ok || len(m.Attachments) != 1 || len(m.Pings) != 1 || len(m.Components) != 1 {
		t.Errorf("the first message: %+v", m)
	}
	w.held(t, "POST /channels/{channel_id}/threads")
	w.clean()
	w.may(0, discordsim.SendMessages)
	delete(body["message"].(obj), "attachments") // no file comes along
	w.refused("POST", path, body, 403, 50013)
	w.may(0, 0)
	w.refused("POST", path, obj{"name": "x", "message": obj{"allowed_mentions": quiet}}, 400, 50006)
	w.violated("empty message")
	w.refused("POST", path, obj{"name": "x"}, 400, 50035)
	w.violated("message: This field is required")
	w.refused("POST", "/channels/"+forum+"/messages", obj{"content": "x", "allowed_mentions": quiet}, 400, 50008)
	w.violated("non-text channel")
}

func TestThreadsKeepTheirRules(t *testing.T) {
	for name, c := range map[string]struct {
		body obj
		says string
	}{
		"no name":                {obj{}, "name: This field is required"},
		"an empty name":          {obj{"name": ""}, "name: This field is required"},
		"101 characters":         {obj{"name": strings.Repeat("ä", 101)}, "name: Must be between 1 and 100"},
		"archived after an hour": {obj{"name": "x", "auto_archive_duration": 90}, "auto_archive_duration: Value must be one of"},
		"slow mode of a day":     {obj{"name": "x", "rate_limit_per_user": 86400}, "rate_limit_per_user: int value"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, discordsim.Options{})
			id := w.send(w.general, obj{"content": "x"})
			w.refused("POST", "/channels/"+w.general+"/messages/"+id+"/threads", c.body, 400, 50035)
			w.violated(c.says)
		})
	}
	t.Run("where there are none", func(t *testing.T) {
		w := newWorld(t, discordsim.Options{})
		for _, channel := range []string{w.sim.As(w.ann).OpenDM(), w.sim.AddThread(w.general, "t")} {
			w.refused("POST", "/channels/"+channel+"/threads", obj{"name": "x", "type": 11}, 400, 50024)
			w.violated("channel type")
			id := w.send(channel, obj{"content": "x"})
			w.refused("POST", "/channels/"+channel+"/messages/"+id+"/threads", obj{"name": "x"}, 400, 50024)
			w.violated("channel type")
		}
		w.refused("PATCH", "/channels/"+w.general, obj{"name": "x"}, 400, 50024)
		w.violated("channel type")
	})
}

func TestStartingAThreadTakesAPermissionAndRoom(t *testing.T) {
	w := newWorld(t, discordsim.Options{ThreadLimit: 2})
	id := w.send(w.general, obj{"content": "x"})
	from, beside := "/channels/"+w.general+"/messages/"+id+"/threads", "/channels/"+w.general+"/threads"
	w.may(0, discordsim.CreatePublicThreads)
	w.refused("POST", from, obj{"name": "x"}, 403, 50013)
	w.refused("POST", beside, obj{"name": "x", "type": 11}, 403, 50013)
	w.may(0, discordsim.ViewChannel)
	w.refused("POST", from, obj{"name": "x"}, 403, 50001)
	w.may(0, 0)
	first := w.sim.AddThread(w.general, "one")
	w.sim.AddThread(w.general, "two")
	w.refused("POST", from, obj{"name": "x"}, 400, 160006)
	w.sim.SetThread(first, true, false)
	if status, out := w.rest("POST", from, obj{"name": "x"}); status != 201 {
		t.Errorf("after one was archived: %d %v", status, out)
	}
	w.refused("PATCH", "/channels/"+first, obj{"archived": false}, 400, 160006)
	w.clean() // none of it could be known
}

func TestWhoMayChangeAThread(t *testing.T) {
	for name, c := range map[string]struct {
		own, manages, archived, locked bool
		to                             obj
		status, code                   int
	}{
		"archive somebody's":                          {to: obj{"archived": true}, status: 403, code: 50013},
		"archive one's own":                           {own: true, to: obj{"archived": true}, status: 200},
		"archive somebody's, managing":                {manages: true, to: obj{"archived": true}, status: 200},
		"archive again":                               {own: true, archived: true, to: obj{"archived": true}, status: 400, code: 50083},
		"rename one's own":                            {own: true, to: obj{"name": "Ann won"}, status: 200},
		"rename somebody's":                           {to: obj{"name": "Ann won"}, status: 403, code: 50013},
		"rename an archived one":                      {own: true, archived: true, to: obj{"name": "Ann won"}, status: 400, code: 50083},
		"rename and reopen":                           {own: true, archived: true, to: obj{"name": "Ann won", "archived": false}, status: 200},
		"reopen somebody's":                           {archived: true, to: obj{"archived": false}, status: 200},
		"reopen a locked one":                         {own: true, archived: true, locked: true, to: obj{"archived": false}, status: 403, code: 50013},
		"reopen a locked one, managing":               {manages: true, archived: true, locked: true, to: obj{"archived": false}, status: 200},
		"lock one's own":                              {own: true, to: obj{"locked": true}, status: 403, code: 50013},
		"lock, managing":                              {manages: true, to: obj{"locked": true, "archived": true}, status: 200},
		"lock an archived one, managing":              {manages: true, archived: true, to: obj{"locked": true}, status: 400, code: 50083},
		"lock an archived one and reopen it":          {manages: true, archived: true, to: obj{"locked": true, "archived": false}, status: 200},
		"unlock one's own":                            {own: true, locked: true, to: obj{"locked": false}, status: 403, code: 50013},
		"rename one's own when it is locked":          {own: true, locked: true, to: obj{"name": "x"}, status: 403, code: 50013},
		"archive one's own when it is locked":         {own: true, locked: true, to: obj{"archived": true}, status: 403, code: 50013},
		"keep in the list longer":                     {own: true, to: obj{"auto_archive_duration": 10080}, status: 200},
		"reopen somebody's and keep it listed longer": {archived: true, to: obj{"archived": false, "auto_archive_duration": 60}, status: 403, code: 50013},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, discordsim.Options{})
			thread := w.sim.AddThread(w.general, "t")
			if c.own {
				_, out := w.rest("POST", "/channels/"+w.general+"/threads", obj{"name": "t", "type": 11})
				thread = out["id"].(string)
			}
			w.sim.SetThread(thread, c.archived, c.locked)
			if c.manages {
				w.may(discordsim.ManageThreads, 0)
			}
			status, out := w.rest("PATCH", "/channels/"+thread, c.to)
			if status != c.status || status >= 400 && code(out) != c.code {
				t.Fatalf("%d %v, want %d with %d", status, out, c.status, c.code)
			}
			if status == 200 {
				meta := out["thread_metadata"].(obj)
				for key, value := range c.to {
					if got := meta[key]; key != "name" && key != "auto_archive_duration" && got != value || key == "name" && out["name"] != value {
						t.Errorf("%s is %v", key, got)
					}
				}
				w.held(t, "PATCH /channels/{channel_id}")
			}
			w.clean()
		})
	}
}

func TestAnArchivedThreadTakesMessagesAndNoEdits(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	thread := w.sim.AddThread(w.general, "t")
	id := w.send(thread, obj{"content": "x"})
	path, edit := "/channels/"+thread+"/messages", obj{"content": "y", "allowed_mentions": quiet}
	w.sim.SetThread(thread, true, false)
	w.refused("PATCH", path+"/"+id, edit, 400, 50083)
	w.send(thread, obj{"content": "z"})
	if ch := w.channel(thread); ch.Archived {
		t.Error("writing does not open the thread")
	}
	if status, out := w.rest("PATCH", path+"/"+id, edit); status != 200 {
		t.Errorf("in the open thread: %d %v", status, out)
	}
	// A locked one is for those who manage threads.
	w.sim.SetThread(thread, true, true)
	w.refused("PATCH", path+"/"+id, edit, 400, 50083)
	w.refused("POST", path, edit, 403, 160005)
	w.refused("DELETE", path+"/"+id, nil, 400, 50083)
	w.sim.SetThread(thread, false, true)
	w.refused("PATCH", path+"/"+id, edit, 403, 160005)
	w.sim.SetThread(thread, true, true)
	w.may(discordsim.ManageThreads, 0)
	w.send(thread, obj{"content": "moderated"})
	if ch := w.channel(thread); ch.Archived || !ch.Locked {
		t.Errorf("after a moderator's message: %+v", ch)
	}
	w.clean()
}

func TestThreadsAreTold(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	w := newWorld(t, discordsim.Options{Clock: clock})
	id := w.send(w.general, obj{"content": "x"})
	g, _ := w.ready(1)
	g.read() // GUILD_CREATE
	w.rest("POST", "/channels/"+w.general+"/messages/"+id+"/threads", obj{"name": "t"})
	clock.Advance(time.Hour)
	w.rest("PATCH", "/channels/"+id, obj{"archived": true})
	// A thread that the bot does not see is not told.
	hidden := w.sim.AddChannel(w.guild, "hidden")
	w.sim.SetChannelPermissions(hidden, w.sim.BotID(), 0)
	w.sim.AddThread(hidden, "secret")
	w.sim.RemoveChannel(id)
	var got []string
	for range 5 {
		e := g.read()
		var d obj
		json.Unmarshal(e.D, &d)
		line := e.T
		if meta, ok := d["thread_metadata"].(obj); ok && meta["archived"] == true {
			line += " archived " + meta["archive_timestamp"].(string)
		}
		if d["newly_created"] == true {
			line += " new"
		}
		if e.T == "THREAD_DELETE" && cmp.Diff(obj{"id": id, "guild_id": w.guild, "parent_id": w.general, "type": 11.0}, d) != "" {
			t.Errorf("THREAD_DELETE: %v", d)
		}
		got = append(got, line)
	}
	want := []string{"THREAD_CREATE new", "THREAD_UPDATE archived 2026-03-01T13:00:00.000000+00:00", "CHANNEL_CREATE", "CHANNEL_UPDATE", "THREAD_DELETE"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestInteractionsFromAThreadSayWhoseItIsAndItsState(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	thread := w.sim.AddThread(w.general, "t")
	id := w.send(thread, obj{"content": "x", "components": row(button("go", "Go"))})
	seen := make(chan obj, 2)
	w.bot(func(i obj) {
		seen <- i
		w.callback(i, 6, nil)
	})
	for _, archived := range []bool{false, true} {
		w.sim.SetThread(thread, archived, false)
		w.sim.As(w.ann).Click(w.ctx, thread, id, "go")
		place := (<-seen)["channel"].(obj)
		if place["type"] != 11.0 || place["parent_id"] != w.general || place["thread_metadata"].(obj)["archived"] != archived {
			t.Errorf("archived %t: %v", archived, place)
		}
		if archived {
			return // the answer is refused
		}
	}
}

func TestPeopleStartArchiveAndLockThreads(t *testing.T) {
	w := newWorld(t, discordsim.Options{})
	w.sim.Join(w.guild, w.sim.AddUser(discordsim.User{Name: "owner"})) // members who come first own the guild
	cleo := w.sim.AddUser(discordsim.User{Name: "cleo"})
	w.sim.Join(w.guild, cleo)
	w.sim.SetMemberPermissions(w.guild, cleo, discordsim.DefaultMemberPermissions|discordsim.ManageThreads)
	dora := w.sim.AddUser(discordsim.User{Name: "dora"})
	w.sim.Join(w.guild, dora)
	ben, mod, other := w.sim.As(w.ben), w.sim.As(cleo), w.sim.As(dora)
	id := w.send(w.general, obj{"content": "board"})
	thread, err := ben.StartThread(w.general, id, "  our game ")
	if err != nil || thread != id || w.channel(thread).Name != "our game" || w.channel(thread).OwnerID != w.ben {
		t.Fatalf("%q, %v", thread, err)
	}
	if _, err := ben.StartThread(w.general, id, "again"); !errors.Is(err, discordsim.ErrForbidden) {
		t.Errorf("a second thread: %v", err)
	}
	for _, step := range []struct {
		what             string
		err              error
		ok, arch, locked bool
	}{
		{"another archives", other.Archive(thread), false, false, false},
		{"its owner archives", ben.Archive(thread), true, true, false},
		{"another opens it", other.Unarchive(thread), true, false, false},
		{"its owner locks", ben.Lock(thread), false, false, false},
	} {
		if (step.err == nil) != step.ok || !step.ok && !errors.Is(step.err, discordsim.ErrForbidden) {
			t.Errorf("%s: %v", step.what, step.err)
		}
	}
	if err := mod.Lock(thread); err != nil || !w.channel(thread).Locked || !w.channel(thread).Archived {
		t.Errorf("a moderator locks: %v, %+v", err, w.channel(thread))
	}
	if err := ben.Unarchive(thread); !errors.Is(err, discordsim.ErrForbidden) {
		t.Errorf("its owner opens a locked one: %v", err)
	}
	if _, err := ben.Say(w.ctx, thread, "hello"); !errors.Is(err, discordsim.ErrForbidden) {
		t.Errorf("writing in a locked one: %v", err)
	}
	if err := mod.Unlock(thread); err != nil || w.channel(thread).Locked || w.channel(thread).Archived {
		t.Errorf("unlocking: %v", err)
	}
	// A thread beside the messages, and a forum post.
	if beside, err := ben.StartThread(w.general, "", "talk"); err != nil || beside == "" {
		t.Errorf("beside: %v", err)
	}
	w.sim.SetMemberPermissions(w.guild, w.ben, discordsim.DefaultMemberPermissions&^discordsim.CreatePublicThreads)
	if _, err := ben.StartThread(w.general, "", "talk"); !errors.Is(err, discordsim.ErrForbidden) {
		t.Errorf("without the permission: %v", err)
	}
	forum := w.sim.AddForum(w.guild, "matches")
	post, err := ben.StartPost(forum, "Looking for a game", "Who plays?")
	if m, ok := w.sim.Message(w.ann, post, post); err != nil || !ok || m.Content != "Who plays?" || m.Author.ID != w.ben {
		t.Errorf("the post: %v, %+v", err, m)
	}
	if _, err := ben.Say(w.ctx, forum, "hello"); !errors.Is(err, discordsim.ErrForbidden) {
		t.Errorf("writing in the forum itself: %v", err)
	}
	if _, err := ben.StartPost(forum, strings.Repeat("x", 101), "x"); !errors.Is(err, discordsim.ErrBadInput) {
		t.Errorf("a long name: %v", err)
	}
	w.clean()
}

func TestThreadsSurviveARestart(t *testing.T) {
	path := t.TempDir() + "/journal"
	sim, err := discordsim.Open(path, discordsim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := serve(t, sim)
	id := w.send(w.general, obj{"content": "board"})
	if _, err := w.sim.As(w.ben).StartThread(w.general, id, "game"); err != nil {
		t.Fatal(err)
	}
	w.send(id, obj{"content": "in the thread"})
	forum := w.sim.AddForum(w.guild, "matches")
	post, err := w.sim.As(w.ben).StartPost(forum, "post", "text")
	if err != nil {
		t.Fatal(err)
	}
	w.sim.SetThread(id, true, true)
	w.sim.As(w.ann).BlockBot(true)
	sim.Close()
	again, err := discordsim.Open(path, discordsim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.sim = again
	defer again.Close()
	if ch := w.channel(id); !ch.Archived || !ch.Locked || ch.OwnerID != w.ben || ch.StateChanged.IsZero() || ch.ParentID != w.general {
		t.Errorf("the thread: %+v", ch)
	}
	if len(again.Messages("", id)) != 1 || len(again.Messages("", w.general)) != 1 || len(again.Messages("", post)) != 1 {
		t.Error("messages are lost or in the wrong place")
	}
	for _, u := range again.Users() {
		if u.ID == w.ann && !u.BotBlocked {
			t.Error("the block is lost")
		}
	}
}
