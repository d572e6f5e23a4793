package discord

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// BaseLocale is the locale of the texts that a command carries itself, for
// people whose language has no translation.
const BaseLocale = "en-US"

// challengeUserKey is the only command name that is a catalog text in the base
// language too: menus show it as it is.
const challengeUserKey = "command.challenge_user.name"

// Discord's numbers.
const (
	typeSlash = 1
	typeUser  = 2

	optionSubcommand = 1
	optionGroup      = 2
	optionString     = 3
	optionInteger    = 4
	optionBoolean    = 5
	optionUser       = 6

	contextGuild = 0
	contextBotDM = 1

	installGuild = 0
)

// CommandSpec is an application command as it is registered, with no field that
// Discord adds itself.
type CommandSpec struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description,omitempty"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Options                  []OptionSpec      `json:"options,omitempty"`
	Contexts                 []int             `json:"contexts,omitempty"`
	IntegrationTypes         []int             `json:"integration_types,omitempty"`
}

// OptionSpec is an option or a subcommand of a [CommandSpec].
type OptionSpec struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Required                 bool              `json:"required,omitempty"`
	Autocomplete             bool              `json:"autocomplete,omitempty"`
	MaxLength                int               `json:"max_length,omitempty"`
	Choices                  []ChoiceSpec      `json:"choices,omitempty"`
	Options                  []OptionSpec      `json:"options,omitempty"`
}

// ChoiceSpec is one value of an option that is chosen from a list. Value is a
// string or a whole number.
type ChoiceSpec struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations,omitempty"`
	Value             any               `json:"value"`
}

// Commands returns the application's commands. The function tr gives the text
// of a key in one of Discord's locales, or "" where there is none; it is asked for
// [BaseLocale] and for each of the locales. [CommandKeys] lists the keys.
//
// Names and choices that a translation lacks stay in the base language.
func Commands(tr func(locale, key string) string, locales []string) []CommandSpec {
	t := texts{tr: tr, locales: locales}
	return []CommandSpec{
		{
			Type: typeSlash, Name: root,
			Description:              t.base("command.lasca.description"),
			DescriptionLocalizations: t.all("command.lasca.description"),
			Options:                  t.subcommands(),
			Contexts:                 []int{contextGuild, contextBotDM},
			IntegrationTypes:         []int{installGuild},
		},
		{
			Type: typeUser, Name: t.base(challengeUserKey),
			NameLocalizations: t.all(challengeUserKey),
			Contexts:          []int{contextGuild, contextBotDM},
			IntegrationTypes:  []int{installGuild},
		},
	}
}

// CommandKeys returns every key that [Commands] asks for, sorted.
func CommandKeys() []string {
	seen := map[string]bool{}
	Commands(func(_, key string) string { seen[key] = true; return "" }, []string{"de"})
	keys := make([]string, 0, len(seen))
	for k := range seen {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// texts looks up the words of the commands.
type texts struct {
	tr      func(locale, key string) string
	locales []string
}

func (t texts) base(key string) string { return t.tr(BaseLocale, key) }

// all returns the translations of a key, nil if there are none.
func (t texts) all(key string) map[string]string {
	var m map[string]string
	for _, l := range t.locales {
		if l == BaseLocale {
			continue
		}
		if s := t.tr(l, key); s != "" {
			if m == nil {
				m = map[string]string{}
			}
			m[l] = s
		}
	}
	return m
}

// described is an option or a subcommand with the texts of a key.
func (t texts) described(o OptionSpec, key string) OptionSpec {
	o.NameLocalizations = t.all(key + ".name")
	o.Description = t.base(key + ".description")
	o.DescriptionLocalizations = t.all(key + ".description")
	return o
}

// subcommands are the rows as options of the one command. Rows of the same group
// follow each other. The keys of "privacy show" begin with "command.privacy_show".
func (t texts) subcommands() []OptionSpec {
	var list []OptionSpec
	for _, row := range subcommands {
		group, name, grouped := strings.Cut(row.name, " ")
		if !grouped {
			name = row.name
		}
		sub := t.described(OptionSpec{Type: optionSubcommand, Name: name}, "command."+strings.ReplaceAll(row.name, " ", "_"))
		for _, o := range row.options {
			sub.Options = append(sub.Options, o.spec(t))
		}
		if !grouped {
			list = append(list, sub)
			continue
		}
		if n := len(list); n == 0 || list[n-1].Name != group {
			list = append(list, t.described(OptionSpec{Type: optionGroup, Name: group}, "command."+group))
		}
		g := &list[len(list)-1]
		g.Options = append(g.Options, sub)
	}
	return list
}

// Same reports whether two lists of commands mean the same to Discord, in
// whatever order the commands and their contexts are. The order of options and
// choices counts: people see it.
func Same(registered, wanted []CommandSpec) bool {
	return bytes.Equal(canonical(registered), canonical(wanted))
}

// canonical writes commands so that equal ones are equal bytes. Discord returns
// numbers as 1 or 1.0 and leaves out or empties what is not set.
func canonical(list []CommandSpec) []byte {
	list = slices.Clone(list)
	for i, c := range list {
		if c.Type == 0 {
			list[i].Type = typeSlash
		}
		list[i].Contexts = slices.Sorted(slices.Values(c.Contexts))
		list[i].IntegrationTypes = slices.Sorted(slices.Values(c.IntegrationTypes))
	}
	slices.SortFunc(list, func(a, b CommandSpec) int {
		return cmp.Or(a.Type-b.Type, strings.Compare(a.Name, b.Name))
	})
	data, err := json.Marshal(list)
	if err != nil {
		// Only a choice's value could be impossible, and both kinds are not.
		return nil
	}
	return data
}
