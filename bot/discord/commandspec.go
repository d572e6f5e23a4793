package discord

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// BaseLocale is the locale of a command's own texts, which people see if there is
// no translation into their language.
const BaseLocale = "en-US"

// challengeUserKey is the key of the menu's name. Unlike the names of slash
// commands, it comes from the catalog in the base language too.
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

	contextGuild   = 0
	contextBotDM   = 1
	contextPrivate = 2 // direct messages of which the bot is none

	installGuild = 0
	installUser  = 1
)

// CommandSpec is an application command as it is registered, without the fields
// that Discord adds.
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

// ChoiceSpec is one value of an option with fixed values. Value is a string or a
// whole number.
type ChoiceSpec struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations,omitempty"`
	Value             any               `json:"value"`
}

// Commands returns the application's commands. The function tr returns the text
// of a key in one of Discord's locales, or "" if there is none. It is called for
// [BaseLocale] and each of the locales; [CommandKeys] lists the keys. Texts that
// a translation lacks stay in the base language.
func Commands(tr func(locale, key string) string, locales []string) []CommandSpec {
	t := texts{tr: tr, locales: locales}
	return []CommandSpec{
		{
			Type: typeSlash, Name: root,
			Description:              t.base("command.lasca.description"),
			DescriptionLocalizations: t.all("command.lasca.description"),
			Options:                  t.subcommands(),
			Contexts:                 everywhere(),
			IntegrationTypes:         []int{installGuild, installUser},
		},
		{
			Type: typeUser, Name: t.base(challengeUserKey),
			NameLocalizations: t.all(challengeUserKey),
			Contexts:          everywhere(),
			IntegrationTypes:  []int{installGuild, installUser},
		},
	}
}

// everywhere are the places of commands for everybody: also those where the application
// is by a person's installation alone ([Request].Outside). Discord knows no places of
// subcommands; what makes no sense there is answered with a sentence.
func everywhere() []int { return []int{contextGuild, contextBotDM, contextPrivate} }

// CommandKeys returns every key that [Commands] looks up, sorted.
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

// all returns the translations of a key, or nil if it has none.
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

// described adds a key's name and description to an option or subcommand.
func (t texts) described(o OptionSpec, key string) OptionSpec {
	o.NameLocalizations = t.all(key + ".name")
	o.Description = t.base(key + ".description")
	o.DescriptionLocalizations = t.all(key + ".description")
	return o
}

// subcommands are the rows as options of the command. Neighbours in the same group
// share it. The keys of "privacy show" begin with "command.privacy_show".
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

// Missing returns the wanted commands that are not registered as they are wanted.
// What else is registered does not matter: it may be somebody else's. The order of
// contexts does not count; that of options and choices does, because people see
// it.
func Missing(registered, wanted []CommandSpec) []CommandSpec {
	return slices.DeleteFunc(slices.Clone(wanted), func(w CommandSpec) bool {
		return slices.ContainsFunc(registered, func(r CommandSpec) bool { return bytes.Equal(canonical(r), canonical(w)) })
	})
}

// canonical writes a command so that those that mean the same are equal bytes.
// Discord returns numbers as 1 or 1.0, and leaves out or empties what is not set.
func canonical(c CommandSpec) []byte {
	c.Type = cmp.Or(c.Type, typeSlash)
	c.Contexts = slices.Sorted(slices.Values(c.Contexts))
	c.IntegrationTypes = slices.Sorted(slices.Values(c.IntegrationTypes))
	data, err := json.Marshal(c)
	if err != nil {
		// Only a choice's value could fail, and strings and numbers do not.
		return nil
	}
	return data
}
