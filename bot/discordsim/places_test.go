package discordsim_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// anywhere is a command for every place and both kinds of installation.
var anywhere = obj{
	"name": "any", "description": "Anywhere", "contexts": []int{0, 1, 2}, "integration_types": []int{0, 1},
	"options": []obj{{"type": 6, "name": "user", "description": "Whom"}},
}

// outside is a world with places where the bot is not. Ann has installed the application.
type outside struct {
	*world
	group, dm      string // of Ann and Ben
	foreign, lobby string // a guild and its channel
	last           obj    // the newest interaction
	deferring      bool   // instead of answering at once
}

func newOutside(t *testing.T, o discordsim.Options, commands ...obj) *outside {
	t.Helper()
	w := &outside{world: newWorld(t, o)}
	w.sim.SetInstalled(w.ann, true)
	w.group, w.dm = w.sim.AddGroupDM("Lasca friends", w.ann, w.ben), w.sim.AddDM(w.ann, w.ben)
	w.foreign = w.sim.AddForeignGuild("Elsewhere", "de")
	w.lobby = w.sim.AddChannel(w.foreign, "lobby")
	w.sim.Join(w.foreign, w.sim.AddUser(discordsim.User{Name: "host"})) // who owns it
	w.sim.Join(w.foreign, w.ann)
	w.sim.Join(w.foreign, w.ben)
	w.register(append(commands, anywhere)...)
	return w
}

// answering connects a bot that answers every interaction with a message, public unless
// flags say otherwise, that has a button.
func (w *outside) answering(flags int) {
	w.bot(func(i obj) {
		w.last = i
		if w.deferring {
			w.callback(i, 5, nil)
			return
		}
		w.callback(i, 4, obj{"content": "board", "flags": flags, "allowed_mentions": quiet, "components": row(button("go", "Go"))})
	})
}

func (w *outside) use(user, channel string) (*discordsim.Reply, error) {
	return w.sim.As(user).Slash(w.ctx, channel, "any", nil)
}

func TestCommandsWorkWhereTheyAreRegisteredAndInstalled(t *testing.T) {
	only := func(name string, contexts, types []int) obj {
		return obj{"name": name, "description": "x", "contexts": contexts, "integration_types": types}
	}
	w := newOutside(t, discordsim.Options{},
		only("guilds", []int{0}, []int{0}), only("mine", []int{0}, []int{1}), only("private", []int{2}, []int{1}),
		only("botdm", []int{1}, []int{0, 1}), obj{"name": "plain", "description": "x"})
	thread := w.sim.AddThread(w.lobby, "talk")
	for _, c := range []struct {
		name, user, channel, want string
	}{
		{"Ann in a guild with the bot", w.ann, w.general, "guilds mine plain any"},
		{"Ben in a guild with the bot", w.ben, w.general, "guilds plain any"},
		{"Ann in a guild without it", w.ann, w.lobby, "mine any"},
		{"Ben in a guild without it", w.ben, w.lobby, ""},
		{"Ann in a thread of that guild", w.ann, thread, "mine any"},
		{"Ann in a group", w.ann, w.group, "private any"},
		{"Ben in a group", w.ben, w.group, ""},
		{"Ann in a private talk", w.ann, w.dm, "private any"},
		{"Ann writes to the bot", w.ann, w.sim.As(w.ann).OpenDM(), "botdm plain any"},
		{"Ben writes to the bot", w.ben, w.sim.As(w.ben).OpenDM(), "botdm plain any"},
	} {
		list, err := w.sim.As(c.user).Available(c.channel)
		var names []string
		for _, cmd := range list {
			names = append(names, cmd.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
	if _, err := w.use(w.ben, w.group); !errors.Is(err, discordsim.ErrUnknownCommand) {
		t.Errorf("Ben has not installed it: %v", err)
	}
	w.clean()
}

func TestInteractionsSayWhoAuthorizedTheApplication(t *testing.T) {
	w := newOutside(t, discordsim.Options{})
	w.answering(0)
	botDM := w.sim.As(w.ann).OpenDM()
	for _, c := range []struct {
		name, user, channel string
		owners              obj
		context             float64
		permissions         string
	}{
		{"guild with the bot", w.ann, w.general, obj{"0": w.guild, "1": w.ann}, 0, fmt.Sprint(uint64(discordsim.DefaultBotPermissions))},
		{"Ben there", w.ben, w.general, obj{"0": w.guild}, 0, fmt.Sprint(uint64(discordsim.DefaultBotPermissions))},
		{"guild without the bot", w.ann, w.lobby, obj{"1": w.ann}, 0, fmt.Sprint(uint64(discordsim.EmbedLinks | discordsim.AttachFiles))},
		{"group", w.ann, w.group, obj{"1": w.ann}, 2, fmt.Sprint(uint64(discordsim.EmbedLinks | discordsim.AttachFiles | discordsim.MentionEveryone))},
		{"private talk", w.ann, w.dm, obj{"1": w.ann}, 2, fmt.Sprint(uint64(discordsim.EmbedLinks | discordsim.AttachFiles | discordsim.MentionEveryone))},
		{"bot's direct messages", w.ann, botDM, obj{"0": "0", "1": w.ann}, 1, fmt.Sprint(uint64(w.sim.Permissions(botDM, w.sim.BotID())))},
	} {
		r, err := w.use(c.user, c.channel)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if d := cmp.Diff(c.owners, w.last["authorizing_integration_owners"]); d != "" {
			t.Errorf("%s: owners (-want +got):\n%s", c.name, d)
		}
		if w.last["context"] != c.context || w.last["app_permissions"] != c.permissions {
			t.Errorf("%s: context %v, permissions %v, want %v, %v", c.name, w.last["context"], w.last["app_permissions"], c.context, c.permissions)
		}
		if (w.last["guild_id"] != nil) != (c.context == 0) || (w.last["member"] != nil) != (c.context == 0) {
			t.Errorf("%s: guild %v, member %v", c.name, w.last["guild_id"], w.last["member"])
		}
		// A press tells who has installed it, not who presses.
		if _, err := w.sim.As(w.ben).Click(w.ctx, r.ChannelID, r.MessageID, "go"); c.channel != botDM && err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if d := cmp.Diff(c.owners, w.last["authorizing_integration_owners"]); d != "" {
			t.Errorf("%s: owners of a press (-want +got):\n%s", c.name, d)
		}
	}
	if channel := w.last["channel"].(obj); channel["type"] != 1.0 {
		t.Errorf("channel = %v", channel)
	}
	w.clean()
}

func TestTheBotsTokenOpensNoPlaceWithoutTheBot(t *testing.T) {
	w := newOutside(t, discordsim.Options{})
	w.answering(0)
	for _, channel := range []string{w.group, w.dm, w.lobby} {
		r, err := w.use(w.ann, channel)
		if err != nil {
			t.Fatal(err)
		}
		message := "/channels/" + channel + "/messages/" + r.MessageID
		for _, c := range [][2]string{{"POST", "/channels/" + channel + "/messages"}, {"GET", message}, {"PATCH", message}, {"DELETE", message}} {
			var body any
			if c[0] == "POST" || c[0] == "PATCH" {
				body = obj{"content": "x", "allowed_mentions": quiet}
			}
			if status, out := w.rest(c[0], c[1], body); status != 403 || code(out) != 50001 {
				t.Errorf("%s %s: %d %v, want 50001", c[0], c[1], status, out)
			}
		}
		// The answer's own token works for its quarter of an hour.
		hook := "/webhooks/" + w.sim.ApplicationID() + "/" + w.last["token"].(string)
		if status, out := w.rest("PATCH", hook+"/messages/@original", obj{"content": "edited", "allowed_mentions": quiet}); status != 200 {
			t.Errorf("editing the answer: %d %v", status, out)
		}
	}
	if status, out := w.rest("GET", "/guilds/"+w.foreign, nil); status != 403 || code(out) != 50001 {
		t.Errorf("the guild: %d %v", status, out)
	}
	w.clean() // a bot cannot always know
}

func TestTheBotHearsNothingOfPlacesWithoutIt(t *testing.T) {
	w := newOutside(t, discordsim.Options{})
	g, _ := w.ready(1<<9 | 1<<12)
	for _, channel := range []string{w.group, w.dm, w.lobby, w.general} {
		if _, err := w.sim.As(w.ann).Say(w.ctx, channel, "hello @everyone <@"+w.ben+">"); err != nil {
			t.Fatal(err)
		}
	}
	for {
		e := g.read()
		if e.T == "MESSAGE_CREATE" {
			if !strings.Contains(string(e.D), w.general) {
				t.Errorf("the bot heard %s", e.D)
			}
			break
		}
	}
	w.clean()
}

func TestAnswersAreForcedPrivateWithoutExternalApps(t *testing.T) {
	w := newOutside(t, discordsim.Options{})
	w.answering(0)
	w.sim.SetMemberPermissions(w.foreign, w.ann, discordsim.DefaultMemberPermissions&^discordsim.UseExternalApps)
	w.sim.SetMemberPermissions(w.guild, w.ann, discordsim.DefaultMemberPermissions&^discordsim.UseExternalApps)
	for channel, forced := range map[string]bool{w.lobby: true, w.general: false, w.group: false, w.dm: false} {
		r, err := w.use(w.ann, channel)
		if err != nil || r.Ephemeral != forced {
			t.Fatalf("%s: ephemeral %v, %v, want %v", channel, r.Ephemeral, err, forced)
		}
		m, _ := w.sim.Message(w.ann, channel, r.MessageID)
		if (m.Flags&64 != 0) != forced {
			t.Errorf("%s: flags %d", channel, m.Flags)
		}
		// A follow-up that should be public is private as well.
		hook := "/webhooks/" + w.sim.ApplicationID() + "/" + w.last["token"].(string)
		_, out := w.rest("POST", hook, obj{"content": "more", "allowed_mentions": quiet})
		if flags := int(out["flags"].(float64)); (flags&64 != 0) != forced {
			t.Errorf("%s: follow-up has flags %d", channel, flags)
		}
		if forced {
			if _, err := w.sim.As(w.ben).Click(w.ctx, channel, r.MessageID, "go"); !errors.Is(err, discordsim.ErrUnknownMessage) {
				t.Errorf("Ben sees the private answer: %v", err)
			}
		}
	}
	w.clean()
}

func TestForcedPrivacyHoldsForDeferredAnswersAndPresses(t *testing.T) {
	w := newOutside(t, discordsim.Options{})
	w.answering(0)
	public, err := w.use(w.ann, w.lobby)
	if err != nil {
		t.Fatal(err)
	}
	w.sim.SetMemberPermissions(w.foreign, w.ben, discordsim.DefaultMemberPermissions&^discordsim.UseExternalApps)
	if r, err := w.sim.As(w.ben).Click(w.ctx, w.lobby, public.MessageID, "go"); err != nil || !r.Ephemeral {
		t.Errorf("Ben's press: %+v, %v, want a private answer", r, err)
	}
	w.sim.SetMemberPermissions(w.foreign, w.ann, discordsim.DefaultMemberPermissions&^discordsim.UseExternalApps)
	w.deferring = true
	if r, err := w.use(w.ann, w.lobby); err != nil || r.Kind != discordsim.ReplyDeferred || !r.Ephemeral {
		t.Errorf("a deferred answer: %+v, %v", r, err)
	}
}

func TestAtMostFiveFollowUpsByAPersonsInstallation(t *testing.T) {
	w := newOutside(t, discordsim.Options{})
	w.answering(0)
	for channel, limited := range map[string]bool{w.group: true, w.lobby: true, w.general: false} {
		if _, err := w.use(w.ann, channel); err != nil {
			t.Fatal(err)
		}
		hook := "/webhooks/" + w.sim.ApplicationID() + "/" + w.last["token"].(string)
		for range 5 {
			if status, out := w.rest("POST", hook, obj{"content": "more", "allowed_mentions": quiet}); status != 200 {
				t.Fatalf("%d %v", status, out)
			}
		}
		status, out := w.rest("POST", hook, obj{"content": "more", "allowed_mentions": quiet})
		if limited && (status != 400 || code(out) != 40094) || !limited && status != 200 {
			t.Errorf("sixth follow-up, limited %v: %d %v", limited, status, out)
		}
	}
	w.violated("40094")
}

func TestPressesWorkWhereTheBotIsNot(t *testing.T) {
	clock := discordsim.NewManualClock(start)
	w := newOutside(t, discordsim.Options{Clock: clock})
	w.bot(func(i obj) {
		typ := 4
		if i["type"] == 3.0 {
			typ = 7
		}
		w.callback(i, typ, obj{"content": fmt.Sprint("answer to ", i["type"]), "allowed_mentions": quiet, "components": row(button("go", "Go"))})
	})
	r, err := w.use(w.ann, w.group)
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(3 * time.Hour) // the first token has long expired
	if _, err := w.sim.As(w.ben).Click(w.ctx, w.group, r.MessageID, "go"); err != nil {
		t.Fatal(err)
	}
	if got := w.sim.Transcript(w.group); !strings.Contains(got, "# group Lasca friends: ann, ben") || !strings.Contains(got, "answering ann's /any: answer to 3 (edited)") {
		t.Errorf("transcript: %s", got)
	}
	if got := w.sim.Transcript(w.dm); got != "# direct messages with ann and ben\n" {
		t.Errorf("transcript: %s", got)
	}
	w.clean()
}

func TestPlacesSurviveTheProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "world")
	sim, err := discordsim.Open(path, discordsim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ann, ben := sim.AddUser(discordsim.User{Name: "ann"}), sim.AddUser(discordsim.User{Name: "ben"})
	sim.SetInstalled(ann, true)
	group, dm := sim.AddGroupDM("us", ann, ben), sim.AddDM(ben, ann)
	if sim.AddDM(ann, ben) != dm || sim.AddDM(ann, ann) != "" || sim.AddGroupDM("x", ann, "1") != "" || sim.AddDM(ann, sim.BotID()) != "" {
		t.Error("odd direct messages")
	}
	foreign := sim.AddForeignGuild("Elsewhere", "")
	if err := sim.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := discordsim.Open(path, discordsim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	var ids []string
	for _, c := range again.Channels(ben) {
		ids = append(ids, c.ID)
	}
	if d := cmp.Diff([]string{group, dm}, ids); d != "" {
		t.Errorf("channels (-want +got):\n%s", d)
	}
	if !again.Users()[1].Installed || again.IsMember(foreign, again.BotID()) {
		t.Error("an installation was lost")
	}
	if _, err := again.As(ann).Say(context.Background(), dm, "hello"); err != nil {
		t.Error(err)
	}
}
