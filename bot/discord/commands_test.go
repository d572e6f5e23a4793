package discord

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// words is a catalog: each text is as long as a key, names obey Discord's rule.
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

func TestCommandsObeyLimits(t *testing.T) {
	all := testCommands()
	if err := CheckCommands(all); err != nil {
		t.Error(err)
	}
	if len(all) != 2 || all[0].Type != typeSlash || all[1].Type != typeUser {
		t.Fatalf("%d commands", len(all))
	}
	for _, c := range all {
		if d := cmp.Diff([]int{contextGuild, contextBotDM}, c.Contexts); d != "" {
			t.Errorf("%s: contexts (-want +got):\n%s", c.Name, d)
		}
	}
}

func TestCheckCommands(t *testing.T) {
	// play is the subcommand that is spoilt.
	for name, c := range map[string]struct {
		spoil func(all []CommandSpec, play *OptionSpec)
		says  string
	}{
		"upper case":       {func(_ []CommandSpec, p *OptionSpec) { p.NameLocalizations["de"] = "Spielen" }, `name "Spielen"`},
		"blank in a name":  {func(_ []CommandSpec, p *OptionSpec) { p.Name = "play now" }, `name "play now"`},
		"no description":   {func(_ []CommandSpec, p *OptionSpec) { p.Description = "" }, "0 characters, want 1 to 100"},
		"long description": {func(_ []CommandSpec, p *OptionSpec) { p.DescriptionLocalizations["de"] = strings.Repeat("ä", 101) }, "in de: 101 characters"},
		"two alike": {func(a []CommandSpec, p *OptionSpec) {
			p.NameLocalizations["de"] = a[0].Options[1].NameLocalizations["de"]
		}, "another one is called"},
		"two choices alike":   {func(_ []CommandSpec, p *OptionSpec) { p.Options[0].Choices[0].Name = p.Options[0].Choices[1].Name }, "another one is called"},
		"required last":       {func(_ []CommandSpec, p *OptionSpec) { p.Options[1].Required = true }, "comes after an optional one"},
		"two ways to choose":  {func(_ []CommandSpec, p *OptionSpec) { p.Options[0].Autocomplete = true }, "both choices and completion"},
		"blank choice":        {func(_ []CommandSpec, p *OptionSpec) { p.Options[0].Choices[0].Name = " " }, "choice 1: 1 characters"},
		"empty value":         {func(_ []CommandSpec, p *OptionSpec) { p.Options[1].Choices[0].Value = "" }, "value of 0 characters"},
		"choices":             {func(_ []CommandSpec, p *OptionSpec) { p.Options[0].Choices = slices.Repeat(p.Options[0].Choices, 4) }, "32 choices of at most 25"},
		"options":             {func(a []CommandSpec, p *OptionSpec) { a[0].Options = slices.Repeat(a[0].Options, 3) }, "39 options of at most 25"},
		"too much in all":     {func(a []CommandSpec, p *OptionSpec) { p.Options = slices.Repeat(p.Options, 100) }, "of at most 8000 in all"},
		"words for a menu":    {func(a []CommandSpec, _ *OptionSpec) { a[1].Description = "x" }, "only slash commands"},
		"long name of a menu": {func(a []CommandSpec, _ *OptionSpec) { a[1].Name = strings.Repeat("x", 33) }, "33 characters, want 1 to 32"},
	} {
		t.Run(name, func(t *testing.T) {
			all := testCommands()
			c.spoil(all, &all[0].Options[0])
			if err := CheckCommands(all); !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}

func TestCommandsAreUnderstood(t *testing.T) {
	// Every subcommand, with every choice of every option, decodes.
	for _, sub := range testCommands()[0].Options {
		if sub.Type == optionGroup {
			for _, s := range sub.Options {
				text := `{"name":"` + s.Name + `","type":1}`
				if r, err := decodeJSON(t, inGroup(sub.Name, text)); err != nil || r.Intent == nil {
					t.Errorf("%s %s: %v", sub.Name, s.Name, err)
				}
				if r, err := decodeJSON(t, slash(s.Name, "")); err == nil {
					t.Errorf("%s outside of its group is %T", s.Name, r.Intent)
				}
			}
			for _, text := range []string{"", `{"name":"x","type":1}`, `{"name":"x","type":2}`, "null"} {
				if r, err := decodeJSON(t, inGroup(sub.Name, text)); err == nil || r.Intent != nil {
					t.Errorf("%s with %q in it is %T", sub.Name, text, r.Intent)
				}
			}
			continue
		}
		var variants []string
		base := ""
		for _, o := range sub.Options {
			var values []string
			switch o.Type {
			case optionInteger, optionString:
				for _, c := range o.Choices {
					v, _ := json.Marshal(c.Value)
					values = append(values, string(v))
				}
				if o.Name == OptionPath || o.Name == OptionGame {
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
				variants = append(variants, fmt.Sprintf(`{"name":%q,"type":%d,"value":%s}`, o.Name, o.Type, v))
			}
			if o.Required {
				base = variants[len(variants)-1]
			}
		}
		if r, err := decodeJSON(t, slash(sub.Name, base)); err != nil || r.Intent == nil {
			t.Errorf("%s: %v", sub.Name, err)
		}
		for _, v := range variants {
			list := v
			if base != "" && v != base {
				list = base + "," + v
			}
			if r, err := decodeJSON(t, slash(sub.Name, list)); err != nil || r.Intent == nil {
				t.Errorf("%s %s: %v", sub.Name, list, err)
			}
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

func TestSame(t *testing.T) {
	// registered is what Discord returns for commands: more fields, numbers as
	// they come, empty things as null, in another order.
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
			c["contexts"] = []any{1, 0}
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
		if !Same(registered(t, nil), testCommands()) {
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
			if Same(registered(t, change), testCommands()) {
				t.Error("not noticed")
			}
		})
	}
	two := []CommandSpec{{Type: typeSlash, Name: "x"}, {Type: typeUser, Name: "x"}}
	if !Same(two, []CommandSpec{two[1], two[0]}) {
		t.Error("two of one name, in another order, differ")
	}
	if Same(nil, testCommands()) || !Same(nil, nil) {
		t.Error("none")
	}
}
