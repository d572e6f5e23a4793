package discord

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// The beginnings of interactions as Discord sends them.
const (
	inGuild = `{"id":"1190000000000000001","application_id":"900","token":"tok","version":1,"locale":"de","guild_locale":"fr",
		"guild_id":"500","channel_id":"600","channel":{"id":"600","type":0},"app_permissions":"52224","context":0,
		"authorizing_integration_owners":{"0":"500"},"attachment_size_limit":10485760,"entitlements":[],
		"member":{"nick":"Ännchen","permissions":"32","roles":[],"user":{"id":"100","username":"ann","global_name":"Ann"}},`
	inDM = `{"id":"1190000000000000001","application_id":"900","token":"tok","version":1,"locale":"de",
		"channel_id":"601","app_permissions":"0","context":1,
		"user":{"id":"100","username":"ann","global_name":"Ann"},`
)

// slash completes an interaction with a subcommand.
func slash(name, options string) string {
	return inGuild + `"type":2,"data":{"id":"1","name":"lasca","type":1,"options":[{"name":"` + name + `","type":1,"options":[` + options + `]}],
		"resolved":{"users":{"100":{"id":"100","username":"ann"},"200":{"id":"200","username":"bob","global_name":"Bob"},"300":{"id":"300","username":"other","bot":true},"900":{"id":"900","username":"lasca","bot":true}},
		"members":{"200":{"nick":"Bobby"}}}}}`
}

// inGroup is a command whose subcommand is in a group.
func inGroup(group, sub string) string {
	return inGuild + `"type":2,"data":{"id":"1","name":"lasca","type":1,"options":[{"name":"` + group + `","type":2,"options":[` + sub + `]}]}}`
}

func press(customID string) string {
	return inGuild + `"type":3,"data":{"custom_id":"` + customID + `","component_type":2},"message":{"id":"700","channel_id":"600","flags":64,"content":"x","components":[{"type":1,"components":[{"type":2,"style":1,"custom_id":"1g","label":"x"}]}]}}`
}

func decodeJSON(t *testing.T, text string) (Request, error) {
	t.Helper()
	var i discordgo.InteractionCreate
	if err := json.Unmarshal([]byte(text), &i); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return Decode(i.Interaction)
}

func TestDecodeCommand(t *testing.T) {
	ref := intent.Ref{Game: "42"}
	game := `{"name":"game","type":3,"value":"42"}`
	for _, c := range []struct {
		name, options string
		want          intent.Intent
	}{
		{"play", ``, intent.Play{Level: 3, Side: intent.Random, Rules: engine.Kawu}},
		{"play", `{"name":"level","type":4,"value":8},{"name":"colour","type":3,"value":"black"},{"name":"rules","type":3,"value":"lasker"}`,
			intent.Play{Level: 8, Side: intent.Black, Rules: engine.Lasker}},
		{"challenge", `{"name":"user","type":6,"value":"200"}`,
			intent.Challenge{User: "200", Name: "Bobby", Side: intent.Random}},
		{"challenge", `{"name":"user","type":6,"value":"300"},{"name":"colour","type":3,"value":"white"},{"name":"rules","type":3,"value":"mindsports"}`,
			intent.Challenge{User: "300", Name: "other", Robot: true, Side: intent.White, Rules: engine.MindSports}},
		{"challenge", `{"name":"user","type":6,"value":"900"}`,
			intent.Challenge{User: "900", Name: "lasca", Robot: true, Us: true, Side: intent.Random}},
		{"move", `{"name":"path","type":3,"value":" c3-d4 "}`, intent.Move{Text: "c3-d4"}},
		{"move", `{"name":"path","type":3,"value":"c3"},` + game, intent.Move{Ref: ref, Text: "c3"}},
		{"board", ``, intent.Board{}},
		{"board", game, intent.Board{Ref: ref}},
		{"hint", game, intent.Hint{Ref: ref}},
		{"undo", game, intent.Undo{Ref: ref}},
		{"draw", game, intent.Draw{Ref: ref}},
		{"resign", game, intent.AskResign{Ref: ref}},
		{"games", ``, intent.Games{}},
		{"rules", ``, intent.Rules{}},
		{"help", ``, intent.Help{}},
		{"look", ``, intent.Look{}},
		{"look", `{"name":"theme","type":3,"value":"dark"},{"name":"boards","type":3,"value":"letters"},{"name":"everyone","type":5,"value":true}`,
			intent.Look{Theme: "dark", Boards: intent.Letters, Everyone: true}},
		{"look", `{"name":"boards","type":3,"value":"pictures"},{"name":"everyone","type":5,"value":false}`, intent.Look{Boards: intent.Pictures}},
	} {
		r, err := decodeJSON(t, slash(c.name, c.options))
		if err != nil {
			t.Errorf("%s %s: %v", c.name, c.options, err)
		}
		if d := cmp.Diff(c.want, r.Intent); d != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.name, c.options, d)
		}
		if r.Kind != Command {
			t.Errorf("%s: kind %v", c.name, r.Kind)
		}
	}
}

func TestDecodeRefusesOptions(t *testing.T) {
	// If one of these were let through, people would get another game than they
	// asked for.
	for _, c := range []struct{ name, options string }{
		{"play", `{"name":"level","type":4,"value":9}`},
		{"play", `{"name":"level","type":4,"value":0}`},
		{"play", `{"name":"level","type":4,"value":2.5}`},
		{"play", `{"name":"level","type":3,"value":"3"}`},
		{"play", `{"name":"level","type":4,"value":1e300}`},
		{"play", `{"name":"colour","type":3,"value":"green"}`},
		{"play", `{"name":"rules","type":3,"value":"chess"}`},
		{"play", `{"name":"rules","type":3,"value":""}`},
		{"challenge", ``},
		{"challenge", `{"name":"user","type":6,"value":""}`},
		{"challenge", `{"name":"user","type":6,"value":"201"}`},
		{"challenge", `{"name":"user","type":6,"value":200}`},
		{"move", ``},
		{"move", `{"name":"path","type":3,"value":"  "}`},
		{"move", `{"name":"game","type":3,"value":"Ann against Bob"}`},
		{"board", `{"name":"game","type":3,"value":42}`},
		{"board", `{"name":"game","type":3,"value":"` + strings.Repeat("ä", view.MaxChoice+1) + `"}`},
		{"look", `{"name":"theme","type":3,"value":"pink"}`},
		{"look", `{"name":"boards","type":3,"value":"none"}`},
		{"look", `{"name":"everyone","type":3,"value":"yes"}`},
	} {
		r, err := decodeJSON(t, slash(c.name, c.options))
		if !errors.Is(err, ErrOptions) || r.Intent != nil {
			t.Errorf("%s %s: %v, %#v", c.name, c.options, err, r.Intent)
		}
		if r.GameName != "" || errors.Is(err, ErrGameName) {
			t.Errorf("%s %s: the only fault is the game's name: %v", c.name, c.options, err)
		}
		if r.Kind != Command || r.Token != "tok" || r.User.ID != "100" || r.Locale != "de" {
			t.Errorf("%s %s: too little is left to answer with: %+v", c.name, c.options, r)
		}
	}
}

func TestGameNamedByItsTextIsLeftToTheApplication(t *testing.T) {
	long := strings.Repeat("ä", view.MaxChoice)
	for _, c := range []struct {
		name, options, text string
		want                intent.Intent
	}{
		{"board", `{"name":"game","type":3,"value":" Ann – Bob · 3 · your turn "}`, "Ann – Bob · 3 · your turn", intent.Board{}},
		{"board", `{"name":"game","type":3,"value":"123456789012345678901"}`, "123456789012345678901", intent.Board{}},
		{"move", `{"name":"path","type":3,"value":"c3-d4"},{"name":"game","type":3,"value":"Ann – Bob"}`, "Ann – Bob", intent.Move{Text: "c3-d4"}},
		{"resign", `{"name":"game","type":3,"value":"` + long + `"}`, long, intent.AskResign{}},
	} {
		r, err := decodeJSON(t, slash(c.name, c.options))
		if !errors.Is(err, ErrGameName) || !errors.Is(err, ErrOptions) || r.GameName != c.text {
			t.Errorf("%s %s: %v, name %q", c.name, c.options, err, r.GameName)
		}
		if d := cmp.Diff(c.want, r.Intent); d != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.name, c.options, d)
		}
	}
	nobody := strings.Replace(slash("board", `{"name":"game","type":3,"value":"a b"}`), `"tok"`, `""`, 1)
	if r, err := decodeJSON(t, nobody); !errors.Is(err, ErrUnsupported) || errors.Is(err, ErrGameName) || r.Intent != nil {
		t.Errorf("without a token: %v, %#v", err, r.Intent)
	}
}

func TestDecodeContextMenu(t *testing.T) {
	r, err := decodeJSON(t, inGuild+`"type":2,"data":{"id":"2","name":"Challenge to Lasca","type":2,"target_id":"200","resolved":{"users":{"200":{"id":"200","username":"bob"}}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := decodeJSON(t, inGuild+`"type":2,"data":{"id":"2","name":"x","type":2,"target_id":"200","resolved":{"users":{"200":{"id":"201","username":"eve"}}}}}`); !errors.Is(err, ErrOptions) {
		t.Errorf("somebody else is resolved: %v, %+v", err, r)
	}
	want := intent.Challenge{User: "200", Name: "bob", Side: intent.Random, Rules: engine.Kawu}
	if d := cmp.Diff(intent.Intent(want), r.Intent); d != "" || r.Kind != Command {
		t.Errorf("kind %v (-want +got):\n%s", r.Kind, d)
	}
}

func TestDecodeButton(t *testing.T) {
	t.Run("has the intent and says what message it is on", func(t *testing.T) {
		want := intent.Step{Ref: intent.Ref{Game: "42", Version: 7}, Path: []engine.Square{2, 3}}
		r, err := decodeJSON(t, press(intent.CustomID(want)))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(intent.Intent(want), r.Intent); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
		if r.Kind != Button || r.Message != "700" || !r.MessagePrivate {
			t.Errorf("%v on message %q, private %t", r.Kind, r.Message, r.MessagePrivate)
		}
	})
	t.Run("one of another version or of another program can still be answered", func(t *testing.T) {
		for id, want := range map[string]error{"0old": intent.ErrOutdated, "join:1": intent.ErrMalformed, "": intent.ErrMalformed} {
			r, err := decodeJSON(t, press(id))
			if !errors.Is(err, want) || r.Intent != nil || r.Kind != Button || r.Token != "tok" {
				t.Errorf("%q: %v, %+v", id, err, r)
			}
		}
	})
	t.Run("a menu is not a button", func(t *testing.T) {
		r, err := decodeJSON(t, inGuild+`"type":3,"data":{"custom_id":"1g","component_type":3,"values":["a"]}}`)
		if !errors.Is(err, ErrUnsupported) || r.Kind != 0 {
			t.Errorf("%v, %+v", err, r)
		}
	})
}

func TestDecodeAutocomplete(t *testing.T) {
	typing := func(options string) string {
		return strings.Replace(slash("move", options), `"type":2,"data"`, `"type":4,"data"`, 1)
	}
	t.Run("says what is typed and for which game", func(t *testing.T) {
		for _, c := range []struct {
			options, option, typed string
			game                   match.ID
			name                   string
		}{
			{`{"name":"path","type":3,"value":"c3-","focused":true}`, OptionPath, "c3-", "", ""},
			{`{"name":"path","type":3,"value":"","focused":true},{"name":"game","type":3,"value":"42"}`, OptionPath, "", "42", ""},
			{`{"name":"path","type":3,"value":"c","focused":true},{"name":"game","type":3,"value":"not one"}`, OptionPath, "c", "", "not one"},
			{`{"name":"path","type":3,"value":"c3"},{"name":"game","type":3,"value":"Bo","focused":true}`, OptionGame, "Bo", "", ""},
		} {
			r, err := decodeJSON(t, typing(c.options))
			if err != nil || r.Kind != Autocomplete || r.Option != c.option || r.Typed != c.typed || r.Game != c.game || r.GameName != c.name || r.Intent != nil {
				t.Errorf("%s: %v, %+v", c.options, err, r)
			}
		}
	})
	t.Run("nothing focused is an error that can be answered", func(t *testing.T) {
		r, err := decodeJSON(t, typing(`{"name":"path","type":3,"value":"c3"}`))
		if !errors.Is(err, ErrOptions) || r.Kind != Autocomplete {
			t.Errorf("%v, %+v", err, r)
		}
	})
}

func TestDecodePlace(t *testing.T) {
	t.Run("in a guild", func(t *testing.T) {
		r, err := decodeJSON(t, slash("games", ""))
		if err != nil {
			t.Fatal(err)
		}
		want := Request{
			ID: "1190000000000000001", Token: "tok", App: "900", Kind: Command,
			User:  User{ID: "100", Name: "Ännchen"},
			Guild: "500", Channel: "600", Locale: "de", PlaceLocale: "fr",
			Intent: intent.Games{}, Permissions: 52224, MemberPermissions: 32,
			Created: time.UnixMilli(1190000000000000001>>22 + 1420070400000),
		}
		if d := cmp.Diff(want, r); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
		if !r.CanAttach() || !r.CanManage() {
			t.Errorf("attach %t, manage %t", r.CanAttach(), r.CanManage())
		}
	})
	t.Run("in direct messages there is a user, no member, and the person's language", func(t *testing.T) {
		r, err := decodeJSON(t, inDM+`"type":3,"data":{"custom_id":"1g","component_type":2}}`)
		if err != nil || r.User != (User{ID: "100", Name: "Ann"}) || r.Guild != "" || r.PlaceLocale != "de" {
			t.Errorf("%v, %+v", err, r)
		}
		if r.CanAttach() || r.CanManage() {
			t.Errorf("attach %t, manage %t without permissions", r.CanAttach(), r.CanManage())
		}
	})
	t.Run("nobody manages direct messages", func(t *testing.T) {
		if (Request{MemberPermissions: 1 << 5}).CanManage() || !(Request{Guild: "1", MemberPermissions: 1 << 3}).CanManage() {
			t.Error("wrong")
		}
	})
	t.Run("a picture takes its permission, which administrators have", func(t *testing.T) {
		const send, attach, administrator = 1 << 11, 1 << 15, 1 << 3
		for bits, want := range map[int64]bool{send: false, attach: true, administrator: true} {
			if got := (Request{Permissions: bits}).CanAttach(); got != want {
				t.Errorf("%b: %t", bits, got)
			}
		}
	})
}

func TestDecodeTellsWhereTheBotIsNot(t *testing.T) {
	const external = "1125899906842624" // Use External Apps
	for _, c := range []struct {
		name, guild, permissions, owners, context string
		outside, private                          bool
	}{
		{"in a guild with the bot", "500", "0", `{"0":"500"}`, "0", false, false},
		{"there, by somebody who has installed it as well", "500", "0", `{"0":"500","1":"100"}`, "0", false, false},
		{"in a guild without it", "500", external, `{"1":"100"}`, "0", true, false},
		{"there, without the permission", "500", "2048", `{"1":"100"}`, "0", true, true},
		{"there, by an administrator", "500", "8", `{"1":"100"}`, "0", true, false},
		{"in a group", "", "", `{"1":"100"}`, "2", true, false},
		{"in the bot's direct messages", "", "", `{"0":"0"}`, "1", false, false},
		{"there, installed by the person alone", "", "", `{"1":"100"}`, "1", false, false},
		{"where Discord does not say it", "500", "0", `{}`, "0", false, false},
	} {
		who := `"user":{"id":"100","username":"ann"}`
		if c.guild != "" {
			who = `"guild_id":"` + c.guild + `","member":{"user":{"id":"100","username":"ann"},"permissions":"` + c.permissions + `"}`
		}
		r, err := decodeJSON(t, `{"id":"1190000000000000001","application_id":"900","token":"tok","type":3,"channel_id":"600","locale":"de",`+who+
			`,"context":`+c.context+`,"authorizing_integration_owners":`+c.owners+`,"data":{"custom_id":"1g","component_type":2}}`)
		if err != nil || r.Outside != c.outside || r.OnlyPrivate() != c.private || c.outside && r.CanManage() {
			t.Errorf("%s: outside %t, private %t, %v", c.name, r.Outside, r.OnlyPrivate(), err)
		}
	}
}

func TestDecodeUnsupported(t *testing.T) {
	for name, text := range map[string]string{
		"ping":            `{"id":"1","type":1,"token":"t","application_id":"9"}`,
		"modal":           inGuild + `"type":5,"data":{"custom_id":"x","components":[]}}`,
		"foreign command": inGuild + `"type":2,"data":{"name":"chess","type":1,"options":[]}}`,
		"message command": inGuild + `"type":2,"data":{"name":"lasca","type":3,"target_id":"1"}}`,
		"unknown part":    slash("cheat", ""),
		"nobody":          `{"id":"1","token":"t","application_id":"9","app_permissions":"0","type":3,"data":{"custom_id":"1g","component_type":2}}`,
	} {
		r, err := decodeJSON(t, text)
		if !errors.Is(err, ErrUnsupported) || r.Intent != nil {
			t.Errorf("%s: %v, %+v", name, err, r)
		}
	}
	if _, err := Decode(nil); !errors.Is(err, ErrUnsupported) {
		t.Errorf("nil: %v", err)
	}
	// What discordgo cannot read arrives with a type and without data.
	if _, err := Decode(&discordgo.Interaction{Type: discordgo.InteractionMessageComponent}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("no data: %v", err)
	}
}

// FuzzDecode checks that no interaction, however mangled, makes Decode panic, and
// that every request with an intent has somebody to answer.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		slash("play", `{"name":"level","type":4,"value":8},null`), slash("challenge", `{"name":"user","type":6,"value":"200"}`),
		slash("move", `{"name":"path","type":3,"value":"c3"},{"name":"game","type":3,"value":"42"}`),
		slash("move", `{"name":"path","type":3,"value":"c3"},{"name":"game","type":3,"value":"Ann – Bob"}`),
		slash("look", `{"name":"everyone","type":5,"value":true}`), press("1g"), press("1s42.7.ab"),
		inDM + `"type":4,"data":{"name":"lasca","options":[{"name":"move","type":1,"options":[{"name":"path","type":3,"value":"c","focused":true}]}]}}`,
		inGuild + `"type":2,"data":{"name":"x","type":2,"target_id":"200","resolved":{"users":{"200":null}}}}`,
		`{"type":2,"data":null}`, `{"type":2,"data":{"name":"lasca","options":[null]}}`, `{"member":{},"type":3}`, `null`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var i discordgo.InteractionCreate
		// Like the gateway, this uses what could be read in spite of an error.
		_ = json.Unmarshal(text, &i)
		r, err := Decode(i.Interaction)
		named := errors.Is(err, ErrGameName)
		if err != nil && !named && r.Intent != nil || named && (r.Intent == nil || r.GameName == "") || err == nil && r.Kind == 0 {
			t.Errorf("error %v with %+v", err, r)
		}
		if (err == nil || named) && (r.User.ID == "" || r.Token == "") {
			t.Errorf("nobody to answer: %+v", r)
		}
		if n := utf8.RuneCountInString(r.User.Name); n > 32 {
			t.Errorf("a name of %d characters", n)
		}
	})
}

// Their ID would tell nobody who it is.
func TestWhoHasNoVisibleNameHasNone(t *testing.T) {
	for _, u := range []*discordgo.User{{ID: "100"}, {ID: "100", Username: "\u3164", GlobalName: "\u200b"}} {
		for _, m := range []*discordgo.Member{nil, {Nick: "\u3164"}} {
			if got := userOf(u, m); got.Name != "" || got.ID != "100" {
				t.Errorf("%+v", got)
			}
		}
	}
}
