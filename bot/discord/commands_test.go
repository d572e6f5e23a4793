package discord

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/intent"
)

// words is a catalog whose texts are the keys, as far as Discord allows in names.
func words(locale, key string) string {
	if locale == "fr" {
		return "" // nothing is translated
	}
	s := strings.NewReplacer(".", "-").Replace(key)
	if locale != BaseLocale {
		s = strings.ToLower(locale) + s
	}
	if strings.HasSuffix(key, ".name") {
		s = strings.TrimSuffix(s, "-name")
		s = s[:min(len(s), 32)]
	}
	return s
}

func testCommands() []CommandSpec { return Commands(words, []string{BaseLocale, "de", "fr"}) }

var update = flag.Bool("update", false, "write the golden files again")

// TestRegisteredCommandsStayAsTheyAre compares the registered commands, and the
// keys of their texts, with golden files, so that they change only on purpose.
func TestRegisteredCommandsStayAsTheyAre(t *testing.T) {
	specs, err := json.MarshalIndent(testCommands(), "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{
		"commands.json": string(specs) + "\n",
		"keys.txt":      strings.Join(CommandKeys(), "\n") + "\n",
	} {
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got; go test -update writes it again):\n%s", name, d)
		}
	}
}

func TestEveryCommandIsUnderstood(t *testing.T) {
	for _, sub := range testCommands()[0].Options {
		if sub.Type == optionGroup {
			understandsGroup(t, sub)
		} else {
			understands(t, sub)
		}
	}
}

func understandsGroup(t *testing.T, group OptionSpec) {
	for _, s := range group.Options {
		text := `{"name":"` + s.Name + `","type":1}`
		if r, err := decodeJSON(t, inGroup(group.Name, text)); err != nil || r.Intent == nil {
			t.Errorf("%s %s: %v", group.Name, s.Name, err)
		}
		if r, err := decodeJSON(t, slash(s.Name, "")); err == nil {
			t.Errorf("%s outside of its group is %T", s.Name, r.Intent)
		}
	}
	for _, text := range []string{"", `{"name":"x","type":1}`, `{"name":"x","type":2}`, "null"} {
		if r, err := decodeJSON(t, inGroup(group.Name, text)); err == nil || r.Intent != nil {
			t.Errorf("%s with %q in it is %T", group.Name, text, r.Intent)
		}
	}
}

// understands decodes a subcommand with every value of each option, and checks
// that each option makes a difference.
func understands(t *testing.T, sub OptionSpec) {
	given := map[string][]string{} // by option: each of its values
	base := ""                     // the required option
	for _, o := range sub.Options {
		var values []string
		switch o.Type {
		case optionInteger, optionString:
			for _, c := range o.Choices {
				v, _ := json.Marshal(c.Value)
				values = append(values, string(v))
			}
			if o.Autocomplete {
				values = []string{`"a1"`}
			}
		case optionUser:
			values = []string{`"200"`}
		case optionBoolean:
			values = []string{"true", "false"}
		}
		if len(values) == 0 {
			t.Errorf("%s %s can have no value", sub.Name, o.Name)
		}
		for _, v := range values {
			text := fmt.Sprintf(`{"name":%q,"type":%d,"value":%s}`, o.Name, o.Type, v)
			if o.Required {
				base = text
			} else {
				given[o.Name] = append(given[o.Name], text)
			}
		}
	}
	decoded := func(options string) intent.Intent {
		r, err := decodeJSON(t, slash(sub.Name, options))
		if err != nil || r.Intent == nil {
			t.Errorf("%s %s: %v", sub.Name, options, err)
		}
		return r.Intent
	}
	plain := decoded(base)
	for name, texts := range given {
		counts := false
		for _, text := range texts {
			if base != "" {
				text = base + "," + text
			}
			counts = counts || !reflect.DeepEqual(decoded(text), plain)
		}
		if !counts {
			t.Errorf("%s is the same whatever %s is", sub.Name, name)
		}
	}
}

func TestCommandsTranslate(t *testing.T) {
	c := testCommands()[0]
	if c.Name != "lasca" || c.NameLocalizations != nil {
		t.Errorf("the command itself is called %q, %v", c.Name, c.NameLocalizations)
	}
	play := c.Options[0]
	if play.Name != "play" || play.Description != "command-play-description" {
		t.Errorf("%q: %q", play.Name, play.Description)
	}
	if d := cmp.Diff(map[string]string{"de": "decommand-play"}, play.NameLocalizations); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
	level := play.Options[0]
	if len(level.Choices) != 8 || level.Choices[7].Value != 8 || level.Choices[7].NameLocalizations["de"] != "dechoice-level-8" {
		t.Errorf("levels: %+v", level.Choices)
	}
}

func TestCommandKeys(t *testing.T) {
	keys := CommandKeys()
	if !slices.IsSorted(keys) || len(slices.Compact(slices.Clone(keys))) != len(keys) {
		t.Error("not sorted or not unique")
	}
	for _, want := range []string{
		"command.lasca.description", "command.play.name", "command.play.description", "command.challenge_user.name",
		"option.level.name", "option.level.description", "choice.level.1", "choice.level.8", "choice.colour.random", "choice.rules.kawu",
		"choice.theme.contrast", "choice.boards.letters", "option.everyone.name",
	} {
		if !slices.Contains(keys, want) {
			t.Errorf("%s is missing", want)
		}
	}
}

func TestMissing(t *testing.T) {
	// registered is what Discord returns for the commands: with more fields, numbers
	// as they come, null for what is empty, and in another order.
	registered := func(t *testing.T, change func(list []map[string]any)) []CommandSpec {
		data, err := json.Marshal(testCommands())
		if err != nil {
			t.Fatal(err)
		}
		var list []map[string]any
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatal(err)
		}
		slices.Reverse(list)
		for i, c := range list {
			c["id"], c["application_id"], c["version"], c["nsfw"] = "1", "2", "3", false
			c["default_member_permissions"], c["dm_permission"] = nil, true
			if i == 0 {
				c["options"], c["description"], c["description_localizations"] = nil, "", nil
			}
			c["contexts"], c["integration_types"] = []any{2, 1, 0}, []any{1, 0}
		}
		slash := list[1]
		slash["name_localizations"] = nil
		if change != nil {
			change(list)
		}
		if data, err = json.Marshal(list); err != nil {
			t.Fatal(err)
		}
		var back []CommandSpec
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		return back
	}
	t.Run("what Discord adds makes no difference", func(t *testing.T) {
		if len(Missing(registered(t, nil), testCommands())) > 0 {
			t.Error("differs")
		}
	})
	option := func(list []map[string]any) map[string]any {
		sub := list[1]["options"].([]any)[0].(map[string]any)
		return sub["options"].([]any)[0].(map[string]any)
	}
	for name, change := range map[string]func(list []map[string]any){
		"another word":       func(l []map[string]any) { l[1]["description"] = "other" },
		"another name":       func(l []map[string]any) { l[0]["name"] = "other" },
		"another place":      func(l []map[string]any) { l[0]["contexts"] = []any{0} },
		"a lost translation": func(l []map[string]any) { option(l)["description_localizations"] = nil },
		"another value":      func(l []map[string]any) { option(l)["choices"].([]any)[0].(map[string]any)["value"] = 9 },
		"a lost choice":      func(l []map[string]any) { option(l)["choices"] = option(l)["choices"].([]any)[1:] },
		"now required":       func(l []map[string]any) { option(l)["required"] = true },
		"other order": func(l []map[string]any) {
			slices.Reverse(option(l)["choices"].([]any))
		},
	} {
		t.Run(name, func(t *testing.T) {
			if len(Missing(registered(t, change), testCommands())) != 1 {
				t.Error("not noticed")
			}
		})
	}
	two := []CommandSpec{{Type: typeSlash, Name: "x"}, {Type: typeUser, Name: "x"}}
	if len(Missing(two, []CommandSpec{two[1], two[0]})) > 0 {
		t.Error("two of one name, in another order, differ")
	}
	if len(Missing(nil, testCommands())) != 2 || len(Missing(nil, nil)) > 0 {
		t.Error("none")
	}
	t.Run("commands of others make no difference", func(t *testing.T) {
		more := append(registered(t, nil), CommandSpec{Type: 4, Name: "launch"}, CommandSpec{Type: typeSlash, Name: "other"})
		if len(Missing(more, testCommands())) > 0 {
			t.Error("differs")
		}
	})
}
